import type {PulsetopError} from '../../errors.ts';
import {backoffMs, STREAM_BACKOFF} from '../http/backoff.ts';
import {ServiceRefused} from '../http/service-errors.ts';
import {refusalText} from '../wire/wire-refusal.ts';
import {type Frame, parseFrame} from './frames.ts';
import {createReceiveQueue} from './receive-queue.ts';
import type {Socket, SocketEnd, SocketOptions} from './socket.ts';
import {createSubscriptionRegistry, type Subscription, subscribeFrame, unsubscribeFrame} from './subscriptions.ts';
import {createTraffic, type Traffic} from './traffic.ts';

/** The stream of a client, shared by all feeds: open while held or subscribed to, and reopened after a loss. */
export interface Stream {
	/** Subscribes to a view; frames come until `unsubscribe`, also after reconnects. */
	subscribe(subscription: Omit<Subscription, 'id'>): Subscription;
	unsubscribe(subscription: Subscription): void;
	/** Keeps the stream open without subscriptions. Returns a function that ends this. */
	hold(): () => void;
	readonly state: StreamState;
	/** Calls the listener when `state` changes, counters excepted. Returns a function that removes the listener. */
	onChange(listener: () => void): () => void;
	/** Reconnects now instead of at `nextTryAtMs`; does nothing while open. */
	retryNow(): void;
	/** The service responds again: reconnects now, unless the service requested a wait. */
	serviceIsBack(): void;
	/** Replaces the connection, which may be dead without a sign of it. */
	restart(): void;
	close(): void;
}

export interface StreamState {
	/** `idle`: no subscription. `waiting`: for the next attempt. */
	readonly phase: 'idle' | 'connecting' | 'open' | 'waiting' | 'closed';
	/** Number of the connection; each has to send its full views again. */
	readonly connection: number;
	/** Failed attempts since the stream was last open. */
	readonly attempt: number;
	readonly nextTryAtMs: number | undefined;
	/** Why the stream is not open. */
	readonly error: PulsetopError | undefined;
	/** The key was rejected at the last attempt. */
	readonly isRefused: boolean;
	/** When anything last arrived, `Date.now()` scale. */
	readonly receivedAtMs: number | undefined;
	readonly latencyMs: number | undefined;
	readonly traffic: Traffic;
	readonly badFrames: number;
	readonly lateFrames: number;
}

export type StreamOptions = Omit<SocketOptions, 'url' | 'apiKey'> & {
	readonly url: URL;
	readonly apiKey: string | undefined;
};

/** After a connection of at least this length, the back-off starts again with the shortest wait. */
const STABLE_MS = 5_000;

