import {chmodSync, mkdirSync} from 'node:fs';
import {join} from 'node:path';
import type * as Sqlite from 'node:sqlite';
import {PulsetopError} from '../../errors.ts';
import {DamagedFile, isDamage, loadSqlite, setAside} from './sqlite-file.ts';

/** A value in the database. */
export type Stored = string | number | null;

export type StoredRow = Readonly<Record<string, Stored>>;

/** The store could not be read or written: no work that depends on it may continue. */
export class StoreFailed extends PulsetopError {
	readonly code = 'store-failed';

	constructor(why: string, cause?: unknown) {
		super('The service could not use its store', {why, next: 'retry-later', cause});
	}
}

/**
 * The service's store. Small, so that another engine can take its place: statements with positional parameters, whose
 * effect is on the disk when they return.
 */
export interface Database {
	/** The number of rows that the statement changed. @throws StoreFailed */
	run(sql: string, parameters?: readonly Stored[]): number;
	/** @throws StoreFailed */
	get(sql: string, parameters?: readonly Stored[]): StoredRow | undefined;
	/** @throws StoreFailed */
	all(sql: string, parameters?: readonly Stored[]): StoredRow[];
	/**
	 * Makes all changes of an act or, when it throws, none; nested calls join the outer transaction. @throws what the
	 * act throws
	 */
	transaction<T>(act: () => T): T;
	close(): void;
}

/**
 * Opens the service's store, making it when missing. Each change is on the disk when its call returns, since claims of
 * money must outlive a crash in the next instant. A damaged file is renamed, and a new one started.
 * @param dataDir undefined: the store ends with the process
 * @param log called with a text about a damaged file
 * @throws StoreFailed
 */
export function openDatabase(dataDir: string | undefined, log: (line: string) => void = () => {}): Database {
	const {DatabaseSync} = loadSqlite();
	const guard = <T>(act: () => T): T => {
		try {
			return act();
		} catch (error) {
			throw new StoreFailed(whyOf(error), error);
		}
	};
	const open = (path: string): Sqlite.DatabaseSync => {
		const opened = new DatabaseSync(path);
		try {
			chmodSync(path, 0o600);
			opened.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA busy_timeout = 5000');
			const found = opened.prepare('PRAGMA quick_check(1)').get()?.['quick_check'];
			if (found !== 'ok') throw new DamagedFile('its parts do not fit together');
			return opened;
		} catch (error) {
			opened.close();
			throw error;
		}
	};
	const database = guard(() => {
		if (dataDir === undefined) return new DatabaseSync(':memory:');
		mkdirSync(dataDir, {recursive: true, mode: 0o700});
		const path = join(dataDir, 'service.db');
		try {
			return open(path);
		} catch (error) {
			if (!isDamage(error)) throw error;
			const kept = setAside(path);
			log(
				`the store service.db is damaged (${(error as Error).message}): it is kept as ${kept} and a new one started. The service no longer knows its content: transfers in progress, used signatures, webhooks`,
			);
			return open(path);
		}
	});
	const prepared = new Map<string, Sqlite.StatementSync>();
	const statement = (sql: string) => {
		let found = prepared.get(sql);
		if (found === undefined) {
			found = database.prepare(sql);
			prepared.set(sql, found);
		}
		return found;
	};
	return {
		run: (sql, parameters = []) => guard(() => Number(statement(sql).run(...parameters).changes)),
		get: (sql, parameters = []) => guard(() => statement(sql).get(...parameters) as StoredRow | undefined),
		all: (sql, parameters = []) => guard(() => statement(sql).all(...parameters) as StoredRow[]),
		transaction(act) {
			if (database.isTransaction) return act();
			guard(() => database.exec('BEGIN IMMEDIATE'));
			try {
				const result = act();
				guard(() => database.exec('COMMIT'));
				return result;
			} catch (error) {
				guard(() => database.exec('ROLLBACK'));
				throw error;
			}
		},
		close: () => database.close(),
	};
}

/**
 * Rows of a store that is there, for a reader at the start that must be quick: nothing is checked, made or put aside.
 * @returns none when the table was never made
 * @throws StoreFailed
 */
export function readStored(dataDir: string, table: string, sql: string): StoredRow[] {
	const {DatabaseSync} = loadSqlite();
	try {
		const database = new DatabaseSync(join(dataDir, 'service.db'), {readOnly: true});
		try {
			const made = database.prepare('SELECT 1 FROM sqlite_master WHERE name = ?').get(table);
			return made === undefined ? [] : (database.prepare(sql).all() as StoredRow[]);
		} finally {
			database.close();
		}
	} catch (error) {
		throw new StoreFailed(whyOf(error), error);
	}
}

function whyOf(error: unknown): string {
	const why = error instanceof Error ? error.message : String(error);
	return isDamage(error) ? `${why}: the next start of the service keeps the file aside and begins a new one` : why;
}
