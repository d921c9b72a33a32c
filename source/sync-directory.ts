import {closeSync, fsyncSync, openSync} from 'node:fs';

/** Makes the entries of a directory durable: a renamed file is on the disk only when its directory is. Windows has no sync of directories. */
export function syncDirectory(path: string): void {
	if (process.platform === 'win32') return;
	const directory = openSync(path, 'r');
	try {
		fsyncSync(directory);
	} finally {
		closeSync(directory);
	}
}
