/**
 * An estimate of the service's time. Signed timestamps must lie within 30 s of it (spec 5), and ages of tokens are
 * counted from it, so a wrong clock on this machine must not matter.
 */
export interface Clock {
	/** Server time now, Unix milliseconds; this machine's time while nothing is known. */
	nowMs(): number;
	/** Server time minus this machine's time; 0 while nothing is known. */
	readonly skewMs: number;
	/** How far off `skewMs` may be, either way; undefined while nothing is known. */
	readonly uncertaintyMs: number | undefined;
}

/** Server time minus this machine's time lies between `low` and `high`, ms; known since `atMs`, `Date.now()` scale. */
export interface ClockBounds {
	readonly low: number;
	readonly high: number;
	readonly atMs: number;
}

/** A clock that learns. */
export interface LearningClock extends Clock {
	/**
	 * Takes in one answer's `Date` header, which says the second in which it was written.
	 * @param sentMs `Date.now()` when the request left
	 * @param receivedMs `Date.now()` when the answer's head arrived
	 */
	sample(dateHeader: string | undefined, sentMs: number, receivedMs: number): void;
	/** What the answers so far say together; undefined while nothing is known. */
	readonly bounds: ClockBounds | undefined;
	/** Takes in what another clock of the same service and this machine has learnt. */
	adopt(bounds: ClockBounds): void;
	/** This machine's clock jumped or the machine slept: the estimate is kept, but counts as unknown until the next sample. */
	forget(): void;
}

/** A clock that need not learn: it is told from outside what time counts. */
export function toldClock(clock: Clock): LearningClock {
	return {
		nowMs: () => clock.nowMs(),
		get skewMs() {
			return clock.skewMs;
		},
		get uncertaintyMs() {
			return clock.uncertaintyMs;
		},
		bounds: undefined,
		sample() {},
		adopt() {},
		forget() {},
	};
}

/** Clocks of two machines drift apart by up to this part. */
const DRIFT = 100e-6;
/** `Date` is cut to whole seconds. */
const DATE_STEP_MS = 1_000;

/**
 * Each answer bounds the skew from both sides: the server wrote its date after we asked and before we heard. The bounds
 * of all answers are intersected, so they narrow well below the second that one header can tell.
 */
export function createClock(localMs: () => number = Date.now): LearningClock {
	let bounds: ClockBounds | undefined;
	let skewMs = 0;

	/** The bounds as they are now: the two clocks may have drifted apart since. */
	function widened(atMs: number): {low: number; high: number} | undefined {
		if (bounds === undefined) return undefined;
		const drift = Math.abs(atMs - bounds.atMs) * DRIFT;
		return {low: bounds.low - drift, high: bounds.high + drift};
	}

	function narrow({low, high, atMs}: ClockBounds): void {
		const old = widened(atMs);
		// Bounds that do not meet: one of the clocks was set. Only the new ones count.
		const isConsistent = old !== undefined && low <= old.high && high >= old.low;
		bounds = isConsistent ? {low: Math.max(low, old.low), high: Math.min(high, old.high), atMs} : {low, high, atMs};
		skewMs = (bounds.low + bounds.high) / 2;
	}

	return {
		nowMs: () => localMs() + skewMs,
		get skewMs() {
			return skewMs;
		},
		get uncertaintyMs() {
			const now = widened(localMs());
			return now === undefined ? undefined : (now.high - now.low) / 2;
		},
		sample(dateHeader, sentMs, receivedMs) {
			const dateMs = dateHeader === undefined ? Number.NaN : Date.parse(dateHeader);
			if (Number.isNaN(dateMs) || receivedMs < sentMs) return;
			narrow({low: dateMs - receivedMs, high: dateMs + DATE_STEP_MS - sentMs, atMs: receivedMs});
		},
		get bounds() {
			return bounds;
		},
		adopt: narrow,
		forget() {
			bounds = undefined;
		},
	};
}
