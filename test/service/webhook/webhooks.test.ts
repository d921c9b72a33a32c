import {afterEach, describe, expect, test} from 'vitest';
import {
	launchpadEventSchema,
	swapEventSchema,
	webhookCreateResponseSchema,
	webhookDeliveriesResponseSchema,
	webhookListResponseSchema,
	webhookUpdateResponseSchema,
} from '../../../source/contract/webhook.ts';
import {createMarket, type LiveMarket} from '../../../source/service/market/create-market.ts';
import type {LaunchEvent, MarketEvent, TradeEvent, TransferEvent} from '../../../source/service/market/events.ts';
import {startService} from '../../../source/service/server.ts';
import type {RunningService, ServiceOptions} from '../../../source/service/service-options.ts';
import {fieldsOf} from '../../../source/service/webhook/event-fields.ts';
import {waitFor} from '../chain/practice.ts';
import {ask, expectError} from '../helpers/http-client.ts';
import {TinyMarket} from '../helpers/tiny-market.ts';
import {answers, expectSigned, openReceiver} from './receiver.ts';

const CHAIN = 'evm:8453';
const TOKEN = '0x00000000000000000000000000000000000000aa';
const POOL = '0x00000000000000000000000000000000000000bb';
const QUOTE = '0x4200000000000000000000000000000000000006';

let service: RunningService;
let market: TinyMarket;
afterEach(() => service?.close());

async function start(options: Partial<ServiceOptions> = {}): Promise<RunningService> {
	market = new TinyMarket();
	market.add({
		address: TOKEN,
		symbol: 'AAA',
		name: 'Aaa',
		decimals: 9,
		pool_address: POOL,
		quote: QUOTE,
		type: 'uniswap-v3',
	});
	market.add({address: QUOTE, symbol: 'WETH', name: 'Wrapped Ether', decimals: 18});
	service = await startService({market, apiKeys: ['secret', 'other'], allowPrivateWebhooks: true, ...options});
	return service;
}

const trade = (fields: Partial<TradeEvent> = {}): TradeEvent => ({
	type: 'trade',
	timeMs: market.time,
	chainId: CHAIN,
	token: TOKEN,
	block: 100,
	pool: null,
	wallet: '0x00000000000000000000000000000000000000cc',
	side: 'buy',
	amountToken: 1234.5,
	amountQuote: 0.25,
	valueUSD: 750,
	feeUSD: 2.25,
	quoteUSD: 3000,
	tx: `0x${'1'.repeat(64)}`,
	platform: null,
	...fields,
});

const TRANSFER: TransferEvent = {
	type: 'transfer',
	timeMs: 0,
	chainId: CHAIN,
	token: TOKEN,
	block: 7,
	from: '0x0000000000000000000000000000000000000001',
	to: '0x0000000000000000000000000000000000000002',
	amountToken: 6,
};

interface Made {
	readonly id: string;
	readonly webhookSecret: string;
}

async function create(url: string, fields: Record<string, unknown> = {}, key = 'secret'): Promise<Made> {
	const body = {name: 'test', chainIds: [CHAIN], events: ['swap'], apiKey: key, url, ...fields};
	const response = await ask(service, 'POST', '/api/1/webhook', {body, key});
	expect(response.status, response.text).toBe(200);
	return response.json;
}

const status = async (id: string) => {
	const {json} = await ask(service, 'GET', `/api/1/webhook/${id}/deliveries?apiKey=secret`);
	return webhookDeliveriesResponseSchema().parse(json).data;
};

