import {randomUUID} from 'node:crypto';
import {
	chmodSync,
	closeSync,
	fsyncSync,
	openSync,
	readFileSync,
	renameSync,
	rmSync,
	statSync,
	writeFileSync,
} from 'node:fs';
import {dirname} from 'node:path';
import {PulsetopError} from '../errors.ts';
import {makeDirectory} from '../make-directory.ts';
import {syncDirectory} from '../sync-directory.ts';

/** Another process holds a file for too long. */
export class FileBusy extends PulsetopError {
	readonly code = 'file-busy';

	constructor(what: string, pid: number | undefined) {
		super(`The ${what} is in use by another process`, {
			why: pid === undefined ? 'its lock was not given up in time' : `process ${pid} holds its lock`,
			next: 'retry-later',
		});
	}
}

/** Makes a directory that only its owner may enter; one that exists is closed to others. */
export function ensurePrivateDirectory(path: string): void {
	makeDirectory(path);
	if (process.platform !== 'win32' && (statSync(path).mode & 0o077) !== 0) chmodSync(path, 0o700);
}

/**
 * Writes a file that only its owner may read, whole or not at all: a new file is synced, then takes the place of the old
 * one, then the directory is synced.
 */
export function writePrivateFile(path: string, text: string): void {
	const directory = dirname(path);
	ensurePrivateDirectory(directory);
	const temporary = `${path}.${randomUUID()}.tmp`;
	const file = openSync(temporary, 'wx', 0o600);
	try {
		try {
			writeFileSync(file, text);
			fsyncSync(file);
		} finally {
			closeSync(file);
		}
		renameSync(temporary, path);
	} catch (error) {
		rmSync(temporary, {force: true});
		throw error;
	}
	syncDirectory(directory);
}

/** The text of a file; undefined when the file is missing. */
export function readIfPresent(path: string): string | undefined {
	try {
		return readFileSync(path, 'utf8');
	} catch (error) {
		if (isCode(error, 'ENOENT')) return undefined;
		throw error;
	}
}

/** Whether others than the owner may read or write a file. Always false where files have no such modes. */
export function isExposed(path: string): boolean {
	return process.platform !== 'win32' && (statSync(path).mode & 0o077) !== 0;
}

const LOCK_WAIT_MS = 3000;
const LOCK_STEP_MS = 10;
const ABANDONED_MS = 2000;

/**
 * Runs a short, synchronous piece of work while no other process does the same for this file. A lock whose process is
 * gone is taken over.
 * @param what the file in words, for the error
 * @throws FileBusy
 */
export function withFileLock<T>(path: string, what: string, work: () => T): T {
	const lock = `${path}.lock`;
	ensurePrivateDirectory(dirname(path));
	const until = performance.now() + LOCK_WAIT_MS;
	while (!tryLock(lock)) {
		if (isDead(lock) && removeDead(lock)) continue;
		if (performance.now() > until) throw new FileBusy(what, holderOf(lock));
		Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, LOCK_STEP_MS);
	}
	try {
		return work();
	} finally {
		rmSync(lock, {force: true});
	}
}

function tryLock(lock: string): boolean {
	try {
		writeFileSync(lock, String(process.pid), {flag: 'wx', mode: 0o600});
		return true;
	} catch (error) {
		if (isCode(error, 'EEXIST')) return false;
		throw error;
	}
}

/** Whether the process of the lock has ended. */
function isDead(lock: string): boolean {
	const holder = holderOf(lock);
	return holder === undefined ? isAbandoned(lock) : !isAlive(holder);
}

/**
 * Removes the lock of a process that is gone. One process at a time, and with a second check: since the first check
 * another process may have replaced the dead lock by a live one.
 * @returns whether it was this process's turn
 */
function removeDead(lock: string): boolean {
	const removal = `${lock}.removal`;
	// A live process holds this for a moment only: an old one was left by a crash.
	if (isAbandoned(removal)) rmSync(removal, {force: true});
	if (!tryLock(removal)) return false;
	try {
		if (isDead(lock)) rmSync(lock, {force: true});
		return true;
	} finally {
		rmSync(removal, {force: true});
	}
}

/** The process that a lock names; undefined while it is being written or given up. */
function holderOf(lock: string): number | undefined {
	const text = readIfPresent(lock)?.trim() ?? '';
	return /^\d+$/.test(text) ? Number(text) : undefined;
}

/**
 * A lock that was made long ago: its process died before it wrote its name or gave it up. The age is counted on the clock
 * of the file system: this machine's may have been set meanwhile, and a living lock must not look old by that.
 */
function isAbandoned(lock: string): boolean {
	const made = statSync(lock, {throwIfNoEntry: false})?.mtimeMs;
	return made !== undefined && fileClockMs(lock) - made > ABANDONED_MS;
}

/** The time of the file system that holds a file, Unix ms: that of a file made now beside it. */
function fileClockMs(beside: string): number {
	const probe = `${beside}.${process.pid}.time`;
	writeFileSync(probe, '', {mode: 0o600});
	try {
		return statSync(probe).mtimeMs;
	} finally {
		rmSync(probe, {force: true});
	}
}

function isAlive(pid: number): boolean {
	try {
		process.kill(pid, 0);
		return true;
	} catch (error) {
		return isCode(error, 'EPERM');
	}
}

function isCode(error: unknown, code: string): boolean {
	return error instanceof Error && 'code' in error && error.code === code;
}
