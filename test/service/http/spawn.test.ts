import {once} from 'node:events';
import {afterEach, describe, expect, test} from 'vitest';
import type {RunningService} from '../../../source/service/service-options.ts';
import {spawnService} from '../../../source/service/spawn-service.ts';
import {ask} from '../helpers/http-client.ts';

let service: RunningService | undefined;

afterEach(() => service?.close());

describe('the embedded service', () => {
	test('runs in a thread on loopback, with a key of its own and rows to show at once', async () => {
		service = await spawnService({seed: 3});
		expect(new URL(service.url).hostname).toBe('127.0.0.1');
		expect(service.apiKeys).toEqual([expect.stringMatching(/^pt_/)]);
		const response = await ask(service, 'POST', '/api/2/pulse', {body: {assetMode: true, model: 'default'}});
		expect(response.status).toBe(200);
		for (const view of ['new', 'bonding', 'bonded']) expect(response.json[view].data.length).toBeGreaterThan(0);
		expect((await ask(service, 'GET', '/api/2/pulse', {key: 'guess'})).status).toBe(401);
	});

	test('stops when closed, and may be closed twice', async () => {
		service = await spawnService();
		const {url} = service;
		await Promise.all([service.close(), service.close()]);
		await expect(fetch(`${url}/health`)).rejects.toThrow();
	});

	test('that cannot start says why', async () => {
		service = await spawnService();
		const port = Number(new URL(service.url).port);
		await expect(spawnService({port})).rejects.toMatchObject({
			message: 'The embedded service could not start',
			why: `port ${port} is already in use`,
		});
		const entry = new URL('./no-such-worker.ts', import.meta.url);
		await expect(spawnService({entry})).rejects.toMatchObject({why: 'it could not be loaded'});
	});

	test('that cannot start leaves no thread for the feeds beside it', async () => {
		service = await spawnService();
		const {port1, port2} = new MessageChannel();
		const gone = once(port1, 'close');
		const entry = new URL('../../../source/threads/service-and-feeds.ts', import.meta.url);
		const second = spawnService({port: Number(new URL(service.url).port), entry, beside: port2});
		await expect(second).rejects.toMatchObject({why: expect.stringContaining('is already in use')});
		await gone;
	});

	test('that ends also ends the feeds in its thread', async () => {
		const {port1, port2} = new MessageChannel();
		const gone = once(port1, 'close');
		const entry = new URL('../../../source/threads/service-and-feeds.ts', import.meta.url);
		service = await spawnService({entry, beside: port2});
		port1.postMessage({kind: 'connect', options: {baseUrl: service.url}});
		await service.close();
		await gone;
	});

	test.for([
		{owner: 'idle', busyMs: 0},
		// No code of this thread runs meanwhile, so the thread's first message and its end are read in one turn.
		{owner: 'busy', busyMs: 1_000},
	])('that dies while its owner is $owner is reported once, with the error', async ({busyMs}) => {
		const entry = new URL('../helpers/dying-worker.ts', import.meta.url);
		const deaths: unknown[] = [];
		const spawned = spawnService({entry, onDeath: error => deaths.push(error)});
		Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, busyMs);
		service = await spawned;
		await expect.poll(() => deaths).not.toEqual([]);
		await new Promise(resolve => setTimeout(resolve, 50));
		expect(deaths).toEqual([expect.objectContaining({message: 'a bug'})]);
	});
});
