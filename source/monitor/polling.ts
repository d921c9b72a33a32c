import {pollDelayMs} from '../client/http/backoff.ts';

/** Requests that repeat while a screen is open. */
export interface Polling {
	/** Opens: requests can be aborted from now on. Nothing is polled until `next` is called. */
	open(): void;
	/** Polls after `afterMs`, then repeatedly; does nothing while closed. */
	next(afterMs: number): void;
	/** Clears failures: the next wait is that after a success. */
	reset(): void;
	/** Aborts the running request and stops polling. */
	close(): void;
	/** Aborted by `close`; undefined while closed. */
	signal(): AbortSignal | undefined;
}

/**
 * @param poll resolves to whether it succeeded; after failures the waits grow
 * @param everyMs the wait after a success
 * @param longestMs bounds every wait
 */
export function createPolling({
	poll,
	everyMs,
	longestMs,
}: {
	readonly poll: (signal: AbortSignal) => Promise<boolean>;
	readonly everyMs: () => number;
	readonly longestMs: number;
}): Polling {
	let timer: NodeJS.Timeout | undefined;
	let life: AbortController | undefined;
	let failures = 0;

	async function run(current: AbortController): Promise<void> {
		failures = (await poll(current.signal)) ? 0 : failures + 1;
		if (current === life) next(pollDelayMs(everyMs(), failures, longestMs));
	}

	function next(afterMs: number): void {
		clearTimeout(timer);
		const current = life;
		if (current !== undefined) timer = setTimeout(() => void run(current), afterMs);
	}

	return {
		open() {
			life = new AbortController();
			failures = 0;
		},
		next,
		reset() {
			failures = 0;
		},
		close() {
			clearTimeout(timer);
			life?.abort();
			life = undefined;
		},
		signal: () => life?.signal,
	};
}
