import {afterAll, afterEach, beforeAll, beforeEach, describe, expect, onTestFinished, test, vi} from 'vitest';
import {createBridge} from '../../../source/service/bridge/bridge.ts';
import {createIntentBook} from '../../../source/service/bridge/intents.ts';
import {type ChainSet, createChainSet} from '../../../source/service/chain/chain-set.ts';
import {type Database, type Stored, StoreFailed} from '../../../source/service/store/database.ts';
import {openPostgres} from '../../../source/service/store/postgres.ts';
import {openSqlite} from '../../../source/service/store/sqlite.ts';
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
afterEach(() => {
	vi.useRealTimers();
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
	const isSqlite = database.dialect.name === 'sqlite';
	const rows = await database.all(`EXPLAIN ${isSqlite ? 'QUERY PLAN' : ''} ${sql}`, parameters);
	const lines = rows.map(row => String(row[isSqlite ? 'detail' : 'QUERY PLAN']));
	return lines.filter(line => /Scan|Index Cond|Search/i.test(line));
}

interface Statement {
	readonly sql: string;
	readonly parameters: readonly Stored[];
}

/** Chains that do not answer. */
function chainsAway(): ChainSet {
	const external = new Map([8453, 42161].map(id => [id, {rpcUrl: 'http://127.0.0.1:1'}]));
	const chains = createChainSet({chainIds: [], external});
	onTestFinished(() => chains.close());
	return chains;
}

const ENGINES = ['PostgreSQL', 'SQLite'] as const;

describe.each(ENGINES)('a bridge of weeks in %s', engine => {
	beforeEach(async context => {
		if (engine === 'PostgreSQL' && server === undefined) context.skip('PostgreSQL is not installed here');
		database =
			engine === 'SQLite' ? openSqlite(undefined) : await openPostgres(server!.address, {schema: `many${++stores}`});
		onTestFinished(() => database.close());
	});
	// How many there are of each changes what the database expects, and so its plan.
	test.skipIf(engine === 'SQLite').each([2000, 20_000, 60_000])(
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
			const bridge = await createBridge({chains: chainsAway(), database: recording, isShared: true});
			await bridge.close();
			expect(taken.map(id => String(id).split('-')[0]).sort()).toEqual(
				['awaited', 'claimed', 'open'].flatMap(name => Array(5).fill(name)),
			);
			const plans = (await Promise.all(searches.map(planOf))).flat();
			expect(plans.filter(line => line.includes('bridge_intents_leased'))).toHaveLength(1);
			for (const line of plans) expect(line).not.toMatch(/Seq Scan|Index Cond: .*status IS NULL/);
		},
	);

	test('unused quotes are deleted a week after they expired, at the start and every hour, however many there are', async () => {
		vi.useFakeTimers({toFake: ['setInterval', 'clearInterval']});
		const atMs = `${database.dialect.nowMs} - 7 * 24 * 3600000`;
		const old = {expiresAtMs: `${atMs} - 1000`};
		const kept = {
			'younger-': {expiresAtMs: `${atMs} + 3600000`},
			'claimed-': {...old, claim: "'c'", claimedUntilMs: `${atMs} + 3600000`},
			'settled-': {...old, status: "'settled'"},
		};
		for (const [name, columns] of Object.entries(kept)) await addIntents(database, {name, count: 1, columns});
		await addIntents(database, {name: 'old-', count: 2500, columns: old});
		const isShared = engine === 'PostgreSQL';
		const bridge = await createBridge({chains: chainsAway(), database, isShared});
		const left = async () =>
			(await database.all('SELECT intentId AS id FROM bridge_intents')).map(({id}) => String(id)).sort();
		const ids = ['claimed-1', 'settled-1', 'younger-1'];
		await expect.poll(left).toEqual(ids);
		await addIntents(database, {name: 'old-', count: 1000, columns: old});
		vi.advanceTimersByTime(3600_000);
		await expect.poll(left).toEqual(ids);
		await bridge.close();
	});

	test('a bridge opens although old quotes cannot be deleted, and logs that once', async () => {
		vi.useFakeTimers({toFake: ['setInterval', 'clearInterval']});
		let failures = 0;
		const failing: Database = {
			...database,
			async run(sql, parameters) {
				if (!sql.includes('DELETE')) return database.run(sql, parameters);
				failures++;
				throw new StoreFailed('a statement took too long (57014)');
			},
		};
		const lines: string[] = [];
		const log = (line: string): unknown => lines.push(line);
		const bridge = await createBridge({chains: chainsAway(), database: failing, log});
		for (let hour = 1; hour <= 3; hour++) {
			await expect.poll(() => failures).toBe(hour);
			vi.advanceTimersByTime(3600_000);
		}
		await bridge.close();
		expect(lines).toEqual([expect.stringMatching(/^unused quotes were not deleted: .*57014/)]);
	});

	test('the history of a wallet has what it paid and what it received, each once, in the order of time', async () => {
		const settled = {status: "'settled'"};
		await addIntents(database, {name: 'received-', count: 2, columns: {...settled, recipient: "'0xEe'"}});
		await addIntents(database, {
			name: 'paid-',
			count: 2,
			columns: {status: "'refunded'", authority: "'0xEE'", createdAtMs: '2000 + n'},
		});
		await addIntents(database, {
			name: 'both-',
			count: 1,
			columns: {...settled, authority: "'0xee'", recipient: "'0xee'", createdAtMs: '3000'},
		});
		await addIntents(database, {name: 'unused-', count: 1, columns: {authority: "'0xee'"}});
		await addIntents(database, {name: 'other-', count: 9, columns: settled});
		const book = await createIntentBook(database);
		onTestFinished(() => book.close());
		const idsOf = async (filter: object, limit = 9) =>
			(await book.history({wallet: '0xeE', order: 'desc', limit, ...filter})).map(({intentId}) => intentId);
		expect(await idsOf({})).toEqual(['both-1', 'paid-2', 'paid-1', 'received-2', 'received-1']);
		expect(await idsOf({order: 'asc'}, 3)).toEqual(['received-1', 'received-2', 'paid-1']);
		expect(await idsOf({status: 'settled'}, 2)).toEqual(['both-1', 'received-2']);
		const after = {createdAtMs: 2001, intentId: 'paid-1'};
		expect(await idsOf({after})).toEqual(['received-2', 'received-1']);
		expect(await idsOf({after, order: 'asc', createdBeforeMs: 2999})).toEqual(['paid-2']);
	});

	test('neither the deletion of quotes nor the history of a wallet reads the other intents', async () => {
		const fresh = {expiresAtMs: `${database.dialect.nowMs} + 600000`};
		await addIntents(database, {name: 'unused-', count: 20_000, columns: fresh});
		await addIntents(database, {name: 'ended-', count: 20_000, columns: {status: "'settled'"}});
		await database.run('ANALYZE bridge_intents');
		const statements: Statement[] = [];
		const recording: Database = {
			...database,
			run(sql, parameters = []) {
				statements.push({sql, parameters});
				return database.run(sql, parameters);
			},
			all(sql, parameters = []) {
				statements.push({sql, parameters});
				return database.all(sql, parameters);
			},
		};
		const book = await createIntentBook(recording);
		onTestFinished(() => book.close());
		book.forgetUnused(1);
		await book.history({wallet: '0xA7', order: 'desc', limit: 20});
		const [deletion, history] = await Promise.all(statements.map(planOf));
		expect(statements).toHaveLength(2);
		expect(deletion!.join('\n')).toMatch(/bridge_intents_unused.*expiresAtMs ?</is);
		for (const column of ['authority', 'recipient']) expect(history!.join('\n')).toContain(`bridge_intents_${column}`);
		// SQLite says SCAN of what it reads from begin to end.
		for (const line of [...deletion!, ...history!])
			expect(line).not.toMatch(/Seq Scan|SCAN bridge_intents|bridge_intents_createdAtMs/i);
	});
});
