import {type Next, PulsetopError} from '../../errors.ts';

/** A value in the database. Numbers are whole and below 2^53. */
export type Stored = string | number | Uint8Array | null;

export type StoredRow = Readonly<Record<string, Stored>>;

/** The store could not be read or written: no work that depends on it may continue. */
export class StoreFailed extends PulsetopError {
	readonly code: string = 'store-failed';

	constructor(
		why: string,
		{next = 'retry-later', advice, cause}: {next?: Next; advice?: string; cause?: unknown} = {},
	) {
		super('The service could not use its store', {why, next, advice, cause});
	}
}

/** The database cannot be reached, or does not answer: a later attempt may succeed. */
export class StoreUnavailable extends StoreFailed {}

/** Options of a transaction; the first two are for PostgreSQL only. */
export interface TransactionOptions {
	/** Timeout of each statement, for long ones. */
	readonly maxMs?: number | undefined;
	/**
	 * Default `serializable`. `read-committed` is for transactions that contend for one row and lock it first: they queue for the
	 * lock, where serializable ones would conflict and run again. Each statement sees what was committed before it.
	 */
	readonly isolation?: 'serializable' | 'read-committed' | undefined;
	/**
	 * Default true: the commit waits until it is on the disk. A commit that does not wait may be undone by a crash of the database or
	 * the machine, until a later transaction has waited.
	 */
	readonly isDurable?: boolean | undefined;
}

/**
 * The service's store, in one of two engines. Statements have positional parameters (`?`); their changes are durable when their
 * promise resolves. After StoreUnavailable a change may or may not be made: callers write statements that can be retried.
 */
export interface Database {
	/** The number of rows that the statement changed. @throws StoreFailed */
	run(sql: string, parameters?: readonly Stored[]): Promise<number>;
	/** @throws StoreFailed */
	get(sql: string, parameters?: readonly Stored[]): Promise<StoredRow | undefined>;
	/** @throws StoreFailed */
	all(sql: string, parameters?: readonly Stored[]): Promise<StoredRow[]>;
	/**
	 * A serializable transaction: commits when `act` resolves, and rolls back when it throws. Every statement that `act` awaits is
	 * part of it, in nested calls too. After a conflict with another process `act` is run again, so it must have no effects outside
	 * of the database. A failed statement ends the transaction.
	 * @throws what `act` throws; StoreFailed
	 */
	transaction<T>(act: () => Promise<T>, options?: TransactionOptions): Promise<T>;
	/**
	 * Calls the listener soon after any process of the store has notified the channel. Notifications may be lost: a listener polls as
	 * well. It is also called with an empty text when the listening begins, and after a reconnect.
	 * @param channel lower-case letters and `_`
	 * @returns unsubscribes
	 */
	listen(channel: string, listener: (text: string) => void): () => void;
	/**
	 * Notifies all listeners of a channel; within a transaction when it commits. Equal notifications of a transaction are one.
	 * @param text given to the listeners, less than 8000 bytes; default: empty
	 * @throws StoreFailed
	 */
	notify(channel: string, text?: string): Promise<void>;
	/**
	 * Shows a mark to the other processes of the store while this process lives; `dialect.isShown` queries it. A mark disappears
	 * within milliseconds of the death of its process, and also for a moment when a connection is lost: a hint, not a proof.
	 */
	show(mark: string): void;
	/** The engine's dialect of SQL. */
	readonly dialect: Dialect;
	/** Names of a table's columns in lower case; empty for a missing table. */
	columnsOf(table: string): Promise<ReadonlySet<string>>;
	close(): Promise<void>;
}

/** Words of SQL that differ between the engines. */
export interface Dialect {
	readonly name: 'sqlite' | 'postgres';
	/** Whole numbers up to 2^53. */
	readonly integer: string;
	readonly bytes: string;
	/** A column that numbers its rows in the order of their insertion. */
	readonly sequence: string;
	/** SQL behind the columns of a new table. */
	readonly afterTable: string;
	/** The clock of the database, Unix ms: an expression. All processes of a store have this one clock. */
	readonly nowMs: string;
	/** Ends a SELECT whose rows are taken for this transaction, without those that another has taken. */
	readonly skipLocked: string;
	/**
	 * A table of the objects in a JSON array, the one parameter of the expression.
	 * @param columns members that become columns; a missing one is null
	 */
	rows(columns: Readonly<Record<string, 'text' | 'integer'>>): string;
	/** Expression that is true while a process shows a mark. @param mark an expression too */
	isShown(mark: string): string;
}
