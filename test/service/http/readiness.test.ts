import {once} from 'node:events';
import {type IncomingMessage, request} from 'node:http';
import {afterEach, expect, test} from 'vitest';
import type {Market, MarketLog} from '../../../source/service/market/market.ts';
import {createReadiness} from '../../../source/service/readiness.ts';
import {startService} from '../../../source/service/server.ts';
import type {RunningService} from '../../../source/service/service-options.ts';
import {type Database, StoreFailed} from '../../../source/service/store/database.ts';
import {ask} from '../helpers/http-client.ts';
import {TinyMarket} from '../helpers/tiny-market.ts';

let service: RunningService | undefined;
afterEach(() => service?.close());

const filled = (): TinyMarket => {
	const market = new TinyMarket();
	market.add({address: '0xaa'});
	return market;
};

test('a service alone lives at once, and is ready when its first rows are there; no key is needed', async () => {
	const market = new TinyMarket();
	service = await startService({market, apiKeys: ['secret']});
	const state = async (path: string) => {
		const {status, json} = await ask(service!, 'GET', path, {key: ''});
		return [status, json];
	};
	expect(await state('/health/live')).toEqual([200, {live: true}]);
	expect(await state('/health/ready')).toEqual([503, {ready: false, reason: 'starting'}]);
	expect((await state('/health'))[1]).toMatchObject({ready: false, notReady: 'starting'});
	market.add({address: '0xaa'});
	expect(await state('/health/ready')).toEqual([200, {ready: true}]);
	const [, health] = await state('/health');
	expect(health).toMatchObject({status: 'ok', ready: true});
	expect(health).not.toHaveProperty('notReady');
});

test('a replica is ready within two seconds of the log, while its database answers and it does not stop', async () => {
	let isReady = false;
	let answer: () => Promise<undefined> = async () => undefined;
	let isReadable = true;
	const log: MarketLog = {
		epoch: 'e',
		seq: () => 1,
		unbrokenSeq: () => 0,
		staleMs: () => undefined,
		isReady: () => isReady && isReadable,
		isReadable: () => isReadable,
	};
	const market: Market = Object.assign(filled(), {log});
	let followsViews = false;
	const database = () => ({get: () => answer()}) as unknown as Database;
	const open = () => createReadiness(market, database, () => followsViews);
	const readiness = open();
	expect(await readiness.reason()).toBe('starting');
	isReady = true;
	expect(await readiness.reason()).toBe('starting');
	followsViews = true;
	expect(await readiness.reason()).toBeUndefined();
	isReady = false;
	expect(await readiness.reason()).toBe('behind');
	isReady = true;
	isReadable = false;
	expect(await readiness.reason()).toBe('log-unreadable');
	isReadable = true;
	expect(await readiness.reason()).toBeUndefined();
	answer = () => Promise.reject(new StoreFailed('away'));
	expect(await open().reason()).toBe('database-away');
	answer = () => new Promise(() => {});
	expect(await open().reason()).toBe('database-away');
	readiness.drain();
	expect(await readiness.reason()).toBe('draining');
});

test('a service that drains is not ready, ends its sockets with 1012, and finishes what it was asked', async () => {
	const market = filled();
	service = await startService({market, apiKeys: ['secret']});
	const socket = new WebSocket(service.streamUrl);
	await once(socket, 'open');
	const ended = once(socket, 'close') as Promise<[CloseEvent]>;
	// Its body comes when the service drains already.
	const slow = request(`${service.url}/api/2/pulse`, {
		method: 'POST',
		headers: {authorization: 'secret', 'content-type': 'application/json', 'content-length': 100},
	});
	slow.flushHeaders();
	const answered = once(slow, 'response') as Promise<[IncomingMessage]>;
	await ask(service, 'GET', '/health/live');
	const closed = service.close({drainMs: 300});
	expect((await ended)[0].code).toBe(1012);
	const {status, json, headers} = await ask(service, 'GET', '/health/ready', {key: ''});
	expect([status, json.reason, headers.get('connection')]).toEqual([503, 'draining', 'close']);
	slow.end(JSON.stringify({assetMode: true, views: [{name: 'new', model: 'new'}]}).padEnd(100));
	const [response] = await answered;
	expect(response.statusCode).toBe(200);
	response.resume();
	await closed;
	await expect(fetch(service.url)).rejects.toThrow();
	service = undefined;
});
