/** Maximum number of calls a second, until the node says that this is too much. */
const MAX_PER_SECOND = 20;
/** The calls of this time may come all at once, until the node complains. */
const BURST_MS = 2000;
/** A second of the node, with a margin for calls that are on their way for different times. */
const SECOND_MS = 1100;
/** Longest time for which one call is all that a node gets. */
const MAX_WINDOW_MS = 10_000;
/** Pause after a complaint that names no time; doubled by each further complaint without an answer between. */
const FIRST_HOLD_MS = SECOND_MS;
const MAX_HOLD_MS = 30_000;
/** Time without a complaint after which a lowered rate grows again. */
const GROW_AFTER_MS = 15_000;
/** Far below what was refused last, and close to it. */
const GROWTH = {far: 2, close: 1.25};
/** A rate that was refused is tried again after this time, doubled each time that it is refused again. */
const TRY_AGAIN_MS = 10 * 60_000;
const MAX_TRY_AGAIN_MS = 2 * 60 * 60_000;
/** A node that counts calls itself is believed for this long. */
const MAX_COUNTED_MS = 60_000;

/** A complaint of a node about too many calls. */
export interface Complaint {
	/** Number of calls of the request that the node answered, and that it refused. */
	readonly answered: number;
	readonly refused: number;
	/** The wait that it asks for, and the rate that it names. */
	readonly waitMs?: number | undefined;
	readonly perSecond?: number | undefined;
}

/**
 * The number of calls that a node may get now, with a maximum for each second. A complaint lowers the maximum to the number that the
 * node took, or to half where that is unknown; quiet times raise it again. Pure: the caller gives the time.
 */
export class CallBudget {
	readonly #usual: number;
	#most: number;
	#windowMs = BURST_MS;
	#isLimited = false;
	/** Oldest first. */
	#asked: {readonly atMs: number; readonly calls: number}[] = [];
	#heldUntilMs = Number.NEGATIVE_INFINITY;
	#counted = {left: 0, untilMs: Number.NEGATIVE_INFINITY};
	#changedMs: number;
	/** Calls have waited for room since the rate was last changed: a rate that is not used needs no raise. */
	#isFull = false;
	/** Complaints since the last answer. */
	#complaints = 0;
	/** The smallest number that was refused, the time of its next try, and the wait before the try after that. */
	#refused = {most: Number.POSITIVE_INFINITY, againMs: 0, waitMs: TRY_AGAIN_MS};

	constructor(nowMs: number, maxPerSecond = MAX_PER_SECOND) {
		this.#usual = maxPerSecond;
		this.#most = (maxPerSecond * BURST_MS) / 1000;
		this.#changedMs = nowMs;
	}

	/** Most calls in one request; one after a complaint, to see whether the node answers again. */
	get atOnce(): number {
		return this.#complaints > 0 ? 1 : this.#most;
	}

	/** Calls a second that the node was found to take; null for a node that takes as many as it is asked. */
	get limit(): number | null {
		if (!this.#isLimited) return null;
		return this.#windowMs === SECOND_MS ? this.#most : 1000 / this.#windowMs;
	}

	/** Takes calls from the budget. @returns 0 when they may be made now; else the milliseconds after which to try again, none taken */
	take(calls: number, nowMs: number): number {
		this.#grow(nowMs);
		const waitMs = Math.max(this.#heldUntilMs - nowMs, this.#fitsAfterMs(calls, nowMs), this.#countedMs(calls, nowMs));
		if (waitMs > 0) return Math.ceil(waitMs);
		this.#asked.push({atMs: nowMs, calls});
		this.#counted.left -= calls;
		return 0;
	}

	/** A request was answered in full. */
	answered(): void {
		this.#complaints = 0;
	}

	/** The node says how many more calls it takes until a time (`x-ratelimit-remaining`). */
	count(left: number, untilMs: number, nowMs: number): void {
		this.#counted = {left, untilMs: Math.min(untilMs, nowMs + MAX_COUNTED_MS)};
	}

	/** The node refused calls of the request that was taken last. @returns how long it is to be left alone, ms */
	complained({answered, refused, waitMs, perSecond}: Complaint, nowMs: number): number {
		this.#complaints = answered > 0 ? 1 : this.#complaints + 1;
		const holdMs = waitMs ?? Math.min(MAX_HOLD_MS, FIRST_HOLD_MS * 2 ** (this.#complaints - 1));
		this.#heldUntilMs = Math.max(this.#heldUntilMs, nowMs + holdMs);
		// A node that refuses a single call after a pause refuses for a time: the rate is not the reason.
		if (this.#complaints === 1) this.#lower({answered, refused, perSecond}, nowMs);
		return holdMs;
	}

	#lower({answered, refused, perSecond}: Complaint, nowMs: number): void {
		const before = this.#most;
		const rate = this.limit ?? this.#usual;
		const recent = this.#asked.reduce((sum, {atMs, calls}) => sum + (atMs > nowMs - SECOND_MS ? calls : 0), 0);
		const taken = recent - refused;
		// A request that was refused whole may have been too big by one call, or by all.
		const found = answered > 0 ? taken : Math.max(taken, Math.floor(Math.min(before, recent) / 2));
		const most = perSecond !== undefined && perSecond < rate ? perSecond : Math.min(found, before - 1);
		const isLeast = this.#isLimited && before === 1;
		this.#windowMs = isLeast ? Math.min(MAX_WINDOW_MS, this.#windowMs * 2) : SECOND_MS;
		this.#most = Math.max(1, Math.floor(most));
		this.#isLimited = true;
		this.#changedMs = nowMs;
		const isSure = answered > 0 || most === perSecond;
		const waitMs = before >= this.#refused.most ? Math.min(MAX_TRY_AGAIN_MS, this.#refused.waitMs * 2) : TRY_AGAIN_MS;
		this.#refused = {most: isSure ? this.#most + 1 : before, againMs: nowMs + waitMs, waitMs};
	}

	/** How long calls have to wait for others that were made before. */
	#fitsAfterMs(calls: number, nowMs: number): number {
		this.#asked = this.#asked.filter(({atMs}) => atMs > nowMs - this.#windowMs);
		let room = this.#most - calls;
		for (const {atMs, calls: before} of this.#asked.toReversed()) {
			room -= before;
			if (room >= 0) continue;
			this.#isFull = true;
			return atMs + this.#windowMs - nowMs;
		}
		return 0;
	}

	#countedMs(calls: number, nowMs: number): number {
		return this.#counted.left < calls ? this.#counted.untilMs - nowMs : 0;
	}

	#grow(nowMs: number): void {
		if (!this.#isLimited || !this.#isFull || nowMs - this.#changedMs < GROW_AFTER_MS) return;
		const isSlow = this.#windowMs > SECOND_MS;
		const isFar = this.#most * GROWTH.far < this.#refused.most;
		const most = isSlow ? 1 : Math.ceil(this.#most * (isFar ? GROWTH.far : GROWTH.close));
		if (most >= this.#refused.most && nowMs < this.#refused.againMs) return;
		this.#changedMs = nowMs;
		this.#isFull = false;
		this.#most = most;
		if (isSlow) this.#windowMs = Math.max(SECOND_MS, this.#windowMs / 2);
		if (most < this.#usual) return;
		this.#isLimited = false;
		this.#most = (this.#usual * BURST_MS) / 1000;
		this.#windowMs = BURST_MS;
	}
}
