/** Time as deliveries see it; tests pass their own. */
export interface WorkClock {
	/** Unix ms. */
	nowMs(): number;
	/** Runs later; what it returns prevents that. */
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
