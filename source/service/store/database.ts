import {type Next, PulsetopError} from '../../errors.ts';

/** A value in the database. Numbers are whole and below 2^53. */
export type Stored = string | number | Uint8Array | null;

export type StoredRow = Readonly<Record<string, Stored>>;

/** The store could not be read or written: no work that depends on it may continue. */
export class StoreFailed extends PulsetopError {
	readonly code = 'store-failed';

	constructor(
		why: string,
		{next = 'retry-later', advice, cause}: {next?: Next; advice?: string; cause?: unknown} = {},
	) {
		super('The service could not use its store', {why, next, advice, cause});
	}
}

/** The database cannot be reached, or does not answer: it may be back soon. */
export class StoreAway extends StoreFailed {}

/**
 * The service's store, in one of two engines. Statements have positional parameters (`?`); what they change is durable when
 * their promise resolves. After StoreAway it is not known whether a change was made: it is one that can be asked for again.
 */
export interface Database {
	/** The number of rows that the statement changed. @throws StoreFailed */
	run(sql: string, parameters?: readonly Stored[]): Promise<number>;
	/** @throws StoreFailed */
	get(sql: string, parameters?: readonly Stored[]): Promise<StoredRow | undefined>;
	/** @throws StoreFailed */
	all(sql: string, parameters?: readonly Stored[]): Promise<StoredRow[]>;
	/**
	 * Makes all changes of an act or, when it throws, none. Every statement that the act awaits belongs to it, in nested
	 * calls too; statements of others wait or do not see its changes. Acts of several processes have the effect of one after the
	 * other: where they cannot, one is repeated, so an act is work on the database and computation, nothing else. A
	 * statement that fails ends the transaction.
	 * @param mostMs how long each statement may take, for long ones; on a database of several processes
	 * @throws what the act throws; StoreFailed
	 */
	transaction<T>(act: () => Promise<T>, mostMs?: number): Promise<T>;
	/**
	 * Calls back soon after a `notify` of the channel by any process of the store. Calls may be missed: who listens also asks by
	 * itself. Called too when some may have been missed.
	 * @param channel small letters and `_`
	 * @returns ends the calls
	 */
	listen(channel: string, listener: () => void): () => void;
	/** Wakes up all that listen; in a transaction at its end. @throws StoreFailed */
	notify(channel: string): Promise<void>;
	/** How the engine writes what the two write differently. */
	readonly dialect: Dialect;
	/** Names of a table's columns in lower case; none for a table that is not there. */
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
	/** What follows the columns of a new table. */
	readonly afterTable: string;
	/** The clock of the database, Unix ms: an expression. All processes of a store have this one clock. */
	readonly nowMs: string;
	/** Ends a SELECT whose rows are taken for this transaction, without those that another has taken. */
	readonly skipLocked: string;
}
