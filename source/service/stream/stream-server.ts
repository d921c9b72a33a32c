import type {IncomingMessage, Server} from 'node:http';
import type {Socket} from 'node:net';
import {setImmediate as nextTurn, setTimeout as sleep} from 'node:timers/promises';
import {type WebSocket, WebSocketServer} from 'ws';
import {isLocalRequest, presentedKey} from '../auth.ts';
import {OpenCount} from '../limits.ts';
import type {StreamFigures} from '../metrics/metrics.ts';
import type {ServiceContext} from '../service-context.ts';
import type {Database} from '../store/database.ts';
import type {StreamChannel} from './channel.ts';
import {LiveViews} from './live-views.ts';
import {Session} from './session.ts';
import type {ViewRegistry} from './view-registry.ts';

export interface StreamOptions {
	/** Milliseconds between two rounds of changes; longer when a round takes long. */
	readonly flushMs: number;
	/** Milliseconds after which a subscription gets its full state again. */
	readonly syncMs: number;
	/** Whether permessage-deflate is offered. */
	readonly deflate: boolean;
	readonly channels: readonly StreamChannel[];
}

/**
 * Each frame is compressed by itself: a shared window would take some 300 kB for every socket. Measured with the
 * default model: 186 kB/s instead of 587, for 3.6 instead of 3.3 % of a core.
 */
const DEFLATE = {
	threshold: 1024,
	concurrencyLimit: 4,
	serverNoContextTakeover: true,
	clientNoContextTakeover: true,
	zlibDeflateOptions: {level: 3},
} as const;

/** How long a round may run before other work gets its turn. */
const SLICE_MS = 8;

/** Clients of a replica that stops move within this time, at most this far apart: they come to the others one by one. */
const MOVE = {withinMs: 1000, apartMs: 10, answerMs: 2000} as const;
/** How long a client may take to answer the end of its socket. One that is to move may be far away or busy: it gets longer. */
const END_MS = 500;

/** The websocket on path `/` of the HTTP server (contract gaps 1). */
export class StreamServer {
	readonly #context: ServiceContext;
	readonly #options: StreamOptions;
	readonly #views: LiveViews;
	readonly #open: OpenCount;
	readonly #sockets: WebSocketServer;
	readonly #sessions = new Set<Session>();
	readonly #heart: NodeJS.Timeout;
	#round: NodeJS.Timeout | undefined;
	#registry: Promise<ViewRegistry> | undefined;
	#openedRegistry: ViewRegistry | undefined;
	#draining: Promise<void> | undefined;
	#isClosed = false;

