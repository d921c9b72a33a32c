import {createHash} from 'node:crypto';
import type {
	ListedMarket,
	Market,
	MarketCandle,
	MarketEventDetails,
	MarketPrice,
	PredictionTrade,
} from '../../contract/prediction.ts';
import {PLATFORM, type PredictionExchange} from './exchange.ts';
import {
	DAY_MS,
	liquidityOf,
	openInterestOf,
	priceChange,
	quoteOf,
	round,
	tradedBetween,
	trendingScore,
	WEEK_MS,
} from './figures.ts';
import type {PredictionMarket} from './prediction-market.ts';

/** A market in full (contract gaps 6.1). */
export function marketRecord(market: PredictionMarket, nowMs: number): Market {
	const {plan, log, prices, status} = market;
	const day = tradedBetween(market, nowMs - DAY_MS);
	const week = tradedBetween(market, nowMs - WEEK_MS);
	const whole = tradedBetween(market, 0);
	return {
		...names(market),
		description: plan.description,
		tags: [...plan.tags],
		type: plan.type,
		negRisk: plan.type === 'categorical',
		chainId: 'evm:137',
		contractAddress: null,
		outcomes: plan.outcomes.map((label, i) => ({
			id: `${PLATFORM}:${outcomeIdOf(market, i)}`,
			outcomeId: outcomeIdOf(market, i),
			label,
			priceUSD: prices[i]!,
			priceChange24hPercentage: round(priceChange(market, i, nowMs, DAY_MS)),
			priceChange7dPercentage: round(priceChange(market, i, nowMs, WEEK_MS)),
			volume24hUSD: round(day.usdOf[i]!),
			volume7dUSD: round(week.usdOf[i]!),
			totalVolumeUSD: round(whole.usdOf[i]!),
			// One pool backs all outcomes: no part of it belongs to one outcome.
			liquidityUSD: null,
			openInterestUSD: round(openInterestOf(market, i)),
			holdersCount: market.holdersOf(i),
		})),
		stats: {
			totalVolumeUSD: round(whole.usd),
			volume24hUSD: round(day.usd),
			volume7dUSD: round(week.usd),
			liquidityUSD: round(liquidityOf(market)),
			tradesCount: log.length,
			trades24h: day.trades,
			openInterestUSD: round(plan.outcomes.reduce((sum, _, i) => sum + openInterestOf(market, i), 0)),
			holdersCount: market.holdersCount,
		},
		metadata: {
			createdAt: iso(plan.createdMs),
			endDate: iso(plan.endMs),
			resolved: status === 'resolved',
			resolvedAt: status === 'resolved' ? iso(plan.resolveMs) : null,
			resolvedOutcome: market.winner === undefined ? null : plan.outcomes[market.winner]!,
			logo: null,
			url: null,
			creator: null,
			resolver: plan.rule === null ? null : `reference price of ${plan.rule.price.coin.symbol}`,
			rewardPool: null,
			platformFee: 0,
		},
		...reference(market, nowMs),
	};
}

/** A market in a list (contract gaps 6.4). @param rank its place, from 1 */
export function listedRecord(market: PredictionMarket, nowMs: number, rank: number | null): ListedMarket {
	const {plan, log, prices} = market;
	const day = tradedBetween(market, nowMs - DAY_MS).usd;
	const dayBefore = tradedBetween(market, nowMs - 2 * DAY_MS, nowMs - DAY_MS).usd;
	const {id: _, ...name} = names(market);
	return {
		...name,
		volume24hUSD: round(day),
		totalVolumeUSD: round(tradedBetween(market, 0).usd),
		liquidityUSD: round(liquidityOf(market)),
		endDate: iso(plan.endMs),
		createdAt: iso(plan.createdMs),
		logo: null,
		tradesCount: log.length,
		trendingScore: trendingScore(market, nowMs),
		volumeChange24hPercentage: dayBefore === 0 ? null : round((day / dayBefore - 1) * 100),
		rank,
		outcomes: plan.outcomes.map((label, i) => ({outcomeId: outcomeIdOf(market, i), label, priceUSD: prices[i]!})),
	};
}

/** An event with its markets, sorted by end; undefined when no market belongs to it. */
export function eventRecord(
	markets: readonly PredictionMarket[],
	eventId: string,
	nowMs: number,
): MarketEventDetails | undefined {
	const own = markets.filter(({plan}) => plan.event?.id === eventId).sort((a, b) => a.plan.endMs - b.plan.endMs);
	const [first] = own;
	if (first === undefined) return undefined;
	const sum = (figure: (market: PredictionMarket) => number) =>
		round(own.reduce((total, market) => total + figure(market), 0));
	const {title} = first.plan.event!;
	return {
		eventId,
		eventSlug: slugOf(title, eventId),
		eventTitle: title,
		platform: PLATFORM,
		category: first.plan.category,
		volume24hUSD: sum(market => tradedBetween(market, nowMs - DAY_MS).usd),
		totalVolumeUSD: sum(market => tradedBetween(market, 0).usd),
		liquidityUSD: sum(liquidityOf),
		markets: own.map(market => listedRecord(market, nowMs, null)),
	};
}

