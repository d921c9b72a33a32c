import type {Agent, IncomingHttpHeaders} from 'node:http';
import type {LookupFunction} from 'node:net';
import {backoffMs, CALL_BACKOFF, retryAfterMs, setbackOf} from './backoff.ts';
import type {LearningClock} from './clock.ts';
import {exchange, type HttpAnswer, type HttpRequest, moduleFor, wasKeptConnection} from './exchange.ts';
import type {RateLimit} from './feed-events.ts';
import {RateLimited, ServiceRefused, ServiceUnreachable, WrongAnswer} from './service-errors.ts';
import {isRefusal, refusalText} from './wire-refusal.ts';

export interface Http {
	/**
	 * The answer, when it is a success (2xx).
	 * @throws AddressRefused, ServiceUnreachable, ServiceTimeout, RateLimited, ServiceRefused, WrongAnswer (too large); the signal's reason
	 */
	request(request: HttpRequest): Promise<HttpAnswer>;
	/**
	 * The answer's JSON.
	 * @throws as `request`; WrongAnswer when it is not JSON; ServiceRefused when a 2xx says `error` (contract gaps 4.2)
	 */
	json(request: HttpRequest): Promise<HttpAnswer & {readonly body: unknown}>;
	/** What the service last said of our request budget. */
	readonly rateLimit: RateLimit | undefined;
	close(): void;
}

export interface HttpOptions {
	readonly baseUrl: URL;
	/** Sent with every request to the host of `baseUrl`, and to no other. */
	readonly apiKey: string | undefined;
	readonly clock: LearningClock;
	readonly timeoutMs: number;
	readonly maxBytes: number;
	/** Never to be seen in a message. */
	readonly secrets: readonly string[];
}

const MAX_TRIES = 3;
/** A wait longer than this is the caller's business. */
const MAX_WAIT_IN_CALL_MS = 10_000;

/** Makes the HTTP side of a client: connections are kept and shared, answers bounded in time and size. */
export function createHttp({baseUrl, apiKey, clock, timeoutMs, maxBytes, secrets}: HttpOptions): Http {
	const keep = {keepAlive: true, maxSockets: 8, maxFreeSockets: 4, scheduling: 'lifo'} as const;
	/** By protocol; pictures may lie on another host and protocol than the service. */
	const agents = new Map<string, Agent>();
	const prefix = baseUrl.pathname.replace(/\/+$/, '');
	const closing = new AbortController();
	let rateLimit: RateLimit | undefined;

	function addressOf(path: string): URL {
		return path.startsWith('/') ? new URL(prefix + path, baseUrl) : new URL(path);
	}

	function agentFor({protocol}: URL): Agent {
		const agent = agents.get(protocol) ?? new (moduleFor(protocol).Agent)(keep);
		agents.set(protocol, agent);
		return agent;
	}

	async function once(request: HttpRequest): Promise<HttpAnswer> {
		const url = addressOf(request.path);
		const isOurs = url.origin === baseUrl.origin;
		const lookup = isOurs ? undefined : await guardedLookup(url);
		const authorization = isOurs && apiKey !== undefined ? {authorization: `Bearer ${apiKey}`} : {};
		const wanted = {...request, headers: {...authorization, ...request.headers}};
		const options = {
			timeoutMs: request.timeoutMs ?? timeoutMs,
			maxBytes: request.maxBytes ?? maxBytes,
			signals: [closing.signal, ...(request.signal ? [request.signal] : [])],
			...(lookup && {lookup}),
		};
		const agent = request.retry === 'never' ? undefined : agentFor(url);
		const answer = await exchange(wanted, url, {...options, agent}).catch((error: unknown) => {
			if (!wasKeptConnection(error)) throw error;
			return exchange(wanted, url, {...options, agent: undefined});
		});
		if (!isOurs) return accept(answer);
		clock.sample(answer.headers.date, answer.sentMs, answer.headMs);
		rateLimit = readRateLimit(answer.headers) ?? rateLimit;
		return accept(answer);
	}

	function accept(answer: HttpAnswer): HttpAnswer {
		if (answer.status >= 200 && answer.status < 300) return answer;
		const wait = retryAfterMs(header(answer.headers, 'retry-after'), clock.nowMs());
		if (answer.status === 429) throw new RateLimited(wait);
		const refused = new ServiceRefused(answer.status, refusalText(parseOr(answer.text), secrets));
		if (wait !== undefined) waits.set(refused, wait);
		throw refused;
	}

	async function request(wanted: HttpRequest): Promise<HttpAnswer> {
		const tries = wanted.retry === 'never' ? 1 : (wanted.tries ?? MAX_TRIES);
		for (let attempt = 1; ; attempt++) {
			try {
				return await once(wanted);
			} catch (error) {
				const wait = attempt < tries ? waitBeforeRetry(error, attempt) : undefined;
				if (wait === undefined) throw error;
				await sleep(wait, [closing.signal, ...(wanted.signal ? [wanted.signal] : [])]);
			}
		}
	}

	return {
		request,
		async json(wanted) {
			const answer = await request(wanted);
			const body = parseOr(answer.text);
			if (body === undefined && answer.text.trim() !== '') throw new WrongAnswer(notJson(answer.text));
			if (isRefusal(body)) throw new ServiceRefused(answer.status, refusalText(body, secrets), {next: 'fix-input'});
			return {...answer, body};
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

/**
 * The lookup for an address that the service names and that is not its own: over https alone, and to the public internet
 * alone, so that no answer can make this machine ask itself or the network around it. A name is looked up once, for the
 * connection itself; redirects are never followed.
 * @throws AddressRefused
 */
async function guardedLookup(url: URL): Promise<LookupFunction> {
	const {AddressRefused, isPublicAddress, literalAddress, publicLookup} = await import('../net-guard.ts');
	if (url.protocol !== 'https:')
		throw new AddressRefused('the service names a host that is not its own, without https');
	const literal = literalAddress(url);
	if (literal !== undefined && !isPublicAddress(literal))
		throw new AddressRefused('the service names a private address that is not its own');
	return publicLookup;
}

/** Waits that came with a refusal, beside it: a `Retry-After` may come with 503 too. */
const waits = new WeakMap<object, number>();

/** What a refusal asked to wait, if it did. */
export function askedToWaitMs(error: unknown): number | undefined {
	if (error instanceof RateLimited) return error.retryAfterMs;
	return error instanceof ServiceRefused ? waits.get(error) : undefined;
}

/** Milliseconds until a read is tried again, or undefined when trying again makes no sense now. */
function waitBeforeRetry(error: unknown, attempt: number): number | undefined {
	const asked = askedToWaitMs(error);
	if (asked !== undefined && asked > MAX_WAIT_IN_CALL_MS) return undefined;
	const options = {retryAfterMs: asked};
	if (error instanceof RateLimited) return backoffMs(attempt, CALL_BACKOFF, {setback: 'rate-limited', ...options});
	if (error instanceof ServiceUnreachable) return backoffMs(attempt, CALL_BACKOFF, options);
	if (!(error instanceof ServiceRefused)) return undefined;
	const setback = setbackOf(error.status);
	return setback === 'service' || setback === 'network'
		? backoffMs(attempt, CALL_BACKOFF, {setback, ...options})
		: undefined;
}

function parseOr(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		return undefined;
	}
}

function notJson(text: string): string {
	return text.trimStart().startsWith('<') ? 'a page came instead of JSON' : 'it is not JSON';
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
