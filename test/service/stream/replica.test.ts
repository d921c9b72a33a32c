import {afterEach, describe, expect, test} from 'vitest';
import {startService} from '../../../source/service/server.ts';
import type {RunningService, ServiceOptions} from '../../../source/service/service-options.ts';
import {pulseFrameSchema} from '../../contract/stream-frames.ts';
import {until} from '../../helpers/until.ts';
import {type Frame, StreamClient} from '../helpers/stream-client.ts';
import {TinyLog} from '../helpers/tiny-log.ts';
import {TinyMarket} from '../helpers/tiny-market.ts';

/* What the stream and the answers of a replica say besides those of a service that runs alone. */

let service: RunningService | undefined;
const clients: StreamClient[] = [];

afterEach(async () => {
	for (const client of clients.splice(0)) client.socket.terminate();
	await service?.close();
	service = undefined;
});

const address = (n: number) => `0x${n.toString(16).padStart(40, '0')}`;

/** A service whose views show the two newest tokens of five. */
async function start({log, ...options}: Partial<ServiceOptions> & {log?: TinyLog} = {}): Promise<TinyMarket> {
	const market = new TinyMarket({...(log && {log})});
	for (let n = 0; n < 5; n++) add(market, n);
	service = await startService({market, apiKeys: ['k'], flushMs: 10, ...options});
	return market;
}

const add = (market: TinyMarket, n: number) =>
	market.add({address: address(n), symbol: `T${n}`, created_at: market.time + n, market_cap: n});

async function connect(): Promise<StreamClient> {
	const client = await StreamClient.open(service!.streamUrl);
	clients.push(client);
	return client;
}

const ask = (resume?: unknown, more: object = {}): Frame => ({
	type: 'pulse-v2',
	authorization: 'k',
	payload: {
		assetMode: true,
		views: [{name: 'v', limit: 2, ...more}],
		subscriptionId: 's',
		...(resume !== undefined && {resume}),
	},
});

const isType = (type: string) => (frame: Frame) => frame['type'] === type;
const symbols = (view: Frame) => view['data'].map((entry: Frame) => entry['symbol']);

async function subscribe(resume?: unknown): Promise<[StreamClient, Frame]> {
	const client = await connect();
	client.send(ask(resume));
	return [client, await client.next(isType('init'))];
}

describe('one service alone', () => {
	test('sends nothing of replicas', async () => {
		const market = await start({syncMs: 50});
		const [client, init] = await subscribe();
		expect(Object.keys(init)).toEqual(['type', 'payload', 'subscriptionId']);
		add(market, 5);
		for (const type of ['remove-token', 'new-token', 'sync'])
			expect(Object.keys(await client.next(isType(type)))).toEqual(['type', 'payload', 'subscriptionId']);
		const response = await fetch(`${service!.url}/api/2/pulse`, {headers: {authorization: 'k'}});
		expect(response.headers.get('pulsetop-at')).toBeNull();
	});

	test('knows nothing of what a reader has missed', async () => {
		await start();
		const [, init] = await subscribe('e1.4');
		expect(init).toMatchObject({recovered: false});
		expect(Object.keys(init)).toEqual(['type', 'payload', 'subscriptionId', 'recovered']);
	});
});