describe('registering', () => {
	test('a new webhook is listed without its secret, which is shown once', async () => {
		await start();
		const made = webhookCreateResponseSchema().parse(await create('https://example.com/in?a=1'));
		const {json} = await ask(service, 'GET', '/api/1/webhook?apiKey=secret');
		const {webhookSecret: _, ...record} = made;
		expect(webhookListResponseSchema().strict().parse(json)).toEqual({success: true, count: 1, data: [record]});
		expect(record).toMatchObject({webhookUrl: 'https://example.com/in?a=1', apiKey: 'secret', filters: null});
		expect(JSON.stringify(json)).not.toContain('whsec');
	});

	test('the key may come in the body alone', async () => {
		await start();
		const body = {name: 'n', chainIds: [CHAIN], events: ['swap'], apiKey: 'secret', url: 'https://example.com/'};
		const post = (apiKey: string) =>
			fetch(`${service.url}/api/1/webhook`, {
				method: 'POST',
				headers: {'content-type': 'application/json'},
				body: JSON.stringify({...body, apiKey}),
			});
		expect((await post('secret')).status).toBe(200);
		expect((await post('wrong')).status).toBe(401);
	});

	test('what belongs to another key does not exist', async () => {
		await start();
		const {id} = await create('https://example.com/');
		expect((await ask(service, 'GET', '/api/1/webhook?apiKey=other', {key: 'other'})).json.data).toEqual([]);
		const patch = {streamId: id, apiKey: 'other', filters: null};
		expectError(await ask(service, 'PATCH', '/api/1/webhook', {body: patch, key: 'other'}), 404, /webhook/);
		expectError(await ask(service, 'DELETE', `/api/1/webhook/${id}?apiKey=other`, {key: 'other'}), 404, /webhook/);
		expectError(await ask(service, 'GET', `/api/1/webhook/${id}/deliveries`, {key: 'other'}), 404, /webhook/);
		expect((await ask(service, 'GET', '/api/1/webhook?apiKey=secret')).json.count).toBe(1);
	});

	test('a list needs the key in the query, and a valid one', async () => {
		await start();
		expectError(await ask(service, 'GET', '/api/1/webhook'), 400, /apiKey/);
		expectError(await ask(service, 'GET', '/api/1/webhook?apiKey=', {}), 400, /apiKey/);
		expectError(await ask(service, 'GET', '/api/1/webhook?apiKey=nope'), 401, /not valid/);
	});

	test.each([
		[{extra: 1}, /extra/],
		[{url: 'ftp://example.com/'}, /url/],
		[{url: 'nonsense'}, /url/],
		[{url: 'https://user:word@example.com/'}, /url/],
		[{events: ['swaps']}, /events/],
		[{events: []}, /events/],
		[{events: ['swap', 'order']}, /events.*never delivers.*order/],
		[{chainIds: []}, /chainIds/],
		[{name: ''}, /name/],
		[{filters: {}}, /filters/],
		[{filters: {and: [{eq: ['a', 1]}], or: []}}, /filters/],
		[{filters: {gt: ['amountUSD', '5']}}, /filters\.gt\[1\]/],
		[{filters: {or: [{eq: ['swapType', 'buy']}, {gte: ['nope', 1]}]}}, /filters\.or\[1\]\.gte\[0\].*"nope".*amountUSD/],
		[{events: ['block'], filters: {gte: ['amountUSD', 1]}}, /"amountUSD".*blockHeight/],
	])('%j is refused', async (fields, message) => {
		await start();
		const body = {
			name: 'n',
			chainIds: [CHAIN],
			events: ['swap'],
			apiKey: 'secret',
			url: 'https://example.com/',
			...fields,
		};
		expectError(await ask(service, 'POST', '/api/1/webhook', {body}), 400, message);
	});

	test('filters are replaced or merged, and a deleted webhook no longer exists', async () => {
		await start();
		const {id} = await create('https://example.com/', {filters: {gte: ['amountUSD', 10]}});
		const patch = async (fields: Record<string, unknown>) => {
			const response = await ask(service, 'PATCH', '/api/1/webhook', {
				body: {streamId: id, apiKey: 'secret', ...fields},
			});
			return response.status === 200
				? webhookUpdateResponseSchema().parse(response.json).data.filters
				: response.status;
		};
		expect(await patch({mode: 'merge', filters: {eq: ['swapType', 'buy']}})).toEqual({
			and: [{gte: ['amountUSD', 10]}, {eq: ['swapType', 'buy']}],
		});
		expect(await patch({mode: 'merge', filters: {lt: ['amount0', 5]}})).toEqual({
			and: [{gte: ['amountUSD', 10]}, {eq: ['swapType', 'buy']}, {lt: ['amount0', 5]}],
		});
		expect(await patch({filters: {lt: ['amount0', 5]}})).toEqual({lt: ['amount0', 5]});
		expect(await patch({mode: 'merge', filters: {lt: ['amount0', 'x']}})).toBe(400);
		expect(await patch({})).toBeNull();
		expect((await ask(service, 'DELETE', `/api/1/webhook/${id}?apiKey=secret`)).json).toMatchObject({
			success: true,
			id,
		});
		expectError(await ask(service, 'DELETE', `/api/1/webhook/${id}?apiKey=secret`), 404, /webhook/);
		expect((await ask(service, 'GET', '/api/1/webhook?apiKey=secret')).json.count).toBe(0);
	});
});

