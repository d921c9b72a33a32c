import {appendFileSync, mkdirSync, renameSync, statSync} from 'node:fs';
import {dirname} from 'node:path';

/** A log larger than this is put aside, and a new one begun. */
const MAX_BYTES = 1_000_000;

/** What nobody may see on the screen, kept for a report. A log that can't be written is done without. */
export function createLogFile(path: string, nowMs: () => number = Date.now): (text: string) => void {
	let isReady = false;
	return text => {
		try {
			if (!isReady) {
				mkdirSync(dirname(path), {recursive: true, mode: 0o700});
				if ((statSync(path, {throwIfNoEntry: false})?.size ?? 0) > MAX_BYTES) renameSync(path, `${path}.old`);
				isReady = true;
			}
			appendFileSync(path, `${new Date(nowMs()).toISOString()} ${text.trimEnd()}\n`, {mode: 0o600});
		} catch {
			// The disk is full or read-only: the monitor goes on.
		}
	};
}
