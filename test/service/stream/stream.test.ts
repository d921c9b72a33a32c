import {afterEach, describe, expect, test} from 'vitest';
import {entryKey} from '../../../source/contract/entry.ts';
import {startService} from '../../../source/service/server.ts';
import type {RunningService, ServiceOptions} from '../../../source/service/service-options.ts';
import {type Frame, StreamClient} from '../helpers/stream-client.ts';
import {TinyMarket, type TinyRow} from '../helpers/tiny-market.ts';

let service: RunningService | undefined;
const clients: StreamClient[] = [];

afterEach(async () => {
	for (const client of clients.splice(0)) await client.close();
	await service?.close();
	service = undefined;
});

async function start(market: TinyMarket, options: Partial<ServiceOptions> = {}): Promise<RunningService> {
	service = await startService({market, apiKeys: ['secret'], flushMs: 10, ...options});
	return service;
}

async function connect(headers: Record<string, string> = {}): Promise<StreamClient> {
	const client = await StreamClient.open(service!.streamUrl, {headers});
	clients.push(client);
	return client;
}

const address = (n: number) => `0x${n.toString(16).padStart(40, '0')}`;
const keyOf = (n: number) => entryKey('evm:8453', address(n));
const token = (n: number, fields: TinyRow = {}): TinyRow => ({
	address: address(n),
	symbol: `T${n}`,
	created_at: 1_699_999_000_000 + n * 1000,
	market_cap: n * 100,
	...fields,
});

function marketOf(count: number): TinyMarket {
	const market = new TinyMarket();
	for (let n = 0; n < count; n++) market.add(token(n));
	return market;
}

function subscribe(view: Record<string, unknown>, {id = 's1', assetMode = true, key = 'secret'} = {}): Frame {
	const payload = {assetMode, views: [{name: 'v', ...view}], subscriptionId: id};
	return {type: 'pulse-v2', authorization: key, payload};
}

const isInit = (frame: Frame) => frame['type'] === 'init';
const isSync = (frame: Frame) => frame['type'] === 'sync';
const symbols = (frame: Frame) => frame['payload'].v.data.map((entry: Frame) => entry['symbol']);

