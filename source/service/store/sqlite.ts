import {AsyncLocalStorage} from 'node:async_hooks';
import {EventEmitter} from 'node:events';
import {chmodSync} from 'node:fs';
import {join} from 'node:path';
import type * as Sqlite from 'node:sqlite';
import {makeDirectory} from '../../make-directory.ts';
import {type Database, type Dialect, type StoredRow, StoreFailed} from './database.ts';
import type {Migration} from './migrations/migration.ts';
import {MIGRATIONS} from './migrations.ts';
import {checkNotEmptied, DamagedFile, isDamage, loadSqlite, markMade, setAside, wasMade} from './sqlite-file.ts';
import {migrateSqlite} from './sqlite-migrate.ts';

const DIALECT: Dialect = {
	name: 'sqlite',
	integer: 'INTEGER',
	bytes: 'BLOB',
	sequence: 'INTEGER PRIMARY KEY',
	afterTable: 'STRICT',
	nowMs: "CAST(unixepoch('subsec') * 1000 AS INTEGER)",
	// Transactions of one connection come one after the other.
	skipLocked: '',
	rows(columns) {
		const read = Object.keys(columns).map(column => `value ->> '${column}' AS ${column}`);
		return `(SELECT ${read.join(', ')} FROM json_each(?))`;
	},
	// No other process uses the store.
	isShown: () => 'TRUE',
};

/** A transaction that has begun. */
interface Turn {
	readonly ended: Promise<void>;
	/** Notifications that are sent at its end, each once. */
	readonly notified: Map<string, () => void>;
}

/**
 * Opens the store of a service that runs alone, in a file of its data directory, making it when missing. Each change is on the
 * disk when its call ends, since claims of money must outlive a crash in the next instant. A damaged file is renamed, and a new
 * one started; a file that is missing or empty counts as damaged when a mark beside it, or SQLite's log, says that it had content.
 * The layout of its tables is brought up to date.
 * @param dataDir undefined: the store ends with the process
 * @param log called with a text about a damaged file
 * @throws StoreFailed, StoreTooNew
 */
export function openSqlite(
	dataDir: string | undefined,
	log: (line: string) => void = () => {},
	migrations: readonly Migration[] = MIGRATIONS,
): Database {
	const migrate = (opened: Sqlite.DatabaseSync) => migrateSqlite(opened, DIALECT, migrations);
	const file = guard(() => (dataDir === undefined ? openMemory(migrate) : openFile(dataDir, migrate, log)));
	const prepared = new Map<string, Sqlite.StatementSync>();
	const statement = (sql: string): Sqlite.StatementSync => {
		let found = prepared.get(sql);
		if (found === undefined) {
			found = file.prepare(sql);
			prepared.set(sql, found);
		}
		return found;
	};
	// One connection has one transaction: others wait for its end, which its own statements do not.
	const own = new AsyncLocalStorage<Turn>();
	let turn: Turn | undefined;
	const channels = new EventEmitter().setMaxListeners(0);
	const inTurn = async <T>(act: () => T): Promise<T> => {
		while (turn !== undefined && own.getStore() !== turn) await turn.ended;
		return guard(act);
	};
	return {
		dialect: DIALECT,
		run: (sql, parameters = []) => inTurn(() => Number(statement(sql).run(...parameters).changes)),
		get: (sql, parameters = []) => inTurn(() => statement(sql).get(...parameters) as StoredRow | undefined),
		all: (sql, parameters = []) => inTurn(() => statement(sql).all(...parameters) as StoredRow[]),
		async transaction(act, {isDurable = true} = {}) {
			if (turn !== undefined && own.getStore() === turn) return act();
			while (turn !== undefined) await turn.ended;
			const {promise: ended, resolve: end} = Promise.withResolvers<void>();
			const mine: Turn = {ended, notified: new Map()};
			turn = mine;
			try {
				guard(() => file.exec(`${isDurable ? '' : 'PRAGMA synchronous = NORMAL;'} BEGIN IMMEDIATE`));
				try {
					const result = await own.run(mine, act);
					guard(() => file.exec('COMMIT'));
					for (const send of mine.notified.values()) send();
					return result;
				} catch (error) {
					if (file.isTransaction) guard(() => file.exec('ROLLBACK'));
					throw error;
				}
			} finally {
				if (!isDurable) guard(() => file.exec('PRAGMA synchronous = FULL'));
				turn = undefined;
				end();
			}
		},
		listen(channel, listener) {
			channels.on(channel, listener);
			return () => void channels.off(channel, listener);
		},
		async notify(channel, text = '') {
			const mine = own.getStore();
			const send = (): void => void setImmediate(() => channels.emit(channel, text));
			if (mine !== undefined && mine === turn) mine.notified.set(`${channel} ${text}`, send);
			else send();
		},
		show() {},
		async columnsOf(table) {
			const rows = await inTurn(() => statement(`PRAGMA table_info(${table})`).all() as StoredRow[]);
			return new Set(rows.map(row => String(row['name']).toLowerCase()));
		},
		close: async () => file.close(),
	};
}

