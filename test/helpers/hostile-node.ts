import {createServer, type IncomingMessage, type ServerResponse} from 'node:http';
import {type WebSocket, WebSocketServer} from 'ws';
import {listenOnLoopback} from './loopback.ts';
import {honestAnswer, type PlayedChain} from './played-chain.ts';

/** One call as the node got it. */
export interface AskedCall {
	readonly method: string;
	readonly params: readonly unknown[];
}

interface RpcError {
	readonly code: number;
	readonly message: string;
	readonly data?: unknown;
}

/**
 * What the node does with a call: an answer's result, a JSON-RPC refusal, an HTTP status for the whole request, nothing at all,
 * or the connection cut. Undefined: what an honest node does.
 */
export type Lie =
	| {readonly result: unknown}
	| {readonly refusal: RpcError}
	| {readonly status: number; readonly headers?: Record<string, string>; readonly body?: string}
	| {readonly rawBody: string}
	| 'silence'
	| 'cut'
	| undefined;

/** A node that takes a number of calls a second. */
export interface CallLimit {
	readonly perSecond: number;
	/** The clock by which it counts. */
	readonly nowMs: () => number;
	/** `items`: of a batch it answers as many calls as fit, and refuses each of the others; `whole`: it refuses the request. */
	readonly refuses: 'items' | 'whole';
	/** The refusal; `status` belongs to whole requests. */
	readonly by: Extract<Lie, {refusal: unknown} | {status: number}>;
	/** Says on each answer what is left, as some gateways do. */
	readonly hasHeaders?: boolean;
}

/** A node over HTTP and WebSocket that plays a chain, and lies as a test wants it. */
export interface HostileNode {
	readonly url: string;
	readonly wsUrl: string;
	readonly asked: readonly AskedCall[];
	/** Requests, each with one call or several. */
	readonly requests: number;
	/** What requests and sockets said they are allowed by. */
	readonly authorizations: ReadonlySet<string | undefined>;
	/** Decides about each call; `honest` gives the truth. */
	lie(by: ((call: AskedCall, honest: () => unknown) => Lie) | undefined): void;
	/** Changes each answer as a whole. */
	wrap(by: (answer: Readonly<Record<string, unknown>>) => unknown): void;
	/** What the node does with a batch: refuses it whole, or takes so many calls at most. */
	maxInBatch: number;
	/** How often it may be asked; undefined: as often as one likes. */
	callLimit: CallLimit | undefined;
	/** Calls that it refused because of it. */
	readonly refused: number;
	/** The chain that it plays; another one may be set. */
	chain: PlayedChain;
	/** Pushes the head to the sockets that subscribed. */
	pushHead(): void;
	/** Ends every connection. */
	cutAll(): void;
	close(): Promise<void>;
}

