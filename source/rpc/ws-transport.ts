import WebSocket from 'ws';
import {connectionCode, connectionWords} from '../connection-words.ts';
import {isLoopback} from '../loopback.ts';
import {ProxyFailed} from '../proxy.ts';
import {webSocketProxy} from '../proxy-connector.ts';
import {
	idOf,
	parseAnswer,
	retryAfterMs,
	type Transport,
	TransportFailed,
	type TransportOptions,
	type WireCall,
} from './transport.ts';

const CONNECT_MS = 8000;
/** Silence after which the connection is probed, and silence after which it counts as dead. */
const PROBE_MS = 15_000;
const SILENCE_MS = 30_000;
const FIRST_RECONNECT_MS = 1000;
const LAST_RECONNECT_MS = 60_000;

interface Waiting {
	readonly resolve: (answer: unknown) => void;
	readonly reject: (error: TransportFailed) => void;
	readonly timer: NodeJS.Timeout;
}

/** JSON-RPC over one websocket, opened when first needed and again after it ended; with pushes of new heads. */
export function createWsTransport(options: TransportOptions): Transport {
	const {url, deadlineMs, maxBytes, received} = options;
	/** By the id of the first call of a request. */
	const waiting = new Map<number, Waiting>();
	const listeners = new Set<() => void>();
	let connection: Promise<WebSocket> | undefined;
	let socket: WebSocket | undefined;
	let reconnectMs = FIRST_RECONNECT_MS;
	let reconnectTimer: NodeJS.Timeout | undefined;
	let isClosed = false;
	/** Ends the present connection. */
	let endOpen: ((failure: TransportFailed) => void) | undefined;
	/** Ids of subscription calls are negative: calls have positive ones. */
	let lastOwnId = 0;

	const connect = (): Promise<WebSocket> => {
		if (isClosed) return Promise.reject(new TransportFailed('closed', 'it was closed here'));
		connection ??= open();
		return connection;
	};

	const open = (): Promise<WebSocket> => {
		const {promise, resolve, reject} = Promise.withResolvers<WebSocket>();
		const opened = new WebSocket(url, {
			handshakeTimeout: Math.min(CONNECT_MS, deadlineMs),
			maxPayload: maxBytes,
			perMessageDeflate: !isLoopback(url.hostname),
			followRedirects: false,
			...webSocketProxy(url),
		});
		socket = opened;
		const end = (failure: TransportFailed) => {
			if (socket !== opened) return;
			socket = undefined;
			connection = undefined;
			endOpen = undefined;
			stopHeart();
			opened.removeAllListeners();
			// A connection that is torn down while it opens still reports an error.
			opened.on('error', () => {});
			opened.terminate();
			reject(failure);
			for (const {reject: rejectCall, timer} of waiting.values()) {
				clearTimeout(timer);
				rejectCall(failure);
			}
			waiting.clear();
			reconnectLater();
		};
		endOpen = end;
		const stopHeart = keepAlive(opened, end);
		opened.on('unexpected-response', (_request, {statusCode = 0, headers}) => {
			const retry = retryAfterMs(headers['retry-after'], Date.now());
			const kind = statusCode === 429 ? 'rate-limited' : statusCode >= 500 ? 'unreachable' : 'rejected';
			end(new TransportFailed(kind, `it answered HTTP ${statusCode} instead of a websocket`, retry));
		});
		opened.on('error', error => end(socketFailure(error)));
		opened.on('close', () => end(new TransportFailed('unreachable', 'the websocket was closed')));
		opened.on('message', (data: Buffer) => {
			received(data.length);
			try {
				answered(parseAnswer(data.toString('utf8')));
			} catch (error) {
				end(error as TransportFailed);
			}
		});
		opened.on('open', () => {
			reconnectMs = FIRST_RECONNECT_MS;
			resolve(opened);
			if (listeners.size > 0) subscribe(opened);
		});
		return promise;
	};

	const answered = (message: unknown): void => {
		if (isPush(message)) {
			for (const listener of [...listeners]) listener();
			return;
		}
		const id = firstId(message);
		const call = id === undefined ? undefined : waiting.get(id);
		if (call === undefined) {
			// A refusal that names no call belongs to all of them.
			if (id === undefined) for (const first of [...waiting.keys()]) settle(first, message);
			return;
		}
		settle(id!, message);
	};

	const settle = (id: number, message: unknown): void => {
		const call = waiting.get(id)!;
		waiting.delete(id);
		clearTimeout(call.timer);
		call.resolve(message);
	};

	const subscribe = (to: WebSocket): void => {
		to.send(JSON.stringify({jsonrpc: '2.0', id: --lastOwnId, method: 'eth_subscribe', params: ['newHeads']}));
	};

	const reconnectLater = (): void => {
		if (listeners.size === 0 || isClosed || reconnectTimer !== undefined) return;
		reconnectTimer = setTimeout(() => {
			reconnectTimer = undefined;
			if (listeners.size > 0) connect().catch(() => {});
		}, reconnectMs).unref();
		reconnectMs = Math.min(LAST_RECONNECT_MS, reconnectMs * 2);
	};

	return {
		async send(body) {
			const opened = await connect();
			const id = (Array.isArray(body) ? (body as WireCall[])[0]! : (body as WireCall)).id;
			const {promise, resolve, reject} = Promise.withResolvers<unknown>();
			const timer = setTimeout(() => {
				waiting.delete(id);
				reject(new TransportFailed('timeout', `no answer within ${deadlineMs / 1000} s`));
			}, deadlineMs);
			waiting.set(id, {resolve, reject, timer});
			opened.send(JSON.stringify(body));
			return promise;
		},
		heads(listener) {
			listeners.add(listener);
			if (listeners.size === 1) {
				if (socket?.readyState === WebSocket.OPEN) subscribe(socket);
				else connect().catch(() => {});
			}
			return () => listeners.delete(listener);
		},
		async close() {
			isClosed = true;
			clearTimeout(reconnectTimer);
			listeners.clear();
			endOpen?.(new TransportFailed('closed', 'it was closed here'));
		},
	};
}

/** Pings a connection that has fallen silent and ends it when it stays so. */
function keepAlive(socket: WebSocket, end: (failure: TransportFailed) => void): () => void {
	let heardMs = performance.now();
	const heard = () => {
		heardMs = performance.now();
	};
	socket.on('message', heard);
	socket.on('pong', heard);
	socket.on('ping', heard);
	const timer = setInterval(() => {
		const silentMs = performance.now() - heardMs;
		if (silentMs > SILENCE_MS)
			end(new TransportFailed('unreachable', `the websocket was silent for ${SILENCE_MS / 1000} s`));
		else if (silentMs >= PROBE_MS && socket.readyState === WebSocket.OPEN) socket.ping();
	}, PROBE_MS / 3).unref();
	return () => clearInterval(timer);
}

function socketFailure(error: Error): TransportFailed {
	if (error instanceof ProxyFailed) return new TransportFailed('unreachable', error.why);
	if (connectionCode(error) === 'WS_ERR_UNSUPPORTED_MESSAGE_LENGTH')
		return new TransportFailed('too-long', 'its answer is too long');
	return new TransportFailed('unreachable', connectionWords(error));
}

function isPush(message: unknown): boolean {
	return (message as {method?: unknown} | null)?.method === 'eth_subscription';
}

/** The lowest id of a batch, which is the id of its first call. */
function firstId(message: unknown): number | undefined {
	const ids = (Array.isArray(message) ? message : [message]).map(idOf).filter(id => id !== undefined);
	return ids.length === 0 ? undefined : Math.min(...ids);
}
