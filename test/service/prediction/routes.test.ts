import {hostname} from 'node:os';
import {afterEach, describe, expect, test} from 'vitest';
import {endpointOf} from '../../../source/contract/endpoints.ts';
import {startService} from '../../../source/service/server.ts';
import type {RunningService, ServiceOptions} from '../../../source/service/service-options.ts';
import {
	marketDetailsFrameSchema,
	marketPriceFrameSchema,
	marketTradeFrameSchema,
} from '../../contract/stream-frames.ts';
import {ask, expectError} from '../helpers/http-client.ts';
import {StreamClient} from '../helpers/stream-client.ts';
import {TinyMarket} from '../helpers/tiny-market.ts';

let service: RunningService;
let clock: TinyMarket;
afterEach(() => service?.close());

async function start(options: Partial<ServiceOptions> = {}): Promise<void> {
	clock = new TinyMarket();
	clock.time = Date.UTC(2026, 10, 21, 9, 20);
	service = await startService({market: clock, apiKeys: ['secret'], ...options});
}

const get = async (path: string) => (await ask(service, 'GET', `/api/2/${path}`)).json;
const batch = (body: unknown) => ask(service, 'POST', '/api/2/pm/markets/batch', {body});
const item = (marketId: string, platform = 'platformA') => ({platform, marketId});
const idsOf = async (query: string): Promise<string[]> =>
	(await get(`pm/search?${query}`)).data.map((market: {marketId: string}) => market.marketId);

describe('a batch (spec 4.11)', () => {
	test('gives a market for each item in their order, leaves out unknown ones, and says who answered and how long it took', async () => {
		await start();
		const [a, b] = (await idsOf('limit=2')) as [string, string];
		const response = await batch({items: [item(b), item('404'), item(a), item(a, 'platformB'), item(b)]});
		expect(response.status).toBe(200);
		const {payload, took, ...node} = endpointOf('marketsBatch').response().parse(response.json) as {
			payload: {id: string}[];
			took: number;
		};
		expect(payload.map(({id}) => id)).toEqual([`platformA:${b}`, `platformA:${a}`, `platformA:${b}`]);
		expect(node).toEqual({hostname: hostname()});
		expect(took).toBeGreaterThan(0);
	});

	test('has 1 to 50 items', async () => {
		await start();
		const items = (count: number) => Array.from({length: count}, (_, n) => item(String(n)));
		expect((await batch({items: items(50)})).json.payload).toEqual([]);
		expectError(await batch({items: items(51)}), 400, /items/);
		expectError(await batch({items: []}), 400, /items/);
		expectError(await batch({}), 400, /items/);
		expectError(await batch({items: [{platform: 'platformA'}]}), 400, /marketId/);
	});
});

