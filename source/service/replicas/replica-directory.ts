import {mkdirSync, mkdtempSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import type * as Sqlite from 'node:sqlite';
import {StoreFailed} from '../store/database.ts';
import {loadSqlite} from '../store/sqlite-file.ts';

/** A directory for what one replica keeps on its machine. */
export interface ReplicaDirectory {
	readonly path: string;
	/** Lets another replica have it; one that was only for this run is removed. */
	close(): void;
}

/** More replicas do not share a data directory. */
const MOST = 64;
const LOCK_FILE = 'lock.db';

/**
 * Takes the first of `replica-1/`, `replica-2/` and so on in a data directory that no process uses, so that several replicas on one
 * machine need no directory of their own.
 * @param dataDir undefined: a directory for this run alone
 * @throws StoreFailed when none can be made
 */
export function takeReplicaDirectory(dataDir: string | undefined): ReplicaDirectory {
	if (dataDir === undefined) {
		const path = mkdtempSync(join(tmpdir(), 'pulsetop-replica-'));
		return {path, close: () => rmSync(path, {recursive: true, force: true})};
	}
	for (let n = 1; n <= MOST; n++) {
		const path = join(dataDir, `replica-${n}`);
		const lock = tryLock(path);
		if (lock) return {path, close: () => lock.close()};
	}
	throw new StoreFailed(`${MOST} replicas use the data directory already`);
}

/** The lock is a file's own: it ends with the process, however that ends. */
function tryLock(path: string): Sqlite.DatabaseSync | undefined {
	let database: Sqlite.DatabaseSync | undefined;
	try {
		mkdirSync(path, {recursive: true, mode: 0o700});
		database = new (loadSqlite().DatabaseSync)(join(path, LOCK_FILE));
		database.exec('PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE; COMMIT');
		return database;
	} catch (error) {
		database?.close();
		// SQLITE_BUSY
		if ((error as {errcode?: unknown}).errcode === 5) return undefined;
		throw new StoreFailed(`the directory of a replica cannot be used: ${(error as Error).message}`, {cause: error});
	}
}
