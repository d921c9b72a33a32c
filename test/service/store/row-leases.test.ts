import {afterAll, beforeAll, describe, expect, test} from 'vitest';
import type {Database} from '../../../source/service/store/database.ts';
import {openPostgres} from '../../../source/service/store/postgres.ts';
import {LEASE_COLUMNS, type RowLeases, sharedLeases} from '../../../source/service/store/row-leases.ts';
import {openSqlite} from '../../../source/service/store/sqlite.ts';
import {storeClock} from '../../../source/service/store/store-clock.ts';
import type {Table} from '../../../source/service/store/table.ts';
import {makeTable} from '../../helpers/make-table.ts';
import {type PostgresServer, postgresBinaries, startPostgres} from '../../helpers/postgres.ts';

const COLUMNS = {id: 'text', state: 'text', ...LEASE_COLUMNS} as const;
const OPEN = {sql: "state = 'open'"};
const TABLE = {table: 'work', key: 'id'};
const LEASE_MS = 10_000;

describe('leases of rows in SQLite', () => rowLeases('SQLite'));
// Skipped where PostgreSQL is not installed.
describe.skipIf(postgresBinaries === undefined)('leases of rows in PostgreSQL', () => rowLeases('PostgreSQL'));

function rowLeases(engine: 'SQLite' | 'PostgreSQL'): void {
	let server: PostgresServer | undefined;
	let database: Database;
	let table: Table<typeof COLUMNS>;
	let laterMs = 0;
	const all: RowLeases[] = [];

	beforeAll(async () => {
		server = engine === 'PostgreSQL' ? await startPostgres() : undefined;
		database = server ? await openPostgres(server.address) : openSqlite(undefined);
		table = await makeTable(database, {name: 'work', key: 'id', columns: COLUMNS});
	});
	afterAll(async () => {
		for (const leases of all) await leases.close();
		await database?.close();
		await server?.close();
	});

	const open = (): RowLeases => {
		const clock = storeClock(database, () => 1_000_000 + laterMs);
		const leases = sharedLeases(database, {...TABLE, clock, leaseMs: LEASE_MS, log: () => {}});
		all.push(leases);
		return leases;
	};
	const add = (...ids: string[]) =>
		Promise.all(ids.map(id => table.insert({id, state: 'open', worker: null, workerUntilMs: null})));
	const write = (id: string, {condition}: {condition: {sql: string}}) =>
		table.update({state: 'written'}, {...condition, sql: `id = '${id}' AND ${condition.sql}`});

	test('a row has one worker, until its lease has expired', async () => {
		const [first, second] = [open(), open()];
		await add('a');
		const lease = (await first.take('a'))!;
		expect([await second.take('a'), await first.take('a')]).toEqual([undefined, undefined]);
		laterMs += LEASE_MS;
		const next = (await second.take('a'))!;
		// The first one has not come to know of it, and writes nothing all the same.
		expect(await write('a', lease)).toBe(0);
		expect(await write('a', next)).toBe(1);
		await lease.release();
		expect(await first.take('a')).toBeUndefined();
		await next.release();
		expect(await first.take('a')).toBeDefined();
	});

	test('each row with work is taken by one of many processes; delayed rows and rows without work are not taken', async () => {
		const [first, second] = [open(), open()];
		await add('b1', 'b2', 'b3', 'b4', 'b5');
		await table.update({state: 'closed'}, {sql: "id = 'b5'"});
		await (await first.take('b4'))!.release(60_000);
		const work = {...OPEN, sql: `${OPEN.sql} AND id LIKE 'b%'`};
		const taken = await Promise.all([first.takeFree(work, 2), second.takeFree(work, 2), first.takeFree(work, 2)]);
		expect(
			taken
				.flat()
				.map(({key}) => key)
				.sort(),
		).toEqual(['b1', 'b2', 'b3']);
		laterMs += 60_000;
		expect((await second.takeFree({...work, sql: `${work.sql} AND id = 'b4'`}, 9)).map(({key}) => key)).toEqual(['b4']);
	});

	test('a replica that stops releases its rows', async () => {
		const [stopping, other] = [open(), open()];
		await add('c1', 'c2');
		await stopping.take('c1');
		const prepared = stopping.prepare('c2');
		await table.update(prepared.values, {sql: "id = 'c2'"});
		prepared.begin();
		await stopping.close();
		expect(await stopping.take('c1')).toBeUndefined();
		expect((await other.takeFree({sql: "id LIKE 'c%'"}, 9)).map(({key}) => key).sort()).toEqual(['c1', 'c2']);
	});

	test('the renewal of leases has few statements, whatever their number', async () => {
		const texts = new Set<string>();
		const counted: Database = {
			...database,
			all(sql, parameters) {
				texts.add(sql);
				return database.all(sql, parameters);
			},
		};
		let renewals = 0;
		const clock = () => {
			renewals++;
			return storeClock(database)();
		};
		const leases = sharedLeases(counted, {...TABLE, clock, leaseMs: 15, log: () => {}});
		all.push(leases);
		for (let n = 0; n < 20; n++) {
			const id = `e${n}`;
			const prepared = leases.prepare(id);
			await table.insert({id, state: 'open', ...prepared.values});
			prepared.begin();
			const before = renewals;
			await expect.poll(() => renewals > before + 1).toBe(true);
		}
		expect(texts.size).toBeLessThanOrEqual(6);
	});

	test.skipIf(engine === 'SQLite')('a renewal that waits for a row has locked no other', async () => {
		const leases = sharedLeases(database, {...TABLE, clock: storeClock(database), leaseMs: 300, log: () => {}});
		all.push(leases);
		const ids = ['g1', 'g2', 'g3'];
		await add(...ids);
		const taken = await leases.takeFree({sql: "id LIKE 'g%'"}, 9);
		const watcher = await openPostgres(server!.address);
		const waiting = async () =>
			Number((await watcher.get("SELECT count(*) AS n FROM pg_stat_activity WHERE wait_event_type = 'Lock'"))!['n']);
		for (const id of ids) {
			const lockAll = async () => {
				await database.run('UPDATE work SET state = state WHERE id = ?', [id]);
				await expect.poll(waiting).toBe(1);
				return database.all("SELECT id FROM work WHERE id LIKE 'g%' FOR UPDATE NOWAIT");
			};
			const locked = await database.transaction(lockAll, {isolation: 'read-committed'});
			expect(locked).toHaveLength(ids.length);
		}
		await watcher.close();
		const until = async () => (await table.find({sql: "id LIKE 'g%'"})).map(row => row.workerUntilMs!);
		const before = Math.max(...(await until()));
		await expect.poll(async () => Math.min(...(await until())) > before).toBe(true);
		expect(taken.map(({signal}) => signal.aborted)).toEqual([false, false, false]);
	});

	test(`a worker is notified when its row is taken, and ${engine} renews the leases of the others`, async () => {
		const clock = storeClock(database);
		const leases = sharedLeases(database, {...TABLE, clock, leaseMs: 300, log: () => {}});
		all.push(leases);
		await add('d1', 'd2');
		const [lost, kept] = [(await leases.take('d1'))!, (await leases.take('d2'))!];
		await table.update({worker: 'another'}, {sql: "id = 'd1'"});
		await expect.poll(() => lost.signal.aborted).toBe(true);
		const until = async () => (await table.find({sql: "id = 'd2'"}))[0]!.workerUntilMs!;
		const before = await until();
		await expect.poll(async () => (await until()) > before + 300).toBe(true);
		expect(kept.signal.aborted).toBe(false);
	});
}
