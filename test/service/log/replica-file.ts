import {copyFileSync, existsSync} from 'node:fs';
import {join} from 'node:path';
import type {DatabaseSync} from 'node:sqlite';
import {vi} from 'vitest';
import {readJournalPosition} from '../../../source/service/log/journal-file.ts';
import {REPLICA_FILE} from '../../../source/service/log/log-market.ts';
import {loadSqlite} from '../../../source/service/store/sqlite-file.ts';
import {temporaryDirectory} from '../../helpers/temporary-directory.ts';

/** Copies the journal of a replica into another directory, as a kill at this moment would leave it. */
export function copyAsKilled(directory: string, to = temporaryDirectory()): string {
	for (const end of ['', '-wal']) {
		const from = join(directory, REPLICA_FILE + end);
		if (existsSync(from)) copyFileSync(from, join(to, REPLICA_FILE + end));
	}
	return to;
}

/** The entry of the market log at which a replica's journal is that no process uses. */
export function positionIn(directory: string): number | undefined {
	return readJournalPosition(join(directory, REPLICA_FILE))?.seq;
}

/** Opens something that opens a journal. Returns the journal's own connection too, on which a test makes SQLite fail. */
export async function withConnection<T>(open: () => T | Promise<T>): Promise<{opened: T; connection: DatabaseSync}> {
	const executed = vi.spyOn(loadSqlite().DatabaseSync.prototype, 'exec');
	try {
		const opened = await open();
		return {opened, connection: executed.mock.contexts.at(-1) as DatabaseSync};
	} finally {
		executed.mockRestore();
	}
}