	constructor(context: ServiceContext, options: StreamOptions) {
		this.#context = context;
		this.#options = options;
		this.#views = new LiveViews(context.pulse, context.market.table, {log: context.market.log});
		if (context.replica) {
			this.#registry = openRegistry(context, context.replica.database, this.#views);
			void this.#registry.then(registry => {
				this.#openedRegistry = registry;
			});
		}
		this.#open = new OpenCount(context.limits.connectionsPerKey);
		this.#sockets = new WebSocketServer({
			noServer: true,
			maxPayload: context.limits.bodyBytes,
			clientTracking: true,
			perMessageDeflate: options.deflate && DEFLATE,
		});
		this.#heart = setInterval(() => this.#beat(), Math.min(30_000, context.limits.socketSilenceMs / 3));
		this.#schedule(options.flushMs);
	}

	/** How many sockets are open, subscriptions to views on them, and different views. */
	get figures(): StreamFigures {
		let subscriptions = 0;
		for (const session of this.#sessions) subscriptions += session.subscriptionCount;
		return {sockets: this.#sessions.size, subscriptions, views: this.#views.size};
	}

	/** Whether the views that subscribers of all replicas use were followed once; true for a service that runs alone. */
	get followsViews(): boolean {
		return this.#context.replica === undefined || this.#openedRegistry?.hasFollowed === true;
	}

	/** Handles the upgrade requests of a server. */
	attach(server: Server): void {
		server.on('upgrade', (request: IncomingMessage, raw: Socket, head: Buffer) => this.#upgrade(request, raw, head));
	}

	/**
	 * Moves the clients of a replica to the others: new sockets are refused, open ones are ended (1012) within a second. May
	 * be called twice. Resolves when all are ended.
	 */
	drain(): Promise<void> {
		this.#draining ??= this.#moveAll();
		return this.#draining;
	}

	/** Ends every socket and stops: 1012 on a replica, 1001 where the service runs alone. */
	async close(): Promise<void> {
		if (this.#context.market.log && !this.#isClosed) await this.drain();
		this.#isClosed = true;
		clearInterval(this.#heart);
		clearTimeout(this.#round);
		await (await this.#registry)?.close();
		for (const session of this.#sessions) session.end();
		for (const socket of this.#sockets.clients) {
			socket.close(1001, 'the service is stopping');
			setTimeout(() => socket.terminate(), END_MS).unref();
		}
		await new Promise<void>(resolve => this.#sockets.close(() => resolve()));
	}

	async #moveAll(): Promise<void> {
		const {clients} = this.#sockets;
		const apartMs = Math.min(MOVE.apartMs, MOVE.withinMs / clients.size);
		const startMs = performance.now();
		let moved = 0;
		for (const session of [...this.#sessions]) {
			const waitMs = startMs + moved++ * apartMs - performance.now();
			// Timers are not exact: several may be due at once.
			if (waitMs > 1) await sleep(waitMs);
			session.move();
		}
		const ending = [...clients].map(socket => new Promise(resolve => socket.once('close', resolve)));
		const late = setTimeout(() => {
			for (const socket of clients) socket.terminate();
		}, MOVE.answerMs);
		await Promise.all(ending);
		clearTimeout(late);
	}

	#upgrade(request: IncomingMessage, raw: Socket, head: Buffer): void {
		raw.on('error', () => raw.destroy());
		const url = URL.parse(request.url ?? '', 'http://service');
		const refusal = this.#refusal(request, url);
		if (refusal !== undefined) {
			raw.end(`HTTP/1.1 ${refusal}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`);
			return;
		}
		this.#sockets.handleUpgrade(request, raw, head, socket => this.#start(socket, raw, request, url!));
	}

	#refusal(request: IncomingMessage, url: URL | null): string | undefined {
		if (url?.pathname !== '/') return '404 Not Found';
		if (!this.#context.auth && !isLocalRequest(request.headers)) return '403 Forbidden';
		const isAway = this.#draining || this.#context.readiness.isJoining();
		return isAway || this.#sessions.size >= this.#context.limits.connections ? '503 Service Unavailable' : undefined;
	}

	#start(socket: WebSocket, raw: Socket, request: IncomingMessage, url: URL): void {
		const {channels} = this.#options;
		const parts = {context: this.#context, views: this.#views, channels, open: this.#open};
		const key = presentedKey(request.headers, url.searchParams);
		const session = new Session(parts, socket, raw, request.socket.remoteAddress ?? '', key);
		this.#sessions.add(session);
		socket.on('close', () => this.#sessions.delete(session));
	}

	#beat(): void {
		const nowMs = performance.now();
		for (const session of this.#sessions) session.beat(nowMs);
	}

	#schedule(delayMs: number): void {
		this.#round = setTimeout(() => {
			void this.#flush();
		}, delayMs);
	}

	/** One round: sends the changes of the market to every subscription. Takes at most half of the time. */
	async #flush(): Promise<void> {
		const startMs = performance.now();
		try {
			this.#views.step(this.#context.market.takeChanged(), startMs);
		} catch (error) {
			this.#context.fault('stream round', error);
		}
		let sliceMs = startMs;
		for (const session of [...this.#sessions]) {
			this.#flushOne(session, startMs);
			if (performance.now() - sliceMs < SLICE_MS) continue;
			await nextTurn();
			if (this.#isClosed) return;
			sliceMs = performance.now();
		}
		const tookMs = performance.now() - startMs;
		this.#schedule(Math.max(this.#options.flushMs - tookMs, tookMs));
	}

	/** A fault of one session ends that session, not the service. */
	#flushOne(session: Session, nowMs: number): void {
		try {
			session.flush(nowMs, this.#options.syncMs);
		} catch (error) {
			this.#context.fault('stream round', error);
			session.fail();
		}
	}
}

/** Loaded on replicas only. */
async function openRegistry(context: ServiceContext, database: Database, views: LiveViews): Promise<ViewRegistry> {
	const {ViewRegistry} = await import('./view-registry.ts');
	return new ViewRegistry(context, database, views);
}
