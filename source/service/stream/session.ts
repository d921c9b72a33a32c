import {randomUUID} from 'node:crypto';
import type {Socket} from 'node:net';
import type {WebSocket} from 'ws';
import {parsePulseBody} from '../../contract/pulse-request.ts';
import {type ClientRequest, parseClientFrame, STREAM} from '../../contract/stream.ts';
import {InvalidRequest} from '../../contract/wire-error.ts';
import {bareKey} from '../auth.ts';
import {Refused} from '../http-error.ts';
import {checkDepth, type OpenCount, RateLimiter} from '../limits.ts';
import {factoryNamesOf} from '../metadata/system-metadata.ts';
import type {ServiceContext} from '../service-context.ts';
import type {ChannelRequest, OpenChannel, StreamChannel} from './channel.ts';
import {errorFrame, PONG, PULSE, pausedFrame, subscribedFrame, unsubscribedFrame} from './frames.ts';
import type {LiveViews} from './live-views.ts';
import {type Outlet, Subscription} from './subscription.ts';

/** The parts that all sessions share. */
export interface SessionParts {
	readonly context: ServiceContext;
	readonly views: LiveViews;
	readonly channels: readonly StreamChannel[];
	/** Open sockets by key. */
	readonly open: OpenCount;
}

/** Close codes (contract gaps 1.3). */
const CLOSE = {silent: 1001, fault: 1011, moving: 1012, unauthorized: STREAM.unauthorized, tooMany: 4429} as const;

/** The text that clients take for success after an unsubscribe (contract gaps 1.3). */
const NO_SUBSCRIPTION = 'No subscription found';

/** One socket: reads its frames, keeps its subscriptions, and bounds the memory that a slow reader costs. */
export class Session implements Outlet {
	readonly #parts: SessionParts;
	readonly #socket: WebSocket;
	readonly #raw: Socket;
	readonly #address: string;
	readonly #subscriptions = new Map<string, Subscription>();
	readonly #channels = new Map<string, {type: string; opened: OpenChannel}>();
	readonly #rate: RateLimiter;
	/** Set by the first valid key. */
	#caller: string | undefined;
	/** The name that its open socket is counted under: its caller, or its address before a key. */
	#holder: string | undefined;
	readonly #openedMs = performance.now();
	#receivedMs = performance.now();
	#isEnded = false;

