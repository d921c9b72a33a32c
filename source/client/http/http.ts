import type {Agent, IncomingHttpHeaders} from 'node:http';
import type {LookupFunction} from 'node:net';
import {getOrInsert} from '../../get-or-insert.ts';
import {proxyFor} from '../../proxy.ts';
import type {Addresses, ServiceAddress} from '../addresses.ts';
import type {LearningClock} from '../clock.ts';
import {isRefusal, refusalText} from '../wire/wire-refusal.ts';
import {backoffMs, CALL_BACKOFF, failureOfStatus, retryAfterMs} from './backoff.ts';
import {createAgent, exchange, type HttpRequest, type HttpResponse, wasKeptConnection} from './exchange.ts';
import {
	CHECK_ADDRESS,
	InvalidResponse,
	RateLimited,
	ServiceRefused,
	ServiceTimeout,
	ServiceUnreachable,
} from './service-errors.ts';

/** The request budget that a service reports in `X-RateLimit-*` headers. */
export interface RateLimit {
	readonly limit: number;
	readonly remaining: number;
	/** When the budget is full again, `steadyNow()` scale. */
	readonly resetAtMs?: number;
}

export interface Http {
	/**
	 * Sends a request, again after a failure where `retry` allows it, and returns a 2xx response.
	 * @throws AddressRefused, ServiceUnreachable, ServiceTimeout, RateLimited, ServiceRefused, InvalidResponse (too large); the signal's reason
	 */
	request(request: HttpRequest): Promise<HttpResponse>;
	/**
	 * Sends a request, and returns the response with its parsed JSON body.
	 * @throws as `request`; InvalidResponse for a body that is not JSON; ServiceRefused for a 2xx with an `error` (contract gaps 4.2)
	 */
	json(request: HttpRequest): Promise<HttpResponse & {readonly body: unknown}>;
	/** The request budget that the service last reported. */
	readonly rateLimit: RateLimit | undefined;
	close(): void;
}

export interface HttpOptions {
	readonly addresses: Addresses;
	/** Sent with every request to the hosts of `addresses`, and to no other. */
	readonly apiKey: string | undefined;
	readonly clock: LearningClock;
	readonly timeoutMs: number;
	readonly maxBytes: number;
	/** Texts to remove from messages. */
	readonly secrets: readonly string[];
}

const MAX_ATTEMPTS = 3;
/** After a longer `Retry-After` the call fails, and the caller decides. */
const MAX_WAIT_IN_CALL_MS = 10_000;

/** With less time left, no further address is tried. */
const MIN_TIME_MS = 100;

