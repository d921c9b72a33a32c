import http, {type IncomingMessage, type ServerResponse} from 'node:http';
import type {AddressInfo, Socket} from 'node:net';
import {type WebSocket, WebSocketServer} from 'ws';

const UNKNOWN_MODEL = 'views[0].model must be one of new, bonding, bonded';

/** A row of the model world: what the clients of the server should show. */
export interface Row {
	readonly address: string;
	readonly market_cap: number;
	readonly [field: string]: unknown;
}

export type HttpFault =
	/** Answers with this instead. */
	| {
			readonly kind: 'answer';
			readonly status: number;
			readonly headers?: Record<string, string>;
			readonly body?: string;
	  }
	/** Takes the request and never answers. */
	| {readonly kind: 'hang'}
	/** Sends this many bytes of the right answer (head included) and cuts the connection. */
	| {readonly kind: 'cut'; readonly afterBytes: number}
	/** Sends the right answer, a byte at a time. */
	| {readonly kind: 'drip'; readonly everyMs: number}
	/** Sends these bytes instead of HTTP. */
	| {readonly kind: 'raw'; readonly bytes: string | Buffer}
	/** Holds the right answer, made now, until `release` resolves. */
	| {readonly kind: 'hold'; readonly release: Promise<unknown>}
	/** Sends the right answer, changed by this function. */
	| {readonly kind: 'mangle'; readonly mangle: (body: string) => string};

export interface Subscribed {
	readonly socket: WebSocket;
	readonly id: string;
	readonly view: string;
	/** The requested view. */
	readonly wanted: Readonly<Record<string, unknown>>;
}

/** One connection of the stream, and what a test may do to it. */
export interface StreamFaults {
	/** No `init` after a subscription. */
	noInit?: boolean;
	/** Sends nothing at all, not even pongs. */
	deaf?: boolean;
	/** Refuses the upgrade with this status. */
	upgradeStatus?: number;
	upgradeHeaders?: Record<string, string>;
	/** No `subscriptionId` in what it sends. */
	untagged?: boolean;
	/** Called in place of the response to a subscription. */
	onSubscribe?: (subscription: Subscribed) => void;
}

/**
 * A service with one world (rows by view), which it serves as the contract says, unless a test sets a fault.
 * Every request of a client is recorded.
 */
export class PerverseServer {
	readonly world = new Map<string, Map<string, Row>>();
	/** Applied to the next requests for this path, one each. */
	readonly httpFaults: {readonly path?: string; readonly fault: HttpFault}[] = [];
	/** Applied to every request for which nothing is queued. */
	httpFault: HttpFault | undefined;
	stream: StreamFaults = {};
	/** Rows of REST come by market cap, the largest first; those of the stream as they arrived. */
	sortsREST = false;
	/** Models that the server does not have: a request for one is refused as a whole, or gets a response without the view. */
	unknownModels: {readonly names: readonly string[]; readonly how: 'refused' | 'left out'} = {
		names: [],
		how: 'refused',
	};
	readonly requests: {
		readonly method: string;
		readonly path: string;
		readonly headers: IncomingMessage['headers'];
		readonly body: string;
	}[] = [];
	readonly frames: Record<string, unknown>[] = [];
	subscriptions: Subscribed[] = [];
	upgrades = 0;
	pings = 0;
	/** Other paths: the answer's body by path without query. */
	readonly pages = new Map<string, {type: string; body: string}>();

	readonly #server = http.createServer((request, response) => this.#onRequest(request, response));
	readonly #sockets = new WebSocketServer({noServer: true, autoPong: false});
	readonly #connections = new Set<Socket>();
	#port = 0;

	static async start(): Promise<PerverseServer> {
		const server = new PerverseServer();
		await server.listen();
		return server;
	}

	/** Begins to listen, again on the same port after `stop`. */
	async listen(): Promise<void> {
		const {promise, resolve, reject} = Promise.withResolvers<void>();
		this.#server.once('error', reject);
		this.#server.listen(this.#port, '127.0.0.1', resolve);
		await promise;
		this.#server.off('error', reject);
		this.#port = (this.#server.address() as AddressInfo).port;
	}

