import {readdirSync, readFileSync} from 'node:fs';
import {join, relative} from 'node:path';

/** A file may leave while the others are read, as one does that is written beside its place and renamed: then all are read again. */
const MAX_READS = 50;

/**
 * The content of every file under a directory, by its path in it.
 * @throws where files leave each time that they are read
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
