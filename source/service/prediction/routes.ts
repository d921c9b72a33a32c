import {hostname} from 'node:os';
import type {FastifyInstance, FastifyRequest} from 'fastify';
import type {EndpointId} from '../../contract/endpoints.ts';
import {CANDLE_MS, PREDICTION} from '../../contract/prediction.ts';
import {InvalidRequest} from '../../contract/wire-error.ts';
import type {Chain} from '../chain/chain-set.ts';
import {readInput, serveEndpoint} from '../endpoint-route.ts';
import {Refused} from '../http-error.ts';
import {answering} from '../money-errors.ts';
import type {RouteModule, ServiceContext} from '../service-context.ts';
import {PLATFORM, type PredictionExchange} from './exchange.ts';
import {bookOf} from './figures.ts';
import {categoriesOf, pageOf, searchMarkets, trendingMarkets} from './listings.ts';
import {marketChannel} from './market-channel.ts';
import {balancesOf, positionsOf} from './positions.ts';
import type {PredictionMarket} from './prediction-market.ts';
import {candles, eventRecord, listedRecord, marketRecord, outcomeIdOf, priceRecord, tradeRecord} from './records.ts';

/** Prediction markets (spec 4.11 to 4.13, contract gaps 6). Alpha. Reading needs no chain; builds do. */
export const predictionRoutes: RouteModule = {
	register(app, context) {
		serveReading(app, context.prediction);
		serveLists(app, context.prediction);
		app.register(async scope => {
			keepAmountText(scope);
			serveBuilds(scope, context);
		});
	},
	channels: ({prediction}) => [marketChannel(prediction)],
};

const HOSTNAME = hostname();

/** Registers a route whose answers say who answered, and how long that took (spec 2.4b). */
function serveTimed(
	app: FastifyInstance,
	id: EndpointId,
	handler: (request: FastifyRequest) => object | Promise<object>,
): void {
	serveEndpoint(app, id, async request => {
		const startMs = performance.now();
		const answer = await handler(request);
		return {...answer, hostname: HOSTNAME, took: Math.round((performance.now() - startMs) * 1000) / 1000};
	});
}

function serveReading(app: FastifyInstance, exchange: PredictionExchange): void {
	serveTimed(app, 'marketsBatch', request => {
		const {items} = readInput('marketsBatch', request).body;
		// One for each item, in their order, the same again where it is asked for again; what is not known is left out.
		const found = items.flatMap(({platform, marketId}) => exchange.find(platform, marketId) ?? []);
		return {payload: found.map(market => marketRecord(market, exchange.nowMs()))};
	});
	serveTimed(app, 'marketDetails', request => {
		const market = wantedMarket(exchange, readInput('marketDetails', request).query);
		return {data: marketRecord(market, exchange.nowMs())};
	});
	serveTimed(app, 'marketPrice', request => {
		const market = wantedMarket(exchange, readInput('marketPrice', request).query);
		return {data: priceRecord(market, exchange.nowMs())};
	});
	serveTimed(app, 'marketOhlcv', request => {
		const {query} = readInput('marketOhlcv', request);
		const market = wantedMarket(exchange, query);
		const {period, from: fromMs = 0, to: toMs = exchange.nowMs(), limit} = query;
		const outcome = wantedOutcome(market, query.outcomeId);
		const data = candles(market, outcome, {lengthMs: CANDLE_MS[period], fromMs, toMs, limit});
		return {data, outcomeId: outcomeIdOf(market, outcome)};
	});
	serveTimed(app, 'marketBook', request => {
		const {query} = readInput('marketBook', request);
		const market = wantedMarket(exchange, query);
		const outcome = wantedOutcome(market, query.outcomeId);
		return {data: bookOf(market, outcome), outcomeId: outcomeIdOf(market, outcome)};
	});
	serveTimed(app, 'marketTrades', request => {
		const {query} = readInput('marketTrades', request);
		const market = wantedMarket(exchange, query);
		const newestFirst = Array.from({length: market.log.length}, (_, i) => market.log.length - 1 - i);
		const {page, pagination} = pageOf(newestFirst, query);
		return {data: page.map(index => tradeRecord(market, index, exchange)), pagination};
	});
}

function serveLists(app: FastifyInstance, exchange: PredictionExchange): void {
	const onPlatform = async (platform: string | undefined) =>
		platform === undefined || platform === PLATFORM ? exchange.all() : [];
	serveTimed(app, 'marketSearch', async request => {
		const {query} = readInput('marketSearch', request);
		const nowMs = exchange.nowMs();
		const found = searchMarkets(await onPlatform(query.platform), query, nowMs);
		const {page, pagination} = pageOf(found, query);
		return {data: page.map(market => listedRecord(market, nowMs, null)), pagination};
	});
	serveTimed(app, 'marketTrending', async request => {
		const {query} = readInput('marketTrending', request);
		const nowMs = exchange.nowMs();
		const {page, pagination} = pageOf(trendingMarkets(await exchange.all(), query, nowMs), query);
		const data = page.map((market, i) => listedRecord(market, nowMs, query.offset + i + 1));
		return {data, pagination};
	});
	serveTimed(app, 'marketCategories', async () => {
		return {data: categoriesOf(await exchange.all(), exchange.nowMs())};
	});
	serveTimed(app, 'marketEvent', async request => {
		const {platform, eventId} = readInput('marketEvent', request).query;
		assertPlatform(platform);
		const event = eventRecord(await exchange.all(), eventId, exchange.nowMs());
		if (event === undefined) throw new Refused(404, 'No such event');
		return {data: event};
	});
	serveTimed(app, 'marketPositions', async request => {
		const {wallet, platforms, status, sortBy, ...range} = readInput('marketPositions', request).query;
		const trader = exchange.traders.find(wallet);
		const isWanted = platforms === undefined || platforms.length === 0 || platforms.includes(PLATFORM);
		const markets = trader === undefined || !isWanted ? [] : await exchange.all();
		const held = markets
			.flatMap(market => positionsOf(market, trader!))
			.filter(({balance, market}) => {
				if (status === 'all') return true;
				// Nothing is redeemed here: winners stay what they are.
				if (status === 'redeemed') return false;
				return balance > 0 && (market.status === 'resolved') === (status === 'resolved');
			})
			.sort((a, b) => {
				if (sortBy === 'createdAt') return Date.parse(b.firstDate!) - Date.parse(a.firstDate!);
				return b[sortBy]! - a[sortBy]!;
			});
		const {page, pagination} = pageOf(held, range);
		return {data: page, wallet, pagination};
	});
}

