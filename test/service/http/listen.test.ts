import {subscribe, unsubscribe} from 'node:diagnostics_channel';
import {connect, type Socket} from 'node:net';
import {setImmediate as nextTurn} from 'node:timers/promises';
import {afterEach, describe, expect, onTestFinished, test} from 'vitest';
import {startService} from '../../../source/service/server.ts';
import {type RunningService, ServiceNotStarted, type ServiceOptions} from '../../../source/service/service-options.ts';
import {until} from '../../helpers/until.ts';
import {TinyMarket} from '../helpers/tiny-market.ts';

const LISTENERS = 8;

let service: RunningService;
const sockets: Socket[] = [];

async function start(options: ServiceOptions = {}): Promise<number> {
	service = await startService({market: new TinyMarket(), apiKeys: ['secret'], listeners: LISTENERS, ...options});
	return Number(new URL(service.url).port);
}

function open(port: number): Socket {
	const socket = connect(port, '127.0.0.1');
	socket.on('error', () => {});
	sockets.push(socket);
	return socket;
}

/** Everything that comes back on a new connection until its end. */
async function ask(port: number, bytes: string): Promise<string> {
	let text = '';
	const socket = open(port);
	socket.setEncoding('utf8').on('data', part => {
		text += part;
	});
	socket.write(bytes);
	await new Promise(resolve => socket.once('close', resolve));
	return text;
}

/** Counts the connections that this process accepts from now on. */
function countAccepted(): () => number {
	let accepted = 0;
	const count = (): void => {
		accepted++;
	};
	subscribe('net.server.socket', count);
	onTestFinished(() => void unsubscribe('net.server.socket', count));
	return () => accepted;
}

const HEALTH = 'GET /health HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n';

afterEach(async () => {
	for (const socket of sockets.splice(0)) socket.destroy();
	await service?.close();
});

/** On other systems the sockets of a port do not share its connections. */
describe.runIf(process.platform === 'linux')('a service with several sockets on its port', () => {
	test('accepts several connections in one turn of the event loop', async () => {
		const port = await start();
		const accepted = countAccepted();
		// The system completes the connections while this process does something else.
		for (let i = 0; i < 200; i++) open(port);
		let maxInOneTurn = 0;
		for (let before = 0; accepted() < 200; before = accepted()) {
			await nextTurn();
			maxInOneTurn = Math.max(maxInOneTurn, accepted() - before);
		}
		expect(maxInOneTurn).toBeGreaterThan(1);
		expect(maxInOneTurn).toBeLessThanOrEqual(LISTENERS);
	});

	test('answers on each of them, requests that are no HTTP too', async () => {
		const port = await start();
		const answers = await Promise.all(Array.from({length: 8 * LISTENERS}, () => ask(port, HEALTH)));
		for (const answer of answers) expect(answer).toMatch(/^HTTP\/1.1 200 /);
		const refusals = await Promise.all(Array.from({length: 4 * LISTENERS}, () => ask(port, 'NONSENSE\r\n\r\n')));
		for (const refusal of refusals) expect(refusal).toMatch(/^HTTP\/1.1 400 [\s\S]*"error"/);
	});

	test('has one limit of open connections for all of them', async () => {
		const port = await start({limits: {openConnections: 3}});
		const accepted = countAccepted();
		const held = [1, 2, 3].map(() => open(port));
		// A connection that waits on one socket does not keep those of the others waiting.
		await until(() => accepted() === 3);
		for (let i = 0; i < 4 * LISTENERS; i++) expect(await ask(port, HEALTH)).toBe('');
		for (const socket of held) socket.destroy();
		await expect.poll(() => ask(port, HEALTH)).toMatch(/^HTTP\/1.1 200 /);
	});

	test.each([1, LISTENERS])('keeps its port to itself: another one with %i is refused', async listeners => {
		const port = await start();
		const second = startService({market: new TinyMarket(), port, listeners});
		await expect(second).rejects.toThrow(ServiceNotStarted);
		await expect(second).rejects.toMatchObject({why: `port ${port} is already in use`});
	});

	test('stops listening on all of them when it is closed', async () => {
		const port = await start();
		await service.close();
		for (let i = 0; i < 4 * LISTENERS; i++) {
			const socket = open(port);
			const error = await new Promise<NodeJS.ErrnoException>(resolve => socket.once('error', resolve));
			expect(error.code).toBe('ECONNREFUSED');
		}
	});
});
