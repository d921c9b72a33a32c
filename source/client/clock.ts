import {steadyNow} from '../steady-clock.ts';

/**
 * An estimate of the service's time. Signed timestamps must lie within 30 s of the service's time (spec 5), and the ages of
 * tokens refer to it, so that a wrong clock on this machine does not matter.
 */
export interface Clock {
	/** Server time now, Unix milliseconds; this machine's time before the first sample. */
	nowMs(): number;
	/** Server time minus this machine's time; 0 before the first sample. */
	readonly skewMs: number;
	/** The largest error of `skewMs`, either way; undefined before the first sample. */
	readonly uncertaintyMs: number | undefined;
}

/** The bounds of server time minus this machine's time, ms, as measured at `atMs`, `steadyNow()` scale. */
export interface ClockBounds {
	readonly low: number;
	readonly high: number;
	readonly atMs: number;
}

/** A clock that is adjusted by samples of the service's time. */
export interface LearningClock extends Clock {
	/**
	 * Adds one response's `Date` header, which has a resolution of one second.
	 * @param sentMs `steadyNow()` when the request left
	 * @param receivedMs `steadyNow()` when the response's head arrived
	 */
	sample(dateHeader: string | undefined, sentMs: number, receivedMs: number): void;
	/** The bounds of all samples together; undefined before the first sample. */
	readonly bounds: ClockBounds | undefined;
	/** Adds the bounds of another clock for the same service and machine. */
	adopt(bounds: ClockBounds): void;
	/** Call when this machine's clock jumped or the machine slept: keeps the estimate, but as unknown until the next sample. */
	forget(): void;
}

/** A clock that follows a given one and ignores samples. */
export function externalClock(clock: Clock): LearningClock {
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

/** Largest relative drift between the clocks of two machines. */
const DRIFT = 100e-6;
/** `Date` is cut to whole seconds. */
const DATE_STEP_MS = 1_000;

/**
 * Makes a clock. Each response bounds the skew from both sides: its `Date` was written after the request left and before
 * the response arrived. The bounds of all responses are intersected, which narrows them well below one second.
 */
export function createClock(localMs: () => number = steadyNow): LearningClock {
	let bounds: ClockBounds | undefined;
	let skewMs = 0;

	/** The bounds at `atMs`, widened by the drift since they were measured. */
	function widened(atMs: number): {low: number; high: number} | undefined {
		if (bounds === undefined) return undefined;
		const drift = Math.abs(atMs - bounds.atMs) * DRIFT;
		return {low: bounds.low - drift, high: bounds.high + drift};
	}

	function narrow({low, high, atMs}: ClockBounds): void {
		const old = widened(atMs);
		// Bounds that do not overlap: one of the clocks was set, so that only the new bounds are valid.
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