describe('a delivery', () => {
	test('of a swap is signed and says what the trade was, in every field', async () => {
		await start();
		const receiver = await openReceiver();
		const {id, webhookSecret} = await create(receiver.url);
		const event = trade();
		market.emit(event);
		const [delivery] = await receiver.first(1);
		expectSigned(delivery!, webhookSecret);
		expect(delivery!.headers).toMatchObject({'x-webhook-id': id, 'content-type': 'application/json'});
		const swap = swapEventSchema().strict().parse(delivery!.json);
		expect(swap).toEqual({
			type: 'swap',
			chainId: CHAIN,
			transactionHash: event.tx,
			transactionSenderAddress: '0x00000000000000000000000000000000000000cc',
			transactionIndex: 0,
			blockHash: expect.stringMatching(/^0x[0-9a-f]{64}$/),
			blockHeight: 100,
			logIndex: 0,
			timestamp: market.time,
			date: new Date(market.time).toISOString(),
			poolAddress: POOL,
			poolType: 'uniswap-v3',
			swapType: 'buy',
			swapSenderAddress: '0x00000000000000000000000000000000000000cc',
			addressToken0: '0x00000000000000000000000000000000000000AA',
			addressToken1: QUOTE,
			rawAmount0: '1234500000000',
			rawAmount1: '250000000000000000',
			amount0: 1234.5,
			amount1: 0.25,
			amountUSD: 750,
			priceUSDToken0: 750 / 1234.5,
			priceUSDToken1: 3000,
			ratio: 0.25 / 1234.5,
		});
	});

	test('goes only where chain, event and filters fit', async () => {
		await start();
		const receiver = await openReceiver();
		const filters = {and: [{gte: ['amountUSD', 500]}, {eq: ['swapType', 'sell']}]};
		await create(`${receiver.url}/filtered`, {filters});
		await create(`${receiver.url}/other-chain`, {chainIds: ['evm:1']});
		await create(`${receiver.url}/other-event`, {events: ['launchpad']});
		await create(`${receiver.url}/all`, {chainIds: ['evm:1', CHAIN]});
		market.emit(trade({valueUSD: 100, side: 'sell'}));
		market.emit(trade({valueUSD: 600, side: 'buy'}));
		market.emit(trade({valueUSD: 500, side: 'sell'}));
		await waitFor(() => receiver.received.length === 4);
		expect(receiver.received.filter(({path}) => path === '/hook/filtered').map(({json}) => json.amountUSD)).toEqual([
			500,
		]);
		expect(receiver.received.filter(({path}) => path === '/hook/all')).toHaveLength(3);
	});

	test('has the fields that filters may name, and no others', async () => {
		await start();
		const receiver = await openReceiver();
		const events = ['swap', 'swap-enriched', 'launchpad', 'transfer', 'block'];
		await create(receiver.url, {events});
		market.emit(trade({}));
		market.emit({...TRANSFER, timeMs: market.time});
		const bodies = (await receiver.first(5)).map(({json}) => json);
		for (const {type, data, ...rest} of bodies) {
			const names = Object.keys(data ?? {type, ...rest});
			expect(names.toSorted(), type).toEqual([...fieldsOf([type])].toSorted());
		}
		expect(bodies.map(({type}) => type)).toEqual(
			expect.arrayContaining(['swap', 'swap-enriched', 'transfer', 'block']),
		);
	});

	test('of a transfer and of a launch have their own bodies', async () => {
		await start();
		const receiver = await openReceiver();
		await create(receiver.url, {
			events: ['transfer', 'launchpad'],
			filters: {or: [{gt: ['amount', 5]}, {eq: ['action', 'created']}]},
		});
		const transfer = {...TRANSFER, timeMs: market.time};
		market.emit({...transfer, amountToken: 5});
		market.emit(transfer);
		const {json} = (await receiver.first(1))[0]!;
		expect((json as {data: unknown}).data).toMatchObject({
			transactionIndex: expect.any(Number),
			blockNumber: 7,
			chainId: CHAIN,
			transactionHash: expect.stringMatching(/^0x[0-9a-f]{64}$/),
			transactionFrom: transfer.from,
			from: transfer.from,
			to: transfer.to,
			rawAmount: '6000000000',
			amount: 6,
		});
	});

	test('names the pool that was traded, also in the step in which a token moves, and in a further pool', async () => {
		await start();
		const receiver = await openReceiver();
		await create(receiver.url, {events: ['swap', 'launchpad']});
		const further = '0x00000000000000000000000000000000000000dd';
		market.add({address: TOKEN, decimals: 9, pool_address: further, quote: QUOTE, type: 'curve', bits: 1});
		const next = '0x00000000000000000000000000000000000000ee';
		const quote = {address: QUOTE, symbol: 'WETH', name: 'Wrapped Ether', decimals: 18};
		const pool = {address: next, type: 'pumpswap', factory: null, exchange: null, quote};
		const moved = {type: 'migrate', timeMs: market.time, chainId: CHAIN, token: TOKEN, block: 101} as const;
		market.emit(trade({valueUSD: 1}));
		market.emit({...moved, pool, reserveToken: 1, reserveQuote: 1, main: true});
		market.emit(trade({valueUSD: 2}));
		market.emit(trade({valueUSD: 3, pool: further}));
		market.emit(trade({valueUSD: 4, pool: '0x00000000000000000000000000000000000000ff'}));
		const sent = (await receiver.first(4)).map(({json}) => json);
		const swaps = sent.filter(({type}) => type === 'swap').sort((a, b) => a.amountUSD - b.amountUSD);
		const lower = (address: string) => address.toLowerCase();
		expect(swaps.map(swap => [swap.amountUSD, lower(swap.poolAddress), swap.poolType])).toEqual([
			[1, POOL, 'uniswap-v3'],
			[2, next, 'pumpswap'],
			[3, further, 'curve'],
		]);
		const launchpad = launchpadEventSchema()
			.strict()
			.parse(sent.find(({type}) => type === 'launchpad'));
		expect(launchpad).toMatchObject({action: 'bonded', poolType: 'pumpswap', symbol: 'AAA', blockHeight: 101});
	});

	test('delivers events from now on: history that is loaded late is not delivered', async () => {
		await start();
		const receiver = await openReceiver();
		await create(receiver.url);
		market.emit(trade({timeMs: market.time - 1, valueUSD: 1}));
		market.emit(trade({valueUSD: 2}));
		market.time += 10_000;
		await create(`${receiver.url}/late`);
		market.emit(trade({timeMs: market.time - 1, valueUSD: 3}));
		market.emit(trade({timeMs: market.time, valueUSD: 4}));
		await receiver.first(4);
		expect(receiver.received.map(({path, json}) => `${path} ${json.amountUSD}`).sort()).toEqual([
			'/hook 2',
			'/hook 3',
			'/hook 4',
			'/hook/late 4',
		]);
	});

	test('is counted, with the last attempt', async () => {
		await start();
		const receiver = await openReceiver(answers(204));
		const {id} = await create(receiver.url);
		for (let n = 0; n < 3; n++) market.emit(trade());
		await receiver.first(3);
		await waitFor(async () => (await status(id)).delivered === 3);
		expect(await status(id)).toMatchObject({
			pending: 0,
			dropped: 0,
			failedAttempts: 0,
			deadLettersCount: 0,
			lastAttempt: {success: true, status: 204, reason: null, event: 'swap'},
		});
	});

	test('that fails for good is in the list of dead letters with its body, and can be sent again', async () => {
		await start();
		const receiver = await openReceiver(answers(500));
		const {id} = await create(receiver.url);
		market.emit(trade());
		await waitFor(async () => (await status(id)).deadLettersCount === 1);
		const [letter] = (await status(id)).deadLetters;
		expect(letter).toMatchObject({event: 'swap', attempts: 3, status: 500, reason: 'the answer was 500'});
		expect(letter!.body).toEqual(receiver.received[0]!.json);
		const [first, second, third] = receiver.received.map(({atMs}) => atMs) as [number, number, number];
		expect(second - first).toBeGreaterThanOrEqual(990);
		expect(third - second).toBeGreaterThanOrEqual(1990);
		expect((await ask(service, 'GET', `/api/1/webhook/${id}/deliveries?offset=1`)).json.data.deadLetters).toEqual([]);

		receiver.behave(answers(200));
		const again = await ask(service, 'POST', `/api/1/webhook/${id}/redeliver`, {body: {apiKey: 'secret'}});
		expect(again.json).toEqual({success: true, id, count: 1});
		await waitFor(async () => (await status(id)).delivered === 1);
		expect(receiver.received.at(-1)!.headers['x-webhook-delivery']).toBe(letter!.id);
		expect(await status(id)).toMatchObject({deadLettersCount: 0, failedAttempts: 3, pending: 0});
	});

	test('stops with the webhook', async () => {
		await start();
		const receiver = await openReceiver();
		const {id} = await create(receiver.url);
		market.emit(trade());
		await receiver.first(1);
		await ask(service, 'DELETE', `/api/1/webhook/${id}?apiKey=secret`);
		expect(market.listeners).toBe(0);
	});
});

