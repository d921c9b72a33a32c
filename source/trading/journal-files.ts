import {join} from 'node:path';

/** Where a journal is kept, and where its count is: in another directory, so that the two are not lost together. */
export interface JournalFiles {
	readonly path: string;
	readonly headPath: string;
}

/** The journal's files of a mode. */
export function journalFiles(dataDir: string, mode: 'practice' | 'real'): JournalFiles {
	return {
		path: join(dataDir, 'trading', mode, 'journal.jsonl'),
		headPath: join(dataDir, 'journal-heads', mode),
	};
}
