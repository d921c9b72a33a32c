import {logFailuresOnce} from '../log-failures-once.ts';
import type {Database} from './database.ts';
import type {StoreClock} from './store-clock.ts';
import type {Expression} from './table.ts';

export interface OldRowsOptions {
	readonly database: Database;
	readonly clock: StoreClock;
	readonly table: string;
	readonly key: string;
	/** Deleted after this time, in milliseconds. */
	readonly keepMs: number;
	/**
	 * Condition of old rows. It ends with the order of an index: only then are the others not read.
	 * @param before an expression: the time of the oldest row that is kept, Unix ms
	 */
	readonly isOld: (before: string) => string;
	/** Called with the reason of a failure: each reason once. */
	readonly log: (why: string) => void;
}

/** How often old rows are deleted. */
const EVERY_MS = 3600_000;
/** Maximum number of rows that one statement deletes: far more take longer than a statement may. */
const BATCH = 500;

/**
 * Deletes old rows in the background: now, and from then on every hour. Several processes of a store may do so.
 * @returns stops it
 */
export function deleteOldRows(options: OldRowsOptions): () => void {
	const {log} = options;
	let isStopped = false;
	let isRunning = false;
	const attempt = logFailuresOnce(why => isStopped || log(why));
	const deleteAll = async (): Promise<void> => {
		while (!isStopped && (await deleteSome(options)) >= BATCH);
	};
	const run = async (): Promise<void> => {
		if (isRunning) return;
		isRunning = true;
		await attempt(deleteAll);
		isRunning = false;
	};
	const timer = setInterval(() => void run(), EVERY_MS).unref();
	void run();
	return () => {
		isStopped = true;
		clearInterval(timer);
	};
}

/** @returns the number of deleted rows */
function deleteSome({database, clock, table, key, keepMs, isOld}: OldRowsOptions): Promise<number> {
	const {sql, parameters}: Required<Expression> = clock();
	// A subquery is computed once; the clock itself would be asked at each row, and no index searched by it.
	return database.run(
		`WITH kept AS (SELECT ${sql} - ? AS since)
		DELETE FROM ${table} WHERE ${key} IN (
			SELECT ${key} FROM ${table} WHERE ${isOld('(SELECT since FROM kept)')} LIMIT ${BATCH} ${database.dialect.skipLocked}
		)`,
		[...parameters, keepMs],
	);
}
