const TICK_MS = 1_000;
const STALL_MS = 5_000;
const JUMP_MS = 2_000;

/**
 * Watches for gaps in time, after which connections may be dead and data old without a sign: this process was stopped or
 * blocked, the machine slept, or its clock was set.
 * @returns a function that ends the watch
 */
export function watchForTimeGaps(onTimeGap: () => void): () => void {
	let wallMs = Date.now();
	let monotonicMs = performance.now();
	const timer = setInterval(() => {
		const passedMs = performance.now() - monotonicMs;
		/** How far the clock moved beyond the time that passed; negative when it was set back. */
		const clockJumpMs = Date.now() - wallMs - passedMs;
		/** How much later than due this timer runs. */
		const stalledMs = passedMs - TICK_MS;
		wallMs = Date.now();
		monotonicMs = performance.now();
		if (stalledMs >= STALL_MS || Math.abs(clockJumpMs) >= JUMP_MS) onTimeGap();
	}, TICK_MS);
	timer.unref();
	return () => clearInterval(timer);
}
