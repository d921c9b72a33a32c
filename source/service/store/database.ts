import {PulsetopError} from '../../errors.ts';

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
 * The service's store, in one of two engines. Statements have positional parameters (`?`); what they change is durable when
 * their promise resolves.
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
	 * calls too; statements of others wait or do not see its changes. @throws what the act throws
	 */
	transaction<T>(act: () => Promise<T>): Promise<T>;
	/** How the engine writes what the two write differently. */
	readonly dialect: Dialect;
	/** Names of a table's columns in lower case; none for a table that is not there. */
	columnsOf(table: string): Promise<ReadonlySet<string>>;
	close(): Promise<void>;
}

/** Words of SQL that differ between the engines. */
export interface Dialect {
	/** Whole numbers up to 2^53. */
	readonly integer: string;
	/** A column that numbers its rows in the order of their insertion. */
	readonly sequence: string;
	/** What follows the columns of a new table. */
	readonly afterTable: string;
	/** The clock of the database, Unix ms: an expression. All processes of a store have this one clock. */
	readonly nowMs: string;
	/** Ends a SELECT whose rows are taken for this transaction, without those that another has taken. */
	readonly skipLocked: string;
}
