/** Time did not pass as it should: this process was stopped or blocked, the machine slept, or its clock was set. */
export interface TimeGap {
	/** How much later than due the watching timer ran. */
	readonly stalledMs: number;
	/** How far `Date.now()` moved beyond the time that passed; negative when the clock was set back. */
	readonly clockJumpMs: number;
}

const TICK_MS = 1_000;
const STALL_MS = 5_000;
const JUMP_MS = 2_000;

/**
 * Watches for gaps in time, after which connections may be dead and data old without a sign.
 * @returns a function that ends the watch
 */
export function watchForTimeGaps(onTimeGap: (gap: TimeGap) => void): () => void {
	let wallMs = Date.now();
	let monotonicMs = performance.now();
	const timer = setInterval(() => {
		const passedMs = performance.now() - monotonicMs;
		const clockJumpMs = Date.now() - wallMs - passedMs;
		const stalledMs = passedMs - TICK_MS;
		wallMs = Date.now();
		monotonicMs = performance.now();
		if (stalledMs >= STALL_MS || Math.abs(clockJumpMs) >= JUMP_MS) onTimeGap({stalledMs, clockJumpMs});
	}, TICK_MS);
	timer.unref();
	return () => clearInterval(timer);
}
