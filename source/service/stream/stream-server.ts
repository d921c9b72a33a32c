import type {IncomingMessage, Server} from 'node:http';
import type {Socket} from 'node:net';
import {setImmediate as nextTurn} from 'node:timers/promises';
import {type WebSocket, WebSocketServer} from 'ws';
import {isLocalRequest, presentedKey} from '../auth.ts';
import {OpenCount} from '../limits.ts';
import type {ServiceContext} from '../service-context.ts';
import type {StreamChannel} from './channel.ts';
import {LiveViews} from './live-views.ts';
import {Session} from './session.ts';

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
	#isClosed = false;

	constructor(context: ServiceContext, options: StreamOptions) {
		this.#context = context;
		this.#options = options;
		this.#views = new LiveViews(context.pulse, context.market.table);
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

	/** Handles the upgrade requests of a server. */
	attach(server: Server): void {
		server.on('upgrade', (request: IncomingMessage, raw: Socket, head: Buffer) => this.#upgrade(request, raw, head));
	}

	/** Ends every socket (1001) and stops. */
	async close(): Promise<void> {
		this.#isClosed = true;
		clearInterval(this.#heart);
		clearTimeout(this.#round);
		for (const session of this.#sessions) session.end();
		for (const socket of this.#sockets.clients) {
			socket.close(1001, 'the service is stopping');
			setTimeout(() => socket.terminate(), 500).unref();
		}
		await new Promise<void>(resolve => this.#sockets.close(() => resolve()));
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
		return this.#sessions.size >= this.#context.limits.connections ? '503 Service Unavailable' : undefined;
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
