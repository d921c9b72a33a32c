/** Public nodes of Solana let one address make 100 calls in ten seconds, 40 of them of one method. A tenth is left unused. */
const WINDOW_MS = 10_000;
const MAX_CALLS = 90;
const MAX_OF_METHOD = 36;

/**
 * The number of calls that a node may get now, counted over ten seconds, as public nodes count. Pure: the caller gives the time.
 */
export class CallBudget {
	readonly #calls: {readonly method: string; readonly atMs: number}[] = [];
	readonly #maxCalls: number;
	readonly #maxOfMethod: number;
	#heldUntilMs = 0;

	constructor({maxCalls = MAX_CALLS, maxOfMethod = MAX_OF_METHOD} = {}) {
		this.#maxCalls = maxCalls;
		this.#maxOfMethod = maxOfMethod;
	}

	/** Takes one call from the budget; gives the milliseconds to wait before it is made. */
	take(method: string, nowMs: number): number {
		while (this.#calls.length > 0 && this.#calls[0]!.atMs <= nowMs - WINDOW_MS) this.#calls.shift();
		const ofMethod = this.#calls.filter(call => call.method === method);
		const atMs = Math.max(
			nowMs,
			this.#heldUntilMs,
			freeAt(this.#calls, this.#maxCalls),
			freeAt(ofMethod, this.#maxOfMethod),
		);
		this.#calls.push({method, atMs});
		this.#calls.sort((a, b) => a.atMs - b.atMs);
		return atMs - nowMs;
	}

	/** The part of the budget that is in use, for calls that can wait. */
	used(method: string, nowMs: number): number {
		const recent = this.#calls.filter(call => call.atMs > nowMs - WINDOW_MS);
		const ofMethod = recent.filter(call => call.method === method).length;
		return Math.max(recent.length / this.#maxCalls, ofMethod / this.#maxOfMethod);
	}

	/** The node said that it was asked too much: no call for a while. */
	hold(ms: number, nowMs: number): void {
		this.#heldUntilMs = Math.max(this.#heldUntilMs, nowMs + ms);
	}
}

/** The time at which one more call fits into the ten seconds; 0 when it fits now. */
function freeAt(calls: readonly {readonly atMs: number}[], most: number): number {
	return calls.length < most ? 0 : calls[calls.length - most]!.atMs + WINDOW_MS;
}
