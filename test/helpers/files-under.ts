import {readdirSync, readFileSync} from 'node:fs';
import {join, relative} from 'node:path';

/** A temporary file may be renamed between the listing and its reading: then the whole directory is read again. */
const MAX_READS = 50;

/**
 * The content of every file under a directory, by its path in it.
 * @throws Error when a file vanishes each time
 */
export function filesUnder(directory: string): ReadonlyMap<string, Buffer> {
	for (let read = 1; ; read++) {
		try {
			const entries = readdirSync(directory, {recursive: true, withFileTypes: true}).filter(entry => entry.isFile());
			const paths = entries.map(entry => join(entry.parentPath, entry.name));
			return new Map(paths.map(path => [relative(directory, path), readFileSync(path)]));
		} catch (error) {
			if ((error as NodeJS.ErrnoException).code !== 'ENOENT' || read === MAX_READS) throw error;
		}
	}
}