test('without keys any text separates the webhooks of owners', async () => {
	await start({auth: false});
	const receiver = await openReceiver();
	const body = {name: 'n', chainIds: [CHAIN], events: ['swap'], apiKey: 'ann', url: receiver.url};
	expect((await ask(service, 'POST', '/api/1/webhook', {body})).status).toBe(200);
	expect((await ask(service, 'GET', '/api/1/webhook?apiKey=ann')).json.count).toBe(1);
	expect((await ask(service, 'GET', '/api/1/webhook?apiKey=bob')).json.count).toBe(0);
	market.emit(trade());
	await receiver.first(1);
});

test('without a webhook the market has no listener', async () => {
	await start();
	expect(market.listeners).toBe(0);
	await ask(service, 'GET', '/api/1/webhook?apiKey=secret');
	expect(market.listeners).toBe(0);
	await create('https://example.com/');
	expect(market.listeners).toBe(1);
});

describe('the events of the simulated market', () => {
	let time: number;
	let live: LiveMarket;
	const events: MarketEvent[] = [];

	async function startLive(): Promise<void> {
		time = 1_750_000_000_000;
		events.length = 0;
		live = createMarket({seed: 3, nowMs: () => time});
		live.onEvent(event => events.push(event));
		service = await startService({market: live, apiKeys: ['secret'], allowPrivateWebhooks: true});
	}

	function advance(seconds: number): void {
		time += seconds * 1000;
		live.advance(time);
	}

	test('swaps agree with the trades and with the market; a transaction is delivered once', async () => {
		await startLive();
		const receiver = await openReceiver();
		const chainIds = ['solana:solana', 'evm:56', CHAIN];
		await create(receiver.url, {chainIds, filters: {gte: ['amountUSD', 50]}});
		for (let n = 0; n < 30; n++) advance(0.2);
		const wanted = events.filter(
			(e): e is TradeEvent => e.type === 'trade' && chainIds.includes(e.chainId) && e.valueUSD! >= 50,
		);
		expect(wanted.length).toBeGreaterThan(20);
		const swaps = (await receiver.first(wanted.length)).map(({json}) => swapEventSchema().parse(json));
		const byHash = new Map(swaps.map(swap => [swap.transactionHash, swap]));
		expect(byHash.size).toBe(wanted.length);
		for (const event of wanted) {
			const swap = byHash.get(event.tx!)!;
			expect(swap).toMatchObject({amount0: event.amountToken, amountUSD: event.valueUSD, blockHeight: event.block});
			expect(swap.amount0 * swap.priceUSDToken0!).toBeCloseTo(swap.amountUSD!, 6);
			expect(swap.amount1 * swap.priceUSDToken1!).toBeCloseTo(swap.amountUSD!, 6);
			expect(swap.poolAddress).not.toBe('');
			expect(swap.poolType).not.toBe('');
		}
		const blocks = Map.groupBy(swaps, swap => `${swap.chainId} ${swap.blockHeight}`);
		for (const inBlock of blocks.values()) {
			expect(new Set(inBlock.map(swap => swap.blockHash)).size).toBe(1);
			expect(new Set(inBlock.map(swap => swap.logIndex)).size).toBe(inBlock.length);
		}
	});

	test('launches are delivered, with those that happen in the very step in which they are traded', async () => {
		await startLive();
		const receiver = await openReceiver();
		await create(receiver.url, {
			chainIds: ['solana:solana'],
			events: ['launchpad', 'swap'],
			filters: {or: [{eq: ['type', 'launchpad']}, {gte: ['amountUSD', 300]}]},
		});
		events.length = 0;
		const startMs = time;
		advance(20);
		const since = events.filter(e => e.chainId === 'solana:solana' && e.timeMs >= startMs);
		const launches = since.filter((e): e is LaunchEvent => e.type === 'launch');
		const trades = since.filter(e => e.type === 'trade' && e.valueUSD! >= 300);
		expect(launches.length).toBeGreaterThan(0);
		const all = await receiver.first(launches.length + trades.length);
		const sent = all.filter(({json}) => json.type === 'launchpad').map(({json}) => launchpadEventSchema().parse(json));
		expect(sent.filter(({action}) => action === 'created').map(({tokenAddress}) => tokenAddress)).toEqual(
			expect.arrayContaining(launches.map(({token}) => token)),
		);
		expect(all.every(({json}) => json.timestamp >= startMs)).toBe(true);
		const swapsOfNew = all.filter(({json}) => launches.some(({token}) => token === json.addressToken0));
		expect(swapsOfNew.length).toBeGreaterThan(0);
		for (const {json} of swapsOfNew) {
			expect(json.poolAddress).toBe(launches.find(({token}) => token === json.addressToken0)!.pool!.address);
		}
	});
});
