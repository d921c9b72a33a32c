import {existsSync, mkdirSync, statSync} from 'node:fs';
import {dirname} from 'node:path';

/**
 * Makes a directory that only its owner may enter, and those above it; one that exists stays as it is. Node's recursive `mkdir` never
 * ends below a directory that takes no other: `/proc`, homes that are not mounted, a working directory that was removed.
 * @throws the error of the file system
 */
export function makeDirectory(path: string): void {
	const parent = dirname(path);
	if (parent !== path && !existsSync(parent)) makeDirectory(parent);
	try {
		mkdirSync(path, {mode: 0o700});
	} catch (error) {
		// Another process may have made it meanwhile; a read-only disk refuses existing ones, too.
		if (!isDirectory(path)) throw error;
	}
}

function isDirectory(path: string): boolean {
	try {
		return statSync(path).isDirectory();
	} catch {
		return false;
	}
}