describe('a position', () => {
	test('is in the first state, and in the last frame of a round only', async () => {
		const log = new TinyLog();
		const market = await start({log});
		log.head = 7;
		const [client, init] = await subscribe();
		expect(init['at']).toBe('e1.7');
		log.head = 9;
		add(market, 5);
		add(market, 6);
		await client.next(frame => frame['at'] === 'e1.9');
		const round = client.frames.slice(client.frames.indexOf(init) + 1);
		expect(round.map(({type, at}) => [type, at])).toEqual([
			['remove-token', undefined],
			['remove-token', undefined],
			['new-token', undefined],
			['new-token', 'e1.9'],
		]);
		for (const frame of client.frames) expect(pulseFrameSchema().safeParse(frame).success).toBe(true);
	});

	test('is in every full state of a quiet view', async () => {
		const log = new TinyLog();
		await start({log, syncMs: 30});
		const [client] = await subscribe();
		log.head = 12;
		await client.next(frame => frame['type'] === 'sync' && frame['at'] === 'e1.12');
	});

	test('is told every five seconds while nothing changes, by an update without rows', async () => {
		const log = new TinyLog();
		await start({log});
		const [client, init] = await subscribe();
		log.head = 3;
		const told = await client.next(frame => frame['at'] === 'e1.3');
		expect(told).toEqual({type: 'update', payload: {}, subscriptionId: 's', at: 'e1.3'});
		expect(client.frames.slice(client.frames.indexOf(init) + 1)).toEqual([told]);
		expect(pulseFrameSchema().safeParse(told).error).toBeUndefined();
	});

	test('is in the answers over HTTP', async () => {
		const log = new TinyLog();
		await start({log});
		log.head = 31;
		const headers = {authorization: 'k', 'content-type': 'application/json'};
		const calls: [string, RequestInit][] = [
			['/api/2/pulse', {method: 'POST', headers, body: '{"assetMode": true, "compressed": true}'}],
			['/api/2/pulse/pagination', {method: 'POST', headers, body: '{}'}],
			['/api/1/wallet/labels', {method: 'POST', headers, body: JSON.stringify({walletAddresses: [address(1)]})}],
			[`/api/1/market/sparkline?asset=T1`, {headers}],
		];
		for (const [path, init] of calls) {
			const response = await fetch(service!.url + path, init);
			expect([path, response.ok, response.headers.get('pulsetop-at')]).toEqual([path, true, 'e1.31']);
		}
	});
});

describe('a reader that resumes', () => {
	test('gets what entered meanwhile and is not in the view any more, as it is now', async () => {
		const log = new TinyLog();
		const market = await start({log});
		const [client, init] = await subscribe();
		client.socket.terminate();
		for (let n = 5; n < 9; n++) {
			log.head++;
			const row = add(market, n);
			const [watcher] = await subscribe();
			await until(() => watcher.frames.some(({at}) => at === `e1.${log.head}`));
			if (n === 6) market.free(row);
			if (n === 5) market.change(row, {market_cap: 777});
		}
		const [, again] = await subscribe(init['at']);
		expect(again).toMatchObject({recovered: true, at: 'e1.4'});
		expect(symbols(again['payload'].v)).toEqual(['T8', 'T7']);
		// T6 was dropped: nothing is left to be shown of it.
		expect(again['missed'].v.data).toMatchObject([{symbol: 'T5', market_cap: 777}]);
		expect(pulseFrameSchema().safeParse(again).error).toBeUndefined();
	});

	test('gets recovered: false for an unknown position: another log, rubbish, a view that was not followed', async () => {
		const log = new TinyLog();
		await start({log});
		log.head = 5;
		await subscribe();
		for (const resume of [
			'e2.5',
			'e1.4',
			'e1.',
			'',
			'x'.repeat(5000),
			'1000000000000000',
			'e1.1000000000000000',
			10 ** 15,
			{},
			[1],
			true,
		]) {
			const [, init] = await subscribe(resume);
			expect([resume, init['recovered']]).toEqual([resume, false]);
			expect(init['missed']).toBeUndefined();
			expect(symbols(init['payload'].v)).toEqual(['T4', 'T3']);
		}
		const [, fresh] = await subscribe(null);
		expect(fresh).not.toHaveProperty('recovered');
	});

	test('gets recovered: false for a position before a time that was followed in one long step', async () => {
		const log = new TinyLog();
		await start({log});
		await subscribe();
		log.unbroken = 3;
		log.head = 4;
		for (const [resume, recovered] of [
			['e1.2', false],
			['e1.3', true],
			['e1.4', true],
		])
			expect((await subscribe(resume))[1]).toMatchObject({recovered});
	});

	test('waits for a market that lags behind the one it comes from', async () => {
		const log = new TinyLog();
		const market = await start({log});
		await subscribe();
		const client = await connect();
		client.send(ask('e1.3'));
		await client.next(frame => frame['event'] === 'subscribed');
		add(market, 5);
		log.head = 3;
		const init = await client.next(isType('init'));
		expect(init).toMatchObject({recovered: true, at: 'e1.3', missed: {v: {data: []}}});
		expect(symbols(init['payload'].v)).toEqual(['T5', 'T4']);
	});

	test('waits two seconds at most', async () => {
		const log = new TinyLog();
		await start({log});
		const startMs = performance.now();
		const [, init] = await subscribe('e1.999999999999999');
		expect(init).toMatchObject({recovered: false, at: 'e1.0'});
		expect(performance.now() - startMs).toBeGreaterThan(1900);
	});
});

