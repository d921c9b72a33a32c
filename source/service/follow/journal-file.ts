import {chmodSync, existsSync, mkdirSync} from 'node:fs';
import {join} from 'node:path';
import type * as Sqlite from 'node:sqlite';
import {PulsetopError} from '../../errors.ts';
import type {UnkeptKinds, WalletKinds} from '../market/settled-kinds.ts';
import type {Position} from '../replicas/position.ts';
import {DamagedFile, isDamage, loadSqlite, setAside} from '../store/sqlite-file.ts';

/** The journal of followed chains could not be read or written: nothing of the change counts. */
export class JournalFailed extends PulsetopError {
	readonly code = 'follow-journal-failed';

	constructor(why: string, cause?: unknown) {
		super('The journal of the followed chains could not be used', {why, next: 'retry-later', cause});
	}
}

/** Another process follows chains into the same data directory: both would write every event. */
export class JournalInUse extends PulsetopError {
	readonly code = 'follow-journal-in-use';

	constructor(cause: unknown) {
		super('Another pulsetop already follows chains into this data directory', {
			why: `${JOURNAL_FILE} of the data directory is locked by a running process`,
			next: 'fix-input',
			advice:
				'Stop the other one, read from it (pulsetop serve there, --base-url here), or give this one a data directory of its own (--data-dir).',
			cause,
		});
	}
}

/** Name of the file in the data directory. */
const JOURNAL_FILE = 'follow.db';

/** Files of another version are put aside: what they hold can be read from the chains again. */
const VERSION = 1;
const SQLITE_BUSY = 5;
const BUSY_MS = 1000;

/**
 * The tables, documented in source/docs/follow-journal.md.
 */
const SCHEMA = `
CREATE TABLE tokens (
	id INTEGER PRIMARY KEY,
	chain TEXT NOT NULL,
	address TEXT NOT NULL,
	kind TEXT NOT NULL,
	launch_ms INTEGER NOT NULL,
	launch_block INTEGER NOT NULL,
	last_ms INTEGER NOT NULL,
	last_block INTEGER NOT NULL,
	lists INTEGER NOT NULL,
	bytes INTEGER NOT NULL
);
CREATE TABLE events (
	token INTEGER NOT NULL,
	n INTEGER NOT NULL,
	block INTEGER NOT NULL,
	data BLOB NOT NULL,
	PRIMARY KEY (token, n)
) WITHOUT ROWID;
CREATE TABLE facts (
	chain TEXT NOT NULL,
	key TEXT NOT NULL,
	block INTEGER NOT NULL,
	n INTEGER NOT NULL,
	value TEXT NOT NULL,
	PRIMARY KEY (chain, key, block)
) WITHOUT ROWID;
CREATE INDEX facts_by_block ON facts (chain, block);
CREATE TABLE cursors (
	chain TEXT NOT NULL,
	block INTEGER NOT NULL,
	cursor TEXT NOT NULL,
	PRIMARY KEY (chain, block)
) WITHOUT ROWID;
CREATE TABLE gaps (
	chain TEXT NOT NULL,
	from_block INTEGER NOT NULL,
	to_block INTEGER NOT NULL,
	from_ms INTEGER NOT NULL,
	to_ms INTEGER NOT NULL,
	why TEXT NOT NULL,
	PRIMARY KEY (chain, from_block, to_block)
) WITHOUT ROWID;
PRAGMA user_version = ${VERSION};
`;

/**
 * Further tables of a journal that follows the market log of replicas: where it stands, and what SettledKinds keeps. Files of both
 * kinds have the same version.
 */
const PLACE_SCHEMA = `
CREATE TABLE IF NOT EXISTS place (
	id INTEGER PRIMARY KEY,
	epoch TEXT NOT NULL,
	seq INTEGER NOT NULL,
	at_ms INTEGER NOT NULL
);
CREATE TABLE IF NOT EXISTS kinds (
	wallet TEXT PRIMARY KEY,
	kinds INTEGER NOT NULL
) WITHOUT ROWID;
`;

/** Where a journal stands in the market log of replicas. */
export interface JournalPosition extends Position {
	/** Of that entry. */
	readonly atMs: number;
}

/** What a journal keeps of a replica with each transaction. */
export interface KeptPlace {
	position(): JournalPosition;
	unkept(): UnkeptKinds;
	/** What `unkept` gave is in the file. */
	keep(): void;
}

/** A database with the journal's tables, for this process alone. */
export interface JournalFile {
	statement(sql: string): Sqlite.StatementSync;
	/** Makes all changes of an act or, when it throws, none. One within another is a part of it. @throws JournalFailed */
	transaction<T>(act: () => T): T;
	/** Runs something that only reads. @throws JournalFailed */
	guard<T>(act: () => T): T;
	/** The place that was stored last; undefined where none is. @throws JournalFailed */
	place(): (JournalPosition & {readonly kinds: readonly WalletKinds[]}) | undefined;
	/** Copies the database into a file while it is used. @throws JournalFailed */
	backup(path: string): Promise<void>;
	close(): void;
}

export interface JournalFileOptions {
	/** Undefined: the journal ends with the process. */
	readonly dataDir?: string | undefined;
	/** Name of the file; default JOURNAL_FILE. */
	readonly name?: string;
	readonly log: (line: string) => void;
	/** Stored with each transaction; undefined where there is no market log. */
	readonly place?: KeptPlace | undefined;
}

