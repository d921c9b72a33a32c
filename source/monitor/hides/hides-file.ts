import {readFile, stat, writeFile} from 'node:fs/promises';
import {join, resolve} from 'node:path';
import {homeOf} from '../../home.ts';
import {formatHides, type Hides} from './hides.ts';

/** A list of hides is a few kB; a larger file is something else. */
const MAX_BYTES = 2 * 1024 * 1024;

/** `~/x` and `x` as absolute paths. */
function pathOf(typed: string): string {
	const text = typed.trim();
	const home = homeOf(process.env);
	return text.startsWith('~/') && home !== undefined ? join(home, text.slice(2)) : resolve(text);
}

/**
 * Writes the list to a new file. @param typed its path, `~/` allowed
 * @returns the absolute path
 * @throws the errors of the file system; EEXIST when the file exists
 */
export async function exportHides(typed: string, hides: Hides): Promise<string> {
	const path = pathOf(typed);
	await writeFile(path, formatHides(hides, '\n'), {flag: 'wx', mode: 0o600});
	return path;
}

/**
 * The text of a file of hides.
 * @throws the errors of the file system; RangeError above 2 MB
 */
export async function readHidesFile(typed: string): Promise<string> {
	const path = pathOf(typed);
	const {size} = await stat(path);
	if (size > MAX_BYTES) throw new RangeError('the file is larger than 2 MB');
	return readFile(path, 'utf8');
}
