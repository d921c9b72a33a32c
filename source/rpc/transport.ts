/** Longest answer that is read, after decompression. */
export const MAX_ANSWER_BYTES = 32 * 1024 * 1024;
/** Longest time for one request, from its sending to the end of the answer. */
export const DEADLINE_MS = 15_000;

/** How a request failed; `why` has no address. */
export type FailureKind = 'unreachable' | 'timeout' | 'too-long' | 'rate-limited' | 'rejected' | 'garbled' | 'closed';

/** A request that brought no readable answer. Internal: the node client puts it into words for people. */
export class TransportFailed extends Error {
	readonly kind: FailureKind;
	readonly retryAfterMs: number | undefined;
	/** Calls a second that the node says it takes. */
	readonly perSecond: number | undefined;

	constructor(kind: FailureKind, why: string, retryAfterMs?: number, perSecond?: number) {
		super(why);
		this.kind = kind;
		this.retryAfterMs = retryAfterMs;
		this.perSecond = perSecond;
	}
}

/** One JSON-RPC request object as it is sent. */
export interface WireCall {
	readonly jsonrpc: '2.0';
	readonly id: number;
	readonly method: string;
	readonly params: readonly unknown[];
}

/** Carries JSON-RPC requests to one address. */
export interface Transport {
	/**
	 * Sends a call, or a batch of calls, and gives the parsed answer, whatever it is.
	 * @throws TransportFailed
	 */
	send(body: WireCall | readonly WireCall[]): Promise<unknown>;
	/** Set where the node can push: calls back for each new head while it listens, and reconnects by itself. */
	readonly heads?: (listener: () => void) => () => void;
	close(): Promise<void>;
}

export interface TransportOptions {
	readonly url: URL;
	readonly deadlineMs: number;
	readonly maxBytes: number;
	/** Called with every answer's length on the wire. */
	readonly received: (bytes: number) => void;
	/** Called where an answer says how many more calls the node takes, and for how many milliseconds. */
	readonly counted?: (left: number, forMs: number) => void;
}

/** Milliseconds of a Retry-After header, a number of seconds or a date; undefined without one that can be read. */
export function retryAfterMs(header: unknown, nowMs: number): number | undefined {
	if (typeof header !== 'string') return undefined;
	if (/^\s*\d+(?:\.\d+)?\s*$/.test(header)) return Number(header) * 1000;
	const date = Date.parse(header);
	return Number.isNaN(date) ? undefined : Math.max(0, date - nowMs);
}

type Headers = Readonly<Record<string, string | readonly string[] | undefined>>;

/**
 * The number of calls that the headers of an answer still allow, and the milliseconds for which that number holds:
 * `x-ratelimit-remaining` and `x-ratelimit-reset`, as gateways spell them. The reset is a number of seconds, or a Unix time in seconds or milliseconds.
 */
export function callsLeft(
	headers: Headers,
	nowMs: number,
): {readonly left: number; readonly forMs: number} | undefined {
	const numberIn = (...names: readonly string[]): number => {
		const found = names
			.flatMap(name => PREFIXES.map(prefix => headers[prefix + name]))
			.find(value => value !== undefined);
		return typeof found === 'string' ? Number.parseFloat(found) : Number.NaN;
	};
	const left = numberIn('remaining', 'remaining-second');
	if (!(left >= 0)) return undefined;
	const reset = numberIn('reset');
	if (!(reset > 0)) return {left, forMs: 1000};
	const untilMs = reset > 1e12 ? reset : reset > 1e9 ? reset * 1000 : nowMs + reset * 1000;
	return {left, forMs: Math.max(0, untilMs - nowMs)};
}

const PREFIXES = ['x-ratelimit-', 'x-rate-limit-', 'ratelimit-'];

/** The number of the call that an answer belongs to; undefined for none. Some gateways make a text of it. */
export function idOf(answer: unknown): number | undefined {
	const id = (answer as {id?: unknown} | null | undefined)?.id;
	const number = typeof id === 'string' && /^\d{1,15}$/.test(id) ? Number(id) : id;
	return typeof number === 'number' ? number : undefined;
}

/** @throws TransportFailed `garbled` */
export function parseAnswer(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		throw new TransportFailed('garbled', 'its answer is not JSON');
	}
}
