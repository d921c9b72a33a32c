import {request} from 'node:http';
import {afterEach, describe, expect, onTestFinished, test, vi} from 'vitest';
import {startService} from '../../../source/service/server.ts';
import type {RunningService, ServiceOptions} from '../../../source/service/service-options.ts';
import {StreamClient} from '../helpers/stream-client.ts';
import {TinyMarket} from '../helpers/tiny-market.ts';

let service: RunningService;
const clients: StreamClient[] = [];

afterEach(async () => {
	for (const client of clients.splice(0)) await client.close();
	await service.close();
});

async function start(limits: ServiceOptions['limits'], options: Partial<ServiceOptions> = {}): Promise<void> {
	service = await startService({
		market: new TinyMarket(),
		apiKeys: ['a', 'b'],
		flushMs: 10,
		...options,
		...(limits ? {limits} : {}),
	});
}

async function connect(key = 'a'): Promise<StreamClient> {
	const client = await StreamClient.open(service.streamUrl, {headers: {authorization: key}});
	clients.push(client);
	return client;
}

const subscribe = (subscriptionId: string) => ({type: 'pulse-v2', payload: {assetMode: true, subscriptionId}});

/** The status of an answer to an upgrade that is refused. */
function refusal(path: string, headers: Record<string, string> = {}): Promise<number> {
	const url = new URL(service.url);
	return new Promise((resolve, reject) => {
		const upgrade = {
			connection: 'Upgrade',
			upgrade: 'websocket',
			'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==',
			'sec-websocket-version': '13',
		};
		const asked = request({host: url.hostname, port: url.port, path, headers: {...upgrade, ...headers}}, response => {
			response.resume();
			resolve(response.statusCode!);
		});
		asked.on('upgrade', (_response, socket) => {
			socket.destroy();
			resolve(101);
		});
		asked.on('error', reject);
		asked.end();
	});
}

describe('a socket', () => {
	test('carries a limited number of subscriptions; replacing one is still possible', async () => {
		await start({subscriptionsPerSocket: 2});
		const client = await connect();
		for (const id of ['one', 'two', 'three']) client.send(subscribe(id));
		const refused = await client.next(frame => frame['event'] === 'error');
		expect(refused).toMatchObject({subscriptionId: 'three', type: 'pulse-v2'});
		expect(refused['message']).toMatch(/at most 2 subscriptions/);
		client.send(subscribe('two'));
		await client.next(frame => frame['event'] === 'subscribed');
	});

	test('that sends too many frames is closed', async () => {
		await start({framesPerSecond: 1, frameBurst: 5});
		const client = await connect();
		for (let i = 0; i < 6; i++) client.send({event: 'ping'});
		expect((await client.next(frame => frame['event'] === 'error'))['message']).toBe('too many frames');
		expect((await client.closed).code).toBe(4429);
	});

	test('that sends too large a frame is closed with 1009', async () => {
		await start({bodyBytes: 1000});
		const client = await connect();
		client.send({event: 'ping', filler: 'x'.repeat(2000)});
		expect((await client.closed).code).toBe(1009);
	});

	test('is refused when its key holds as many as it may, until one of them closes', async () => {
		await start({connectionsPerKey: 1});
		const first = await connect('a');
		const second = await connect('a');
		expect((await second.next(() => true))['message']).toBe('too many connections for this key');
		expect((await second.closed).code).toBe(4429);
		const other = await connect('b');
		other.send({event: 'ping'});
		await other.next(frame => frame['event'] === 'pong');
		await first.close();
		await expect
			.poll(async () => {
				const again = await connect('a');
				again.send({event: 'ping'});
				return (await again.next(() => true))['event'];
			})
			.toBe('pong');
	});

	test('without a key counts for its address until it gives one, so that callers without a key cannot take every place', async () => {
		await start({connectionsPerKey: 1});
		const nameless = async () => {
			const client = await StreamClient.open(service.streamUrl);
			clients.push(client);
			return client;
		};
		const first = await nameless();
		const second = await nameless();
		expect((await second.closed).code).toBe(4429);
		first.send({...subscribe('one'), authorization: 'a'});
		await first.next(frame => frame['event'] === 'subscribed');
		const third = await nameless();
		third.send({...subscribe('two'), authorization: 'b'});
		await third.next(frame => frame['event'] === 'subscribed');
	});

	test('that never sends a key is closed, even when it is active', async () => {
		let nowMs = 0;
		const clock = vi.spyOn(performance, 'now').mockImplementation(() => nowMs);
		onTestFinished(() => clock.mockRestore());
		await start({socketSilenceMs: 600});
		const known = await connect('a');
		const nameless = await StreamClient.open(service.streamUrl);
		clients.push(nameless);
		nowMs = 500;
		for (const client of [known, nameless]) {
			client.send({event: 'ping'});
			await client.next(frame => frame['event'] === 'pong');
		}
		nowMs = 700;
		expect(await nameless.closed).toEqual({code: 1001, reason: 'no key was given for too long'});
		known.send({event: 'ping'});
		await known.next(frame => frame['event'] === 'pong');
	});
});

describe('an upgrade', () => {
	test('is answered on path / alone', async () => {
		await start({});
		expect(await refusal('/stream')).toBe(404);
		expect(await refusal('/?apiKey=a')).toBe(101);
	});

	test('is refused when there are too many sockets', async () => {
		await start({connections: 1});
		await connect();
		expect(await refusal('/')).toBe(503);
	});

	test('from a page of another origin is refused by a service without keys', async () => {
		await start({}, {auth: false});
		expect(await refusal('/', {origin: 'http://evil.example'})).toBe(403);
		expect(await refusal('/', {origin: 'http://localhost:3000'})).toBe(101);
	});
});

test('a service that stops closes with 1001', async () => {
	await start({});
	const client = await connect();
	await service.close();
	expect((await client.closed).code).toBe(1001);
});