/** Makes the stream of a client. */
export function createStream(options: StreamOptions): Stream {
	const {apiKey} = options;
	const registry = createSubscriptionRegistry(`pt${Math.random().toString(36).slice(2, 10)}`);
	const listeners = new Set<() => void>();
	const holders = new Set<object>();
	const traffic = createTraffic();
	const queue = createReceiveQueue({read, onFull: () => socket?.pause(), onRoom: () => socket?.resume()});
	let socket: Socket | undefined;
	let timer: NodeJS.Timeout | undefined;
	/** Aborted when the connection under way is dropped. */
	let connecting = new AbortController();
	let openedMs: number | undefined;
	/** Failed attempts and short connections in a row. */
	let failures = 0;
	/** The current wait follows a network or service failure, and was not requested by the service. */
	let isWaitingForService = false;
	let state: Omit<StreamState, 'traffic'> = {
		phase: 'idle',
		connection: 0,
		attempt: 0,
		nextTryAtMs: undefined,
		error: undefined,
		isRefused: false,
		receivedAtMs: undefined,
		latencyMs: undefined,
		badFrames: 0,
		lateFrames: 0,
	};

	function setState(change: Partial<StreamState>): void {
		state = {...state, ...change};
		for (const listener of listeners) listener();
	}

	async function connect(): Promise<void> {
		drop();
		openedMs = undefined;
		registry.reset();
		setState({phase: 'connecting', nextTryAtMs: undefined});
		const {signal} = connecting;
		// Loaded while the first snapshot, which comes by REST, is on its way.
		const {openSocket} = await import('./socket.ts');
		if (!signal.aborted) socket = openSocket(options, {onOpen, onText, onActivity, onEnd});
	}

	function onOpen(): void {
		openedMs = performance.now();
		for (const subscription of registry.all()) socket?.send(subscribeFrame(subscription, apiKey));
		setState({phase: 'open', connection: state.connection + 1, attempt: 0, error: undefined, isRefused: false});
	}

	function onActivity(latencyMs: number | undefined): void {
		state = {...state, receivedAtMs: Date.now(), latencyMs: latencyMs ?? state.latencyMs};
	}

	function onText(text: string, bytes: number): void {
		traffic.add(bytes);
		queue.push(text, !registry.isAnswered());
	}

	function read(text: string): void {
		const frame = parseFrame(text);
		if (frame === undefined) {
			state = {...state, badFrames: state.badFrames + 1};
			return;
		}
		if (frame.kind === 'pong' || frame.kind === 'ack' || frame.kind === 'gone' || frame.kind === 'other') return;
		if (frame.kind === 'problem' && frame.isAboutKey) {
			refused(frame);
			return;
		}
		const route = registry.route(frame);
		if (route === 'late') state = {...state, lateFrames: state.lateFrames + 1};
		else if (route !== 'unknown') route.onFrame(frame);
		else if (frame.kind !== 'problem') state = {...state, badFrames: state.badFrames + 1};
	}

	/** The service rejected the key; it may or may not close the connection after that. */
	function refused(frame: Frame & {kind: 'problem'}): void {
		const error = new ServiceRefused(401, refusalText(frame.body, apiKey === undefined ? [] : [apiKey]));
		ended({failure: 'refused', error, retryAfterMs: undefined});
	}

	function onEnd(end: SocketEnd): void {
		// The last frames may hold the reason.
		const {signal} = connecting;
		queue.flush();
		if (!signal.aborted) ended(end);
	}

	function ended({failure, error, retryAfterMs}: SocketEnd): void {
		drop();
		const wasStable = openedMs !== undefined && performance.now() - openedMs >= STABLE_MS;
		failures = wasStable ? 1 : failures + 1;
		isWaitingForService = (failure === 'network' || failure === 'service') && retryAfterMs === undefined;
		const waitMs = backoffMs(failures, STREAM_BACKOFF, {failure, retryAfterMs});
		timer = setTimeout(() => void connect(), waitMs);
		setState({
			phase: 'waiting',
			attempt: state.attempt + 1,
			nextTryAtMs: Date.now() + waitMs,
			error,
			isRefused: failure === 'refused',
		});
	}

	/** Ends the connection that is open, opening or planned. */
	function drop(): void {
		connecting.abort();
		connecting = new AbortController();
		clearTimeout(timer);
		queue.clear();
		socket?.close();
		socket = undefined;
	}

	function closeIfIdle(): void {
		if (registry.all().length > 0 || holders.size > 0 || state.phase === 'closed') return;
		drop();
		setState({phase: 'idle', attempt: 0, nextTryAtMs: undefined, error: undefined});
	}

	return {
		subscribe(view) {
			const subscription = registry.add(view);
			if (state.phase === 'idle') void connect();
			else socket?.send(subscribeFrame(subscription, apiKey));
			return subscription;
		},
		unsubscribe(subscription) {
			registry.remove(subscription);
			socket?.send(unsubscribeFrame(subscription, apiKey));
			closeIfIdle();
		},
		hold() {
			const holder = {};
			holders.add(holder);
			if (state.phase === 'idle') void connect();
			return () => {
				holders.delete(holder);
				closeIfIdle();
			};
		},
		get state() {
			return {...state, traffic};
		},
		onChange(listener) {
			listeners.add(listener);
			return () => listeners.delete(listener);
		},
		retryNow() {
			if (state.phase === 'waiting') void connect();
		},
		serviceIsBack() {
			if (state.phase === 'waiting' && isWaitingForService) void connect();
		},
		restart() {
			if (state.phase !== 'connecting' && state.phase !== 'open' && state.phase !== 'waiting') return;
			failures = 0;
			void connect();
		},
		close() {
			drop();
			listeners.clear();
			state = {...state, phase: 'closed', nextTryAtMs: undefined};
		},
	};
}