describe('reading markets', () => {
	test('details are those of the batch; another platform is 400, an unknown market 404', async () => {
		await start();
		const [id] = (await idsOf('status=active')) as [string];
		const {data} = await get(`pm/market/details?platform=platformA&marketId=${id}`);
		expect((await batch({items: [item(id)]})).json.payload).toEqual([data]);
		const details = (query: string) => ask(service, 'GET', `/api/2/pm/market/details?${query}`);
		expectError(await details(`platform=platformB&marketId=${id}`), 400, /platform/);
		expectError(await details(`market=${id}`), 400, /platform/);
		expectError(await details('platform=platformA&marketId=1'), 404, /market/);
		expectError(await ask(service, 'GET', '/api/2/pm/categories', {key: ''}), 401, /key/);
	});

	test('a search matches words, category and status, sorts, and pages without gaps or repeats', async () => {
		await start();
		const {data} = await get('pm/search?query=BITCOIN%20above&status=active&sortBy=liquidity&limit=100');
		expect(data.length).toBeGreaterThan(5);
		for (const {question, status, category} of data) {
			expect(question).toMatch(/Bitcoin above/);
			expect([status, category]).toEqual(['active', 'crypto']);
		}
		const liquidity = data.map((market: {liquidityUSD: number}) => market.liquidityUSD);
		expect(liquidity).toEqual(liquidity.toSorted((a: number, b: number) => b - a));
		const all = await idsOf('limit=100&sortBy=total_volume');
		const pages = await Promise.all([0, 40, 80].map(offset => idsOf(`limit=40&offset=${offset}&sortBy=total_volume`)));
		expect(pages.flat().slice(0, 100)).toEqual(all);
		expect((await get('pm/search?query=nothing-of-the-kind')).pagination).toEqual({
			page: 1,
			offset: 0,
			limit: 20,
			pageEntries: 0,
		});
		expect(await idsOf('platform=platformB')).toEqual([]);
		expectError(await ask(service, 'GET', '/api/2/pm/search?limit=101'), 400, /limit/);
	});

	test('the trending list ranks active markets by what was traded', async () => {
		await start();
		for (const query of ['', '?period=1h&rankBy=trades', '?period=7d&limit=100', '?period=30d&offset=5']) {
			const response = endpointOf('marketTrending')
				.response()
				.parse(await get(`pm/trending${query}`)) as {
				data: {status: string; rank: number}[];
				pagination: {offset: number};
			};
			expect(response.data.length).toBeGreaterThan(0);
			for (const [i, {status, rank}] of response.data.entries()) {
				expect([status, rank]).toEqual(['active', response.pagination.offset + i + 1]);
			}
		}
		const day = (await get('pm/trending')).data.map((market: {volume24hUSD: number}) => market.volume24hUSD);
		expect(day).toEqual(day.toSorted((a: number, b: number) => b - a));
	});

	test('categories count what is in them', async () => {
		await start();
		const {data} = endpointOf('marketCategories')
			.response()
			.parse(await get('pm/categories')) as {
			data: {id: string; marketsCount: number; activeMarkets: number; volume24h: number}[];
		};
		const sports = data.find(({id}) => id === 'sports')!;
		const listed = (await get('pm/search?category=Sports&limit=100')).data as {status: string; volume24hUSD: number}[];
		expect(sports.marketsCount).toBe(listed.length);
		expect(sports.activeMarkets).toBe(listed.filter(({status}) => status === 'active').length);
		expect(sports.volume24h).toBeCloseTo(
			listed.reduce((sum, {volume24hUSD}) => sum + volume24hUSD, 0),
			1,
		);
	});

	test('prices, trades and candles agree with the details', async () => {
		await start();
		const [id] = (await idsOf('status=active&sortBy=trending')) as [string];
		const which = `platform=platformA&marketId=${id}`;
		const {data: details} = await get(`pm/market/details?${which}`);
		const {data: price} = endpointOf('marketPrice')
			.response()
			.parse(await get(`pm/market/price?${which}`)) as never as {
			data: {outcomes: {priceUSD: number; bestBidUSD: number; bestAskUSD: number; spreadUSD: number}[]};
		};
		expect(price.outcomes.map(({priceUSD}) => priceUSD)).toEqual(
			details.outcomes.map(({priceUSD}: {priceUSD: number}) => priceUSD),
		);
		for (const {priceUSD, bestBidUSD, bestAskUSD, spreadUSD} of price.outcomes) {
			expect(bestBidUSD).toBeLessThan(priceUSD);
			expect(bestAskUSD).toBeGreaterThan(priceUSD);
			expect(spreadUSD).toBeCloseTo(bestAskUSD - bestBidUSD, 12);
		}
		const trades = endpointOf('marketTrades')
			.response()
			.parse(await get(`pm/market/trades?${which}&limit=3`)) as {
			data: {priceUSD: number; outcomeId: string; timestamp: number}[];
		};
		expect(trades.data).toHaveLength(3);
		const [newest] = trades.data;
		expect(newest!.priceUSD).toBe(
			details.outcomes.find(({outcomeId}: {outcomeId: string}) => outcomeId === newest!.outcomeId).priceUSD,
		);
		const candles = endpointOf('marketOhlcv')
			.response()
			.parse(await get(`pm/market/ohlcv?${which}&period=5m&limit=50`)) as {
			data: {close: number}[];
			outcomeId: string;
		};
		expect(candles.outcomeId).toBe(details.outcomes[0].outcomeId);
		expect(candles.data.at(-1)!.close).toBe(details.outcomes[0].priceUSD);
		expectError(await ask(service, 'GET', `/api/2/pm/market/ohlcv?${which}&outcomeId=1`), 404, /outcome/);
		expectError(await ask(service, 'GET', `/api/2/pm/market/ohlcv?${which}&period=2m`), 400, /period/);
	});

	test('the book is the curve of the maker: each level moves the price to it, and what is over has no book', async () => {
		await start();
		const [id] = (await idsOf('status=active&sortBy=liquidity')) as [string];
		const which = `platform=platformA&marketId=${id}`;
		const {data: details} = await get(`pm/market/details?${which}`);
		for (const {outcomeId, priceUSD} of details.outcomes) {
			const response = endpointOf('marketBook')
				.response()
				.parse(await get(`pm/market/book?${which}&outcomeId=${outcomeId}`)) as {
				data: Record<'bids' | 'asks', {priceUSD: number; sizeToken: number}[]>;
				outcomeId: string;
			};
			const {bids, asks} = response.data;
			const prices = [...bids.toReversed(), ...asks].map(level => level.priceUSD);
			expect(prices).toEqual(prices.toSorted((a, b) => a - b));
			expect(prices.every(price => price > 0 && price < 1)).toBe(true);
			for (const ask of asks) expect(ask.priceUSD).toBeGreaterThan(priceUSD);
			for (const bid of bids) expect(bid.priceUSD).toBeLessThan(priceUSD);
			for (const {sizeToken} of [...bids, ...asks]) expect(sizeToken).toBeGreaterThan(0);
			expect(response.outcomeId).toBe(outcomeId);
		}
		expect((await get(`pm/market/book?${which}`)).outcomeId).toBe(details.outcomes[0].outcomeId);
		const [over] = await idsOf('status=resolved');
		expect((await get(`pm/market/book?platform=platformA&marketId=${over}`)).data).toEqual({bids: [], asks: []});
		expectError(await ask(service, 'GET', `/api/2/pm/market/book?${which}&outcomeId=1`), 404, /outcome/);
	});

	test('an event holds the markets that name it', async () => {
		await start();
		const {data: listed} = await get('pm/search?query=ethereum%20above&limit=100');
		const [{eventId, eventTitle, eventSlug}] = listed;
		const {data} = endpointOf('marketEvent')
			.response()
			.parse(await get(`pm/event/details?platform=platformA&eventId=${eventId}`)) as {
			data: {markets: {marketId: string; totalVolumeUSD: number}[]; totalVolumeUSD: number};
		};
		const own = listed.filter((market: {eventId: string}) => market.eventId === eventId);
		expect(data).toMatchObject({eventId, eventTitle, eventSlug, category: 'crypto'});
		expect(data.markets.map(({marketId}) => marketId).sort()).toEqual(
			own.map(({marketId}: {marketId: string}) => marketId).sort(),
		);
		expect(data.markets.length).toBe(5);
		expect(data.totalVolumeUSD).toBeCloseTo(
			data.markets.reduce((sum, {totalVolumeUSD}) => sum + totalVolumeUSD, 0),
			2,
		);
		expectError(await ask(service, 'GET', '/api/2/pm/event/details?platform=platformA&eventId=x'), 404, /event/);
	});

	test('a trader has the positions of his trades; another wallet has none', async () => {
		await start();
		const [id] = (await idsOf('status=active&sortBy=total_volume')) as [string];
		const which = `platform=platformA&marketId=${id}`;
		const {data: trades} = await get(`pm/market/trades?${which}&limit=100`);
		const bought = trades.find(({type}: {type: string}) => type === 'buy');
		const response = endpointOf('marketPositions')
			.response()
			.parse(await get(`wallet/pm/positions?wallet=${bought.wallet.toLowerCase()}&status=all&limit=100`)) as {
			data: {market: {marketId: string}; outcomeId: string; buys: number; volumeBuyUSD: number}[];
		};
		const position = response.data.find(p => p.market.marketId === id && p.outcomeId === bought.outcomeId)!;
		expect(position.buys).toBeGreaterThan(0);
		expect(position.volumeBuyUSD).toBeGreaterThanOrEqual(bought.amountUSD - 0.01);
		expect((await get(`wallet/pm/positions?wallet=0x${'1'.repeat(40)}`)).data).toEqual([]);
	});
});

