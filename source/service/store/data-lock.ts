import {chmodSync} from 'node:fs';
import {join} from 'node:path';
import type * as Sqlite from 'node:sqlite';
import {PulsetopError} from '../../errors.ts';
import {makeDirectory} from '../../make-directory.ts';
import {StoreFailed} from './database.ts';
import {loadSqlite} from './sqlite-file.ts';

/** The right of one process to a directory; the system takes it back when the process ends for any reason. */
export interface DataLock {
	close(): void;
}

/** Another service uses the data directory: both would work on the same transfers. */
class DataDirectoryInUse extends PulsetopError {
	readonly code = 'data-directory-in-use';

	constructor(path: string) {
		super('Another pulsetop serves from this data directory', {
			why: `${join(path, SERVE_LOCK)} is locked by a running process`,
			next: 'fix-input',
			advice:
				'Stop the other one, read from it (--base-url), or give this one a data directory of its own (--data-dir). Several services share one database with --store.',
		});
	}
}

const SERVE_LOCK = 'serve.lock';
const SQLITE_BUSY = 5;

/** Locks a data directory for `pulsetop serve`. @throws DataDirectoryInUse; StoreFailed when it cannot be locked */
export function lockForServing(dataDir: string): DataLock {
	const lock = tryLock(dataDir, SERVE_LOCK);
	if (lock === undefined) throw new DataDirectoryInUse(dataDir);
	return lock;
}

/**
 * Locks a file in a directory, which is made when it is missing.
 * @returns undefined while another process has the lock
 * @throws StoreFailed when the file cannot be locked
 */
export function tryLock(directory: string, file: string): DataLock | undefined {
	let database: Sqlite.DatabaseSync | undefined;
	try {
		makeDirectory(directory);
		database = new (loadSqlite().DatabaseSync)(join(directory, file));
		chmodSync(join(directory, file), 0o600);
		database.exec('PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE; COMMIT');
		return database;
	} catch (error) {
		database?.close();
		if ((error as {errcode?: unknown}).errcode === SQLITE_BUSY) return undefined;
		throw new StoreFailed(`${join(directory, file)} cannot be locked: ${(error as Error).message}`, {cause: error});
	}
}