/** Makes the HTTP side of a client: connections are kept alive and shared, responses bounded in time and size. */
export function createHttp({addresses, apiKey, clock, timeoutMs, maxBytes, secrets}: HttpOptions): Http {
	const keep = {keepAlive: true, maxSockets: 8, maxFreeSockets: 4, scheduling: 'lifo'} as const;
	/** By protocol: pictures may be on another host and protocol than the service. By origin where that has a proxy. */
	const agents = new Map<string, Agent>();
	const closing = new AbortController();
	let rateLimit: RateLimit | undefined;

	function urlOf(path: string, {baseUrl}: ServiceAddress): URL {
		return isPath(path) ? new URL(baseUrl.pathname.replace(/\/+$/, '') + path, baseUrl) : new URL(path);
	}

	function agentFor(url: URL, isOurs: boolean): Agent {
		const proxy = isOurs ? proxyFor(url) : undefined;
		return getOrInsert(agents, proxy ? url.origin : url.protocol, () => createAgent(url, proxy, keep));
	}

	async function once(request: HttpRequest, address: ServiceAddress): Promise<HttpResponse> {
		const url = urlOf(request.path, address);
		const isOurs = addresses.all.some(({baseUrl}) => baseUrl.origin === url.origin);
		const lookup = isOurs ? undefined : await guardedLookup(url);
		const authorization = isOurs && apiKey !== undefined ? {authorization: `Bearer ${apiKey}`} : {};
		const authorized = {...request, headers: {...authorization, ...request.headers}};
		const options = {
			timeoutMs: request.timeoutMs ?? timeoutMs,
			maxBytes: request.maxBytes ?? maxBytes,
			signals: [closing.signal, ...(request.signal ? [request.signal] : [])],
			...(lookup && {lookup}),
		};
		const agent = request.retry === 'never' ? undefined : agentFor(url, isOurs);
		const response = await exchange(authorized, url, {...options, agent}).catch((error: unknown) => {
			if (!wasKeptConnection(error)) throw error;
			return exchange(authorized, url, {...options, agent: undefined});
		});
		if (!isOurs) return accept(response, url);
		clock.sample(response.headers.date, response.sentMs, response.headMs);
		rateLimit = readRateLimit(response.headers) ?? rateLimit;
		return accept(response, url);
	}

	function accept(response: HttpResponse, url: URL): HttpResponse {
		if (response.status >= 200 && response.status < 300) return response;
		const wait = retryAfterMs(header(response.headers, 'retry-after'), clock.nowMs());
		if (response.status === 429) throw new RateLimited(wait);
		const advice = wantsTls(url, response) ? 'Write https:// in place of http:// in the address.' : undefined;
		const refused = new ServiceRefused(response.status, refusalText(parseOr(response.text), secrets), {advice});
		if (wait !== undefined) waits.set(refused, wait);
		throw refused;
	}

	/**
	 * Sends a request to each address in turn until the service answers, all within the time of one attempt. A request that may be
	 * sent only once goes to another address only if certainly nothing was sent.
	 */
	async function round(call: HttpRequest): Promise<HttpResponse> {
		const endMs = performance.now() + (call.timeoutMs ?? timeoutMs);
		let address = addresses.current;
		for (let left = addresses.all.length; ; left--) {
			const leftMs = endMs - performance.now();
			// A call with a timeout of its own waits for an event: the call may use the whole time at one address.
			const shareMs = call.retry === 'never' || call.timeoutMs !== undefined ? leftMs : leftMs / left;
			try {
				const response = await once({...call, timeoutMs: Math.round(shareMs)}, address);
				addresses.worked(address);
				return response;
			} catch (error) {
				if (closing.signal.aborted || call.signal?.aborted || !isOfAddress(error)) throw error;
				addresses.failed(address, error.why);
				const mayMove = call.retry === 'read' || (error instanceof ServiceUnreachable && error.sent === 'no');
				if (!mayMove || left === 1 || endMs - performance.now() < MIN_TIME_MS) throw error;
			}
			address = addresses.next(address);
		}
	}

	async function request(call: HttpRequest): Promise<HttpResponse> {
		const attempts = call.retry === 'never' ? 1 : (call.attempts ?? MAX_ATTEMPTS);
		for (let attempt = 1; ; attempt++) {
			try {
				return await (isPath(call.path) && addresses.all.length > 1 ? round(call) : once(call, addresses.current));
			} catch (error) {
				const wait = attempt < attempts ? waitBeforeRetry(error, attempt) : undefined;
				if (wait === undefined) throw error;
				await sleep(wait, [closing.signal, ...(call.signal ? [call.signal] : [])]);
			}
		}
	}

	return {
		request,
		async json(call) {
			const response = await request(call);
			const body = parseOr(response.text);
			if (body === undefined && response.text.trim() !== '') throw notJson(response.text);
			if (isRefusal(body)) throw new ServiceRefused(response.status, refusalText(body, secrets), {next: 'fix-input'});
			return {...response, body};
		},
		get rateLimit() {
			return rateLimit;
		},
		close() {
			closing.abort(new ServiceUnreachable('the client was closed', {sent: 'no'}));
			for (const agent of agents.values()) agent.destroy();
		},
	};
}

function isPath(path: string): boolean {
	return path.startsWith('/');
}

/** Whether a failure may be of one address only: it cannot be reached, is silent, or says that it does not serve now. */
function isOfAddress(error: unknown): error is ServiceUnreachable | ServiceTimeout | ServiceRefused {
	if (error instanceof ServiceRefused) return error.status === 502 || error.status === 503;
	return error instanceof ServiceUnreachable || error instanceof ServiceTimeout;
}