describe('a subscription', () => {
	test('is acknowledged, then gets one init with the first rows of each view', async () => {
		await start(marketOf(10));
		const client = await connect();
		client.send(subscribe({limit: 3}));
		const init = await client.next(isInit);
		expect(client.frames[0]).toEqual({event: 'subscribed', type: 'pulse-v2', subscriptionId: 's1'});
		expect(init['subscriptionId']).toBe('s1');
		expect(symbols(init)).toEqual(['T9', 'T8', 'T7']);
	});

	test('sends a changed row with its full entry, and nothing of rows outside the window', async () => {
		const market = marketOf(10);
		await start(market);
		const client = await connect();
		client.send(subscribe({limit: 3}));
		const init = await client.next(isInit);
		market.change(0, {market_cap: 5});
		market.change(8, {market_cap: 12_345});
		const update = await client.next(frame => frame['type'] !== undefined);
		expect(update['type']).toBe('update-token');
		expect(update['payload'].viewName).toBe('v');
		expect(update['payload'].token).toEqual({...init['payload'].v.data[1], market_cap: 12_345, marketCap: 12_345});
	});

	test('sends a row that enters and the one it pushes out of the window', async () => {
		const market = marketOf(3);
		await start(market);
		const client = await connect();
		client.send(subscribe({limit: 3}));
		await client.next(isInit);
		market.add(token(7));
		const gone = await client.next(frame => frame['type'] === 'remove-token');
		expect(gone['payload']).toEqual({viewName: 'v', tokenKey: keyOf(0)});
		const fresh = await client.next(frame => frame['type'] === 'new-token');
		expect(fresh['payload'].token.symbol).toBe('T7');
	});

	test('fills the window from behind when a row stops matching or is dropped', async () => {
		const market = marketOf(6);
		await start(market);
		const client = await connect();
		client.send(subscribe({limit: 2, sortBy: 'market_cap', filters: {market_cap: {gt: 0}}}));
		expect(symbols(await client.next(isInit))).toEqual(['T5', 'T4']);
		market.change(5, {market_cap: -1});
		expect((await client.next(f => f['type'] === 'remove-token'))['payload'].tokenKey).toBe(keyOf(5));
		expect((await client.next(f => f['type'] === 'new-token'))['payload'].token.symbol).toBe('T3');
		market.free(4);
		expect((await client.next(f => f['type'] === 'remove-token'))['payload'].tokenKey).toBe(keyOf(4));
		expect((await client.next(f => f['type'] === 'new-token'))['payload'].token.symbol).toBe('T2');
	});

	test('names pools in pool mode', async () => {
		const market = marketOf(3);
		await start(market);
		const client = await connect();
		client.send(subscribe({limit: 2, sortBy: 'market_cap'}, {assetMode: false}));
		await client.next(isInit);
		market.change(0, {market_cap: 1e6});
		const gone = await client.next(f => f['type'] === 'remove-pool');
		expect(gone['payload']).toEqual({viewName: 'v', poolAddress: '0xpool1'});
		const fresh = await client.next(f => f['type'] === 'new-pool');
		expect(fresh['payload'].pool.tokenSymbol).toBe('T0');
	});

	test('keeps an included token in the view against any filter', async () => {
		const market = marketOf(5);
		await start(market);
		const client = await connect();
		client.send(subscribe({limit: 1, filters: {market_cap: {gt: 100}}, includeTokens: [address(0)]}));
		expect(symbols(await client.next(isInit))).toEqual(['T4', 'T0']);
		market.change(0, {market_cap: 1});
		const update = await client.next(f => f['type'] === 'update-token');
		expect(update['payload'].token.symbol).toBe('T0');
	});

	test('drops rows that grow too old for its filter, without anything having happened to them', async () => {
		const market = marketOf(0);
		market.add(token(1, {created_at: market.time - 50_000}));
		await start(market);
		const client = await connect();
		client.send(subscribe({filters: {created_at_offset: {lte: 60}}}));
		expect(symbols(await client.next(isInit))).toEqual(['T1']);
		market.time += 20_000;
		expect((await client.next(f => f['type'] === 'remove-token'))['payload'].tokenKey).toBe(keyOf(1));
	});

	test('under the same id replaces the one before', async () => {
		const market = marketOf(4);
		await start(market);
		const client = await connect();
		client.send(subscribe({limit: 4}));
		await client.next(isInit);
		client.send(subscribe({limit: 1}));
		expect(symbols(await client.next(isInit))).toEqual(['T3']);
		market.change(0, {market_cap: 1});
		market.change(3, {market_cap: 1});
		await client.next(f => f['type'] === 'update-token');
		client.send({event: 'ping'});
		const rest = await client.next(f => f['event'] === 'pong' || f['type'] === 'update-token');
		expect(rest).toEqual({event: 'pong'});
	});

	test('gets an id when it brings none, and may use the older name for it', async () => {
		await start(marketOf(1));
		const client = await connect();
		client.send({type: 'pulse-v2', authorization: 'secret', payload: {assetMode: true}});
		const {subscriptionId} = await client.next(f => f['event'] === 'subscribed');
		expect(subscriptionId).toMatch(/^[0-9a-f-]{36}$/);
		client.send({type: 'pulse-v2', authorization: 'secret', payload: {assetMode: true, personalizedId: 'old'}});
		expect((await client.next(f => f['event'] === 'subscribed'))['subscriptionId']).toBe('old');
	});

	test('gets its full state again from time to time', async () => {
		await start(marketOf(2), {syncMs: 50});
		const client = await connect();
		client.send(subscribe({}));
		await client.next(isInit);
		expect(symbols(await client.next(isSync))).toEqual(['T1', 'T0']);
	});

	test('gets it at a time of its own: readers that came together do not make the service send all at once', async () => {
		// The times are drawn from two seconds: far more than a busy machine is late.
		await start(marketOf(2), {syncMs: 4000});
		const readers = await Promise.all(Array.from({length: 30}, () => connect()));
		const startMs = performance.now();
		for (const reader of readers) reader.send(subscribe({}));
		const times = await Promise.all(readers.map(reader => reader.next(isSync).then(() => performance.now() - startMs)));
		expect(Math.max(...times) - Math.min(...times)).toBeGreaterThan(200);
	});
});

