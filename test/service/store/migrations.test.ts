import {mkdtempSync, readFileSync} from 'node:fs';
import {createRequire} from 'node:module';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import type * as Sqlite from 'node:sqlite';
import {afterAll, beforeAll, beforeEach, describe, expect, test} from 'vitest';
import {createIntentBook} from '../../../source/service/bridge/intents.ts';
import {type Database, StoreFailed} from '../../../source/service/store/database.ts';
import type {Migration} from '../../../source/service/store/migrations/migration.ts';
import {MIGRATIONS, StoreTooNew} from '../../../source/service/store/migrations.ts';
import {openPostgres} from '../../../source/service/store/postgres.ts';
import {createSignatureStore} from '../../../source/service/store/signatures.ts';
import {openSqlite} from '../../../source/service/store/sqlite.ts';
import {DeliveryQueue} from '../../../source/service/webhook/delivery-queue.ts';
import {createWebhookStore} from '../../../source/service/webhook/webhook-store.ts';
import {type PostgresServer, postgresBinaries, startPostgres} from '../../helpers/postgres.ts';

const {DatabaseSync} = createRequire(import.meta.url)('node:sqlite') as typeof Sqlite;

let server: PostgresServer | undefined;
let stores = 0;

beforeAll(async () => {
	if (postgresBinaries !== undefined) server = await startPostgres();
});
afterAll(() => server?.close());

type Open = (migrations?: readonly Migration[]) => Promise<Database>;

/** Each opens the same store again at every call, as another process would. */
const ENGINES: Readonly<Record<string, () => Open>> = {
	SQLite: () => {
		const directory = mkdtempSync(join(tmpdir(), 'pulsetop-store-'));
		return async migrations => openSqlite(directory, undefined, migrations);
	},
	PostgreSQL: () => {
		const schema = `layout${++stores}`;
		return migrations => openPostgres(server!.address, {schema, ...(migrations && {migrations})});
	},
};

const step = (version: number, ...statements: string[]): Migration => ({
	version,
	name: `step ${version}`,
	statements: () => statements,
});
const FIRST = step(1, 'CREATE TABLE things (name TEXT PRIMARY KEY)', "INSERT INTO things VALUES ('a')");
const SECOND = step(2, 'ALTER TABLE things ADD COLUMN note TEXT', "UPDATE things SET note = 'made'");

describe.each(Object.keys(ENGINES))('the layout of a store in %s', engine => {
	let open: Open;

	beforeEach(context => {
		if (engine === 'PostgreSQL' && server === undefined) context.skip('PostgreSQL is not installed here');
		open = ENGINES[engine]!();
	});
	const versions = async (database: Database) =>
		(await database.all('SELECT version, name FROM schema_versions ORDER BY version')).map(row => ({...row}));

	test('is made by all steps, each of which is remembered with its time', async () => {
		const database = await open();
		expect(await versions(database)).toEqual(MIGRATIONS.map(({version, name}) => ({version, name})));
		const row = await database.get(`SELECT ${database.dialect.nowMs} - max(applied_at_ms) AS ago FROM schema_versions`);
		expect(Number(row!['ago'])).toBeGreaterThanOrEqual(0);
		expect(Number(row!['ago'])).toBeLessThan(60_000);
		await database.close();
	});

	test('gets the steps that it lacks, and keeps what is in it', async () => {
		await (await open([FIRST])).close();
		await (await open([FIRST])).close();
		const database = await open([FIRST, SECOND]);
		expect(await database.all('SELECT name, note FROM things')).toEqual([{name: 'a', note: 'made'}]);
		expect((await versions(database)).map(({version}) => version)).toEqual([1, 2]);
		await database.close();
	});

	test('of a later version is refused in words, and left as it is', async () => {
		await (await open([FIRST, SECOND])).close();
		const refused = await open([FIRST]).catch(error => error);
		expect(refused).toBeInstanceOf(StoreTooNew);
		expect(refused).toMatchObject({next: 'fix-input', why: expect.stringContaining('has version 2')});
		const database = await open([FIRST, SECOND]);
		expect(await versions(database)).toHaveLength(2);
		await database.close();
	});

	test('is not changed by a step that fails, and can be opened when the step is right', async () => {
		await (await open([FIRST])).close();
		const wrong = step(2, 'ALTER TABLE things ADD COLUMN note TEXT', 'CREATE TABLE things (name TEXT)');
		await expect(open([FIRST, wrong])).rejects.toBeInstanceOf(StoreFailed);
		const database = await open([FIRST, SECOND]);
		expect(await database.all('SELECT name, note FROM things')).toEqual([{name: 'a', note: 'made'}]);
		await database.close();
	});

	test('may grow under a process of the version before, which goes on in the middle of its acts', async () => {
		const before = await open([FIRST]);
		const read = () => before.transaction(() => before.all('SELECT * FROM things WHERE name = ?', ['a']));
		expect(await read()).toEqual([{name: 'a'}]);
		const after = await open([FIRST, SECOND]);
		expect(await read()).toMatchObject([{name: 'a'}]);
		for (const database of [before, after]) await database.close();
	});

	test('is made once when several start together', async () => {
		const databases = await Promise.all(Array.from({length: 6}, () => open([FIRST, SECOND])));
		expect(await versions(databases[0]!)).toHaveLength(2);
		expect(await databases[5]!.all('SELECT name, note FROM things')).toEqual([{name: 'a', note: 'made'}]);
		for (const database of databases) await database.close();
	});
});

