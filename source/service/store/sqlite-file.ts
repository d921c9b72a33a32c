import {existsSync, renameSync, statSync, writeFileSync} from 'node:fs';
import {createRequire} from 'node:module';
import {basename} from 'node:path';
import type * as Sqlite from 'node:sqlite';

/** A check of the whole file found damage, or the file is gone. */
export class DamagedFile extends Error {}

/** SQLite's files beside a database. */
const BESIDE = ['-shm', '-journal', '-wal'] as const;

/** SQLITE_CORRUPT and SQLITE_NOTADB. */
const DAMAGE_CODES: ReadonlySet<unknown> = new Set([11, 26]);

export function isDamage(error: unknown): boolean {
	return error instanceof DamagedFile || DAMAGE_CODES.has((error as {errcode?: unknown}).errcode);
}

/** Renames a damaged database with SQLite's files beside it. Returns its new name, or that of its log; undefined when neither is left. */
export function setAside(path: string): string | undefined {
	const suffix = `.damaged-${new Date().toISOString().replace(/\D/g, '').slice(0, 17)}`;
	let kept: string | undefined;
	for (const beside of [...BESIDE, '']) {
		if (!existsSync(path + beside)) continue;
		renameSync(path + beside, path + suffix + beside);
		// The index of the log holds no content.
		if (beside !== '-shm') kept = basename(path) + suffix + beside;
	}
	return kept;
}

/**
 * Refuses a database that is missing or empty though its content was there before: SQLite would make a new one in its place, and
 * delete the log with the newest changes. To be called before SQLite opens the file.
 * @param wasMade whether a mark beside the file says that it had content
 * @throws DamagedFile
 */
export function checkNotEmptied(path: string, wasMade: boolean): void {
	const size = sizeOf(path);
	if (size !== undefined && size > 0) return;
	if (!wasMade && !sizeOf(`${path}-wal`)) return;
	throw new DamagedFile(size === undefined ? 'the file is missing' : 'the file is empty');
}

/** The file that says of a database that it had content. A database that is lost as a whole can't say so itself. */
function markOf(path: string): string {
	return `${path}-made`;
}

/** Whether a database had content at an earlier start. */
export function wasMade(path: string): boolean {
	return existsSync(markOf(path));
}

/** Whether there is a database, or a sign of a lost database, which {@link checkNotEmptied} refuses. */
export function isStored(path: string): boolean {
	return existsSync(path) || wasMade(path) || existsSync(`${path}-wal`);
}

/** Marks a database as one with content. */
export function markMade(path: string): void {
	if (wasMade(path)) return;
	const text = `${basename(path)} was made in this folder. This file lets the service notice when it is lost.\n`;
	writeFileSync(markOf(path), text, {mode: 0o600, flush: true});
}

function sizeOf(path: string): number | undefined {
	return statSync(path, {throwIfNoEntry: false})?.size;
}

/** Some versions of Node warn that SQLite is experimental, which would print into the screen. */
export function loadSqlite(): typeof Sqlite {
	const {emitWarning} = process;
	process.emitWarning = () => {};
	try {
		return createRequire(import.meta.url)('node:sqlite') as typeof Sqlite;
	} finally {
		process.emitWarning = emitWarning;
	}
}
