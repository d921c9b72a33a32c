import {afterEach, beforeEach, describe, expect, test} from 'vitest';
import {openSocket, type Socket, type SocketEnd} from '../../../source/client/stream/socket.ts';
import {PATIENCE_MS} from '../../helpers/patience.ts';
import {PerverseServer} from '../perverse-server.ts';

let server: PerverseServer;
let socket: Socket | undefined;

beforeEach(async () => {
	server = await PerverseServer.start();
});

afterEach(async () => {
	socket?.close();
	await server.stop();
});

interface Seen {
	texts: string[];
	latencies: number[];
	readonly ended: Promise<SocketEnd>;
	readonly opened: Promise<void>;
}

function open(options: Partial<Parameters<typeof openSocket>[0]> = {}): Seen {
	const opened = Promise.withResolvers<void>();
	const ended = Promise.withResolvers<SocketEnd>();
	const seen: Seen = {texts: [], latencies: [], opened: opened.promise, ended: ended.promise};
	const url = new URL(server.url.replace('http', 'ws'));
	socket = openSocket(
		{url, apiKey: undefined, ...options},
		{
			onOpen: opened.resolve,
			onText: text => seen.texts.push(text),
			onActivity: latencyMs => latencyMs !== undefined && seen.latencies.push(latencyMs),
			onEnd: ended.resolve,
		},
	);
	return seen;
}

async function until(holds: () => boolean): Promise<void> {
	while (!holds()) await new Promise(resolve => setTimeout(resolve, 10));
}

test('sends heartbeats as event and protocol ping, and measures the round trip', async () => {
	const seen = open({heartbeatMs: 100, silenceMs: PATIENCE_MS, probeAfterMs: 1_000});
	await until(() => server.frames.some(frame => frame['event'] === 'ping') && seen.latencies.length > 0);
	expect(seen.texts).toContain('{"event":"pong"}');
	expect(server.pings).toBeGreaterThan(0);
});

test('a connection that answers probes stays open without messages', async () => {
	const seen = open({heartbeatMs: 60_000, silenceMs: 5000, probeAfterMs: 700});
	await seen.opened;
	await until(() => server.pings >= 8);
	expect(await Promise.race([seen.ended, Promise.resolve('alive')])).toBe('alive');
});

test('a connection that answers no probe is closed after silenceMs', async () => {
	const seen = open({silenceMs: 300});
	await seen.opened;
	server.stream.deaf = true;
	expect(await seen.ended).toMatchObject({failure: 'network', error: {code: 'service-timeout'}});
});

test('a service that never finishes opening is given up', async () => {
	server.stream.deaf = true;
	expect(await open({connectMs: 200}).ended).toMatchObject({failure: 'network'});
});

describe('the end says what to do about it:', () => {
	test.each([
		[401, 'refused'],
		[403, 'refused'],
		[404, 'rejected'],
		[429, 'rate-limited'],
		[500, 'service'],
		[302, 'rejected'],
	])('upgrade answered with %i is %s', async (upgradeStatus, failure) => {
		server.stream = {upgradeStatus, upgradeHeaders: {'retry-after': '9'}};
		expect(await open().ended).toMatchObject({failure, retryAfterMs: 9_000, error: {status: upgradeStatus}});
	});

	test.each([
		[4401, 'refused'],
		[1008, 'refused'],
		[1001, 'network'],
		[1011, 'network'],
		[1013, 'rate-limited'],
	])('close code %i is %s', async (code, failure) => {
		const seen = open();
		await seen.opened;
		server.closeStreams(code, 'because');
		expect(await seen.ended).toMatchObject({failure});
	});

	test('nothing listens', async () => {
		await server.stop();
		expect(await open().ended).toMatchObject({
			failure: 'network',
			error: {code: 'service-unreachable', why: 'nothing listens at its address'},
		});
		await server.listen();
	});

	test('a frame larger than allowed', async () => {
		const seen = open({maxFrameBytes: 1_000});
		await seen.opened;
		server.sendRaw('x'.repeat(2_000));
		expect(await seen.ended).toMatchObject({failure: 'network', error: {code: 'wrong-answer'}});
	});
});
