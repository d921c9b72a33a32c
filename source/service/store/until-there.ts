import {setTimeout as pause} from 'node:timers/promises';
import {StoreAway} from './database.ts';

const RETRY_MS = 500;

/**
 * Opens something in the database of the replicas, which may start after them or be away for a while: waits for it.
 * @param say called with a line when it waits, each time for another reason, and when it has come
 * @throws what `open` throws, besides that the database is away; the reason of the signal
 */
export async function untilThere<T>(
	open: () => Promise<T>,
	{say, signal}: {readonly say: (line: string) => void; readonly signal?: AbortSignal | undefined},
): Promise<T> {
	let reason: string | undefined;
	for (;;) {
		try {
			const opened = await open();
			if (reason !== undefined) say('the database is there');
			return opened;
		} catch (error) {
			if (!(error instanceof StoreAway)) throw error;
			if (error.why !== reason) say(`waiting for the database: ${error.why}`);
			reason = error.why;
		}
		signal?.throwIfAborted();
		await pause(RETRY_MS, undefined, {signal});
	}
}
