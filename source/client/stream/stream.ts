import type {PulsetopError} from '../../errors.ts';
import {steadyNow} from '../../steady-clock.ts';
import type {Addresses} from '../addresses.ts';
import {ServiceRefused, ServiceTimeout} from '../http/service-errors.ts';
import {refusalText} from '../wire/wire-refusal.ts';
import {type Frame, parseFrame} from './frames.ts';
import {createReceiveQueue} from './receive-queue.ts';
import {createReconnecting} from './reconnecting.ts';
import type {Socket, SocketEnd, SocketOptions} from './socket.ts';
import {
	createSubscriptionRegistry,
	type NewSubscription,
	type Subscription,
	subscribeFrame,
	unsubscribeFrame,
} from './subscriptions.ts';
import {createTraffic, type Traffic} from './traffic.ts';

/** The stream of a client, shared by all feeds: open while held or subscribed to, and reopened after a loss. */
export interface Stream {
	/** Subscribes to a view; frames come until `unsubscribe`, also after reconnects. */
	subscribe(subscription: NewSubscription): Subscription;
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
	/** The name of the address that it is connected to, or connects to next. */
	readonly address: string;
	/** Failed attempts since the stream was last open. */
	readonly attempt: number;
	readonly nextTryAtMs: number | undefined;
	/** Why the stream is not open. */
	readonly error: PulsetopError | undefined;
	/** The key was rejected at the last attempt. */
	readonly isRefused: boolean;
	/** When anything last arrived, `steadyNow()` scale. */
	readonly receivedAtMs: number | undefined;
	readonly latencyMs: number | undefined;
	readonly traffic: Traffic;
	readonly badFrames: number;
	readonly lateFrames: number;
}

export type StreamOptions = Omit<SocketOptions, 'url' | 'apiKey'> & {
	/** Each has a stream. */
	readonly addresses: Addresses;
	readonly apiKey: string | undefined;
};

/** With several addresses, a connection that opened and answers no subscription for this long is given up. */
const ANSWER_MS = 5_000;
/** With several addresses it costs little to try another one: shorter limits than with a single one. */
const OF_SEVERAL = {connectMs: 3_000, silenceMs: 6_000};

/** Makes the stream of a client. */
export function createStream({addresses, ...given}: StreamOptions): Stream {
	const {apiKey} = given;
	const options = addresses.all.length > 1 ? {...OF_SEVERAL, ...given} : given;
	const reconnecting = createReconnecting(addresses);
	const registry = createSubscriptionRegistry(`pt${Math.random().toString(36).slice(2, 10)}`);
	const listeners = new Set<() => void>();
	const holders = new Set<object>();
	const traffic = createTraffic();
	const queue = createReceiveQueue({read, onFull: () => socket?.pause(), onRoom: () => socket?.resume()});
	let socket: Socket | undefined;
	let timer: NodeJS.Timeout | undefined;
	/** Aborted when the connection under way is dropped. */
	let connecting = new AbortController();
	/** Ends a connection that answers nothing. */
	let answerTimer: NodeJS.Timeout | undefined;
	/** Connections in a row that opened and answered nothing: not every service begins with a full view. */
	let unanswered = 0;
	/** The current wait follows a network or service failure, and was not requested by the service. */
	let isWaitingForService = false;
	let state: Omit<StreamState, 'traffic' | 'address'> = {
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
		registry.reset();
		setState({phase: 'connecting', nextTryAtMs: undefined, latencyMs: undefined});
		const {signal} = connecting;
		// Loaded while the first snapshot, which comes by REST, is on its way.
		const {openSocket} = await import('./socket.ts');
		const {streamUrl: url} = reconnecting.address;
		if (!signal.aborted) socket = openSocket({...options, url: url!}, {onOpen, onText, onActivity, onEnd});
	}

	function onOpen(): void {
		reconnecting.opened();
		for (const subscription of registry.all()) socket?.send(subscribeFrame(subscription, apiKey));
		if (unanswered < addresses.all.length - 1) answerTimer = setTimeout(onNoAnswer, ANSWER_MS);
		setState({phase: 'open', connection: state.connection + 1, attempt: 0, error: undefined, isRefused: false});
	}

	/** Another address may do better than one that takes subscriptions and sends nothing. */
	function onNoAnswer(): void {
		if (registry.all().length === 0) return;
		unanswered++;
		const error = new ServiceTimeout('the stream opened and sends nothing');
		ended({failure: 'network', error, retryAfterMs: undefined});
	}

	function onActivity(latencyMs: number | undefined): void {
		state = {...state, receivedAtMs: steadyNow(), latencyMs: latencyMs ?? state.latencyMs};
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
		if (route !== 'unknown') {
			unanswered = 0;
			clearTimeout(answerTimer);
		}
		if (route === 'late') state = {...state, lateFrames: state.lateFrames + 1};
		else if (route !== 'unknown') {
			route.onFrame(frame);
			registry.applied(route, frame);
		} else if (frame.kind !== 'problem') state = {...state, badFrames: state.badFrames + 1};
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

	function ended(end: SocketEnd): void {
		drop();
		const {failure, error, retryAfterMs} = end;
		isWaitingForService = (failure === 'network' || failure === 'service') && retryAfterMs === undefined;
		const waitMs = reconnecting.ended(end);
		timer = setTimeout(() => void connect(), waitMs);
		setState({
			phase: 'waiting',
			attempt: state.attempt + 1,
			nextTryAtMs: steadyNow() + waitMs,
			error,
			isRefused: failure === 'refused',
		});
	}

	/** Ends the connection that is open, opening or planned. */
	function drop(): void {
		connecting.abort();
		connecting = new AbortController();
		clearTimeout(timer);
		clearTimeout(answerTimer);
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
			return {...state, traffic, address: reconnecting.address.name};
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
			reconnecting.reset();
			void connect();
		},
		close() {
			drop();
			listeners.clear();
			state = {...state, phase: 'closed', nextTryAtMs: undefined};
		},
	};
}