	constructor() {
		this.#server.on('connection', socket => {
			this.#connections.add(socket);
			socket.on('close', () => this.#connections.delete(socket));
			socket.on('error', () => {});
		});
		this.#server.on('upgrade', (request, socket: Socket, head) => this.#onUpgrade(request, socket, head));
	}

	get url(): string {
		return `http://127.0.0.1:${this.#port}`;
	}

	/** Cuts every connection and stops listening. */
	async stop(): Promise<void> {
		const {promise, resolve} = Promise.withResolvers<void>();
		this.#server.close(() => resolve());
		this.cut();
		await promise;
	}

	/** Cuts every connection without a close frame. */
	cut(): void {
		this.subscriptions = [];
		for (const socket of this.#connections) socket.resetAndDestroy();
	}

	/** Stops reading and writing on every connection, without closing it: half-open. */
	freeze(): void {
		this.stream = {...this.stream, deaf: true};
		for (const socket of this.#connections) socket.pause();
	}

	view(name: string): Map<string, Row> {
		const rows = this.world.get(name) ?? new Map<string, Row>();
		this.world.set(name, rows);
		return rows;
	}

	/** Changes a row of the world, and sends the change on the stream by default. */
	put(view: string, row: Row, {silently = false} = {}): void {
		const known = this.view(view).get(row.address);
		this.view(view).set(row.address, row);
		if (silently) return;
		for (const subscription of this.subscriptions) {
			if (subscription.view !== view) continue;
			const {wanted} = subscription;
			const didMatch = known !== undefined && this.#matches(known, wanted);
			if (this.#matches(row, wanted)) {
				const type = didMatch ? 'update-token' : 'new-token';
				this.sendTo(subscription, {type, payload: {viewName: view, token: wireOf(row)}});
			} else if (didMatch) {
				this.sendTo(subscription, {type: 'remove-token', payload: {viewName: view, tokenKey: keyOf(row.address)}});
			}
		}
	}

	remove(view: string, address: string, {silently = false} = {}): void {
		this.view(view).delete(address);
		if (!silently) this.send(view, {type: 'remove-token', payload: {viewName: view, tokenKey: keyOf(address)}});
	}

	/** Sends a frame to all who subscribed to the view. */
	send(view: string, frame: object): void {
		for (const subscription of this.subscriptions) {
			if (subscription.view === view) this.sendTo(subscription, frame);
		}
	}

	sendTo({socket, id}: Subscribed, frame: object): void {
		if (!this.stream.deaf) socket.send(JSON.stringify(this.stream.untagged ? frame : {...frame, subscriptionId: id}));
	}

	/** Sends this text unchanged on every connection. */
	sendRaw(text: string): void {
		for (const socket of this.#sockets.clients) socket.send(text);
	}

	/** Writes bytes below the websocket protocol. */
	sendBytes(bytes: Buffer): void {
		for (const socket of this.#connections) if (this.#upgraded.has(socket)) socket.write(bytes);
	}

	closeStreams(code: number, reason = ''): void {
		for (const socket of this.#sockets.clients) socket.close(code, reason);
	}

	init(subscription: Subscribed, type: 'init' | 'sync' = 'init'): void {
		this.sendTo(subscription, {type, payload: this.#payload([subscription.wanted])});
	}

	sync(view: string): void {
		for (const subscription of this.subscriptions) if (subscription.view === view) this.init(subscription, 'sync');
	}

	readonly #upgraded = new WeakSet<Socket>();

	#onUpgrade(request: IncomingMessage, socket: Socket, head: Buffer): void {
		this.upgrades++;
		const {upgradeStatus, upgradeHeaders = {}, deaf} = this.stream;
		if (deaf) return;
		if (upgradeStatus !== undefined) {
			const headers = Object.entries(upgradeHeaders).map(([name, value]) => `${name}: ${value}\r\n`);
			socket.end(`HTTP/1.1 ${upgradeStatus} No\r\n${headers.join('')}content-length: 0\r\n\r\n`);
			return;
		}
		this.#sockets.handleUpgrade(request, socket, head, client => {
			this.#upgraded.add(socket);
			client.on('error', () => {});
			client.on('ping', data => {
				this.pings++;
				if (!this.stream.deaf) client.pong(data);
			});
			client.on('message', (data: Buffer) =>
				this.#onFrame(client, JSON.parse(data.toString()) as Record<string, unknown>),
			);
			client.on('close', () => {
				this.subscriptions = this.subscriptions.filter(subscription => subscription.socket !== client);
			});
		});
	}

	#onFrame(socket: WebSocket, frame: Record<string, unknown>): void {
		this.frames.push(frame);
		if (this.stream.deaf) return;
		if (frame['event'] === 'ping') {
			socket.send('{"event":"pong"}');
			return;
		}
		const payload = (frame['payload'] ?? {}) as {subscriptionId: string; views: Record<string, unknown>[]};
		if (frame['type'] === 'unsubscribe') {
			this.subscriptions = this.subscriptions.filter(({id}) => id !== payload.subscriptionId);
			socket.send(JSON.stringify({event: 'unsubscribed', type: 'pulse-v2', subscriptionId: payload.subscriptionId}));
			return;
		}
		if (frame['type'] !== 'pulse-v2') return;
		const wanted = payload.views[0]!;
		const subscription = {socket, id: payload.subscriptionId, view: String(wanted['name']), wanted};
		if (this.#isUnknown(wanted)) {
			this.sendTo(subscription, {event: 'error', message: UNKNOWN_MODEL});
			return;
		}
		this.subscriptions.push(subscription);
		if (this.stream.onSubscribe) {
			this.stream.onSubscribe(subscription);
			return;
		}
		this.sendTo(subscription, {event: 'subscribed', type: 'pulse-v2'});
		if (!this.stream.noInit) this.init(subscription);
	}

	#isUnknown({model}: Readonly<Record<string, unknown>>): boolean {
		return this.unknownModels.names.includes(String(model));
	}

	#payload(views: readonly Readonly<Record<string, unknown>>[], isSorted = false): object {
		const rows = (view: Readonly<Record<string, unknown>>) =>
			isSorted ? this.rows(view).sort((a, b) => b.market_cap - a.market_cap) : this.rows(view);
		return Object.fromEntries(views.map(view => [String(view['name']), {data: rows(view).map(wireOf)}]));
	}

	/** The rows of a view; `market_cap: {gte}` is the only filter that it knows. */
	rows(view: Readonly<Record<string, unknown>>): Row[] {
		return [...this.view(String(view['name'])).values()].filter(row => this.#matches(row, view));
	}

	#matches(row: Row, view: Readonly<Record<string, unknown>>): boolean {
		const filters = (view['filters'] ?? {}) as {market_cap?: {gte?: number}};
		return row.market_cap >= (filters.market_cap?.gte ?? Number.NEGATIVE_INFINITY);
	}

	async #onRequest(request: IncomingMessage, response: ServerResponse): Promise<void> {
		const path = (request.url ?? '').split('?')[0]!;
		const chunks: Buffer[] = [];
		for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
		const body = Buffer.concat(chunks).toString();
		this.requests.push({method: request.method ?? '', path: request.url ?? '', headers: request.headers, body});
		const at = this.httpFaults.findIndex(queued => queued.path === undefined || queued.path === path);
		const fault = at >= 0 ? this.httpFaults.splice(at, 1)[0]!.fault : this.httpFault;
		const answer = this.#answer(path, body);
		await this.#send(response, request, answer, fault);
	}

	async #send(
		response: ServerResponse,
		request: IncomingMessage,
		answer: Answer,
		fault: HttpFault | undefined,
	): Promise<void> {
		const {status, type, body} = answer;
		const head = `HTTP/1.1 ${status} OK\r\ncontent-type: ${type}\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n`;
		switch (fault?.kind) {
			case undefined:
				response.writeHead(status, {'content-type': type}).end(body);
				return;
			case 'answer':
				response.writeHead(fault.status, fault.headers).end(fault.body ?? '');
				return;
			case 'hang':
				return;
			case 'cut':
				request.socket.write(Buffer.from(head + body).subarray(0, fault.afterBytes), () =>
					request.socket.resetAndDestroy(),
				);
				return;
			case 'drip':
				response.writeHead(status, {'content-type': type});
				for (const byte of Buffer.from(body)) {
					if (response.destroyed) return;
					response.write(Buffer.of(byte));
					await new Promise(resolve => setTimeout(resolve, fault.everyMs));
				}
				response.end();
				return;
			case 'raw':
				request.socket.end(fault.bytes);
				return;
			case 'hold':
				await fault.release;
				response.writeHead(status, {'content-type': type}).end(body);
				return;
			case 'mangle':
				response.writeHead(status, {'content-type': type}).end(fault.mangle(body));
		}
	}

	#answer(path: string, body: string): Answer {
		const page = this.pages.get(path);
		if (page) return {status: 200, ...page};
		const json = (value: unknown) => ({status: 200, type: 'application/json', body: JSON.stringify(value)});
		if (path === '/api/2/pulse') {
			const {views} = JSON.parse(body) as {views: Record<string, unknown>[]};
			const known = views.filter(view => !this.#isUnknown(view));
			if (known.length < views.length && this.unknownModels.how === 'refused')
				return {status: 400, type: 'application/json', body: `{"statusCode":400,"message":"${UNKNOWN_MODEL}"}`};
			return json(this.#payload(known, this.sortsREST));
		}
		if (path === '/api/2/pulse/pagination') {
			const {views} = JSON.parse(body) as {views: Record<string, unknown>[]};
			return json(Object.fromEntries(views.map(view => [String(view['name']), {pagination: this.rows(view).length}])));
		}
		return {
			status: 404,
			type: 'application/json',
			body: '{"statusCode":404,"message":"Cannot GET this","error":"Not Found"}',
		};
	}
}

interface Answer {
	readonly status: number;
	readonly type: string;
	readonly body: string;
}

/** A row as it travels. */
function wireOf(row: Row): object {
	return {chainId: 'evm:8453', symbol: row.address, ...row};
}

function keyOf(address: string): string {
	return `evm:8453|${address}`;
}
