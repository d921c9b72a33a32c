/** The clock of deliveries; tests pass their own. */
export interface WorkClock {
	/** Unix ms. */
	nowMs(): number;
	/** Runs a function later; returns the function that prevents that. */
	after(delayMs: number, run: () => void): () => void;
}

/** The time of day; its timers keep no process alive. */
export const wallClock: WorkClock = {
	nowMs: Date.now,
	after(delayMs, run) {
		const timer = setTimeout(run, delayMs).unref();
		return () => clearTimeout(timer);
	},
};
