import {chmodSync, existsSync} from 'node:fs';
import {join} from 'node:path';
import type * as Sqlite from 'node:sqlite';
import {setImmediate as nextTurn} from 'node:timers/promises';
import {PulsetopError} from '../../errors.ts';
import {makeDirectory} from '../../make-directory.ts';
import type {UnkeptKinds, WalletKinds} from '../market/settled-kinds.ts';
import {DamagedFile, isDamage, loadSqlite, setAside} from '../store/sqlite-file.ts';
import {JournalTransactions, type SqlRow, type SqlValue} from './journal-transactions.ts';

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
 * In a replica changes are committed after this time at the latest. A commit writes each page once that they have in common, and what
 * a kill loses is read from the market log again.
 */
const JOINED_MS = 500;
/** A checkpoint of this many pages stalls half as long as one of 4000, and joined commits leave little more to write in all. */
const JOINED_PAGES = 1000;
/** A backup that begins while something is changed is refused, and begun again. */
const BACKUP_ATTEMPTS = 20;

/**
 * The tables, documented in journal.md.
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
export interface JournalPosition {
	readonly epoch: string;
	readonly seq: number;
	/** Of that entry. */
	readonly atMs: number;
}

/** State of a replica that a journal keeps with each commit: between two entries of the market log. */
export interface KeptState {
	position(): JournalPosition;
	unkept(): UnkeptKinds;
	/** Says that the result of `unkept` is in the file. */
	keep(): void;
}

/** A database with the journal's tables, for this process alone. */
export interface JournalFile {
	/** Changes something, within a transaction. */
	run(sql: string, ...values: readonly SqlValue[]): void;
	/** Reads rows. @throws JournalFailed */
	all(sql: string, ...values: readonly SqlValue[]): SqlRow[];
	/**
	 * Makes all changes of an act or, when it throws, none. One within another is a part of it. With a kept position it is committed
	 * later, see JOINED_MS; what was not committed before a kill is not in the file.
	 * @throws JournalFailed, also where acts before it cannot be committed
	 */
	transaction<T>(act: () => T): T;
	/** Commits what is not committed yet, with the position. @throws JournalFailed; nothing is lost then but by the end of the process */
	commit(): void;
	/** Runs something that changes nothing. @throws JournalFailed */
	guard<T>(act: () => T): T;
	/** The position that was stored last; undefined where none is. @throws JournalFailed */
	position(): (JournalPosition & {readonly kinds: readonly WalletKinds[]}) | undefined;
	/** Copies the database into a file while it is used, with all that was changed before. @throws JournalFailed */
	backup(path: string): Promise<void>;
	/** Commits, and closes the file in any case. @throws JournalFailed when it could not be committed */
	close(): void;
}

export interface JournalFileOptions {
	/** Undefined: the journal ends with the process. */
	readonly dataDir?: string | undefined;
	/** Name of the file; default JOURNAL_FILE. */
	readonly name?: string;
	readonly log: (line: string) => void;
	/** Stored with each commit; undefined where there is no market log, and each transaction is committed at once. */
	readonly kept?: KeptState | undefined;
}

/**
 * Opens the journal's file, making it when missing, and locks it until it is closed or the process ends. A damaged file, and
 * one of another version, is renamed and a new one started. What was committed survives a kill; a failing power supply
 * may lose the last commits, never a part of one.
 * @throws JournalInUse, JournalFailed
 */
export function openJournalFile({dataDir, name = JOURNAL_FILE, log, kept}: JournalFileOptions): JournalFile {
	const database = openDatabase(dataDir, name, log);
	if (kept) database.exec(`${PLACE_SCHEMA}; PRAGMA wal_autocheckpoint = ${JOINED_PAGES}`);
	const guard = <T>(act: () => T): T => {
		try {
			return act();
		} catch (error) {
			throw failure(error);
		}
	};
	const writeKept = ({position, unkept}: KeptState): void => {
		const {epoch, seq, atMs} = position();
		transactions.run('INSERT OR REPLACE INTO place VALUES (1, ?, ?, ?)', epoch, seq, atMs);
		const {isAll, wallets} = unkept();
		if (isAll) transactions.run('DELETE FROM kinds');
		for (const [wallet, kinds] of wallets)
			transactions.run('INSERT OR REPLACE INTO kinds VALUES (?, ?)', wallet, kinds);
	};
	const transactions = new JournalTransactions(
		database,
		kept && {delayMs: JOINED_MS, committing: () => writeKept(kept), committed: () => kept.keep()},
	);
	return {
		run: (sql, ...values) => transactions.run(sql, ...values),
		all: (sql, ...values) => guard(() => transactions.all(sql, ...values)),
		guard,
		transaction: act => guard(() => transactions.act(act)),
		commit: () => {
			if (kept) guard(() => transactions.commit());
		},
		position: () =>
			kept &&
			guard(() => {
				const position = readPosition(database);
				const rows = transactions.all('SELECT wallet, kinds FROM kinds');
				const kinds = rows.map(row => [String(row['wallet']), Number(row['kinds'])] as const);
				return position && {...position, kinds};
			}),
		backup: async path => {
			const relax = transactions.hurry();
			try {
				for (let attempt = 1; ; attempt++) {
					// Never in the middle of an entry of the market log, see JournalTransactions.
					await nextTurn();
					if (transactions.isPending) transactions.commit();
					try {
						await loadSqlite().backup(database, path);
						return;
					} catch (error) {
						if (!isBusy(error) || attempt === BACKUP_ATTEMPTS) throw error;
					}
				}
			} catch (error) {
				throw failure(error);
			} finally {
				relax();
			}
		},
		close: () => {
			try {
				if (transactions.isPending) guard(() => transactions.commit());
			} finally {
				transactions.close();
			}
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
		makeDirectory(dataDir);
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

/** Node passes no code on when the first pages of a backup cannot be read. */
function isBusy(error: unknown): boolean {
	const {errcode} = error as {errcode?: unknown};
	return errcode === SQLITE_BUSY || errcode === 0;
}

function failure(error: unknown): PulsetopError {
	if (error instanceof PulsetopError) return error;
	if ((error as {errcode?: unknown}).errcode === SQLITE_BUSY) return new JournalInUse(error);
	return new JournalFailed(error instanceof Error ? error.message : String(error), error);
}
