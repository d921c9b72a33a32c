import {mkdtempSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {afterAll, afterEach, beforeAll, beforeEach, describe, expect, test} from 'vitest';
import {type Database, StoreFailed} from '../../../source/service/store/database.ts';
import {openPostgres} from '../../../source/service/store/postgres.ts';
import {createSignatureStore} from '../../../source/service/store/signatures.ts';
import {openSqlite} from '../../../source/service/store/sqlite.ts';
import {openTable} from '../../../source/service/store/table.ts';
import {createWebhookStore, NO_TALLY} from '../../../source/service/webhook/webhook-store.ts';
import {type PostgresServer, postgresBinaries, startPostgres} from '../../helpers/postgres.ts';

let server: PostgresServer | undefined;
let stores = 0;

beforeAll(async () => {
	if (postgresBinaries !== undefined) server = await startPostgres();
});
afterAll(() => server?.close());

/** Each opens the same store again at every call, as another process would. */
const ENGINES: Readonly<Record<string, () => () => Promise<Database>>> = {
	SQLite: () => {
		const directory = mkdtempSync(join(tmpdir(), 'pulsetop-store-'));
		return async () => openSqlite(directory);
	},
	PostgreSQL: () => {
		const schema = `store${++stores}`;
		return () => openPostgres(server!.address, {schema});
	},
};

const COLUMNS = {key: 'text', madeAtMs: 'integer', amountRaw: ['bigint'], isOpen: 'flag', note: ['text']} as const;
const row = (key: string, more = {}) => ({
	key,
	madeAtMs: 1_795_000_000_000,
	amountRaw: null,
	isOpen: true,
	note: null,
	...more,
});

describe.each(Object.keys(ENGINES))('a store in %s', engine => {
	let open: () => Promise<Database>;
	let database: Database;
	const others: Database[] = [];

	beforeEach(async context => {
		if (engine === 'PostgreSQL' && server === undefined) context.skip('PostgreSQL is not installed here');
		open = ENGINES[engine]!();
		database = await open();
	});
	afterEach(async () => {
		for (const other of others.splice(0)) await other.close();
		await database?.close();
	});
	const another = async (): Promise<Database> => {
		const other = await open();
		others.push(other);
		return other;
	};

	test('keeps values as they were: large times, big integers, flags, hostile texts, nothing', async () => {
		const table = await openTable(database, 'things', 'key', COLUMNS);
		const rows = [
			row('a', {amountRaw: 2n ** 255n, note: "'; DROP TABLE things; -- \u202e\u001b[31m \ud83d\ude80"}),
			row('b', {amountRaw: 0n, isOpen: false}),
			row('c', {madeAtMs: Number.MAX_SAFE_INTEGER}),
		];
		for (const one of rows) await table.insert(one);
		const again = await openTable(await another(), 'things', 'key', COLUMNS);
		expect(await again.find({sql: 'TRUE ORDER BY key'})).toEqual(rows);
	});

	test('refuses a key that is taken, and counts what it changed', async () => {
		const table = await openTable(database, 'things', 'key', COLUMNS);
		await table.insert(row('a'));
		await expect(table.insert(row('a'))).rejects.toBeInstanceOf(StoreFailed);
		expect(await table.update({note: 'x'}, {sql: 'key = ? AND note IS NULL', parameters: ['a']})).toBe(1);
		expect(await table.update({note: 'y'}, {sql: 'key = ? AND note IS NULL', parameters: ['a']})).toBe(0);
		expect(await table.delete({sql: 'madeAtMs >= ?', parameters: [1_795_000_000_000]})).toBe(1);
	});

	test('adds the columns of a later version', async () => {
		const {note: _, ...earlier} = COLUMNS;
		const {note: __, ...first} = row('a');
		await (await openTable(database, 'things', 'key', earlier)).insert(first);
		const later = await openTable(await another(), 'things', 'key', COLUMNS);
		expect(await later.find({sql: 'TRUE'})).toEqual([row('a')]);
	});

	test('makes all changes of an act or none, and nested acts are one', async () => {
		const table = await openTable(database, 'things', 'key', COLUMNS);
		const failed = new Error('no');
		const act = database.transaction(async () => {
			await table.insert(row('a'));
			await database.transaction(async () => {
				await table.insert(row('b'));
			});
			throw failed;
		});
		await expect(act).rejects.toBe(failed);
		expect(await table.find({sql: 'TRUE'})).toEqual([]);
		expect(await database.transaction(async () => table.insert(row('c')).then(() => 'done'))).toBe('done');
		expect(await table.find({sql: 'TRUE'})).toEqual([row('c')]);
	});

	test('keeps acts apart that run at the same time', async () => {
		const table = await openTable(database, 'things', 'key', COLUMNS);
		await table.insert(row('sum', {madeAtMs: 0}));
		// Each reads and writes with a pause between: together they would lose additions.
		const add = (from: Database) =>
			from.transaction(async () => {
				const lock = engine === 'PostgreSQL' ? ' FOR UPDATE' : '';
				const read = await from.get(`SELECT madeAtMs AS n FROM things WHERE key = 'sum'${lock}`);
				await new Promise(resolve => setImmediate(resolve));
				await from.run("UPDATE things SET madeAtMs = ? WHERE key = 'sum'", [Number(read!['n']) + 1]);
			});
		await Promise.all(Array.from({length: 25}, () => add(database)));
		expect(await table.find({sql: 'TRUE'})).toEqual([row('sum', {madeAtMs: 25})]);
	});

	test('gives a claim to one of many callers, of two processes', async () => {
		const first = await createSignatureStore(database);
		const second = await createSignatureStore(await another());
		const claims = Array.from({length: 200}, (_, n) => (n % 2 === 0 ? first : second).use(`0x${n % 20}`, 10_000.5, 0));
		expect((await Promise.all(claims)).filter(Boolean)).toHaveLength(20);
		// Once it could not be used any more it is forgotten.
		expect(await second.use('0x1', 30_000, 20_000)).toBe(true);
	});

	test('keeps webhooks, their events and letters, in order', async () => {
		const store = await createWebhookStore(database);
		const webhook = {
			id: 'w1',
			owner: 'o',
			name: 'n',
			chainIds: ['evm:8453'],
			events: ['swap'],
			url: 'https://example.com/',
			secret: 's',
			createdAtMs: 1,
			filters: {and: []},
		};
		await store.insert(webhook);
		const event = (n: number) => ({
			id: `d${n}`,
			webhookId: 'w1',
			event: 'swap',
			body: '{}',
			createdAtMs: n,
			attempts: 0,
		});
		const nothing = {queued: [], tried: [], done: [], dead: [], tallies: new Map()};
		const tally = {...NO_TALLY, delivered: 3};
		await store.write({...nothing, queued: [event(3), event(1), event(2)], tallies: new Map([['w1', tally]])});
		const again = await createWebhookStore(await another());
		expect(await again.webhooks()).toEqual([webhook]);
		expect((await again.pending('w1')).map(({id}) => id)).toEqual(['d3', 'd1', 'd2']);
		expect(await again.tally('w1')).toEqual(tally);
		const letter = {...event(1), attempts: 3, failedAtMs: 9, status: null, reason: 'away'};
		await store.write({...nothing, dead: [letter]});
		await store.write({...nothing, dead: [letter]});
		expect(await store.deadLetters('w1', {limit: 10, offset: 0})).toEqual([letter]);
		expect(await store.revive('w1', 5)).toEqual([event(1)]);
		await store.remove('w1');
		await store.write({...nothing, queued: [event(7)], dead: [letter]});
		expect([await again.pending('w1'), await again.countDeadLetters('w1')]).toEqual([[], 0]);
	});
});

test.skipIf(postgresBinaries === undefined)(
	'PostgreSQL that dies fails calls and loses no claim; it goes on when it is back',
	async () => {
		const mine = await startPostgres();
		const database = await openPostgres(mine.address);
		try {
			const signatures = await createSignatureStore(database);
			expect(await signatures.use('0xab', 10_000, 0)).toBe(true);
			await mine.kill();
			const failed = await signatures.use('0xcd', 10_000, 0).catch(error => error);
			expect(failed).toBeInstanceOf(StoreFailed);
			expect(`${failed.message} ${failed.why}`).not.toContain('secret');
			await mine.start();
			await expect.poll(() => signatures.use('0xab', 10_000, 0).catch(() => 'away'), {timeout: 20_000}).toBe(false);
		} finally {
			await database.close();
			await mine.close();
		}
	},
);