describe('the stream (contract gaps 6.4)', () => {
	async function subscribe(event: string, marketId: string, subscriptionId = 's1'): Promise<StreamClient> {
		const client = await StreamClient.open(service.streamUrl);
		client.send({event, data: {platform: 'platformA', marketId, authorization: 'secret', subscriptionId}});
		return client;
	}

	test('sends prices at once and after trades, each trade once, and details at most once a second', async () => {
		await start();
		const [id] = (await idsOf('query=hourly%20bitcoin&status=active')) as [string];
		const prices = await subscribe('pm-market-price', id);
		const trades = await subscribe('pm-market-trade', id);
		const details = await subscribe('pm-market-details', id);
		expect(await prices.next(frame => frame['event'] === 'subscribed')).toEqual({
			event: 'subscribed',
			type: 'pm-market-price',
			subscriptionId: 's1',
			platform: 'platformA',
			marketId: id,
		});
		const first = [await prices.next(() => true), await prices.next(() => true)];
		for (const frame of first) marketPriceFrameSchema().strict().parse(frame);
		expect(first[0]!['priceUSD'] + first[1]!['priceUSD']).toBeCloseTo(1, 9);
		await trades.next(frame => frame['event'] === 'subscribed');
		const whole = await details.next(frame => frame['event'] === 'pm-market-details');
		expect(marketDetailsFrameSchema().strict().parse(whole)).toMatchObject({marketId: id, status: 'active'});
		const {data: before} = await get(`pm/market/details?platform=platformA&marketId=${id}`);
		clock.time += 5 * 60_000;
		const {data: after} = await get(`pm/market/details?platform=platformA&marketId=${id}`);
		const count = after.stats.tradesCount - before.stats.tradesCount;
		expect(count).toBeGreaterThan(3);
		const sent = [];
		for (let n = 0; n < count; n++) sent.push(await trades.next(() => true));
		for (const frame of sent) marketTradeFrameSchema().strict().parse(frame);
		expect(new Set(sent.map(frame => frame['id'])).size).toBe(count);
		expect(sent.reduce((sum, frame) => sum + frame['amountUSD'], 0)).toBeCloseTo(
			after.stats.totalVolumeUSD - before.stats.totalVolumeUSD,
			2,
		);
		const moved = await prices.next(frame => frame['outcomeId'] === after.outcomes[0].outcomeId);
		expect(moved['priceUSD']).toBe(after.outcomes[0].priceUSD);
		expect((await details.next(() => true))['stats']).toEqual(after.stats);
		for (const client of [prices, trades, details]) await client.close();
	});

	test('sends the end of a market, and nothing after an unsubscribe', async () => {
		await start();
		const [id] = (await idsOf('query=hourly%20bitcoin&status=active')) as [string];
		const details = await subscribe('pm-market-details', id);
		await details.next(frame => frame['event'] === 'pm-market-details');
		clock.time += 45 * 60_000;
		const end = await details.next(frame => frame['status'] === 'resolved');
		expect(end['metadata']['resolvedOutcome']).toMatch(/^(Up|Down)$/);
		details.send({event: 'unsubscribe', data: {subscriptionId: 's1'}});
		await details.next(frame => frame['event'] === 'unsubscribed');
		await details.close();
	});

	test('refuses what it does not have', async () => {
		await start();
		const client = await subscribe('pm-market-price', '12');
		expect(await client.next(() => true)).toMatchObject({event: 'error', subscriptionId: 's1'});
		await client.close();
	});
});

