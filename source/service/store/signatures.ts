import type {Database} from './database.ts';

/** Remembers used signatures while they could come again (spec 5, 8). */
export interface SignatureStore {
	/**
	 * Marks a signature as used. Of any number of calls with the same one, exactly one returns true, also across a
	 * crash.
	 * @param signature as sent; the case of its letters makes no difference
	 * @param untilMs the time from which it is refused anyway
	 * @throws StoreFailed
	 */
	use(signature: string, untilMs: number, nowMs: number): Promise<boolean>;
}

/** Opens the table of used signatures. @throws StoreFailed */
export async function createSignatureStore(database: Database): Promise<SignatureStore> {
	const {integer, afterTable} = database.dialect;
	await database.run(
		`CREATE TABLE IF NOT EXISTS used_signatures (signature TEXT PRIMARY KEY, until_ms ${integer} NOT NULL) ${afterTable}`,
	);
	await database.run('CREATE INDEX IF NOT EXISTS used_signatures_until ON used_signatures (until_ms)');
	return {
		async use(signature, untilMs, nowMs) {
			await database.run('DELETE FROM used_signatures WHERE until_ms < ?', [nowMs]);
			const sql = 'INSERT INTO used_signatures (signature, until_ms) VALUES (?, ?) ON CONFLICT DO NOTHING';
			// A timestamp may be given with a fraction; the column holds whole milliseconds.
			return (await database.run(sql, [signature.toLowerCase(), Math.ceil(untilMs)])) === 1;
		},
	};
}
