import type * as Sqlite from 'node:sqlite';
import {getOrInsert} from '../../get-or-insert.ts';

/** A value in a row of the journal. */
export type SqlValue = string | number | Uint8Array;

/** A row that was read, by the names of its columns. */
export type SqlRow = Readonly<Record<string, unknown>>;

export interface JournalTransactionsOptions {
	/** Maximum time until an act is committed, in milliseconds; undefined: each act is committed by itself. */
	readonly delayMs?: number | undefined;
	/** Adds changes to each commit. */
	readonly committing?: () => void;
	/** Called after each commit. */
	readonly committed?: () => void;
}

/** A statement that changed something. */
interface Change {
	readonly sql: string;
	readonly values: readonly SqlValue[];
}

/**
 * Transactions of a journal's database. With a delay, acts share one that stays open; reads see what is not committed yet. A timer
 * commits it, thus never in the middle of an entry of the market log: applying one waits for nothing but microtasks.
 *
 * SQLite rolls back the whole transaction when a statement or a commit finds the disk full. The changes since the last commit are
 * therefore kept in memory and made again, so that an act that fails, or a failed commit, never loses the acts before it.
 */
export class JournalTransactions {
	readonly #database: Sqlite.DatabaseSync;
	readonly #prepared = new Map<string, Sqlite.StatementSync>();
	readonly #options: JournalTransactionsOptions;
	/** Changes since the last commit, in their order. */
	#changes: Change[] = [];
	#isPending = false;
	#isInAct = false;
	/** Why the last commit failed. Until one succeeds, acts are refused: what is not in the file must not grow. */
	#failure: {readonly error: unknown} | undefined;
	#backups = 0;
	#timer: NodeJS.Timeout | undefined;

	constructor(database: Sqlite.DatabaseSync, options: JournalTransactionsOptions = {}) {
		this.#database = database;
		this.#options = options;
	}

	/** True while an act is not committed. */
	get isPending(): boolean {
		return this.#isPending;
	}

	/** Changes something, within an act or within `committing`. @throws the error of SQLite */
	run(sql: string, ...values: readonly SqlValue[]): void {
		this.#statement(sql).run(...values);
		if (this.#isInAct && this.#options.delayMs !== undefined) this.#changes.push({sql, values});
	}

	/** Reads rows; acts that are not committed count. @throws the error of SQLite */
	all(sql: string, ...values: readonly SqlValue[]): SqlRow[] {
		if (!this.#isInAct && this.#isPending) this.#begin();
		return this.#statement(sql).all(...values);
	}

	/**
	 * Makes all changes of an act or, when it throws, none. One within another is a part of it.
	 * @throws what the act throws, or the error of SQLite, also that of a failed commit of earlier acts
	 */
	act<T>(act: () => T): T {
		if (this.#isInAct) return act();
		if (this.#failure) throw this.#failure.error;
		this.#begin();
		const before = this.#changes.length;
		this.#isInAct = true;
		try {
			const result = act();
			if (this.#options.delayMs === undefined) this.#database.exec('COMMIT');
			else this.#commitIn(this.#backups > 0 ? 0 : this.#options.delayMs);
			return result;
		} catch (error) {
			this.#changes.length = before;
			this.#rollBack();
			throw error;
		} finally {
			this.#isInAct = false;
		}
	}

	/** Commits all acts. @throws the error of SQLite; no act is lost then: the commit is repeated after the delay */
	commit(): void {
		clearTimeout(this.#timer);
		this.#timer = undefined;
		try {
			this.#begin();
			this.#options.committing?.();
			this.#database.exec('COMMIT');
		} catch (error) {
			this.#failure = {error};
			this.#rollBack();
			this.#commitIn(this.#options.delayMs ?? 0);
			throw error;
		}
		this.#failure = undefined;
		this.#isPending = false;
		this.#changes = [];
		this.#options.committed?.();
	}

	/** Commits acts at once until the returned function is called: a database with an open transaction cannot be copied. */
	hurry(): () => void {
		this.#backups++;
		return () => {
			this.#backups--;
		};
	}

	/** Closes the database; acts that are not committed are lost. */
	close(): void {
		clearTimeout(this.#timer);
		this.#prepared.clear();
		this.#database.close();
	}

	/** Makes sure that a transaction is open and has all changes since the last commit. */
	#begin(): void {
		if (this.#database.isTransaction) return;
		this.#database.exec('BEGIN IMMEDIATE');
		try {
			for (const {sql, values} of this.#changes) this.#statement(sql).run(...values);
		} catch (error) {
			this.#rollBack();
			throw error;
		}
	}

	#rollBack(): void {
		// SQLite may have done so by itself.
		if (this.#database.isTransaction) this.#database.exec('ROLLBACK');
	}

	/** Not at the next act: the position would be that of its entry, which is not in the file. */
	#commitIn(delayMs: number): void {
		this.#isPending = true;
		this.#timer ??= setTimeout(() => {
			try {
				this.commit();
			} catch {
				// The next act reports it.
			}
		}, delayMs).unref();
	}

	#statement(sql: string): Sqlite.StatementSync {
		return getOrInsert(this.#prepared, sql, () => this.#database.prepare(sql));
	}
}
