/** A clock for ages, pauses and "at least so long since the last". */
export interface SteadyClock {
	/** Unix ms of this machine that never go back: when its clock is set back, time goes on as the monotonic clock has it. */
	now(): number;
	/** How far these times are ahead of the machine's clock, since it was set back. */
	readonly aheadMs: number;
}

/**
 * Makes a steady clock. It follows the wall clock forward, so that data from before a sleep of the machine is old afterwards: a
 * monotonic clock stands still meanwhile.
 */
export function createSteadyClock(wallMs: () => number, monotonicMs: () => number): SteadyClock {
	let aheadMs = 0;
	let lastMs = Number.NEGATIVE_INFINITY;
	let readAtMs = 0;
	return {
		now() {
			const monotonic = monotonicMs();
			const expectedMs = lastMs + Math.max(monotonic - readAtMs, 0);
			let nowMs = wallMs() + aheadMs;
			if (nowMs < lastMs) {
				aheadMs += expectedMs - nowMs;
				nowMs = expectedMs;
			}
			lastMs = nowMs;
			readAtMs = monotonic;
			return nowMs;
		},
		get aheadMs() {
			return aheadMs;
		},
	};
}

const clock = createSteadyClock(
	() => Date.now(),
	() => performance.now(),
);

/** The steady time of this process, see {@link SteadyClock}. */
export const steadyNow = (): number => clock.now();

/** How far steady times are ahead of the machine's clock. */
export const aheadMs = (): number => clock.aheadMs;

/** The date of a steady time as the machine's clock is set now, Unix ms: for a person to read. */
export const dateOf = (ms: number): number => ms - clock.aheadMs;