/**
 * The DNS lookup for an address in a response that is on another host than the service: https only, and public addresses
 * only, so that no response can make this machine send requests to itself or its local network. A name is looked up once,
 * for the connection itself; redirects are never followed.
 * @throws AddressRefused
 */
async function guardedLookup(url: URL): Promise<LookupFunction> {
	const {AddressRefused, isPublicAddress, literalAddress, publicLookup} = await import('../../net-guard.ts');
	if (url.protocol !== 'https:')
		throw new AddressRefused('the service names a host that is not its own, without https');
	const literal = literalAddress(url);
	if (literal !== undefined && !isPublicAddress(literal))
		throw new AddressRefused('the service names a private address that is not its own');
	return publicLookup;
}

/** `Retry-After` of refusals other than 429, such as 503. */
const waits = new WeakMap<object, number>();

/** The `Retry-After` that came with a refusal, ms. */
export function requestedWaitMs(error: unknown): number | undefined {
	if (error instanceof RateLimited) return error.retryAfterMs;
	return error instanceof ServiceRefused ? waits.get(error) : undefined;
}

/** Milliseconds until a read is sent again; undefined for an error after which another attempt makes no sense. */
function waitBeforeRetry(error: unknown, attempt: number): number | undefined {
	const requested = requestedWaitMs(error);
	if (requested !== undefined && requested > MAX_WAIT_IN_CALL_MS) return undefined;
	const options = {retryAfterMs: requested};
	if (error instanceof RateLimited) return backoffMs(attempt, CALL_BACKOFF, {failure: 'rate-limited', ...options});
	if (error instanceof ServiceUnreachable) return backoffMs(attempt, CALL_BACKOFF, options);
	if (!(error instanceof ServiceRefused)) return undefined;
	const failure = failureOfStatus(error.status);
	return failure === 'service' || failure === 'network'
		? backoffMs(attempt, CALL_BACKOFF, {failure, ...options})
		: undefined;
}

function parseOr(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		return undefined;
	}
}

/** Whether a redirect leads to the same host by https. */
function wantsTls(url: URL, {status, headers}: HttpResponse): boolean {
	const location = header(headers, 'location') ?? '';
	const to = status >= 300 && status < 400 ? URL.parse(location, url.href) : null;
	return url.protocol === 'http:' && to?.protocol === 'https:' && to.hostname === url.hostname;
}

function notJson(text: string): InvalidResponse {
	const isPage = text.trimStart().startsWith('<');
	return new InvalidResponse(isPage ? 'a page came instead of JSON' : 'it is not JSON', {advice: CHECK_ADDRESS});
}

function readRateLimit(headers: IncomingHttpHeaders): RateLimit | undefined {
	const [limit, remaining] = [count(headers, 'x-ratelimit-limit'), count(headers, 'x-ratelimit-remaining')];
	if (limit === undefined || remaining === undefined) return undefined;
	const resetS = count(headers, 'x-ratelimit-reset');
	return {limit, remaining, ...(resetS === undefined ? {} : {resetAtMs: resetS * 1000})};
}

function count(headers: IncomingHttpHeaders, name: string): number | undefined {
	const text = header(headers, name);
	return text !== undefined && /^\d{1,12}$/.test(text) ? Number(text) : undefined;
}

function header(headers: IncomingHttpHeaders, name: string): string | undefined {
	const value = headers[name];
	return Array.isArray(value) ? value[0] : value;
}

function sleep(ms: number, signals: readonly AbortSignal[]): Promise<void> {
	const {promise, resolve, reject} = Promise.withResolvers<void>();
	const timer = setTimeout(resolve, ms);
	const stop = (event: Event) => {
		clearTimeout(timer);
		reject((event.target as AbortSignal).reason);
	};
	for (const signal of signals) {
		if (signal.aborted) {
			clearTimeout(timer);
			reject(signal.reason);
		} else signal.addEventListener('abort', stop, {once: true});
	}
	return promise.finally(() => {
		for (const signal of signals) signal.removeEventListener('abort', stop);
	});
}
