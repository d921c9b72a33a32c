import type {Agent, AgentOptions, IncomingHttpHeaders, IncomingMessage} from 'node:http';
import type {LookupFunction} from 'node:net';
import {PulsetopError} from '../../errors.ts';
import {isLoopback} from '../../loopback.ts';
import {ProxyFailed, type ProxySetting, proxyFor} from '../../proxy.ts';
import {connectorThrough} from '../../proxy-connector.ts';
import {steadyNow} from '../../steady-clock.ts';
import {connectionError} from './connection-error.ts';
import {InvalidResponse, type Sent, ServiceTimeout, ServiceUnreachable} from './service-errors.ts';

/*
 * One request and its response over node:http, which `ws` needs anyway. Measured against undici 8, bundled, with the compile
 * cache, medians of 15 (ms): load 1 against 35 (Pool alone) and 38 (all), first response 9 against 16, CPU time 11 against
 * 51 to 66; undici also takes 13 to 18 MB more resident memory and 0.6 to 1.0 MB more code.
 */

/**
 * node:http or node:https, by protocol. `import` would load the module at the start and read every export, and one export loads
 * Node's own WebSocket (measured: 13 ms of the start). The other modules of Node here are loaded in the same way.
 */
function moduleFor(protocol: string): typeof import('node:http') | typeof import('node:https') {
	return process.getBuiltinModule(protocol === 'https:' ? 'node:https' : 'node:http');
}

export interface HttpRequest {
	readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
	/** Path with query, beginning with `/`, under the base address; or a full http(s) address. */
	readonly path: string;
	readonly headers?: Readonly<Record<string, string>>;
	/** Sent as JSON. */
	readonly body?: unknown;
	/**
	 * `read`: may be sent again after a failure. `never`: is sent once, on a new connection. When a kept-alive connection fails,
	 * the client cannot know whether the request arrived.
	 */
	readonly retry: 'read' | 'never';
	/** Attempts of a read, the first included. Default 3. */
	readonly attempts?: number;
	/** Longest time for one attempt. */
	readonly timeoutMs?: number;
	readonly maxBytes?: number;
	readonly signal?: AbortSignal | undefined;
}

export interface HttpResponse {
	readonly status: number;
	readonly headers: IncomingHttpHeaders;
	readonly text: string;
	/** Length of the body on the wire, compressed. */
	readonly bytes: number;
	/** From sending to the head of the response. */
	readonly latencyMs: number;
}

/** Longest body that is read of a refusal. */
const MAX_REFUSAL_BYTES = 64 * 1024;

export interface ExchangeOptions {
	readonly agent: Agent | undefined;
	readonly timeoutMs: number;
	readonly maxBytes: number;
	readonly signals: readonly AbortSignal[];
	/** DNS lookup of the host; may refuse an address. With one the request goes through no proxy, which looks names up itself. */
	readonly lookup?: LookupFunction;
}

/** Failures before any response, on connections kept alive from an earlier request. */
const onKeptConnection = new WeakSet<object>();

/** Whether a request may have failed only because its kept-alive connection had ended: worth one attempt on a new one. */
export function wasKeptConnection(error: unknown): boolean {
	return error instanceof ServiceUnreachable && onKeptConnection.has(error);
}

export type TimedResponse = HttpResponse & {readonly sentMs: number; readonly headMs: number};

/** An agent for connections to an address, through a proxy if one is given. */
export function createAgent(url: URL, proxy: ProxySetting | undefined, options?: AgentOptions): Agent {
	const agent = new (moduleFor(url.protocol).Agent)(options);
	if (proxy) agent.createConnection = connectorThrough(proxy, url) as Agent['createConnection'];
	return agent;
}

/**
 * Sends one request, through the proxy of the environment where one is set for the address, and reads the whole response,
 * whatever the status.
 */
export async function exchange(request: HttpRequest, url: URL, options: ExchangeOptions): Promise<TimedResponse> {
	const proxy = options.lookup ? undefined : proxyFor(url);
	if (proxy === undefined) return send(request, url, options);
	const agent = options.agent ?? createAgent(url, proxy);
	if (url.protocol !== 'http:') return send(request, url, {...options, agent});
	const {forwarded, proxyRefused} = await import('../../proxy-connection.ts');
	try {
		const {path, headers} = forwarded(proxy, url);
		const response = await send(request, url, {...options, agent, path, headers});
		// Only proxies ask for this, and pass nothing on before they have it.
		if (response.status === 407) throw proxyRefused(proxy, 407);
		return response;
	} catch (error) {
		throw error instanceof ProxyFailed ? connectionError(error, 'no') : error;
	}
}

interface SendOptions extends ExchangeOptions {
	/** In place of the path of the address. */
	readonly path?: string;
	/** For a proxy. */
	readonly headers?: Readonly<Record<string, string>>;
}