/**
 * Opens the journal's file, making it when missing, and locks it until it is closed or the process ends. A damaged file, and
 * one of another version, is renamed and a new one started. What a transaction wrote survives a kill; a failing power supply
 * may lose the last transactions, never a part of one.
 * @throws JournalInUse, JournalFailed
 */
export function openJournalFile({dataDir, name = JOURNAL_FILE, log, place}: JournalFileOptions): JournalFile {
	const database = openDatabase(dataDir, name, log);
	if (place) database.exec(PLACE_SCHEMA);
	const prepared = new Map<string, Sqlite.StatementSync>();
	const guard = <T>(act: () => T): T => {
		try {
			return act();
		} catch (error) {
			throw failure(error);
		}
	};
	const statement = (sql: string): Sqlite.StatementSync => {
		const known = prepared.get(sql);
		if (known) return known;
		const made = database.prepare(sql);
		prepared.set(sql, made);
		return made;
	};
	const writePlace = ({position, unkept}: KeptPlace): void => {
		const {epoch, seq, atMs} = position();
		statement('INSERT OR REPLACE INTO place VALUES (1, ?, ?, ?)').run(epoch, seq, atMs);
		const {isAll, wallets} = unkept();
		if (isAll) statement('DELETE FROM kinds').run();
		for (const [wallet, kinds] of wallets) statement('INSERT OR REPLACE INTO kinds VALUES (?, ?)').run(wallet, kinds);
	};
	return {
		statement,
		guard,
		transaction: act =>
			guard(() => {
				if (database.isTransaction) return act();
				database.exec('BEGIN IMMEDIATE');
				try {
					const result = act();
					if (place) writePlace(place);
					database.exec('COMMIT');
					place?.keep();
					return result;
				} catch (error) {
					// A full disk may have rolled back by itself.
					if (database.isTransaction) database.exec('ROLLBACK');
					throw error;
				}
			}),
		place: () =>
			place &&
			guard(() => {
				const position = readPosition(database);
				const rows = statement('SELECT wallet, kinds FROM kinds').all();
				const kinds = rows.map(row => [String(row['wallet']), Number(row['kinds'])] as const);
				return position && {...position, kinds};
			}),
		backup: async path => {
			try {
				await loadSqlite().backup(database, path);
			} catch (error) {
				throw failure(error);
			}
		},
		close: () => {
			prepared.clear();
			database.close();
		},
	};
}

/** Where a journal's file stands in the market log; undefined where it is missing, damaged, of another version or in use. */
export function readJournalPosition(path: string): JournalPosition | undefined {
	if (!existsSync(path)) return undefined;
	try {
		const database = new (loadSqlite().DatabaseSync)(path, {readOnly: true});
		try {
			const version = database.prepare('PRAGMA user_version').get()?.['user_version'];
			const stored = version === VERSION ? readPosition(database) : undefined;
			return stored && {epoch: stored.epoch, seq: stored.seq, atMs: stored.atMs};
		} finally {
			database.close();
		}
	} catch {
		return undefined;
	}
}

function readPosition(database: Sqlite.DatabaseSync): JournalPosition | undefined {
	const row = database.prepare('SELECT epoch, seq, at_ms FROM place').get();
	return row && {epoch: String(row['epoch']), seq: Number(row['seq']), atMs: Number(row['at_ms'])};
}

function openDatabase(dataDir: string | undefined, name: string, log: (line: string) => void): Sqlite.DatabaseSync {
	try {
		const {DatabaseSync} = loadSqlite();
		if (dataDir === undefined) return prepareDatabase(new DatabaseSync(':memory:'));
		mkdirSync(dataDir, {recursive: true, mode: 0o700});
		const path = join(dataDir, name);
		const open = (): Sqlite.DatabaseSync => {
			const opened = new DatabaseSync(path);
			try {
				chmodSync(path, 0o600);
				return prepareDatabase(opened);
			} catch (error) {
				opened.close();
				throw error;
			}
		};
		try {
			return open();
		} catch (error) {
			if (!isDamage(error)) throw error;
			log(
				`the journal ${name} cannot be used (${(error as Error).message}): it is kept as ${setAside(path)} and a new one started. What it knew of the past is read from the chains again as far as --backfill says`,
			);
			return open();
		}
	} catch (error) {
		throw failure(error);
	}
}

function prepareDatabase(database: Sqlite.DatabaseSync): Sqlite.DatabaseSync {
	// The lock is the file's own: it ends with the process, however that ends.
	database.exec(`PRAGMA busy_timeout = ${BUSY_MS}; PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = WAL`);
	database.exec(
		'PRAGMA synchronous = NORMAL; PRAGMA cache_size = -16000; PRAGMA wal_autocheckpoint = 4000; PRAGMA journal_size_limit = 67108864',
	);
	database.exec('BEGIN IMMEDIATE');
	const version = database.prepare('PRAGMA user_version').get()?.['user_version'];
	const isEmpty = database.prepare('SELECT 1 FROM sqlite_master').get() === undefined;
	if (isEmpty) database.exec(SCHEMA);
	else if (version !== VERSION)
		throw new DamagedFile(`it has version ${version}, this program reads version ${VERSION}`);
	database.exec('COMMIT');
	return database;
}

function failure(error: unknown): PulsetopError {
	if (error instanceof PulsetopError) return error;
	if ((error as {errcode?: unknown}).errcode === SQLITE_BUSY) return new JournalInUse(error);
	return new JournalFailed(error instanceof Error ? error.message : String(error), error);
}