test('a stale market is said to be stale, and fresh again, without a full state', async () => {
	const log = new TinyLog();
	await start({log});
	const [client] = await subscribe();
	log.stale = 2500;
	expect(await client.next(isType('update'))).toEqual({
		type: 'update',
		payload: {},
		subscriptionId: 's',
		at: 'e1.0',
		stale: 2500,
	});
	const [, late] = await subscribe();
	expect(late).toMatchObject({type: 'init', stale: 2500});
	expect(symbols(late['payload'].v)).toEqual(['T4', 'T3']);
	log.stale = undefined;
	expect(await client.next(isType('update'))).toEqual({type: 'update', payload: {}, subscriptionId: 's', at: 'e1.0'});
});

test('a count belongs to its position', async () => {
	const log = new TinyLog();
	const market = await start({log});
	const count = async (): Promise<number> => {
		const init = {
			method: 'POST',
			headers: {authorization: 'k', 'content-type': 'application/json'},
			body: '{"views": [{"name": "v"}]}',
		};
		const response = await fetch(`${service!.url}/api/2/pulse/pagination`, init);
		return ((await response.json()) as Frame)['v'].pagination;
	};
	expect(await count()).toBe(5);
	log.head++;
	add(market, 5);
	expect(await count()).toBe(6);
});

test('a replica shows nothing of its market before it has read the log, and takes readers for ever afterwards', async () => {
	const log = new TinyLog();
	log.ready = false;
	await start({log});
	const headers = {authorization: 'k', 'content-type': 'application/json'};
	const calls: [string, RequestInit][] = [
		['/api/2/pulse', {headers}],
		['/api/2/pulse', {method: 'POST', headers, body: '{}'}],
		['/api/2/pulse/pagination', {method: 'POST', headers, body: '{}'}],
		['/api/1/wallet/labels', {method: 'POST', headers, body: JSON.stringify({walletAddresses: [address(1)]})}],
		['/api/1/market/sparkline?asset=T1', {headers}],
	];
	const askAll = () => Promise.all(calls.map(([path, init]) => fetch(service!.url + path, init)));
	await expect(StreamClient.open(service!.streamUrl)).rejects.toThrow('503');
	for (const answer of await askAll()) {
		expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '1']);
		expect(await answer.text()).toContain('This replica is still reading the market');
	}
	// What is not of the market is answered.
	expect((await fetch(`${service!.url}/api/1/system-metadata`, {headers})).status).toBe(200);
	log.ready = true;
	await subscribe();
	log.ready = false;
	await subscribe();
	for (const answer of await askAll()) expect(answer.status).toBe(200);
});

describe('the end of', () => {
	test('a replica moves its clients, one after the other, and takes no new ones', async () => {
		await start({log: new TinyLog()});
		const readers = await Promise.all(Array.from({length: 40}, () => subscribe()));
		const closing = service!.close();
		await expect(StreamClient.open(service!.streamUrl)).rejects.toThrow(/503|ECONNREFUSED|ECONNRESET|hang up/);
		const ends = await Promise.all(
			readers.map(async ([client]) => ({...(await client.closed), atMs: performance.now()})),
		);
		expect(new Set(ends.map(({code, reason}) => `${code} ${reason}`))).toEqual(new Set(['1012 the service moves']));
		// A busy machine reads several of these at once, and not all of them.
		expect(new Set(ends.map(({atMs}) => Math.round(atMs))).size).toBeGreaterThan(5);
		await closing;
	});

	test('a service that runs alone says that it stops', async () => {
		await start();
		const [client] = await subscribe();
		await service!.close();
		expect(await client.closed).toMatchObject({code: 1001});
	});
});