test('builds refuse bad JSON and other methods as all routes do', async () => {
	await start();
	const path = '/api/2/pm/withdraw/build';
	expectError(await ask(service, 'POST', path, {body: '{"address":'}), 400, 'Body is not valid JSON');
	expectError(
		await ask(service, 'POST', path, {body: '{"__proto__":{"amount":1},"address":"x","amount":1}'}),
		400,
		/JSON/,
	);
	expectError(await ask(service, 'POST', path, {body: '[1]'}), 400, /request/);
	expectError(await ask(service, 'GET', path), 405, /Cannot GET/);
});

describe('a service without a chain', () => {
	test('reads markets and says why it builds nothing', async () => {
		await start({chains: {chainIds: [137], anvilPath: '/does/not/exist'}});
		expect((await idsOf('limit=1')).length).toBe(1);
		const address = `0x${'1'.repeat(40)}`;
		const build = (path: string, body: object) => ask(service, 'POST', `/api/2/pm/${path}`, {body: {address, ...body}});
		const signature = `0x${'1'.repeat(128)}1b`;
		for (const response of [
			await build('withdraw/build', {amount: 5}),
			await build('deploy/build', {}),
			await build('deploy/submit', {signature}),
			await ask(service, 'GET', `/api/2/wallet/pm/status?wallet=${address}`),
		]) {
			expectError(response, 503, /evm:137 is not available: the program anvil was not found/);
		}
		expectError(await build('withdraw/build', {amount: 0}), 400, /amount/);
		expectError(await build('deploy/build', {address: 'me'}), 400, /address/);
	});
});
