/** The end of a command that runs until Ctrl+C or for a time. */
export interface Interruption {
	/** Resolves with the first SIGINT or SIGTERM, or when the time is over. */
	readonly interrupted: Promise<void>;
	/** Starts the time, in ms; undefined is no limit. */
	startTimer(forMs: number | undefined): void;
	/** Removes the listeners and the timer. */
	dispose(): void;
}

/** Listens for SIGINT and SIGTERM; the time starts with `startTimer`, when there is something to wait for. */
export function untilInterrupted(): Interruption {
	const {promise, resolve} = Promise.withResolvers<void>();
	const end = (): void => resolve();
	process.once('SIGINT', end).once('SIGTERM', end);
	let timer: NodeJS.Timeout | undefined;
	return {
		interrupted: promise,
		startTimer(forMs) {
			if (forMs !== undefined) timer = setTimeout(end, forMs);
		},
		dispose() {
			clearTimeout(timer);
			process.off('SIGINT', end).off('SIGTERM', end);
		},
	};
}
