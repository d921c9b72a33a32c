import type {Database} from './database.ts';
import {storeClock} from './store-clock.ts';

/** Remembers used signatures while they are valid (spec 5, 8). */
export interface SignatureStore {
	/** Unix ms by the clock that `use` goes by, which all processes of a store share. @throws StoreFailed */
	nowMs(): Promise<number>;
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
 * @param now replaces the store's clock, for a process with an embedded store
 * @throws StoreFailed
 */
export async function createSignatureStore(database: Database, now?: () => number): Promise<SignatureStore> {
	const {integer} = database.dialect;
	const clock = storeClock(database, now);
	return {
		async nowMs() {
			if (now !== undefined) return now();
			return Number((await database.get(`SELECT ${database.dialect.nowMs} AS ms`))!['ms']);
		},
		async use(signature, untilMs) {
			const time = clock();
			await database.run(`DELETE FROM used_signatures WHERE until_ms < ${time.sql}`, time.parameters);
			// Expired signatures can be deleted: the same clock refuses them.
			const sql = `INSERT INTO used_signatures (signature, until_ms)
				SELECT CAST(? AS TEXT), CAST(? AS ${integer}) WHERE CAST(? AS ${integer}) >= ${time.sql} ON CONFLICT DO NOTHING`;
			// A timestamp may have a fraction; the column holds whole milliseconds.
			const until = Math.ceil(untilMs);
			return (await database.run(sql, [signature.toLowerCase(), until, until, ...time.parameters])) === 1;
		},
	};
}
