import {existsSync, renameSync} from 'node:fs';
import {createRequire} from 'node:module';
import {basename} from 'node:path';
import type * as Sqlite from 'node:sqlite';

/** A check of the whole file found damage. */
export class DamagedFile extends Error {}

/** SQLITE_CORRUPT and SQLITE_NOTADB. */
const DAMAGE_CODES: ReadonlySet<unknown> = new Set([11, 26]);

export function isDamage(error: unknown): boolean {
	return error instanceof DamagedFile || DAMAGE_CODES.has((error as {errcode?: unknown}).errcode);
}

/** Renames a damaged database with SQLite's files beside it. Returns its new name. */
export function setAside(path: string): string {
	const suffix = `.damaged-${new Date().toISOString().replace(/\D/g, '').slice(0, 17)}`;
	for (const beside of ['-wal', '-shm', '']) {
		if (existsSync(path + beside)) renameSync(path + beside, path + suffix + beside);
	}
	return basename(path) + suffix;
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
