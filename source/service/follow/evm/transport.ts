/** Longest answer that is read, after decompression. */
export const MOST_ANSWER_BYTES = 32 * 1024 * 1024;
/** Longest time for one request, from its sending to the end of the answer. */
export const DEADLINE_MS = 15_000;

/** How a request failed; `why` has no address. */
export type FailureKind = 'unreachable' | 'timeout' | 'too-long' | 'rate-limited' | 'rejected' | 'garbled' | 'closed';

/** A request that brought no readable answer. Internal: the node client puts it into words for people. */
export class TransportFailed extends Error {
	readonly kind: FailureKind;
	readonly retryAfterMs: number | undefined;

	constructor(kind: FailureKind, why: string, retryAfterMs?: number) {
		super(why);
		this.kind = kind;
		this.retryAfterMs = retryAfterMs;
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
	readonly mostBytes: number;
	/** Called with every answer's length on the wire. */
	readonly received: (bytes: number) => void;
}

/** Milliseconds of a Retry-After header, a number of seconds or a date; undefined without one that can be read. */
export function retryAfterMs(header: unknown, nowMs: number): number | undefined {
	if (typeof header !== 'string') return undefined;
	if (/^\s*\d+(?:\.\d+)?\s*$/.test(header)) return Number(header) * 1000;
	const date = Date.parse(header);
	return Number.isNaN(date) ? undefined : Math.max(0, date - nowMs);
}

/** @throws TransportFailed `garbled` */
export function parseAnswer(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		throw new TransportFailed('garbled', 'its answer is not JSON');
	}
}
