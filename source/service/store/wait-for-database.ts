import {setTimeout as pause} from 'node:timers/promises';
import {StoreUnavailable} from './database.ts';

const RETRY_MS = 500;

/**
 * Retries `open` until the database of the replicas is available, which may start after them or restart.
 * @param say called with a line for each new reason to wait, and when the wait ends
 * @param waits called once, when the wait begins
 * @throws what `open` and `waits` throw, except StoreUnavailable; the signal's reason
 */
export async function waitForDatabase<T>(
	open: () => Promise<T>,
	{
		say,
		waits,
		signal,
	}: {
		readonly say: (line: string) => void;
		readonly waits?: () => Promise<void>;
		readonly signal?: AbortSignal | undefined;
	},
): Promise<T> {
	let reason: string | undefined;
	for (;;) {
		try {
			const opened = await open();
			if (reason !== undefined) say('the database is there');
			return opened;
		} catch (error) {
			if (!(error instanceof StoreUnavailable)) throw error;
			if (error.why !== reason) say(`waiting for the database: ${error.why}`);
			if (reason === undefined) await waits?.();
			reason = error.why;
		}
		signal?.throwIfAborted();
		await pause(RETRY_MS, undefined, {signal});
	}
}
