import {mkdtempSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {makeDirectory} from '../../make-directory.ts';

/** The path of a socket is limited to about a hundred characters, fewer than some directories have. */
const MAX_LENGTH = 60;

/**
 * Makes a directory that only this user can open, for sockets: in the temporary directory, else in the data directory, else in
 * `/tmp`.
 * @throws Error that names the places that were tried
 */
export function makeSocketDirectory(dataDir?: string): string {
	const isShort = (path: string) => path.length <= MAX_LENGTH || process.platform === 'win32';
	const places = [tmpdir(), ...(dataDir === undefined ? [] : [dataDir]), '/tmp'].filter(isShort);
	for (const place of new Set(places)) {
		try {
			if (place === dataDir) makeDirectory(place);
			return mkdtempSync(join(place, 'pulsetop-run-'));
		} catch {
			// The next one.
		}
	}
	throw new Error(
		`no directory for the sockets of practice chains can be made: ${[...new Set(places)].join(' and ')} can't be written; TMPDIR names another one`,
	);
}