	/** @param key of the upgrade request */
	constructor(parts: SessionParts, socket: WebSocket, raw: Socket, address: string, key: string | undefined) {
		this.#parts = parts;
		this.#socket = socket;
		this.#raw = raw;
		this.#address = address;
		const {framesPerSecond: perSecond, frameBurst: burst} = parts.context.limits;
		this.#rate = new RateLimiter({perSecond, burst});
		socket.on('message', (data, isBinary) => this.#receive(data as Buffer, isBinary));
		socket.on('ping', () => this.#received());
		socket.on('pong', () => this.#received());
		socket.on('close', () => this.end());
		// `ws` closes the socket after each of its errors; the close event does the rest.
		socket.on('error', () => {});
		if (key !== undefined) this.#admit(key);
		else this.#hold(`address:${address}`);
	}

	get subscriptionCount(): number {
		return this.#subscriptions.size;
	}

	get isCongested(): boolean {
		return this.#socket.bufferedAmount > this.#parts.context.limits.socketBytes;
	}

	send(frame: string | Buffer): void {
		if (this.#socket.readyState === this.#socket.OPEN) this.#socket.send(frame, {binary: false});
	}

	/** Sends the changes after each step of the live views, in one write. */
	flush(nowMs: number, syncMs: number): void {
		if (this.#socket.isPaused && !this.isCongested) this.#socket.resume();
		this.#raw.cork();
		try {
			for (const subscription of this.#subscriptions.values()) subscription.flush(nowMs, syncMs);
		} finally {
			this.#raw.uncork();
		}
	}

	/** Sends a ping, or ends a socket that has been silent for too long. */
	beat(nowMs: number): void {
		const {context} = this.#parts;
		const sinceMs = nowMs - context.limits.socketSilenceMs;
		if (this.#receivedMs < sinceMs) this.#close(CLOSE.silent, 'silent for too long');
		// A socket without a key takes the place of one with a key.
		else if (context.auth && this.#caller === undefined && this.#openedMs < sinceMs) {
			this.#close(CLOSE.silent, 'no key was given for too long');
		} else this.#socket.ping();
	}

	/** Ends a socket that the service cannot serve: the client reconnects and subscribes again. */
	fail(): void {
		this.#close(CLOSE.fault, 'the service failed');
	}

	/** Ends a socket whose client goes on at another replica. */
	move(): void {
		this.#close(CLOSE.moving, 'the service moves');
	}

	/** Ends every subscription; the socket is closing or closed. */
	end(): void {
		if (this.#isEnded) return;
		this.#isEnded = true;
		this.#endAll();
		if (this.#holder !== undefined) this.#parts.open.close(this.#holder);
	}

	#received(): void {
		this.#receivedMs = performance.now();
	}

	#receive(data: Buffer, isBinary: boolean): void {
		this.#received();
		if (this.#isEnded) return;
		const {granted} = this.#rate.take('', performance.now());
		if (!granted) {
			this.send(errorFrame('too many frames'));
			this.#close(CLOSE.tooMany, 'too many frames');
			return;
		}
		let value: unknown;
		try {
			if (isBinary) throw new InvalidRequest('', 'must be a text frame');
			value = parseJson(data.toString('utf8'));
			checkDepth(value, this.#parts.context.limits.bodyDepth);
			const request = parseClientFrame(value);
			if (request.kind === 'ping') this.send(PONG);
			else if (this.#admit(request.key)) this.#answer(request);
		} catch (error) {
			this.#refuse(error, value);
		}
		// A client that sends requests without reading must wait until it has read.
		if (this.#socket.bufferedAmount > 2 * this.#parts.context.limits.socketBytes) this.#socket.pause();
	}

	/** Whether the key of a frame, or an earlier one on this socket, is valid. */
	#admit(key: string | undefined): boolean {
		const {context} = this.#parts;
		const identity = context.auth ? context.keyring.identify(bareKey(key)) : `address:${this.#address}`;
		// A wrong key is refused even after a right one; a frame without a key uses the earlier one.
		const caller = identity ?? (key === undefined ? this.#caller : undefined);
		if (caller === undefined) {
			this.send(errorFrame('unauthorized'));
			this.#close(CLOSE.unauthorized, 'unauthorized');
			return false;
		}
		if (!this.#hold(caller)) return false;
		this.#caller = caller;
		return true;
	}

	/** Counts the socket under a name, and no longer under its earlier one; closes the socket at the limit. */
	#hold(holder: string): boolean {
		if (holder === this.#holder) return true;
		const {open} = this.#parts;
		if (!open.open(holder)) {
			this.send(errorFrame('too many connections for this key'));
			this.#close(CLOSE.tooMany, 'too many connections');
			return false;
		}
		if (this.#holder !== undefined) open.close(this.#holder);
		this.#holder = holder;
		return true;
	}

	#answer(request: Exclude<ClientRequest, {kind: 'ping'}>): void {
		if (request.kind === 'subscribe') this.#subscribe(request);
		else if (request.kind === 'unsubscribe') this.#unsubscribe(request);
		else if ('views' in request) this.#pause(request);
		else this.#openChannel(request);
	}

	#subscribe({subscriptionId, body, resume}: Extract<ClientRequest, {kind: 'subscribe'}>): void {
		const id = subscriptionId ?? randomUUID();
		const {context, views} = this.#parts;
		const query = parsePulseBody(body, {factoryNames: factoryNamesOf(context.market)});
		this.#checkRoom(id);
		this.#endOne(id);
		const {entries, market} = context;
		const subscription = new Subscription(id, query, {views, entries, outlet: this, log: market.log}, resume);
		this.#subscriptions.set(id, subscription);
		this.send(subscribedFrame(id));
		subscription.flush(performance.now(), Infinity);
	}

	#checkRoom(id: string): void {
		const most = this.#parts.context.limits.subscriptionsPerSocket;
		const count = this.#subscriptions.size + this.#channels.size;
		if (count >= most && !this.#subscriptions.has(id) && !this.#channels.has(id)) {
			throw new InvalidRequest('subscriptionId', 'is one too many', `a socket carries at most ${most} subscriptions`);
		}
	}

	#unsubscribe({type, subscriptionId, viewName}: Extract<ClientRequest, {kind: 'unsubscribe'}>): void {
		const ids = this.#idsOf(type, subscriptionId);
		if (ids.length === 0 && subscriptionId !== undefined) {
			this.send(errorFrame(NO_SUBSCRIPTION, {...(type ? {type} : {}), subscriptionId}));
			return;
		}
		// An unsubscribe by id alone is answered with the subscription's own type.
		const ended = subscriptionId === undefined ? undefined : this.#channels.get(subscriptionId)?.type;
		for (const id of ids) {
			const pulse = this.#subscriptions.get(id);
			if (viewName === undefined || !pulse?.dropView(viewName)) this.#endOne(id);
		}
		this.send(unsubscribedFrame(subscriptionId, type ?? ended));
	}

	#idsOf(type: string | undefined, subscriptionId: string | undefined): string[] {
		const pulse = type === undefined || type === PULSE ? [...this.#subscriptions.keys()] : [];
		const others = [...this.#channels].flatMap(([id, channel]) =>
			type === undefined || type === channel.type ? [id] : [],
		);
		return [...pulse, ...others].filter(id => subscriptionId === undefined || id === subscriptionId);
	}

	#pause(request: Extract<ClientRequest, {kind: 'pause' | 'unpause'}>): void {
		const {kind: action, subscriptionId, views: names} = request;
		const chosen = [...this.#subscriptions.values()].filter(
			s => subscriptionId === undefined || s.id === subscriptionId,
		);
		if (chosen.length === 0) {
			const about = {type: 'pulse-v2-pause', ...(subscriptionId === undefined ? {} : {subscriptionId})};
			this.send(errorFrame(NO_SUBSCRIPTION, about));
			return;
		}
		for (const subscription of chosen) {
			const known = names.filter(name => subscription.viewNames.includes(name));
			const unknown = names.filter(name => !known.includes(name));
			if (unknown.length > 0)
				throw new InvalidRequest('payload.views', 'names a view that the subscription does not have');
			subscription[action](known);
			this.send(pausedFrame(action, known, subscription.id));
			subscription.flush(performance.now(), Infinity);
		}
	}

	#openChannel(request: ChannelRequest): void {
		const channel = this.#parts.channels.find(({kinds}) => kinds.includes(request.kind));
		if (!channel) throw new InvalidRequest('', 'requests a stream that this service does not offer');
		const id = request.subscriptionId ?? randomUUID();
		this.#checkRoom(id);
		let isOpen = true;
		const opened = channel.open(request, {
			id,
			caller: this.#caller!,
			send: frame => {
				if (isOpen) this.send(frame);
			},
		});
		const end = () => {
			isOpen = false;
			opened.end();
		};
		// Ended only after the new one was opened: a refused request leaves the old subscription as it was.
		this.#endOne(id);
		this.#channels.set(id, {type: request.kind, opened: {end}});
	}

	#endOne(id: string): void {
		this.#subscriptions.get(id)?.end();
		this.#subscriptions.delete(id);
		this.#channels.get(id)?.opened.end();
		this.#channels.delete(id);
	}

	#endAll(): void {
		for (const id of [...this.#subscriptions.keys(), ...this.#channels.keys()]) this.#endOne(id);
	}

	/** Describes what is wrong with a frame; the socket stays open. Faults of the service are not described. */
	#refuse(error: unknown, value: unknown): void {
		const isTheirs = error instanceof InvalidRequest || error instanceof Refused;
		if (!isTheirs) this.#parts.context.fault('stream frame', error);
		const message = !isTheirs
			? 'the service failed to answer'
			: error instanceof InvalidRequest
				? `${error.message} (${error.why})`
				: error.message;
		this.send(errorFrame(message, aboutFrame(value)));
	}

	#close(code: number, reason: string): void {
		this.end();
		this.#socket.close(code, reason);
		// A reader that takes nothing would keep the closing socket for half a minute.
		if (this.isCongested) this.#socket.terminate();
	}
}

function parseJson(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		throw new InvalidRequest('', 'is not valid JSON', 'frames are JSON text');
	}
}

/** The part of a request that its error frame repeats. */
function aboutFrame(value: unknown): {type?: string; subscriptionId?: string} {
	const {type, event, payload, data} = (value ?? {}) as Record<string, unknown>;
	const about = (payload ?? data ?? {}) as Record<string, unknown>;
	const id = about['subscriptionId'] ?? about['personalizedId'];
	const kind = type ?? event;
	return {
		...(typeof kind === 'string' ? {type: kind.slice(0, 64)} : {}),
		...(typeof id === 'string' ? {subscriptionId: id.slice(0, STREAM.idLength)} : {}),
	};
}
