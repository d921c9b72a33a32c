import type {IncomingMessage} from 'node:http';
import WebSocket from 'ws';
import type {PulsetopError} from '../../errors.ts';
import {isLoopback} from '../../loopback.ts';
import {webSocketProxy} from '../../proxy-connector.ts';
import {type FailureKind, failureOfStatus, retryAfterMs} from '../http/backoff.ts';
import {connectionError} from '../http/connection-error.ts';
import {InvalidResponse, ServiceRefused, ServiceTimeout, ServiceUnreachable} from '../http/service-errors.ts';
import {presentable} from '../wire/wire-refusal.ts';

/** One websocket connection from opening to end; a new connection needs a new Socket. */
export interface Socket {
	/** Sends a frame as JSON; does nothing once the connection has ended. */
	send(frame: object): void;
	/** Stops reading from the connection until `resume`, which puts back-pressure on the service. */
	pause(): void;
	resume(): void;
	/** Closes the connection; `onEnd` is not called. */
	close(): void;
}

export interface SocketListener {
	onOpen(): void;
	/** @param bytes length of the message after decompression */
	onText(text: string, bytes: number): void;
	/** Anything arrived, pongs included; `latencyMs` is the round trip of a pong. */
	onActivity(latencyMs: number | undefined): void;
	/** Called once, when the connection ended or could not be opened. */
	onEnd(end: SocketEnd): void;
}

export interface SocketEnd {
	readonly failure: FailureKind;
	readonly error: PulsetopError;
	readonly retryAfterMs: number | undefined;
	/** The service stops here and asks to connect elsewhere (close code 1012). */
	readonly isMove?: boolean;
}

export interface SocketOptions {
	readonly url: URL;
	readonly apiKey: string | undefined;
	/** Longest time for opening the connection. Default 10,000. */
	readonly connectMs?: number;
	/** Time between two `{"event":"ping"}` (contract gaps 1.2). Default 30,000. */
	readonly heartbeatMs?: number;
	/** Silence after which the connection is probed with a protocol ping. Default 3,000, or a third of `silenceMs`. */
	readonly probeAfterMs?: number;
	/** Silence, probes included, after which the connection counts as dead. Default 15,000. */
	readonly silenceMs?: number;
	readonly maxFrameBytes?: number;
}

const TICK_MS = 1_000;
/** A full state of three views with a thousand tokens each has about 12 MB. */
const MAX_FRAME_BYTES = 16 * 1024 * 1024;
/** Close codes for a rejected key: the contract's (gaps 1.3), its sibling for 403, and the standard's. */
const REFUSED_CODES: ReadonlySet<number> = new Set([4401, 4403, 1008]);

/** Close code of a service that stops or restarts. */
const MOVE_CODE = 1012;

