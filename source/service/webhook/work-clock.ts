/** The clock of deliveries; tests pass their own. */
export interface WorkClock {
	/** The date, Unix ms. */
	nowMs(): number;
	/** Milliseconds since any fixed moment, which a clock that is set does not change. */
	passedMs(): number;
	/** Runs a function later; returns the function that prevents that. */
	after(delayMs: number, run: () => void): () => void;
}

/** The time of day; its timers keep no process alive. */
export const wallClock: WorkClock = {
	nowMs: Date.now,
	passedMs: () => performance.now(),
	after(delayMs, run) {
		const timer = setTimeout(run, delayMs).unref();
		return () => clearTimeout(timer);
	},
};
