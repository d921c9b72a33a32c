import {appendFileSync, renameSync, statSync} from 'node:fs';
import {dirname} from 'node:path';
import {makeDirectory} from '../../make-directory.ts';

/** A larger log is renamed to `.old` before a new one begins. */
const MAX_BYTES = 1_000_000;

/** Creates a log in a file (mode 600) for texts that must not reach the screen. Write errors are ignored. */
export function createLogFile(path: string, nowMs: () => number = Date.now): (text: string) => void {
	let isReady = false;
	return text => {
		try {
			if (!isReady) {
				makeDirectory(dirname(path));
				if ((statSync(path, {throwIfNoEntry: false})?.size ?? 0) > MAX_BYTES) renameSync(path, `${path}.old`);
				isReady = true;
			}
			appendFileSync(path, `${new Date(nowMs()).toISOString()} ${text.trimEnd()}\n`, {mode: 0o600});
		} catch {
			// The disk is full or read-only: the monitor goes on.
		}
	};
}