describe('a socket', () => {
	test('carries several subscriptions, distinguished by their ids', async () => {
		const market = marketOf(3);
		await start(market);
		const client = await connect();
		client.send(subscribe({limit: 1}, {id: 'a'}));
		client.send(subscribe({limit: 1, sortOrder: 'asc'}, {id: 'b'}));
		await client.next(f => isInit(f) && f['subscriptionId'] === 'b');
		market.change(0, {market_cap: 9});
		const update = await client.next(f => f['type'] === 'update-token');
		expect(update['subscriptionId']).toBe('b');
		market.change(2, {market_cap: 9});
		expect((await client.next(f => f['type'] === 'update-token'))['subscriptionId']).toBe('a');
	});

	test('pauses views, and goes on with one sync of those', async () => {
		const market = marketOf(3);
		await start(market);
		const client = await connect();
		client.send(subscribe({}));
		await client.next(isInit);
		const pause = (action: string, type = 'pulse-v2-pause') => ({
			type,
			authorization: 'secret',
			payload: {action, views: ['v'], subscriptionId: 's1'},
		});
		client.send(pause('pause'));
		expect(await client.next(f => f['event'] !== undefined)).toEqual({
			event: 'paused',
			type: 'pulse-v2-pause',
			views: ['v'],
			subscriptionId: 's1',
		});
		market.change(1, {symbol: 'NEW'});
		client.send(pause('unpause', 'pulse-pause'));
		expect((await client.next(f => f['event'] !== undefined || f['type'] !== undefined))['event']).toBe('unpaused');
		const sync = await client.next(f => f['type'] !== undefined);
		expect(sync['type']).toBe('sync');
		expect(symbols(sync)).toEqual(['T2', 'NEW', 'T0']);
		market.change(0, {symbol: 'LATER'});
		await client.next(f => f['type'] === 'update-token' && f['payload'].token.symbol === 'LATER');
	});

	test('ends one view, one subscription, or all', async () => {
		const market = marketOf(3);
		await start(market);
		const client = await connect();
		const views = [{name: 'v'}, {name: 'w'}];
		client.send({type: 'pulse-v2', authorization: 'secret', payload: {assetMode: true, views, subscriptionId: 's1'}});
		client.send(subscribe({}, {id: 's2'}));
		await client.next(f => isInit(f) && f['subscriptionId'] === 's2');
		const end = (payload?: Frame) => ({type: 'unsubscribe', authorization: 'secret', payload});
		client.send(end({type: 'pulse-v2', subscriptionId: 's1', viewName: 'w'}));
		await client.next(f => f['event'] === 'unsubscribed');
		market.change(0, {market_cap: 1});
		await client.next(f => f['subscriptionId'] === 's2' && f['type'] === 'update-token');
		const viewNames = client.frames.filter(f => f['type'] === 'update-token').map(f => f['payload'].viewName);
		expect(viewNames).toEqual(['v', 'v']);
		client.send(end({type: 'pulse-v2', subscriptionId: 's1'}));
		expect(await client.next(f => f['event'] === 'unsubscribed')).toEqual({
			event: 'unsubscribed',
			type: 'pulse-v2',
			subscriptionId: 's1',
		});
		client.send(end({type: 'pulse-v2', subscriptionId: 's1'}));
		expect((await client.next(f => f['event'] === 'error'))['message']).toContain('No subscription found');
		client.send(end());
		await client.next(f => f['event'] === 'unsubscribed');
		market.change(0, {market_cap: 2});
		client.send(subscribe({}, {id: 's3'}));
		const next = await client.next(f => f['event'] !== 'subscribed');
		expect(next['type']).toBe('init');
	});

	test('answers a ping', async () => {
		await start(marketOf(0));
		const client = await connect();
		client.send({event: 'ping'});
		expect(await client.next(() => true)).toEqual({event: 'pong'});
	});

	test('says what is wrong with a frame and stays open', async () => {
		await start(marketOf(1));
		const client = await connect();
		client.send('{"type":');
		expect((await client.next(() => true))['message']).toMatch(/not valid JSON/);
		client.send(subscribe({filters: {nonsense: {gt: 1}}}));
		const refused = await client.next(() => true);
		expect(refused).toMatchObject({event: 'error', type: 'pulse-v2', subscriptionId: 's1'});
		expect(refused['message']).toContain('filters.nonsense');
		client.send({type: 'what', payload: {}});
		expect((await client.next(() => true))['event']).toBe('error');
		client.send('['.repeat(5000));
		expect((await client.next(() => true))['event']).toBe('error');
		client.send(`${'['.repeat(5000)}${']'.repeat(5000)}`);
		expect((await client.next(() => true))['message']).toContain('nested');
		client.send(subscribe({}));
		await client.next(isInit);
	});

	test('is closed with 4401 after a wrong or missing key', async () => {
		await start(marketOf(1));
		for (const key of ['wrong', undefined]) {
			const client = await connect();
			client.send({type: 'pulse-v2', authorization: key, payload: {}});
			expect((await client.next(() => true))['message']).toBe('unauthorized');
			expect((await client.closed).code).toBe(4401);
		}
	});

	test('may bring its key with the upgrade instead of with each frame', async () => {
		await start(marketOf(1));
		const client = await connect({authorization: 'Bearer secret'});
		client.send({type: 'pulse-v2', payload: {assetMode: true, views: [{name: 'v'}]}});
		await client.next(isInit);
	});

	test('is closed with 1001 when it was silent for too long', async () => {
		await start(marketOf(0), {limits: {socketSilenceMs: 90}});
		const client = await connect();
		// A peer that does not even answer protocol pings.
		client.socket.pong = () => {};
		(client.socket as unknown as {_autoPong: boolean})._autoPong = false;
		expect((await client.closed).code).toBe(1001);
	});
});