/** Starts a node on a free port. */
export async function startHostileNode(chain: PlayedChain): Promise<HostileNode> {
	const asked: AskedCall[] = [];
	const subscribed = new Set<WebSocket>();
	let lie: ((call: AskedCall, honest: () => unknown) => Lie) | undefined;
	let wrap: (answer: Readonly<Record<string, unknown>>) => unknown = answer => answer;
	let requests = 0;
	let refused = 0;
	/** When calls were taken that count for the limit. */
	let taken: number[] = [];

	const answer = (body: unknown): Answered => {
		requests++;
		const calls = (Array.isArray(body) ? body : [body]) as (AskedCall & {id: number})[];
		if (calls.length > node.maxInBatch) {
			return {json: JSON.stringify(error(null, {code: -32600, message: 'batch is too large'}))};
		}
		const room = roomFor(calls.length);
		if (room < calls.length) {
			refused += calls.length - room;
			const {by, refuses} = node.callLimit!;
			if (refuses === 'whole') {
				return 'status' in by ? by : {json: JSON.stringify(error(calls.length > 1 ? null : calls[0]!.id, by.refusal))};
			}
		}
		const answers: unknown[] = [];
		for (const [i, call] of calls.entries()) {
			if (i >= room) {
				answers.push(error(call.id, (node.callLimit!.by as {refusal: RpcError}).refusal));
				continue;
			}
			asked.push({method: call.method, params: call.params});
			const told = tell(call);
			if ('whole' in told) return told.whole;
			answers.push(wrap(told.one as Record<string, unknown>));
		}
		const json = JSON.stringify(Array.isArray(body) ? answers : answers[0]);
		return {json, ...(node.callLimit?.hasHeaders && {headers: limitHeaders(node.callLimit)})};
	};

	/** Takes calls as far as the limit allows them. */
	const roomFor = (calls: number): number => {
		if (!node.callLimit) return calls;
		const {perSecond, nowMs, refuses} = node.callLimit;
		taken = taken.filter(atMs => atMs > nowMs() - 1000);
		const left = Math.max(0, perSecond - taken.length);
		const room = refuses === 'whole' && left < calls ? 0 : Math.min(left, calls);
		for (let i = 0; i < room; i++) taken.push(nowMs());
		return room;
	};

	const limitHeaders = ({perSecond, nowMs}: CallLimit): Record<string, string> => ({
		'x-ratelimit-limit': String(perSecond),
		'x-ratelimit-remaining': String(perSecond - taken.length),
		'x-ratelimit-reset': String(Math.max(0.001, (taken[0]! + 1000 - nowMs()) / 1000)),
	});

	const tell = (call: AskedCall & {id: number}): {whole: Answered} | {one: unknown} => {
		const honest = () => honestAnswer(node.chain, call.method, call.params);
		try {
			const told = lie?.(call, honest);
			if (told === 'silence' || told === 'cut') return {whole: told};
			if (told === undefined) return {one: {jsonrpc: '2.0', id: call.id, result: honest()}};
			if ('status' in told) return {whole: told};
			if ('rawBody' in told) return {whole: {json: told.rawBody}};
			if ('refusal' in told) return {one: error(call.id, told.refusal)};
			return {one: {jsonrpc: '2.0', id: call.id, result: told.result}};
		} catch (refusal) {
			return {one: error(call.id, refusal as {code: number; message: string})};
		}
	};

	const authorizations = new Set<string | undefined>();
	const server = createServer((request, response) => {
		authorizations.add(request.headers.authorization);
		void respond(request, response, answer);
	});
	const sockets = new WebSocketServer({server});
	sockets.on('connection', (socket, request) => {
		authorizations.add(request.headers.authorization);
		socket.on('error', () => {});
		socket.on('close', () => subscribed.delete(socket));
		socket.on('message', data => {
			const body = JSON.parse(String(data));
			const answered = answer(body);
			if (answered === 'silence') return;
			if (answered === 'cut' || 'status' in answered) return socket.terminate();
			if (body.method === 'eth_subscribe') subscribed.add(socket);
			socket.send(answered.json);
		});
	});
	const {port, url, close} = await listenOnLoopback(server);

	const node: HostileNode = {
		url,
		wsUrl: `ws://127.0.0.1:${port}`,
		asked,
		authorizations,
		get requests() {
			return requests;
		},
		lie(by) {
			lie = by;
		},
		wrap(by) {
			wrap = by;
		},
		maxInBatch: Number.POSITIVE_INFINITY,
		callLimit: undefined,
		get refused() {
			return refused;
		},
		chain,
		pushHead() {
			const result = honestAnswer(node.chain, 'eth_getBlockByNumber', ['latest', false]);
			const text = JSON.stringify({jsonrpc: '2.0', method: 'eth_subscription', params: {subscription: '0x1', result}});
			for (const socket of subscribed) socket.send(text);
		},
		cutAll() {
			for (const socket of sockets.clients) socket.terminate();
			server.closeAllConnections();
		},
		async close() {
			node.cutAll();
			sockets.close();
			await close();
		},
	};
	return node;
}

type Answered =
	| 'silence'
	| 'cut'
	| {readonly json: string; readonly headers?: Record<string, string>}
	| {readonly status: number; readonly headers?: Record<string, string>; readonly body?: string};

async function respond(request: IncomingMessage, response: ServerResponse, answer: (body: unknown) => Answered) {
	const chunks: Buffer[] = [];
	for await (const chunk of request) chunks.push(chunk as Buffer);
	const answered = answer(JSON.parse(Buffer.concat(chunks).toString('utf8')));
	if (answered === 'silence') return;
	if (answered === 'cut') {
		request.socket.destroy();
		return;
	}
	if ('status' in answered) {
		response.writeHead(answered.status, answered.headers ?? {}).end(answered.body ?? '');
		return;
	}
	response.writeHead(200, {'content-type': 'application/json', ...answered.headers}).end(answered.json);
}

function error(id: number | null, {code, message, data}: RpcError): unknown {
	return {jsonrpc: '2.0', id, error: {code, message, ...(data === undefined ? {} : {data})}};
}