function send(request: HttpRequest, url: URL, options: SendOptions): Promise<TimedResponse> {
	const {promise, resolve, reject} = Promise.withResolvers<TimedResponse>();
	if (url.protocol !== 'http:' && url.protocol !== 'https:') {
		return Promise.reject(
			new ServiceUnreachable('only http and https addresses are requested', {sent: 'no', next: 'fix-input'}),
		);
	}
	const aborted = options.signals.find(signal => signal.aborted);
	if (aborted) return Promise.reject(aborted.reason);
	const body = request.body === undefined ? undefined : Buffer.from(JSON.stringify(request.body));
	const sentMs = steadyNow();
	const startedMs = performance.now();
	const outgoing = moduleFor(url.protocol).request(url, {
		method: request.method,
		agent: options.agent ?? false,
		...(options.lookup && {lookup: options.lookup}),
		...(options.path !== undefined && {path: options.path}),
		headers: {
			accept: 'application/json',
			// On loopback, compression costs more than it saves.
			...(isLoopback(url.hostname) ? {} : {'accept-encoding': 'gzip, br'}),
			...(body === undefined ? {} : {'content-type': 'application/json', 'content-length': body.length}),
			...request.headers,
			...options.headers,
		},
	});

	let isSent: Sent = 'no';
	const finish = (error: unknown, response?: TimedResponse) => {
		clearTimeout(timer);
		for (const [i, signal] of options.signals.entries()) signal.removeEventListener('abort', onAbort[i]!);
		if (response !== undefined) return resolve(response);
		reject(error);
		outgoing.destroy();
	};
	const onAbort = options.signals.map(signal => () => finish(signal.reason));
	for (const [i, signal] of options.signals.entries()) signal.addEventListener('abort', onAbort[i]!, {once: true});
	const timer = setTimeout(() => {
		finish(new ServiceTimeout(`no complete response within ${options.timeoutMs / 1000} s`));
	}, options.timeoutMs);

	outgoing.once('socket', socket => {
		if (!socket.connecting) isSent = 'maybe';
		else socket.once(url.protocol === 'https:' ? 'secureConnect' : 'connect', () => (isSent = 'maybe'));
	});
	outgoing.on('error', error => {
		const isFinal = error instanceof PulsetopError && !(error instanceof ProxyFailed);
		const failure = isFinal ? error : connectionError(error, isSent);
		if (outgoing.reusedSocket) onKeptConnection.add(failure);
		finish(failure);
	});
	outgoing.once('response', incoming => {
		const headMs = steadyNow();
		const latencyMs = performance.now() - startedMs;
		readBody(incoming, options.maxBytes).then(
			({text, bytes}) => {
				const status = incoming.statusCode ?? 0;
				finish(undefined, {status, headers: incoming.headers, text, bytes, latencyMs, sentMs, headMs});
			},
			(error: unknown) => finish(error),
		);
	});
	outgoing.end(body);
	return promise;
}

async function readBody(incoming: IncomingMessage, maxBytes: number): Promise<{text: string; bytes: number}> {
	const isSuccess = incoming.statusCode !== undefined && incoming.statusCode < 300;
	const limit = isSuccess ? maxBytes : Math.min(maxBytes, MAX_REFUSAL_BYTES);
	let bytes = 0;
	incoming.on('data', (chunk: Buffer) => (bytes += chunk.length));
	const stream = decompressed(incoming);
	const chunks: Buffer[] = [];
	let length = 0;
	try {
		for await (const chunk of stream) {
			length += chunk.length;
			if (length > limit) {
				if (!isSuccess) break;
				throw new InvalidResponse(`it is longer than ${formatBytes(maxBytes)}`);
			}
			chunks.push(chunk);
		}
	} catch (error) {
		if (error instanceof InvalidResponse) throw error;
		const isCompressionError = error instanceof Error && 'code' in error && String(error.code).startsWith('Z_');
		if (isCompressionError) throw new InvalidResponse('its compression is broken', {cause: error});
		throw new ServiceUnreachable('the connection was cut in the middle of the response', {cause: error});
	}
	return {text: new TextDecoder().decode(Buffer.concat(chunks)), bytes};
}

/** The decompressed body. Errors of the pipeline surface when its end is read. */
function decompressed(incoming: IncomingMessage): AsyncIterable<Buffer> {
	const encoding = incoming.headers['content-encoding'];
	if (encoding === undefined || encoding === 'identity') return incoming;
	const zlib = process.getBuiltinModule('node:zlib');
	const {pipeline} = process.getBuiltinModule('node:stream');
	if (encoding === 'gzip' || encoding === 'x-gzip') return pipeline(incoming, zlib.createGunzip(), () => {});
	if (encoding === 'br') return pipeline(incoming, zlib.createBrotliDecompress(), () => {});
	if (encoding === 'deflate') return pipeline(incoming, zlib.createInflate(), () => {});
	return incoming;
}

function formatBytes(bytes: number): string {
	return bytes >= 1024 * 1024 ? `${Math.round(bytes / 1024 / 1024)} MiB` : `${Math.round(bytes / 1024)} KiB`;
}
