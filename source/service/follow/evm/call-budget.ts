/** Calls a second that a node is asked at most, and how many of them at once, until it says that this is too much. */
const MOST_PER_SECOND = 20;
const LEAST_PER_SECOND = 0.5;
const BURST_SECONDS = 2;
/** Time without a complaint after which a lowered rate grows again. */
const GROW_AFTER_MS = 30_000;
const GROWTH = 1.25;

/**
 * How many calls a node may be asked now: a bucket of tokens that fills at a rate, which a complaint of the node halves and
 * quiet times raise again. Pure: it is given the time.
 */
export class CallBudget {
	#perSecond: number;
	#tokens: number;
	#filledMs: number;
	#changedMs: number;
	readonly #most: number;

	constructor(nowMs: number, mostPerSecond = MOST_PER_SECOND) {
		this.#most = mostPerSecond;
		this.#perSecond = mostPerSecond;
		this.#tokens = mostPerSecond * BURST_SECONDS;
		this.#filledMs = nowMs;
		this.#changedMs = nowMs;
	}

	get perSecond(): number {
		return this.#perSecond;
	}

	/** Takes calls from the budget, which may go below zero; gives the milliseconds to wait before they are made. */
	take(calls: number, nowMs: number): number {
		this.#fill(nowMs);
		this.#tokens -= calls;
		return this.#tokens >= 0 ? 0 : Math.ceil((-this.#tokens / this.#perSecond) * 1000);
	}

	/** The node said that it was asked too much. */
	lower(nowMs: number): void {
		this.#fill(nowMs);
		this.#perSecond = Math.max(LEAST_PER_SECOND, this.#perSecond / 2);
		this.#tokens = Math.min(this.#tokens, 0);
		this.#changedMs = nowMs;
	}

	#fill(nowMs: number): void {
		const room = this.#perSecond * BURST_SECONDS;
		this.#tokens = Math.min(room, this.#tokens + (Math.max(0, nowMs - this.#filledMs) / 1000) * this.#perSecond);
		this.#filledMs = Math.max(nowMs, this.#filledMs);
		if (this.#perSecond < this.#most && nowMs - this.#changedMs >= GROW_AFTER_MS) {
			this.#perSecond = Math.min(this.#most, this.#perSecond * GROWTH);
			this.#changedMs = nowMs;
		}
	}
}
