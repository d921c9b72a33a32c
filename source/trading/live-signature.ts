/*
 * A signature that left this machine can be used until its deadline, whatever the service answers. Only the chain shows
 * whether it was used, and only after the deadline does an unused signature mean that nothing will happen.
 */

/** How long after its deadline a signature may still turn up in a block: blocks keep their own time. */
export const LIVE_MARGIN_MS = 120_000;

/** Whether a signature can certainly not be used any more. @param deadlineS Unix seconds @param nowMs Unix ms */
export function isPastUse(deadlineS: number, nowMs: number): boolean {
	return nowMs >= deadlineS * 1000 + LIVE_MARGIN_MS;
}

/** The time of day of this machine: `14:05:30`. @param unixS Unix seconds */
export function timeOfDay(unixS: number): string {
	const date = new Date(unixS * 1000);
	return [date.getHours(), date.getMinutes(), date.getSeconds()].map(part => String(part).padStart(2, '0')).join(':');
}

/**
 * The earlier of this machine's time and the service's, Unix ms. A service that sets its clock ahead must not make a
 * signature look expired.
 */
export function earlierNowMs(clock: {nowMs(): number; readonly skewMs: number}): number {
	return clock.nowMs() - Math.max(clock.skewMs, 0);
}
