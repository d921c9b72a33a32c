import {statSync} from 'node:fs';

/*
 * The files of the program may be replaced while it runs (`npm install -g`): loaded code goes on, and code that is loaded later
 * is gone.
 */

/** The file that has this code: a new version has other ones. */
const FILE = import.meta.filename;

function identity(): string | undefined {
	const found = statSync(FILE, {throwIfNoEntry: false});
	return found && `${found.ino} ${found.size} ${found.mtimeMs}`;
}

const AT_START = identity();

/** The event, the start of a sentence. */
export const REPLACED = 'pulsetop was updated while it ran';

/** Whether the files that the program was started from have been replaced or removed since. */
export function wasReplaced(): boolean {
	return identity() !== AT_START;
}

/** Whether an error is that of code that could not be loaded since its file is gone. */
export function isCodeGone(error: unknown): boolean {
	const code = error instanceof Error && 'code' in error ? error.code : undefined;
	return (code === 'ERR_MODULE_NOT_FOUND' || code === 'ENOENT') && wasReplaced();
}
