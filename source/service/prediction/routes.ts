import {hostname} from 'node:os';
import type {FastifyInstance, FastifyRequest} from 'fastify';
import type {Address} from 'viem';
import type {EndpointId} from '../../contract/endpoints.ts';
import {CANDLE_MS, PREDICTION} from '../../contract/prediction.ts';
import {InvalidRequest} from '../../contract/wire-error.ts';
import type {Chain} from '../chain/chain-set.ts';
import {type EndpointHandler, serveEndpoint} from '../endpoint-route.ts';
import {Refused} from '../http-error.ts';
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

/** Registers a route whose responses name the server and the milliseconds spent (spec 2.4b). */
function serveTimed<Id extends EndpointId>(app: FastifyInstance, id: Id, handler: EndpointHandler<Id>): void {
	serveEndpoint(app, id, async (input, request, reply) => {
		const startMs = performance.now();
		const output = await handler(input, request, reply);
		return {...output, hostname: HOSTNAME, took: Math.round((performance.now() - startMs) * 1000) / 1000};
	});
}

function serveReading(app: FastifyInstance, exchange: PredictionExchange): void {
	serveTimed(app, 'marketsBatch', ({body}) => {
		// One for each item in the order of the request, repeated items too; unknown markets are left out.
		const found = body.items.flatMap(({platform, marketId}) => exchange.find(platform, marketId) ?? []);
		return {payload: found.map(market => marketRecord(market, exchange.nowMs()))};
	});
	serveTimed(app, 'marketDetails', ({query}) => ({
		data: marketRecord(marketOf(exchange, query), exchange.nowMs()),
	}));
	serveTimed(app, 'marketPrice', ({query}) => ({data: priceRecord(marketOf(exchange, query), exchange.nowMs())}));
	serveTimed(app, 'marketOhlcv', ({query}) => {
		const market = marketOf(exchange, query);
		const {period, from: fromMs = 0, to: toMs = exchange.nowMs(), limit} = query;
		const outcome = outcomeOf(market, query.outcomeId);
		const data = candles(market, outcome, {lengthMs: CANDLE_MS[period], fromMs, toMs, limit});
		return {data, outcomeId: outcomeIdOf(market, outcome)};
	});
	serveTimed(app, 'marketBook', ({query}) => {
		const market = marketOf(exchange, query);
		const outcome = outcomeOf(market, query.outcomeId);
		return {data: bookOf(market, outcome), outcomeId: outcomeIdOf(market, outcome)};
	});
	serveTimed(app, 'marketTrades', ({query}) => {
		const market = marketOf(exchange, query);
		const newestFirst = Array.from({length: market.log.length}, (_, i) => market.log.length - 1 - i);
		const {page, pagination} = pageOf(newestFirst, query);
		return {data: page.map(index => tradeRecord(market, index, exchange)), pagination};
	});
}

function serveLists(app: FastifyInstance, exchange: PredictionExchange): void {
	const onPlatform = async (platform: string | undefined) =>
		platform === undefined || platform === PLATFORM ? exchange.all() : [];
	serveTimed(app, 'marketSearch', async ({query}) => {
		const nowMs = exchange.nowMs();
		const found = searchMarkets(await onPlatform(query.platform), query, nowMs);
		const {page, pagination} = pageOf(found, query);
		return {data: page.map(market => listedRecord(market, nowMs, null)), pagination};
	});
	serveTimed(app, 'marketTrending', async ({query}) => {
		const nowMs = exchange.nowMs();
		const {page, pagination} = pageOf(trendingMarkets(await exchange.all(), query, nowMs), query);
		const data = page.map((market, i) => listedRecord(market, nowMs, query.offset + i + 1));
		return {data, pagination};
	});
	serveTimed(app, 'marketCategories', async () => ({data: categoriesOf(await exchange.all(), exchange.nowMs())}));
	serveTimed(app, 'marketEvent', async ({query}) => {
		assertPlatform(query.platform);
		const event = eventRecord(await exchange.all(), query.eventId, exchange.nowMs());
		if (event === undefined) throw new Refused(404, 'No such event');
		return {data: event};
	});
	serveTimed(app, 'marketPositions', async ({query}) => {
		const {wallet, platforms, status, sortBy} = query;
		const trader = exchange.traders.find(wallet);
		const isHere = platforms === undefined || platforms.length === 0 || platforms.includes(PLATFORM);
		const markets = trader === undefined || !isHere ? [] : await exchange.all();
		const positions = markets
			.flatMap(market => positionsOf(market, trader!))
			.filter(({balance, market}) => {
				if (status === 'all') return true;
				// Nothing is redeemed here: winners keep their shares.
				if (status === 'redeemed') return false;
				return balance > 0 && (market.status === 'resolved') === (status === 'resolved');
			})
			.sort((a, b) => {
				if (sortBy === 'createdAt') return Date.parse(b.firstDate!) - Date.parse(a.firstDate!);
				return b[sortBy]! - a[sortBy]!;
			});
		const {page, pagination} = pageOf(positions, query);
		return {data: page, wallet, pagination};
	});
}

