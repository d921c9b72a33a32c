import type {Database} from './database.ts';
import {storeClock} from './store-clock.ts';

/** Remembers used signatures while they could come again (spec 5, 8). */
export interface SignatureStore {
	/**
	 * Marks a signature as used. Of any number of calls with the same one, exactly one returns true, also across a
	 * crash.
	 * @param signature as sent; the case of its letters makes no difference
	 * @param untilMs the time from which it is refused anyway: a call after it returns false
	 * @throws StoreFailed
	 */
	use(signature: string, untilMs: number): Promise<boolean>;
}

/**
 * Opens the table of used signatures.
 * @param now another clock than the store's, for a process that has its store alone
 * @throws StoreFailed
 */
export async function createSignatureStore(database: Database, now?: () => number): Promise<SignatureStore> {
	const {integer} = database.dialect;
	const clock = storeClock(database, now);
	return {
		async use(signature, untilMs) {
			const time = clock();
			await database.run(`DELETE FROM used_signatures WHERE until_ms < ${time.sql}`, time.parameters);
			// What is forgotten cannot be used again: the same clock says both.
			const sql = `INSERT INTO used_signatures (signature, until_ms)
				SELECT CAST(? AS TEXT), CAST(? AS ${integer}) WHERE CAST(? AS ${integer}) >= ${time.sql} ON CONFLICT DO NOTHING`;
			// A timestamp may be given with a fraction; the column holds whole milliseconds.
			const until = Math.ceil(untilMs);
			return (await database.run(sql, [signature.toLowerCase(), until, until, ...time.parameters])) === 1;
		},
	};
}