/** Opens a connection, and ends it when it falls silent. */
export function openSocket(options: SocketOptions, listener: SocketListener): Socket {
	const {url, apiKey, connectMs = 10_000, silenceMs = 15_000} = options;
	const heartbeatEveryMs = options.heartbeatMs ?? 30_000;
	const {probeAfterMs = Math.min(3_000, silenceMs / 3)} = options;
	const socket = new WebSocket(url, {
		handshakeTimeout: connectMs,
		maxPayload: options.maxFrameBytes ?? MAX_FRAME_BYTES,
		// On loopback, compression costs more than it saves.
		perMessageDeflate: !isLoopback(url.hostname),
		followRedirects: false,
		...webSocketProxy(url),
		...(apiKey === undefined ? {} : {headers: {authorization: `Bearer ${apiKey}`}}),
	});
	let hasEnded = false;
	let socketError: Error | undefined;
	let receivedMs = performance.now();
	let probedMs: number | undefined;
	let heartbeatMs = performance.now();
	let tickedMs = performance.now();

	function end(
		failure: FailureKind,
		error: PulsetopError,
		{retryAfterMs: waitMs, isMove = false}: {retryAfterMs?: number | undefined; isMove?: boolean} = {},
	): void {
		if (hasEnded) return;
		stop();
		listener.onEnd({failure, error, retryAfterMs: waitMs, isMove});
	}

	function stop(): void {
		hasEnded = true;
		clearInterval(timer);
		socket.removeAllListeners();
		// A connection that is torn down while it opens still reports an error.
		socket.on('error', () => {});
		socket.terminate();
	}

	function received(latencyMs?: number): void {
		receivedMs = performance.now();
		if (latencyMs !== undefined) probedMs = undefined;
		listener.onActivity(latencyMs);
	}

	function tick(): void {
		const nowMs = performance.now();
		const isLate = nowMs - tickedMs > 3 * TICK_MS;
		tickedMs = nowMs;
		// This process was stopped or busy: messages that arrived meanwhile must be read before silence is judged.
		if (isLate || socket.isPaused || socket.readyState !== WebSocket.OPEN) return;
		const silentMs = nowMs - receivedMs;
		if (silentMs > silenceMs) {
			end('network', new ServiceTimeout(`the stream has been silent for ${Math.round(silentMs / 1000)} s`));
			return;
		}
		const isHeartbeatDue = nowMs - heartbeatMs >= heartbeatEveryMs;
		if (isHeartbeatDue) {
			heartbeatMs = nowMs;
			socket.send('{"event":"ping"}');
		}
		if ((isHeartbeatDue || silentMs >= probeAfterMs) && probedMs === undefined) {
			probedMs = nowMs;
			socket.ping();
		}
	}
	const timer = setInterval(tick, Math.min(TICK_MS, probeAfterMs, silenceMs));

	socket.on('open', () => {
		heartbeatMs = performance.now();
		received();
		listener.onOpen();
	});
	socket.on('message', (data: Buffer) => {
		received();
		listener.onText(data.toString('utf8'), data.length);
	});
	socket.on('ping', () => received());
	socket.on('pong', () => received(probedMs === undefined ? undefined : performance.now() - probedMs));
	socket.on('unexpected-response', (_request, response: IncomingMessage) => {
		const status = response.statusCode ?? 0;
		const requestedMs = retryAfterMs(response.headers['retry-after'], Date.now());
		end(failureOfStatus(status) ?? 'rejected', new ServiceRefused(status, 'there is no stream at its address'), {
			retryAfterMs: requestedMs,
		});
	});
	socket.on('error', error => {
		socketError = error;
	});
	socket.on('close', (code, reason) => {
		if (REFUSED_CODES.has(code)) {
			end('refused', new ServiceRefused(401, presentable(reason.toString('utf8'), apiKey ? [apiKey] : [])));
			return;
		}
		const isOverload = code === 1013 || code === 4429;
		const error = socketError ? errorOf(socketError) : closedError(code);
		end(isOverload ? 'rate-limited' : 'network', error, {isMove: code === MOVE_CODE});
	});

	return {
		send(frame) {
			if (!hasEnded && socket.readyState === WebSocket.OPEN) socket.send(JSON.stringify(frame));
		},
		pause() {
			if (socket.readyState === WebSocket.OPEN) socket.pause();
		},
		resume() {
			if (socket.isPaused) socket.resume();
		},
		close() {
			if (hasEnded) return;
			const isOpen = socket.readyState === WebSocket.OPEN;
			if (isOpen) socket.close(1000);
			hasEnded = true;
			clearInterval(timer);
			socket.removeAllListeners();
			socket.on('error', () => {});
			// The other side may never confirm the close.
			if (isOpen) setTimeout(() => socket.terminate(), TICK_MS).unref();
			else socket.terminate();
		},
	};
}

function errorOf(failure: Error): PulsetopError {
	const code = 'code' in failure ? String(failure.code) : '';
	if (code.startsWith('WS_ERR')) return new InvalidResponse('it broke the websocket protocol', {cause: failure});
	if (failure.message.includes('handshake has timed out')) return new ServiceTimeout('the stream did not open');
	return connectionError(failure, 'no');
}

function closedError(code: number): PulsetopError {
	if (code === 1001 || code === 1012) return new ServiceUnreachable('the service is going down or restarting');
	if (code === 1013 || code === 4429) return new ServiceUnreachable('the service is overloaded');
	return new ServiceUnreachable(code === 1006 ? 'the stream was cut' : `the service closed the stream (code ${code})`);
}
