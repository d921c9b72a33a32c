/** A wait for the person, or for the time to be over. */
export interface Ending {
	/** Resolves with the first SIGINT or SIGTERM, or when the time is over. */
	readonly asked: Promise<void>;
	/** Listens no more. */
	stop(): void;
}

/** Waits until the person interrupts the program, or for so many milliseconds. */
export function untilAsked(forMs: number | undefined): Ending {
	const {promise, resolve} = Promise.withResolvers<void>();
	const end = (): void => resolve();
	process.once('SIGINT', end).once('SIGTERM', end);
	const timer = forMs === undefined ? undefined : setTimeout(end, forMs);
	return {
		asked: promise,
		stop() {
			clearTimeout(timer);
			process.off('SIGINT', end).off('SIGTERM', end);
		},
	};
}
