import {afterAll, beforeAll, beforeEach, expect, onTestFinished, test} from 'vitest';
import {createBridge} from '../../../source/service/bridge/bridge.ts';
import {createChainSet} from '../../../source/service/chain/chain-set.ts';
import type {Database, Stored} from '../../../source/service/store/database.ts';
import {openPostgres} from '../../../source/service/store/postgres.ts';
import {type PostgresServer, postgresBinaries, startPostgres} from '../../helpers/postgres.ts';
import {addIntents} from './many-intents.ts';

/** What a service has after weeks: very many quotes that nobody used, many ended transfers, and a few with work left. */

let server: PostgresServer | undefined;
let database: Database;
let stores = 0;

beforeAll(async () => {
	if (postgresBinaries !== undefined) server = await startPostgres();
});
afterAll(() => server?.close());
beforeEach(async context => {
	if (server === undefined) context.skip('PostgreSQL is not installed here');
	database = await openPostgres(server!.address, {schema: `many${++stores}`});
	onTestFinished(() => database.close());
});

const LEASED = {worker: "'dead'", workerUntilMs: '1'};

async function addWeeks(ended: number): Promise<void> {
	const fresh = {expiresAtMs: `${database.dialect.nowMs} + 600000`};
	await addIntents(database, {name: 'unused-', count: 20_000, columns: fresh});
	await addIntents(database, {name: 'ended-', count: ended, columns: {status: "'settled'", claim: "'c'", ...LEASED}});
	await addIntents(database, {name: 'open-', count: 5, columns: {status: "'filling'", ...LEASED}});
	await addIntents(database, {name: 'claimed-', count: 5, columns: {...fresh, claim: "'c'", ...LEASED}});
	await addIntents(database, {name: 'awaited-', count: 5, columns: {...fresh, isGasless: '0', ...LEASED}});
	await database.run('ANALYZE bridge_intents');
}

/** The lines of a plan that read a table or an index. */
async function planOf({sql, parameters}: Statement): Promise<string[]> {
	const rows = await database.all(`EXPLAIN ${sql}`, parameters);
	return rows.map(row => String(row['QUERY PLAN'])).filter(line => /Scan|Index Cond/.test(line));
}

interface Statement {
	readonly sql: string;
	readonly parameters: readonly Stored[];
}

// How many there are of each changes what the database expects, and so its plan.
test.each([2000, 20_000, 60_000])(
	'the search for transfers of dead replicas reads no unused quotes and none of %i ended transfers',
	async ended => {
		await addWeeks(ended);
		const searches: Statement[] = [];
		const taken: Stored[] = [];
		const recording: Database = {
			...database,
			async all(sql, parameters = []) {
				const rows = await database.all(sql, parameters);
				if (!/bridge_intents.*SKIP LOCKED/s.test(sql)) return rows;
				searches.push({sql, parameters});
				taken.push(...rows.map(({id}) => id!));
				// They are not worked on: their chains do not answer.
				return [];
			},
		};
		const external = new Map([8453, 42161].map(id => [id, {rpcUrl: 'http://127.0.0.1:1'}]));
		const chains = createChainSet({chainIds: [], external});
		onTestFinished(() => chains.close());
		const bridge = await createBridge({chains, database: recording, isShared: true});
		await bridge.close();
		expect(taken.map(id => String(id).split('-')[0]).sort()).toEqual(
			['awaited', 'claimed', 'open'].flatMap(name => Array(5).fill(name)),
		);
		const plans = (await Promise.all(searches.map(planOf))).flat();
		expect(plans.filter(line => line.includes('bridge_intents_leased'))).toHaveLength(1);
		for (const line of plans) expect(line).not.toMatch(/Seq Scan|Index Cond: .*status IS NULL/);
	},
);
