import {chmodSync, mkdirSync} from 'node:fs';
import {createRequire} from 'node:module';
import {join} from 'node:path';
import type * as Sqlite from 'node:sqlite';
import {PulsetopError} from '../../errors.ts';

/** A value as the database keeps it. */
export type Stored = string | number | null;

export type StoredRow = Readonly<Record<string, Stored>>;

/** The store could not be read or written: nothing that depends on it may go on. */
export class StoreFailed extends PulsetopError {
	readonly code = 'store-failed';

	constructor(why: string, cause?: unknown) {
		super('The service could not use its store', {why, next: 'retry-later', cause});
	}
}

/**
 * What the service keeps. Small, so that another engine can take its place: statements with positional parameters,
 * whose effect is on the disk when they return.
 */
export interface Database {
	/** The number of rows that the statement changed. @throws StoreFailed */
	run(sql: string, parameters?: readonly Stored[]): number;
	/** @throws StoreFailed */
	get(sql: string, parameters?: readonly Stored[]): StoredRow | undefined;
	/** @throws StoreFailed */
	all(sql: string, parameters?: readonly Stored[]): StoredRow[];
	/** Makes all changes of an act or, when it throws, none; inside another one, with that. @throws what the act throws */
	transaction<T>(act: () => T): T;
	close(): void;
}

/**
 * Opens the service's store, making it when missing. Each change is on the disk before it counts as made, since claims
 * of money must outlive a crash in the next instant.
 * @param dataDir undefined: the store ends with the process
 * @throws StoreFailed
 */
export function openDatabase(dataDir: string | undefined): Database {
	const {DatabaseSync} = loadSqlite();
	const guard = <T>(act: () => T): T => {
		try {
			return act();
		} catch (error) {
			throw new StoreFailed(error instanceof Error ? error.message : String(error), error);
		}
	};
	const database = guard(() => {
		if (dataDir === undefined) return new DatabaseSync(':memory:');
		mkdirSync(dataDir, {recursive: true, mode: 0o700});
		const path = join(dataDir, 'service.db');
		const opened = new DatabaseSync(path);
		chmodSync(path, 0o600);
		opened.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA busy_timeout = 5000');
		return opened;
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

/** Some Nodes announce at this that SQLite is new to them, in the middle of the screen. */
function loadSqlite(): typeof Sqlite {
	const {emitWarning} = process;
	process.emitWarning = () => {};
	try {
		return createRequire(import.meta.url)('node:sqlite') as typeof Sqlite;
	} finally {
		process.emitWarning = emitWarning;
	}
}
