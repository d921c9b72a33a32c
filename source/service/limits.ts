import QuickLRU from 'quick-lru';
import {Refused} from './http-error.ts';

/** Limits of one caller. Each can be set by the service's options. */
export interface Limits {
	/** Bytes of a request body and of a stream frame. */
	readonly bodyBytes: number;
	/** Requests a second for each key (each address without keys), on average. */
	readonly requestsPerSecond: number;
	/** Requests that may arrive at once. */
	readonly requestBurst: number;
	/** Frames a second on a socket, and how many may arrive at once. */
	readonly framesPerSecond: number;
	readonly frameBurst: number;
	/** Open sockets for each key. */
	readonly connectionsPerKey: number;
	/** Open sockets of all keys. */
	readonly connections: number;
	readonly subscriptionsPerSocket: number;
	/** Levels of objects and arrays in a body. */
	readonly bodyDepth: number;
	/** Milliseconds for a request to arrive, headers and body. */
	readonly requestMs: number;
	/** Connections of any kind: further ones are closed at once. */
	readonly openConnections: number;
	/** Milliseconds without any transfer on an HTTP connection before it is closed. */
	readonly idleMs: number;
	/** Bytes that may wait for a slow socket before its changes are conflated. */
	readonly socketBytes: number;
	/** Milliseconds without any frame or pong after which a socket is closed (contract gaps 1.3). */
	readonly socketSilenceMs: number;
}

export const DEFAULT_LIMITS: Limits = {
	bodyBytes: 1 << 20,
	requestsPerSecond: 200,
	requestBurst: 400,
	framesPerSecond: 50,
	frameBurst: 300,
	connectionsPerKey: 200,
	connections: 2000,
	subscriptionsPerSocket: 100,
	bodyDepth: 40,
	requestMs: 15_000,
	openConnections: 4000,
	idleMs: 120_000,
	socketBytes: 1 << 20,
	socketSilenceMs: 90_000,
};

/** How much of a caller's allowance is left after a request. */
export interface Allowance {
	readonly granted: boolean;
	readonly remaining: number;
	/** Milliseconds until the next request is granted; 0 when it would be granted now. */
	readonly waitMs: number;
}

/** A token bucket for each caller: `burst` at once, `perSecond` on average. Keeps the most recent `callers` at most, and half of them at least. */
export class RateLimiter {
	readonly #perMs: number;
	readonly #burst: number;
	readonly #buckets: QuickLRU<string, {tokens: number; atMs: number}>;

	constructor({perSecond, burst, callers = 10_000}: {perSecond: number; burst: number; callers?: number}) {
		this.#perMs = perSecond / 1000;
		this.#burst = burst;
		this.#buckets = new QuickLRU({maxSize: Math.max(1, callers / 2)});
	}

	/** Takes one request from a caller's bucket, if the bucket holds one. */
	take(caller: string, nowMs: number): Allowance {
		const bucket = this.#buckets.get(caller) ?? {tokens: this.#burst, atMs: nowMs};
		const tokens = Math.min(this.#burst, bucket.tokens + Math.max(0, nowMs - bucket.atMs) * this.#perMs);
		const granted = tokens >= 1;
		bucket.tokens = granted ? tokens - 1 : tokens;
		bucket.atMs = nowMs;
		this.#buckets.set(caller, bucket);
		const waitMs = bucket.tokens >= 1 ? 0 : Math.ceil((1 - bucket.tokens) / this.#perMs);
		return {granted, remaining: Math.floor(bucket.tokens), waitMs};
	}
}

/** Counts open connections of each caller. */
export class OpenCount {
	readonly #open = new Map<string, number>();
	readonly #most: number;

	constructor(most: number) {
		this.#most = most;
	}

	/** Counts one more; false, with nothing counted, when the caller has reached the limit. */
	open(caller: string): boolean {
		const open = this.#open.get(caller) ?? 0;
		if (open >= this.#most) return false;
		this.#open.set(caller, open + 1);
		return true;
	}

	close(caller: string): void {
		const open = (this.#open.get(caller) ?? 0) - 1;
		if (open > 0) this.#open.set(caller, open);
		else this.#open.delete(caller);
	}
}

/**
 * Refuses a body that is nested too deeply, before anything recursive sees it.
 * @throws Refused 400
 */
export function checkDepth(body: unknown, most: number): void {
	let level: unknown[] = [body];
	for (let depth = 0; level.length > 0; depth++) {
		if (depth > most) throw new Refused(400, `The body is nested deeper than ${most} levels`);
		const next: unknown[] = [];
		for (const value of level) {
			if (typeof value === 'object' && value !== null) {
				for (const child of Object.values(value)) if (typeof child === 'object' && child !== null) next.push(child);
			}
		}
		level = next;
	}
}