/**
 * Rows of a store that is there, for a reader at the start that must be quick: nothing is checked, made or put aside.
 * @returns none when the table was never made
 * @throws StoreFailed
 */
export function readStored(dataDir: string, table: string, sql: string): StoredRow[] {
	const {DatabaseSync} = loadSqlite();
	return guard(() => {
		const path = join(dataDir, 'service.db');
		checkNotEmptied(path, wasMade(path));
		const database = new DatabaseSync(path, {readOnly: true});
		try {
			const made = database.prepare('SELECT 1 FROM sqlite_master WHERE name = ?').get(table);
			return made === undefined ? [] : (database.prepare(sql).all() as StoredRow[]);
		} finally {
			database.close();
		}
	});
}

/** @throws StoreFailed */
function guard<T>(act: () => T): T {
	try {
		return act();
	} catch (error) {
		throw error instanceof StoreFailed ? error : new StoreFailed(whyOf(error), {cause: error});
	}
}

/** Brings the layout of a store up to date. */
type Migrate = (opened: Sqlite.DatabaseSync) => void;

function openMemory(migrate: Migrate): Sqlite.DatabaseSync {
	const {DatabaseSync} = loadSqlite();
	const opened = new DatabaseSync(':memory:');
	migrate(opened);
	return opened;
}

function openFile(dataDir: string, migrate: Migrate, log: (line: string) => void): Sqlite.DatabaseSync {
	makeDirectory(dataDir);
	const path = join(dataDir, 'service.db');
	try {
		return openChecked(path, migrate, wasMade(path));
	} catch (error) {
		if (!isDamage(error)) throw error;
		const kept = setAside(path);
		log(
			`the store service.db is damaged (${(error as Error).message}): ${kept === undefined ? 'nothing of it is left' : `it is kept as ${kept}`} and a new one started. The service no longer knows its content: transfers in progress, used signatures, webhooks`,
		);
		return openChecked(path, migrate, false);
	}
}

function openChecked(path: string, migrate: Migrate, hadContent: boolean): Sqlite.DatabaseSync {
	checkNotEmptied(path, hadContent);
	const {DatabaseSync} = loadSqlite();
	const opened = new DatabaseSync(path);
	try {
		chmodSync(path, 0o600);
		opened.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA busy_timeout = 5000');
		const found = opened.prepare('PRAGMA quick_check(1)').get()?.['quick_check'];
		if (found !== 'ok') throw new DamagedFile('its parts do not fit together');
		if (hadContent && opened.prepare('SELECT 1 FROM sqlite_master').get() === undefined)
			throw new DamagedFile('all of its tables are gone');
		migrate(opened);
		markMade(path);
		return opened;
	} catch (error) {
		opened.close();
		throw error;
	}
}

function whyOf(error: unknown): string {
	const why = error instanceof Error ? error.message : String(error);
	return isDamage(error) ? `${why}: the next start of the service keeps the file aside and begins a new one` : why;
}
