import {readFile, stat, writeFile} from 'node:fs/promises';
import {homedir} from 'node:os';
import {join, resolve} from 'node:path';
import {formatHides, type Hides} from './hides.ts';

/** A list of hidden things is text of a few kB; what is larger is another file. */
const MAX_BYTES = 2 * 1024 * 1024;

/** `~/x` and `x` as absolute paths. */
function pathOf(typed: string): string {
	const text = typed.trim();
	return text.startsWith('~/') ? join(homedir(), text.slice(2)) : resolve(text);
}

/**
 * Writes the list to a file that is not there yet.
 * @returns where it was written
 * @throws what the file system fails with; EEXIST for a file that is there
 */
export async function exportHides(typed: string, hides: Hides): Promise<string> {
	const path = pathOf(typed);
	await writeFile(path, formatHides(hides, '\n'), {flag: 'wx', mode: 0o600});
	return path;
}

/**
 * The text of such a file.
 * @throws what the file system fails with
 */
export async function readHidesFile(typed: string): Promise<string> {
	const path = pathOf(typed);
	const {size} = await stat(path);
	if (size > MAX_BYTES) throw new RangeError('the file is larger than 2 MB');
	return readFile(path, 'utf8');
}
