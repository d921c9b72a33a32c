import {closeSync, openSync, writeSync} from 'node:fs';
import {readIfPresent, writePrivateFile} from './private-files.ts';

/** How many lines a journal has, and the hash of the last one. */
export interface Head {
	readonly count: number;
	readonly hash: string;
}

/** The count of a journal, in a file of another directory. */
export interface JournalHead {
	/** Undefined before the first line was counted: the journal is new, or of an earlier version. */
	read(): Head | undefined;
	/** Counts a line that is on the disk. */
	keep(head: Head): void;
}

/** @param path the file; without one nothing is counted */
export function openHead(path: string | undefined): JournalHead {
	function read(): Head | undefined {
		const text = path === undefined ? undefined : readIfPresent(path);
		const [, count, hash] = /^(\d{12}) ([0-9a-f]{64})\n$/.exec(text ?? '') ?? [];
		return count === undefined || hash === undefined ? undefined : {count: Number(count), hash};
	}
	return {
		read,
		keep({count, hash}) {
			if (path === undefined) return;
			const text = `${String(count).padStart(12, '0')} ${hash}\n`;
			if (read() === undefined) {
				writePrivateFile(path, text);
				return;
			}
			// In place and of one length: a crash leaves the old count or the new one. Not synced: an old count is no false alarm.
			const file = openSync(path, 'r+');
			try {
				writeSync(file, text, 0);
			} finally {
				closeSync(file);
			}
		},
	};
}
