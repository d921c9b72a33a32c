import {mkdtempSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {tryLock} from '../store/data-lock.ts';
import {StoreFailed} from '../store/database.ts';

/** Directory of one replica's files. */
export interface ReplicaDirectory {
	readonly path: string;
	/** Unlocks the directory for other replicas; a temporary one is removed. */
	close(): void;
}

/** Maximum number of replicas that share a data directory. */
const MAX_REPLICAS = 64;
const LOCK_FILE = 'lock.db';

/**
 * Locks the first of `replica-1/`, `replica-2/` and so on in a data directory that no process uses, so that several replicas on one
 * machine can be started with the same arguments.
 * @param dataDir undefined: a temporary directory
 * @throws StoreFailed when no directory can be made or locked
 */
export function takeReplicaDirectory(dataDir: string | undefined): ReplicaDirectory {
	if (dataDir === undefined) {
		const path = mkdtempSync(join(tmpdir(), 'pulsetop-replica-'));
		return {path, close: () => rmSync(path, {recursive: true, force: true})};
	}
	for (let n = 1; n <= MAX_REPLICAS; n++) {
		const path = join(dataDir, `replica-${n}`);
		const lock = tryLock(path, LOCK_FILE);
		if (lock) return {path, close: () => lock.close()};
	}
	throw new StoreFailed(`${MAX_REPLICAS} replicas use the data directory already`);
}
