import {onEndSignal} from './end-signals.ts';

/** The end of a command that runs until Ctrl+C or for a time. */
export interface Interruption {
	/** Resolves with the first signal to end, or when the time is over. */
	readonly interrupted: Promise<void>;
	/** Starts the time, in ms; undefined is no limit. */
	startTimer(forMs: number | undefined): void;
	/** Removes the listeners and the timer. */
	dispose(): void;
}

/** Listens for the signals to end; the time starts with `startTimer`, when there is something to wait for. */
export function untilInterrupted(): Interruption {
	const {promise, resolve} = Promise.withResolvers<void>();
	const end = (): void => resolve();
	const unlisten = onEndSignal(() => {
		unlisten();
		end();
	});
	let timer: NodeJS.Timeout | undefined;
	return {
		interrupted: promise,
		startTimer(forMs) {
			if (forMs !== undefined) timer = setTimeout(end, forMs);
		},
		dispose() {
			clearTimeout(timer);
			unlisten();
		},
	};
}