describe('a service.db of a version that did not count layouts', () => {
	const DUMP = readFileSync(new URL('../../fixtures/store-before-versions.sql', import.meta.url), 'utf8');

	function restored(...changes: string[]): string {
		const directory = mkdtempSync(join(tmpdir(), 'pulsetop-store-'));
		const file = new DatabaseSync(join(directory, 'service.db'));
		for (const sql of [DUMP, ...changes]) file.exec(sql);
		file.close();
		return directory;
	}

	test('goes on with all that is in it', async () => {
		const database = openSqlite(restored(), line => expect.fail(line));
		let nowMs = 1_795_000_899_999;
		const book = await createIntentBook(database, {now: () => nowMs});
		expect(await book.get('abcdefg-hijklmn-opq')).toMatchObject({amountRaw: 5_000_000n, isGasless: true, status: null});
		// It is claimed for 15 minutes.
		expect(await book.claim('abcdefg-hijklmn-opq')).toBeUndefined();
		nowMs++;
		expect(await book.claim('abcdefg-hijklmn-opq')).toBeDefined();
		const signatures = await createSignatureStore(database, () => nowMs);
		expect(await signatures.use('0xaB', 1_895_000_000_000)).toBe(false);
		const webhooks = await createWebhookStore(database);
		expect(await webhooks.webhooks()).toMatchObject([{id: 'w1', secret: 's'}]);
		const queue = new DeliveryQueue(database, {owner: 'o'});
		await queue.takeOver();
		expect(await queue.take(['w1'], 8)).toMatchObject([{id: 'd1', attempts: 1}]);
		expect(await webhooks.tally('w1')).toMatchObject({delivered: 3});
		expect(await database.get('SELECT balanceRaw AS n FROM dex_b_accounts')).toEqual({n: '123'});
		await database.close();
	});

	test('gets the tables and columns that it lacks', async () => {
		const directory = restored(
			'DROP TABLE webhooks',
			'DROP TABLE perp_processes',
			'ALTER TABLE bridge_intents DROP COLUMN originSymbol',
			'ALTER TABLE bridge_intents DROP COLUMN gasUnits',
		);
		const database = openSqlite(directory, line => expect.fail(line));
		const book = await createIntentBook(database);
		expect(await book.get('abcdefg-hijklmn-opq')).toMatchObject({originSymbol: null, gasUnits: null});
		expect(await (await createWebhookStore(database)).webhooks()).toEqual([]);
		expect(await database.get('SELECT count(*) AS n FROM perp_processes')).toEqual({n: 0});
		await database.close();
	});
});