function serveBuilds(app: FastifyInstance, {money, prediction}: ServiceContext): void {
	/** Checks the address first, since a wrong one is the caller's fault even while the chain is away. */
	const onAccounts = async <T>(
		{wallet, field}: {wallet: string; field: 'address' | 'wallet'},
		act: (accounts: typeof import('./account.ts'), chain: Chain, owner: Address) => T | Promise<T>,
	): Promise<T> => {
		const accounts = await import('./account.ts');
		const owner = accounts.ownerAddress(wallet, field);
		return act(accounts, await (await money.chains()).ready(PREDICTION.chainId), owner);
	};
	serveTimed(app, 'withdrawBuild', async ({body: {address}}, request) => ({
		data: await onAccounts({wallet: address, field: 'address'}, (accounts, chain, owner) =>
			accounts.buildWithdraw(chain, owner, amountTexts.get(request)!),
		),
	}));
	serveTimed(app, 'depositBuild', async ({body: {address}}, request) => ({
		data: await onAccounts({wallet: address, field: 'address'}, (accounts, chain, owner) =>
			accounts.buildDeposit(chain, owner, amountTexts.get(request)!),
		),
	}));
	serveTimed(app, 'deployBuild', async ({body: {address}}) => ({
		data: await onAccounts({wallet: address, field: 'address'}, (accounts, chain, owner) =>
			accounts.buildDeploy(chain, owner),
		),
	}));
	serveTimed(app, 'deploySubmit', async ({body: {address, signature}}) => ({
		data: await onAccounts({wallet: address, field: 'address'}, (accounts, chain, owner) =>
			accounts.submitDeploy(chain, owner, signature),
		),
	}));
	serveTimed(app, 'marketBalances', async ({query: {wallet, tokenIds = []}}) => {
		const balances = balancesOf(await prediction.all(), prediction.traders.find(wallet), tokenIds);
		const vaultAddress = await onAccounts({wallet, field: 'wallet'}, (accounts, chain, owner) =>
			accounts.accountOf(chain, owner),
		);
		return {data: {vaultAddress, balances}};
	});
	serveEndpoint(app, 'vaultStatus', async ({query: {wallet}}) => ({
		data: await onAccounts({wallet, field: 'wallet'}, (accounts, chain, owner) => accounts.accountStatus(chain, owner)),
	}));
}

/** @throws InvalidRequest */
function assertPlatform(platform: string): void {
	if (platform !== PLATFORM) throw new InvalidRequest('platform', 'is not supported here', `it must be ${PLATFORM}`);
}

/** @throws InvalidRequest for another platform, Refused 404 */
function marketOf(
	exchange: PredictionExchange,
	{platform, marketId}: {readonly platform: string; readonly marketId: string},
): PredictionMarket {
	assertPlatform(platform);
	const market = exchange.find(platform, marketId);
	if (market === undefined) throw new Refused(404, 'No such market');
	return market;
}

/** The index of an outcome: the first when none is named. @throws Refused 404 */
function outcomeOf(market: PredictionMarket, outcomeId: string | undefined): number {
	const found = market.plan.outcomes.findIndex(
		(_, i) => outcomeId === undefined || outcomeIdOf(market, i) === outcomeId,
	);
	if (found < 0) throw new Refused(404, 'The market has no such outcome');
	return found;
}

/** The text of `amount` in each request's body: a parsed number no longer has the digits that were written. */
const amountTexts = new WeakMap<FastifyRequest, string>();

/** A reviver of JSON.parse with the source text of primitive values, which the library's types lack. */
type SourceReviver = (this: object, key: string, value: unknown, context: {readonly source?: string}) => unknown;

/** Makes the routes of a scope keep the text of the amount in a body. */
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

/** The source text of a member of the outermost object; empty for a missing member. */
function textOfMember(json: string, name: string): string {
	const texts = new Map<unknown, string>();
	const listen: SourceReviver = function (key, value, {source}) {
		if (key === name && source !== undefined) texts.set(this, source);
		return value;
	};
	const outermost: unknown = JSON.parse(json, listen as (key: string, value: unknown) => unknown);
	return texts.get(outermost) ?? '';
}
