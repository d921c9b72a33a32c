import {once} from 'node:events';
import {Agent, get} from 'node:http';
import type {AddressInfo, Socket} from 'node:net';
import {text} from 'node:stream/consumers';
import fastify, {type FastifyInstance} from 'fastify';
import {afterEach, beforeEach, expect, test} from 'vitest';
import {bridgeRoutes} from '../../../source/service/bridge/routes.ts';
import type {ServiceContext} from '../../../source/service/service-context.ts';

/** The routes over real HTTP, with a bridge that responds at once or, for an intent called slow, never. */
let app: FastifyInstance;
let url: string;
let signals: AbortSignal[];
const agent = new Agent({keepAlive: true, maxSockets: 1});

beforeEach(async () => {
	signals = [];
	const wait = (intentId: string, {signal}: {signal: AbortSignal}) => {
		signals.push(signal);
		return new Promise(resolve => {
			if (intentId === 'slow') signal.addEventListener('abort', () => resolve({}));
			else resolve({intentId, status: 'filled'});
		});
	};
	app = fastify();
	bridgeRoutes.register(app, {money: {bridge: async () => ({wait})}} as unknown as ServiceContext);
	await app.listen({port: 0, host: '127.0.0.1'});
	url = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}/api/2/bridge/status`;
});
afterEach(async () => {
	agent.destroy();
	await app.close();
});

test('many waits over one connection leave nothing behind on it', async () => {
	const connected = once(app.server, 'connection') as Promise<[Socket]>;
	const waitOnce = async () => {
		const [response] = await once(get(`${url}/ended/wait`, {agent}), 'response');
		await text(response);
	};
	await waitOnce();
	const [socket] = await connected;
	const before = socket.listenerCount('close');
	for (let i = 0; i < 12; i++) await waitOnce();
	expect(signals).toHaveLength(13);
	expect(socket.listenerCount('close')).toBe(before);
});

test('a caller that hangs up is not waited for any more', async () => {
	const request = get(`${url}/slow/wait`).on('error', () => {});
	await expect.poll(() => signals.length).toBe(1);
	expect(signals[0]!.aborted).toBe(false);
	request.destroy();
	await expect.poll(() => signals[0]!.aborted).toBe(true);
});