/** The prices of the outcomes. */
export function priceRecord(market: PredictionMarket, nowMs: number): MarketPrice {
	const {marketId, outcomes} = market.plan;
	return {
		platform: PLATFORM,
		marketId,
		status: market.status,
		timestamp: nowMs,
		outcomes: outcomes.map((label, i) => ({outcomeId: outcomeIdOf(market, i), label, ...quoteOf(market, i)})),
	};
}

/** The trade at an index of the market's log. */
export function tradeRecord(market: PredictionMarket, index: number, {traders}: PredictionExchange): PredictionTrade {
	const {timeMs, outcome, isBuy, shares, amountUSD, trader} = market.log.trade(index);
	return {
		id: `${market.plan.marketId}-${index}`,
		type: isBuy ? 'buy' : 'sell',
		outcomeId: outcomeIdOf(market, outcome),
		label: market.plan.outcomes[outcome]!,
		priceUSD: market.log.price(index, outcome),
		sizeToken: shares,
		amountUSD,
		wallet: traders.address(trader),
		date: iso(timeMs),
		timestamp: timeMs,
	};
}

/**
 * Candles of an outcome's price, oldest first. A span without trades has no candle.
 * @param toMs the last moment that counts
 */
export function candles(
	{log}: PredictionMarket,
	outcome: number,
	{lengthMs, fromMs, toMs, limit}: {lengthMs: number; fromMs: number; toMs: number; limit: number},
): MarketCandle[] {
	const made: MarketCandle[] = [];
	let index = log.since(fromMs);
	while (index < log.length && log.times[index]! <= toMs) {
		const timestamp = Math.floor(log.times[index]! / lengthMs) * lengthMs;
		const open = log.price(index - 1, outcome);
		const candle = {timestamp, open, high: open, low: open, close: open, volumeUSD: 0, trades: 0};
		for (; index < log.length && log.times[index]! < timestamp + lengthMs && log.times[index]! <= toMs; index++) {
			candle.close = log.price(index, outcome);
			candle.high = Math.max(candle.high, candle.close);
			candle.low = Math.min(candle.low, candle.close);
			candle.volumeUSD += log.usd[index]!;
			candle.trades++;
		}
		made.push({...candle, volumeUSD: round(candle.volumeUSD)});
	}
	return made.slice(-limit);
}

/** The id of an outcome's shares in the form of ERC-1155 ids: a whole number of 256 bits in decimal. */
export function outcomeIdOf({plan}: PredictionMarket, outcome: number): string {
	let ids = outcomeIds.get(plan);
	if (ids === undefined) {
		ids = plan.outcomes.map((_, i) => {
			const hex = createHash('sha256').update(`${PLATFORM} ${plan.marketId} ${i}`).digest('hex');
			return BigInt(`0x${hex}`).toString();
		});
		outcomeIds.set(plan, ids);
	}
	return ids[outcome]!;
}

const outcomeIds = new WeakMap<object, string[]>();

function names({plan, status}: PredictionMarket) {
	const {marketId, question, category, event} = plan;
	return {
		id: `${PLATFORM}:${marketId}`,
		platform: PLATFORM,
		marketId,
		slug: slugOf(question, marketId),
		question,
		category,
		status,
		eventId: event?.id ?? null,
		eventSlug: event === null ? null : slugOf(event.title, event.id),
		eventTitle: event?.title ?? null,
	};
}

function slugOf(text: string, id: string): string {
	const words = text.toLowerCase().match(/[a-z0-9]+/g) ?? [];
	return [...words.slice(0, 12), id].join('-').slice(-120);
}

function reference({plan, status}: PredictionMarket, nowMs: number): Pick<Market, 'reference'> {
	if (plan.rule === null) return {};
	const {price, kind, strikeUSD, setAtMs} = plan.rule;
	const isOver = status !== 'active';
	return {
		reference: {
			type: 'price',
			symbol: price.coin.symbol,
			marketType: kind,
			priceToBeat: {price: strikeUSD, timestamp: setAtMs},
			finalPrice: isOver ? price.at(plan.endMs) : null,
			current: price.at(nowMs),
		},
	};
}

function iso(timeMs: number): string {
	return new Date(timeMs).toISOString();
}
