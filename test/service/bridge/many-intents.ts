import type {Database} from '../../../source/service/store/database.ts';

/** A quote that was not used, by the names of its columns; each value is SQL. */
const UNUSED: Readonly<Record<string, string>> = {
	intentHash: "'0x00'",
	createdAtMs: '1000 + n',
	updatedAtMs: '1000 + n',
	expiresAtMs: '2000 + n',
	isGasless: '1',
	authority: "'0xA' || n % 1000",
	recipient: "'0xB' || n % 1000",
	originChainId: '8453',
	destinationChainId: '42161',
	originInstance: "'0x01'",
	destinationInstance: "'0x02'",
	originToken: "'0xC'",
	destinationToken: "'0xD'",
	originDecimals: '6',
	destinationDecimals: '6',
	amountRaw: "'1000000'",
	estimatedOutRaw: "'990000'",
	minOutRaw: "'980000'",
	bridgeFeeBps: '10',
	originGasRaw: "'0'",
	destinationGasRaw: "'0'",
	// As large as a quote is.
	quote: `'${'q'.repeat(1300)}'`,
	quotedBlock: "'1'",
	failedFills: '0',
};

/**
 * Adds many intents by one statement.
 * @param name begins their ids; each has its number (`n` in SQL, from 1) after it
 * @param columns SQL of columns that are not those of an unused quote from long ago
 */
export async function addIntents(
	database: Database,
	{name, count, columns = {}}: {readonly name: string; readonly count: number; readonly columns?: typeof UNUSED},
): Promise<void> {
	const all: typeof UNUSED = {...UNUSED, intentId: `'${name}' || n`, ...columns};
	await database.run(
		`INSERT INTO bridge_intents (${Object.keys(all).join(', ')})
		WITH RECURSIVE numbers(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < ${count})
		SELECT ${Object.values(all).join(', ')} FROM numbers`,
	);
}
