import type {PulsetopError} from '../errors.ts';
import {backoffMs, STREAM_BACKOFF} from './backoff.ts';
import {type Frame, parseFrame} from './frames.ts';
import {createInbox} from './inbox.ts';
import {ServiceRefused} from './service-errors.ts';
import type {Socket, SocketEnd, SocketOptions} from './socket.ts';
import {createLedger, type Subscription, subscribeFrame, unsubscribeFrame} from './subscriptions.ts';
import {createTraffic, type Traffic} from './traffic.ts';
import {refusalText} from './wire-refusal.ts';

/** The one stream of a client: all feeds share it. It is open while it is held or anything is
 * subscribed, and comes back by itself. */
export interface Stream {
	/** Asks for a view; frames come until `unsubscribe`, over reconnects. */
	subscribe(subscription: Omit<Subscription, 'id'>): Subscription;
	unsubscribe(subscription: Subscription): void;
	/** Keeps it open also while nothing is subscribed. Returns how to let go. */
	hold(): () => void;
	readonly state: StreamState;
	/** Called whenever `state` changed other than in its figures. Returns how to stop that. */
	onChange(listener: () => void): () => void;
	/** Tries now instead of later; does nothing while it is open. */
	retryNow(): void;
	/** The service is known to answer again: a try that waits for nothing else is made now. */
	serviceIsBack(): void;
	/** Drops the connection and opens another at once: it may be dead without having said so. */
	restart(): void;
	close(): void;
}

export interface StreamState {
	/** `idle`: nothing is subscribed. `waiting`: for the next try. */
	readonly phase: 'idle' | 'connecting' | 'open' | 'waiting' | 'closed';
	/** Grows with every connection that opens: what was answered on the one before counts no more. */
	readonly connection: number;
	/** Failed tries since it was last open. */
	readonly attempt: number;
	readonly nextTryAtMs: number | undefined;
	/** Why it is not open. */
	readonly error: PulsetopError | undefined;
	/** The key was not accepted at the last try. */
	readonly isRefused: boolean;
	/** When anything last arrived, `Date.now()` scale. */
	readonly heardAtMs: number | undefined;
	readonly latencyMs: number | undefined;
	readonly traffic: Traffic;
	readonly badFrames: number;
	readonly lateFrames: number;
}

export type StreamOptions = Omit<SocketOptions, 'url' | 'apiKey'> & {
	readonly url: URL;
	readonly apiKey: string | undefined;
};

/** A connection that lived this long was a good one: the next loss starts again with the shortest wait. */
const STABLE_MS = 5_000;

/** Makes the stream of a client. */
export function createStream(options: StreamOptions): Stream {
	const {apiKey} = options;
	const ledger = createLedger(`pt${Math.random().toString(36).slice(2, 10)}`);
	const listeners = new Set<() => void>();
	const holders = new Set<object>();
	const traffic = createTraffic();
	const inbox = createInbox({read, onFull: () => socket?.pause(), onRoom: () => socket?.resume()});
	let socket: Socket | undefined;
	let timer: NodeJS.Timeout | undefined;
	/** Aborted when the connection under way is not wanted any more. */
	let connecting = new AbortController();
	let openedMs: number | undefined;
	/** Failed tries and short-lived connections in a row. */
	let setbacks = 0;
	/** The wait is for a service that could not be reached, and not one that it asked for. */
	let isWaitingForService = false;
	let state: Omit<StreamState, 'traffic'> = {
		phase: 'idle',
		connection: 0,
		attempt: 0,
		nextTryAtMs: undefined,
		error: undefined,
		isRefused: false,
		heardAtMs: undefined,
		latencyMs: undefined,
		badFrames: 0,
		lateFrames: 0,
	};

	function become(change: Partial<StreamState>): void {
		state = {...state, ...change};
		for (const listener of listeners) listener();
	}

	async function connect(): Promise<void> {
		drop();
		openedMs = undefined;
		ledger.reset();
		become({phase: 'connecting', nextTryAtMs: undefined});
		const {signal} = connecting;
		// Loaded while the first snapshot is on its way, which does not need it.
		const {openSocket} = await import('./socket.ts');
		if (!signal.aborted) socket = openSocket(options, {onOpen, onText, onSign, onEnd});
	}

	function onOpen(): void {
		openedMs = performance.now();
		for (const subscription of ledger.all()) socket?.send(subscribeFrame(subscription, apiKey));
		become({phase: 'open', connection: state.connection + 1, attempt: 0, error: undefined, isRefused: false});
	}

	function onSign(latencyMs: number | undefined): void {
		state = {...state, heardAtMs: Date.now(), latencyMs: latencyMs ?? state.latencyMs};
	}

	function onText(text: string, bytes: number): void {
		traffic.add(bytes);
		inbox.push(text, !ledger.isAnswered());
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
		const route = ledger.route(frame);
		if (route === 'late') state = {...state, lateFrames: state.lateFrames + 1};
		else if (route !== 'nobody') route.onFrame(frame);
		else if (frame.kind !== 'problem') state = {...state, badFrames: state.badFrames + 1};
	}

	/** The service says no to the key; it may or may not close after that. */
	function refused(frame: Frame & {kind: 'problem'}): void {
		const error = new ServiceRefused(401, refusalText(frame.body, apiKey === undefined ? [] : [apiKey]));
		ended({setback: 'refused', error, retryAfterMs: undefined});
	}

	function onEnd(end: SocketEnd): void {
		// The last frames may say why.
		const {signal} = connecting;
		inbox.flush();
		if (!signal.aborted) ended(end);
	}

	function ended({setback, error, retryAfterMs}: SocketEnd): void {
		drop();
		const wasStable = openedMs !== undefined && performance.now() - openedMs >= STABLE_MS;
		setbacks = wasStable ? 1 : setbacks + 1;
		isWaitingForService = (setback === 'network' || setback === 'service') && retryAfterMs === undefined;
		const waitMs = backoffMs(setbacks, STREAM_BACKOFF, {setback, retryAfterMs});
		timer = setTimeout(() => void connect(), waitMs);
		become({
			phase: 'waiting',
			attempt: state.attempt + 1,
			nextTryAtMs: Date.now() + waitMs,
			error,
			isRefused: setback === 'refused',
		});
	}

	/** Ends the connection that is open, opening or planned. */
	function drop(): void {
		connecting.abort();
		connecting = new AbortController();
		clearTimeout(timer);
		inbox.clear();
		socket?.close();
		socket = undefined;
	}

	function restIfIdle(): void {
		if (ledger.all().length > 0 || holders.size > 0 || state.phase === 'closed') return;
		drop();
		become({phase: 'idle', attempt: 0, nextTryAtMs: undefined, error: undefined});
	}

	return {
		subscribe(wanted) {
			const subscription = ledger.add(wanted);
			if (state.phase === 'idle') void connect();
			else socket?.send(subscribeFrame(subscription, apiKey));
			return subscription;
		},
		unsubscribe(subscription) {
			ledger.remove(subscription);
			socket?.send(unsubscribeFrame(subscription, apiKey));
			restIfIdle();
		},
		hold() {
			const holder = {};
			holders.add(holder);
			if (state.phase === 'idle') void connect();
			return () => {
				holders.delete(holder);
				restIfIdle();
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
			setbacks = 0;
			void connect();
		},
		close() {
			drop();
			listeners.clear();
			state = {...state, phase: 'closed', nextTryAtMs: undefined};
		},
	};
}
