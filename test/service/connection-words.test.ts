import {createHash} from 'node:crypto';
import {once} from 'node:events';
import {get} from 'node:http';
import {get as getTls} from 'node:https';
import {createServer, type Server, type Socket} from 'node:net';
import {connect as connectTls} from 'node:tls';
import {request as undiciRequest} from 'undici';
import {createPublicClient, http} from 'viem';
import {afterAll, beforeAll, expect, test} from 'vitest';
import {WebSocket} from 'ws';
import {connectionAdvice, connectionWords, listenWords} from '../../source/connection-words.ts';

/* The words for failures as the libraries really give them: each is made here, none is built by hand. */

const servers: Server[] = [];
const sockets = new Set<Socket>();

/** A server on loopback that does this with each connection. @returns its port */
async function serverThat(does: (socket: Socket) => void): Promise<number> {
	const server = createServer(socket => {
		sockets.add(socket.on('error', () => {}));
		does(socket);
	});
	servers.push(server);
	server.listen(0, '127.0.0.1');
	await once(server, 'listening');
	return (server.address() as {port: number}).port;
}

let closed: number;
let silent: number;
let cutting: number;
let babbling: number;
let rude: number;

beforeAll(async () => {
	closed = await serverThat(() => {});
	servers.pop()!.close();
	silent = await serverThat(() => {});
	cutting = await serverThat(socket => void socket.once('data', () => socket.destroy()));
	babbling = await serverThat(socket => void socket.once('data', () => socket.end('hello, who are you?\r\n\r\n')));
	rude = await serverThat(socket => {
		socket.once('data', data => {
			const [, key] = /sec-websocket-key: (\S+)/i.exec(String(data))!;
			const accept = createHash('sha1').update(`${key}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`).digest('base64');
			socket.write(
				`HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ${accept}\r\n\r\n`,
			);
			// A frame of a kind that there is not.
			socket.write(Buffer.from([0x8f, 0x00]));
		});
	});
});
afterAll(() => {
	for (const socket of sockets) socket.destroy();
	for (const server of servers) server.close();
});

const failureOf = (work: () => Promise<unknown>) =>
	work().then(
		() => expect.fail('did not fail'),
		(error: unknown) => error,
	);
const byNode = (port: number, options: object = {}) =>
	failureOf(() => once(get({port, host: '127.0.0.1', ...options}), 'response'));
const byUndici = (port: number, options: object = {}) =>
	failureOf(() => undiciRequest(`http://127.0.0.1:${port}/`, options));
const byFetch = (port: number, options: object = {}) => failureOf(() => fetch(`http://127.0.0.1:${port}/`, options));
const bySocket = (port: number) => failureOf(() => once(new WebSocket(`ws://127.0.0.1:${port}/`), 'close'));
const byViem = (port: number, options: object = {}) =>
	failureOf(() =>
		createPublicClient({transport: http(`http://127.0.0.1:${port}/`, {retryCount: 0, ...options})}).getBlockNumber(),
	);
const soon = () => ({signal: AbortSignal.timeout(1)});
const now = () => ({signal: AbortSignal.abort()});

test.each([
	['node:http, nothing there', () => byNode(closed), 'nothing listens at its address'],
	['undici, nothing there', () => byUndici(closed), 'nothing listens at its address'],
	['fetch, nothing there', () => byFetch(closed), 'nothing listens at its address'],
	['ws, nothing there', () => bySocket(closed), 'nothing listens at its address'],
	['viem, nothing there', () => byViem(closed), 'nothing listens at its address'],
	['node:http, a time limit', () => byNode(silent, soon()), 'no answer came in time'],
	['undici, a time limit', () => byUndici(silent, soon()), 'no answer came in time'],
	['fetch, a time limit', () => byFetch(silent, soon()), 'no answer came in time'],
	['undici, a limit of its own', () => byUndici(silent, {headersTimeout: 1}), 'no answer came in time'],
	['viem, a limit of its own', () => byViem(silent, {timeout: 1}), 'no answer came in time'],
	['node:http, ended here', () => byNode(silent, now()), 'the request was ended here'],
	['undici, ended here', () => byUndici(silent, now()), 'the request was ended here'],
	['fetch, ended here', () => byFetch(silent, now()), 'the request was ended here'],
	['node:http, cut', () => byNode(cutting), 'the connection was cut'],
	['undici, cut', () => byUndici(cutting), 'the connection was cut'],
	['fetch, cut', () => byFetch(cutting), 'the connection was cut'],
	['ws, cut', () => bySocket(cutting), 'the connection was cut'],
	['node:http, no HTTP', () => byNode(babbling), 'it is not HTTP'],
	['undici, no HTTP', () => byUndici(babbling), 'it is not HTTP'],
	['ws, no HTTP', () => bySocket(babbling), 'it is not HTTP'],
	['ws, a wrong frame', () => bySocket(rude), 'it broke the rules of web sockets'],
	['TLS to what has none', () => failureOf(() => once(connectTls({port: babbling, host: '127.0.0.1'}), 'end')), /TLS/],
	['a name that there is not', () => byNode(80, {host: 'nowhere.invalid'}), /^its name /],
])('%s', async (_, make, words) => {
	const error = await make();
	if (typeof words === 'string') expect(connectionWords(error)).toBe(words);
	else expect(connectionWords(error)).toMatch(words);
	expect(connectionWords(error)).not.toMatch(/\d/);
});

test.each([
	['nothing there', () => byNode(closed), 'its port, and whether the service runs'],
	['no HTTP', () => byNode(babbling), 'something other than the service answers'],
	[
		'https where there is http',
		() => failureOf(() => once(getTls({port: cutting, host: '127.0.0.1'}), 'response')),
		undefined,
	],
	[
		'https to what has none',
		() => failureOf(() => once(getTls({port: babbling, host: '127.0.0.1'}), 'response')),
		'http:// in place of https://',
	],
	['a time limit', () => byNode(silent, soon()), undefined],
	['cut', () => byNode(cutting), undefined],
])('after %s, what to check is said where waiting does not help', async (_, make, words) => {
	const advice = connectionAdvice(await make());
	if (words === undefined) expect(advice).toBeUndefined();
	else expect(advice).toContain(words);
});

test('a server that could not listen says why', async () => {
	const listening = (port: number, host: string) =>
		failureOf(() => once(servers[servers.push(createServer().listen(port, host)) - 1]!, 'listening'));
	expect(listenWords(await listening(silent, '127.0.0.1'), silent)).toBe(`port ${silent} is already in use`);
	expect(listenWords(await listening(0, '192.0.2.1'), 0)).toBe('the host is not an address of this machine');
	expect(listenWords(await listening(0, 'nowhere.invalid'), 0)).toMatch(/^the host is not|^its name could not/);
});

test('what nothing names is said without a number or an object', () => {
	for (const error of [undefined, null, 7, 'x', {}, new Error('x'), Object.assign(new Error('x'), {code: 23})]) {
		expect(connectionWords(error)).toBe('the connection failed');
	}
	expect(connectionWords(Object.assign(new Error('x'), {code: 'EWHATEVER'}))).toBe('the connection failed (EWHATEVER)');
});