function serveBuilds(app: FastifyInstance, {money, prediction}: ServiceContext): void {
	/** Waits for the chain of the vaults. */
	const onChain = <T>(act: (chain: Chain) => Promise<T>): Promise<T> =>
		answering(async () => act(await (await money.chains()).ready(PREDICTION.chainId)));
	serveTimed(app, 'withdrawBuild', async request => {
		const {address} = readInput('withdrawBuild', request).body;
		const amount = amountTexts.get(request)!;
		const data = await withOwner(address, 'address', owner =>
			onChain(async chain => (await import('./vault.ts')).buildWithdraw(chain, owner, amount)),
		);
		return {data};
	});
	serveTimed(app, 'depositBuild', async request => {
		const {address} = readInput('depositBuild', request).body;
		const amount = amountTexts.get(request)!;
		const data = await withOwner(address, 'address', owner =>
			onChain(async chain => (await import('./vault.ts')).buildDeposit(chain, owner, amount)),
		);
		return {data};
	});
	serveTimed(app, 'deployBuild', async request => {
		const {address} = readInput('deployBuild', request).body;
		const data = await withOwner(address, 'address', owner =>
			onChain(async chain => (await import('./vault.ts')).buildDeploy(chain, owner)),
		);
		return {data};
	});
	serveTimed(app, 'deploySubmit', async request => {
		const {address, signature} = readInput('deploySubmit', request).body;
		const data = await withOwner(address, 'address', owner =>
			onChain(async chain => (await import('./vault.ts')).submitDeploy(chain, owner, signature)),
		);
		return {data};
	});
	serveTimed(app, 'marketBalances', async request => {
		const {wallet, tokenIds = []} = readInput('marketBalances', request).query;
		const balances = balancesOf(await prediction.all(), prediction.traders.find(wallet), tokenIds);
		const vaultAddress = await withOwner(wallet, 'wallet', owner =>
			onChain(async chain => (await import('./vault.ts')).vaultOf(chain, owner)),
		);
		return {data: {vaultAddress, balances}};
	});
	serveEndpoint(app, 'vaultStatus', async request => {
		const {wallet} = readInput('vaultStatus', request).query;
		const data = await withOwner(wallet, 'wallet', owner =>
			onChain(async chain => (await import('./vault.ts')).vaultStatus(chain, owner)),
		);
		return {data};
	});
}

/** A wrong address is the caller's fault even where the chain is missing: it is looked at first. */
async function withOwner<T>(text: string, field: string, act: (owner: `0x${string}`) => Promise<T>): Promise<T> {
	const {ownerAddress} = await import('./vault.ts');
	return act(ownerAddress(text, field));
}

/** @throws InvalidRequest */
function assertPlatform(platform: string): void {
	if (platform !== PLATFORM) throw new InvalidRequest('platform', 'is not supported here', `it must be ${PLATFORM}`);
}

/** @throws InvalidRequest for another platform, Refused 404 */
function wantedMarket(
	exchange: PredictionExchange,
	{platform, marketId}: {readonly platform: string; readonly marketId: string},
): PredictionMarket {
	assertPlatform(platform);
	const market = exchange.find(platform, marketId);
	if (market === undefined) throw new Refused(404, 'No such market');
	return market;
}

/** The first when none is named. @throws Refused 404 */
function wantedOutcome(market: PredictionMarket, outcomeId: string | undefined): number {
	const found = market.plan.outcomes.findIndex(
		(_, i) => outcomeId === undefined || outcomeIdOf(market, i) === outcomeId,
	);
	if (found < 0) throw new Refused(404, 'The market has no such outcome');
	return found;
}

/** The text of `amount` in each request's body: once it is a number, what was written is gone. */
const amountTexts = new WeakMap<FastifyRequest, string>();

/** What the reviver of JSON.parse is told of a primitive value; the library's types do not know it yet. */
type SourceReviver = (this: object, key: string, value: unknown, context: {readonly source?: string}) => unknown;

/** Makes the routes of a scope remember how the amount in a body was written. */
function keepAmountText(scope: FastifyInstance): void {
	const parseJson = scope.getDefaultJsonParser('error', 'error');
	scope.removeContentTypeParser('application/json');
	scope.addContentTypeParser('application/json', {parseAs: 'string'}, (request, body, done) => {
		if (body === '') {
			done(null, undefined);
			return;
		}
		parseJson(request, body as string, (error, parsed) => {
			if (error === null) amountTexts.set(request, textOfMember(body as string, 'amount'));
			done(error, parsed);
		});
	});
}

/** How a member of the outermost object was written; empty when there is none. */
function textOfMember(json: string, name: string): string {
	const texts = new Map<unknown, string>();
	const listen: SourceReviver = function (key, value, {source}) {
		if (key === name && source !== undefined) texts.set(this, source);
		return value;
	};
	const outermost: unknown = JSON.parse(json, listen as (key: string, value: unknown) => unknown);
	return texts.get(outermost) ?? '';
}
