import {InvalidRequest} from '../../contract/wire-error.ts';
import type {ChannelRequest, ChannelSubscription, OpenChannel, StreamChannel} from '../stream/channel.ts';
import {PLATFORM, type PredictionExchange} from './exchange.ts';
import {quoteOf} from './figures.ts';
import type {PredictionMarket} from './prediction-market.ts';
import {marketRecord, outcomeIdOf, priceRecord, tradeRecord} from './records.ts';

/** How often subscribed markets are read, and how often their details may be sent. */
const POLL_MS = 250;
const DETAILS_MS = 1000;

type MarketRequest = Extract<ChannelRequest, {readonly marketId: string}>;

interface Subscriber {
	readonly request: MarketRequest;
	readonly subscription: ChannelSubscription;
	/** Trades already sent. */
	sent: number;
	status: string;
	detailsMs: number;
}

/** Prices, trades and details of prediction markets on the socket (contract gaps 6.4). Pushes are flat. */
export function marketChannel(exchange: PredictionExchange): StreamChannel {
	const subscribers = new Set<Subscriber>();
	let timer: NodeJS.Timeout | undefined;
	const poll = () => {
		for (const subscriber of subscribers) sendNew(exchange, subscriber);
	};
	return {
		kinds: ['pm-market-price', 'pm-market-trade', 'pm-market-details'],
		open(request, subscription): OpenChannel {
			const marketRequest = request as MarketRequest;
			const {kind: type, platform, marketId} = marketRequest;
			if (platform !== PLATFORM) {
				throw new InvalidRequest('data.platform', 'is not supported here', `it must be ${PLATFORM}`);
			}
			const market = exchange.find(platform, marketId);
			if (market === undefined) throw new InvalidRequest('data.marketId', 'is no market', 'or one that is long over');
			const {length: sent} = market.log;
			const subscriber = {
				request: marketRequest,
				subscription,
				sent,
				status: market.status,
				detailsMs: exchange.nowMs(),
			};
			const {id: subscriptionId} = subscription;
			subscription.send(JSON.stringify({event: 'subscribed', type, subscriptionId, platform, marketId}));
			if (type === 'pm-market-price') sendPrices(exchange, market, subscriber);
			else if (type === 'pm-market-details') sendDetails(exchange, market, subscriber);
			subscribers.add(subscriber);
			timer ??= setInterval(poll, POLL_MS).unref();
			return {
				end() {
					subscribers.delete(subscriber);
					if (subscribers.size > 0) return;
					clearInterval(timer);
					timer = undefined;
				},
			};
		},
	};
}

function sendNew(exchange: PredictionExchange, subscriber: Subscriber): void {
	const {kind, platform, marketId} = subscriber.request;
	const market = exchange.find(platform, marketId);
	if (market === undefined) return;
	const {length} = market.log;
	if (length === subscriber.sent && market.status === subscriber.status) return;
	if (kind === 'pm-market-details') {
		const nowMs = exchange.nowMs();
		if (Math.abs(nowMs - subscriber.detailsMs) < DETAILS_MS) return;
		subscriber.detailsMs = nowMs;
		sendDetails(exchange, market, subscriber);
	} else if (kind === 'pm-market-price') sendPrices(exchange, market, subscriber);
	else for (let index = subscriber.sent; index < length; index++) sendTrade(exchange, market, index, subscriber);
	subscriber.sent = length;
	subscriber.status = market.status;
}

/** Every trade moves all prices of its market. */
function sendPrices(exchange: PredictionExchange, market: PredictionMarket, {request, subscription}: Subscriber): void {
	const {outcomes, timestamp, platform, marketId} = priceRecord(market, exchange.nowMs());
	for (const {label: _, ...quote} of outcomes) {
		const {id: subscriptionId} = subscription;
		subscription.send(JSON.stringify({event: request.kind, subscriptionId, platform, marketId, ...quote, timestamp}));
	}
}

function sendTrade(exchange: PredictionExchange, market: PredictionMarket, index: number, to: Subscriber): void {
	const {id, type, outcomeId, priceUSD, sizeToken, amountUSD, date, timestamp} = tradeRecord(market, index, exchange);
	const outcome = market.plan.outcomes.findIndex((_, i) => outcomeIdOf(market, i) === outcomeId);
	to.subscription.send(
		JSON.stringify({
			event: to.request.kind,
			subscriptionId: to.subscription.id,
			platform: PLATFORM,
			marketId: market.plan.marketId,
			outcomeId,
			...quoteOf(market, outcome),
			priceUSD,
			timestamp,
			id,
			type,
			sizeToken,
			amountUSD,
			date,
		}),
	);
}

function sendDetails(
	exchange: PredictionExchange,
	market: PredictionMarket,
	{request, subscription}: Subscriber,
): void {
	const timestamp = exchange.nowMs();
	const about = {event: request.kind, subscriptionId: subscription.id, timestamp};
	subscription.send(JSON.stringify({...marketRecord(market, timestamp), ...about}));
}
