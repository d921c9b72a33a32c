import {hostname} from 'node:os';
import {afterEach, describe, expect, test} from 'vitest';
import {endpointOf} from '../../../source/contract/endpoints.ts';
import {MARKET_STATUSES, type Market} from '../../../source/contract/prediction.ts';
import {SIMULATED_MARKETS} from '../../../source/contract/simulated-markets.ts';
import {startService} from '../../../source/service/server.ts';
import type {RunningService, ServiceOptions} from '../../../source/service/service-options.ts';
import {ask, expectError} from '../helpers/http-client.ts';
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

describe('a batch (spec 4.11)', () => {
	test('gives a market for each item in their order, leaves out unknown ones, and says who answered and how long it took', async () => {
		await start();
		const [a, b] = ['1001', '1002'];
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
		const id = '1001';
		const {data} = await get(`pm/market/details?platform=platformA&marketId=${id}`);
		expect((await batch({items: [item(id)]})).json.payload).toEqual([data]);
		const details = (query: string) => ask(service, 'GET', `/api/2/pm/market/details?${query}`);
		expectError(await details(`platform=platformB&marketId=${id}`), 400, /platform/);
		expectError(await details(`market=${id}`), 400, /platform/);
		expectError(await details('platform=platformA&marketId=1'), 404, /market/);
		expectError(await ask(service, 'GET', '/api/2/pm/market/details', {key: ''}), 401, /key/);
	});

	test('every market of the embedded service reads as the spec has it, with the end that its status says, on any day', async () => {
		await start();
		for (const timeMs of [clock.time, Date.UTC(2024, 1, 29, 23, 59, 59, 999), Date.UTC(2031, 0, 1)]) {
			clock.time = timeMs;
			const {json} = await batch({items: SIMULATED_MARKETS.map(id => item(id.split(':')[1]!))});
			const {payload} = endpointOf('marketsBatch').response().parse(json) as {payload: Market[]};
			expect(payload.map(({id}) => id)).toEqual(SIMULATED_MARKETS);
			expect(new Set(payload.map(({status}) => status))).toEqual(new Set(MARKET_STATUSES));
			for (const {status, outcomes, metadata} of payload) {
				expect(outcomes.reduce((sum, {priceUSD}) => sum + priceUSD, 0)).toBeCloseTo(1, 9);
				expect(Date.parse(metadata!.endDate!) > timeMs).toBe(status === 'active');
				expect(metadata!.resolved).toBe(status === 'resolved');
				const won = status === 'resolved' ? outcomes.find(({priceUSD}) => priceUSD === 1)!.label : null;
				expect(metadata!.resolvedOutcome).toBe(won);
			}
			const ids = payload.flatMap(({outcomes}) => outcomes.map(({outcomeId}) => outcomeId));
			expect(new Set(ids).size).toBe(ids.length);
		}
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
		expect((await batch({items: [item('1001')]})).json.payload).toHaveLength(1);
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
