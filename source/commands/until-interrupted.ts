/** A wait for the person, or for the time to be over. */
export interface Ending {
	/** Resolves with the first SIGINT or SIGTERM, or when the time is over. */
	readonly asked: Promise<void>;
	/** The time begins to run; without one there is no end to it. */
	begin(forMs: number | undefined): void;
	/** Listens no more. */
	stop(): void;
}

/** Waits until the person interrupts the program, or for the time that is begun once there is something to wait for. */
export function untilAsked(): Ending {
	const {promise, resolve} = Promise.withResolvers<void>();
	const end = (): void => resolve();
	process.once('SIGINT', end).once('SIGTERM', end);
	let timer: NodeJS.Timeout | undefined;
	return {
		asked: promise,
		begin(forMs) {
			if (forMs !== undefined) timer = setTimeout(end, forMs);
		},
		stop() {
			clearTimeout(timer);
			process.off('SIGINT', end).off('SIGTERM', end);
		},
	};
}
