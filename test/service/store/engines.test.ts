import {mkdtempSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {inspect} from 'node:util';
import {afterAll, afterEach, beforeAll, beforeEach, describe, expect, test} from 'vitest';
import {type Database, StoreFailed, StoreUnavailable} from '../../../source/service/store/database.ts';
import {openPostgres} from '../../../source/service/store/postgres.ts';
import {createSignatureStore} from '../../../source/service/store/signatures.ts';
import {openSqlite} from '../../../source/service/store/sqlite.ts';
import type {StoreAddress} from '../../../source/service/store/store-address.ts';
import {createWebhookStore, NO_TALLY} from '../../../source/service/webhook/webhook-store.ts';
import {makeTable} from '../../helpers/make-table.ts';
import {PATIENCE_MS} from '../../helpers/patience.ts';
import {type PostgresServer, postgresBinaries, startPostgres} from '../../helpers/postgres.ts';

let server: PostgresServer | undefined;
let stores = 0;

beforeAll(async () => {
	if (postgresBinaries !== undefined) server = await startPostgres();
});
afterAll(() => server?.close());

/** A table of all kinds of columns. */
const things = (database: Database) => makeTable(database, {name: 'things', key: 'key', columns: COLUMNS});

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
const INSERT = 'INSERT INTO things (key, madeAtMs, isOpen) VALUES (?, 0, 1)';
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

	/** Of another process. Two of SQLite in one thread would stop it: the one waits in the turn of the other. */
	const besides = async (): Promise<Database> => (engine === 'SQLite' ? database : another());

	test('keeps values as they were: large times, big integers, flags, hostile texts, nothing', async () => {
		const table = await things(database);
		const rows = [
			row('a', {amountRaw: 2n ** 255n, note: "'; DROP TABLE things; -- \u202e\u001b[31m \ud83d\ude80"}),
			row('b', {amountRaw: 0n, isOpen: false}),
			row('c', {madeAtMs: Number.MAX_SAFE_INTEGER}),
		];
		for (const one of rows) await table.insert(one);
		const again = await things(await another());
		expect(await again.find({sql: 'TRUE ORDER BY key'})).toEqual(rows);
	});

	test('takes texts that no database holds: half characters, and characters without a sign', async () => {
		const table = await things(database);
		await table.insert(row('a', {note: 'half \ud800, none \0.'}));
		expect(await table.find({sql: 'key = ?', parameters: ['a\0']})).toEqual([]);
		expect(await table.find({sql: 'key IN (?, ?)', parameters: ['\0', '\udc00']})).toEqual([]);
		const [{note} = {note: null}] = await table.find({sql: 'key = ?', parameters: ['a']});
		expect(note).toMatch(/^half \ufffd, none [\0\ufffd]\.$/);
		expect(await table.find({sql: 'note = ?', parameters: ['half \ud800, none \0.']})).toHaveLength(1);
	});

	test('refuses a key that is taken, and counts what it changed', async () => {
		const table = await things(database);
		await table.insert(row('a'));
		await expect(table.insert(row('a'))).rejects.toBeInstanceOf(StoreFailed);
		expect(await table.update({note: 'x'}, {sql: 'key = ? AND note IS NULL', parameters: ['a']})).toBe(1);
		expect(await table.update({note: 'y'}, {sql: 'key = ? AND note IS NULL', parameters: ['a']})).toBe(0);
		expect(await table.delete({sql: 'madeAtMs >= ?', parameters: [1_795_000_000_000]})).toBe(1);
	});

	test('commits all changes of a transaction or none, and nested ones are part of it', async () => {
		const table = await things(database);
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

	test('isolates concurrent transactions', async () => {
		const table = await things(database);
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

	test('retries conflicting transactions of two processes, without a lock', async () => {
		const table = await things(database);
		await table.insert(row('sum', {madeAtMs: 0}));
		const second = await besides();
		const add = (from: Database) =>
			from.transaction(async () => {
				const read = await from.get("SELECT madeAtMs AS n FROM things WHERE key = 'sum'");
				await from.run("UPDATE things SET madeAtMs = ? WHERE key = 'sum'", [Number(read!['n']) + 1]);
			});
		await Promise.all(Array.from({length: 40}, (_, n) => add(n % 2 === 0 ? database : second)));
		expect(await table.find({sql: 'TRUE'})).toEqual([row('sum', {madeAtMs: 40})]);
	});

	test('serialises transactions that decide on what they have read', async () => {
		const table = await things(database);
		const second = await besides();
		// Each inserts a row of its own, but only into an empty table.
		const insert = (from: Database, key: string) =>
			from.transaction(async () => {
				const found = await from.get('SELECT count(*) AS n FROM things');
				if (Number(found!['n']) === 0) await from.run(INSERT, [key]);
			});
		await Promise.all(Array.from({length: 8}, (_, n) => insert(n % 2 === 0 ? database : second, `k${n}`)));
		expect(await table.find({sql: 'TRUE'})).toHaveLength(1);
	});

	test('rolls back when a statement fails, whether or not the transaction handles the error', async () => {
		const table = await things(database);
		await table.insert(row('a'));
		const act = database.transaction(async () => {
			await table.insert(row('b'));
			await table.insert(row('a'));
		});
		await expect(act).rejects.toBeInstanceOf(StoreFailed);
		expect(await table.find({sql: 'TRUE'})).toEqual([row('a')]);
		// The connection is as good as before.
		expect(await database.transaction(async () => table.delete({sql: 'TRUE'}))).toBe(1);
	});

	test('keeps bytes', async () => {
		const {bytes, afterTable} = database.dialect;
		await database.run(`CREATE TABLE pieces (n ${database.dialect.integer} NOT NULL, data ${bytes}) ${afterTable}`);
		const data = Uint8Array.from({length: 70_000}, (_, n) => n % 256);
		await database.run('INSERT INTO pieces (n, data) VALUES (?, ?), (?, ?)', [1, data, 2, null]);
		const [first, none] = await database.all('SELECT data FROM pieces ORDER BY n');
		expect(Buffer.compare(first!['data'] as Uint8Array, data)).toBe(0);
		expect(none!['data']).toBeNull();
	});

	test('notifies listeners at the commit of a transaction, and never of one that failed', async () => {
		const calls: string[] = [];
		const ends = ['end_a', 'end_b', 'end_c'];
		const stops = ['changes', ...ends, 'others'].map(channel =>
			database.listen(channel, text => calls.push(`${channel}${text}`)),
		);
		const from = await besides();
		/**
		 * What came until now. Notifications come in the order of their transactions, and each end is sent once: another of the
		 * same name may still be on its way.
		 */
		const callsSoFar = async (): Promise<string[]> => {
			const end = ends.shift()!;
			await from.notify(end);
			await expect.poll(() => calls.includes(end)).toBe(true);
			return calls.splice(0).filter(channel => !channel.startsWith('end'));
		};
		// All are called once, together, when they begin to listen; those of another engine when they are woken up.
		const isCalled = () => from.notify('others').then(() => calls.includes('others'));
		await expect.poll(isCalled).toBe(true);
		calls.length = 0;
		await callsSoFar();
		await from
			.transaction(async () => {
				await from.notify('changes');
				throw new Error('no');
			})
			.catch(() => {});
		await from.transaction(async () => {
			for (const text of [undefined, ' a', ' b', ' a']) await from.notify('others', text);
			await from.get('SELECT 1 AS one');
			expect(calls).not.toContain('others');
		});
		expect(await callsSoFar()).toEqual(['others', 'others a', 'others b']);
		stops[0]!();
		await from.notify('changes');
		await from.notify('others');
		expect(await callsSoFar()).toEqual(['others']);
	});

	test('gives a claim to one of many callers, of two processes', async () => {
		const first = await createSignatureStore(database);
		const second = await createSignatureStore(await another());
		const untilMs = Date.now() + 60_000.5;
		const claims = Array.from({length: 200}, (_, n) => (n % 2 === 0 ? first : second).use(`0x${n % 20}`, untilMs));
		expect((await Promise.all(claims)).filter(Boolean)).toHaveLength(20);
		// Once its time has passed by the clock of the database it is refused anyway, and forgotten.
		const hour = 3600_000;
		const aheadOfAll = await createSignatureStore(database, () => Date.now() + hour);
		expect(await aheadOfAll.use('0xnew', Date.now() + 2 * hour)).toBe(true);
		expect(await database.all('SELECT signature FROM used_signatures')).toEqual([{signature: '0xnew'}]);
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
			since: null,
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

describe.skipIf(postgresBinaries === undefined)('an unreachable PostgreSQL', () => {
	let mine: PostgresServer;
	let database: Database;

	beforeAll(async () => {
		mine = await startPostgres();
		database = await openPostgres(mine.limitedAddress);
	});
	afterAll(async () => {
		mine?.resume();
		await database?.close();
		await mine?.close();
	});

	/** Fails by a limit of its own, with a reason that holds no secret. */
	const failsSoon = async (act: () => Promise<unknown>): Promise<void> => {
		const failed: unknown = await act().catch(error => error);
		expect(failed).toBeInstanceOf(StoreFailed);
		expect(inspect(failed, {depth: 9, showHidden: true})).not.toMatch(/secret|127\.0\.0\.1/);
	};

	test('fails calls when it is killed, loses no claim, and works again after a restart', async () => {
		const [signatures, untilMs] = [await createSignatureStore(database), Date.now() + 3600_000];
		expect(await signatures.use('0xab', untilMs)).toBe(true);
		let calls = 0;
		database.listen('changes', () => calls++);
		await expect.poll(() => calls).toBeGreaterThan(0);
		const running = database.transaction(async () => {
			await database.run("INSERT INTO used_signatures (signature, until_ms) VALUES ('half', 1)");
			await mine.kill();
			await database.get('SELECT 1 AS one');
		});
		await failsSoon(() => running);
		await failsSoon(() => signatures.use('0xcd', untilMs));
		calls = 0;
		await mine.start();
		await expect.poll(() => signatures.use('0xab', untilMs).catch(() => 'away')).toBe(false);
		expect(await database.all("SELECT * FROM used_signatures WHERE signature = 'half'")).toEqual([]);
		// It listens again, and was called because something may have been missed.
		await expect.poll(() => calls).toBeGreaterThan(0);
	});

	test('keeps what did not wait for the disk once a later transaction has waited, and waits again after it', async () => {
		await database.run('CREATE TABLE claims (name TEXT)');
		const setting = async () => (await database.get("SELECT current_setting('synchronous_commit') AS it"))!['it'];
		const claim = (name: string) => async () => {
			await database.run('INSERT INTO claims VALUES (?)', [name]);
			return setting();
		};
		expect(await database.transaction(claim('first'), {isDurable: false})).toBe('off');
		expect(await database.transaction(claim('second'))).toBe('on');
		expect(await setting()).toBe('on');
		await mine.kill();
		await mine.start();
		const names = () => database.all('SELECT name FROM claims ORDER BY name').catch(() => 'away');
		await expect.poll(names).toEqual([{name: 'first'}, {name: 'second'}]);
	});

	test('fails calls when it is stopped, at once after the first, and works again when it continues', async () => {
		await database.run('CREATE TABLE n (n BIGINT)');
		await database.run('INSERT INTO n VALUES (0)');
		const add = () =>
			database.transaction(async () => {
				await database.run('UPDATE n SET n = n + 1');
			});
		mine.pause();
		const opening = openPostgres(mine.limitedAddress).catch(error => error.why);
		await Promise.all(Array.from({length: 20}, () => failsSoon(add)));
		// One of a few calls fails before the limit of a call, 3 s, could have ended it.
		const took: number[] = [];
		for (let n = 0; n < 5; n++) {
			const startedMs = performance.now();
			await failsSoon(add);
			took.push(performance.now() - startedMs);
		}
		expect(Math.min(...took)).toBeLessThan(3000);
		// The same each time: whoever reports it does so once.
		expect(await opening).toBe('the database did not answer within 3000 ms');
		mine.resume();
		await expect
			.poll(
				() =>
					add().then(
						() => 'there',
						() => 'away',
					),
				{timeout: PATIENCE_MS},
			)
			.toBe('there');
		// What was given up took no effect later.
		expect(await database.get('SELECT n FROM n')).toEqual({n: 1});
	});

	test('says nothing of a value that it does not accept', async () => {
		const database = await openPostgres(mine.limitedAddress);
		for (const [type, value] of [
			['BIGINT', 'a "secret" value'],
			['INTEGER', '999999999999'],
			['JSON', '{"secret'],
		]) {
			const error = await database.get(`SELECT ?::TEXT::${type}`, [value!]).catch(e => e);
			expect(error.why).toMatch(/^[\w ]+ \(22\w{3}\)$/);
			expect(inspect(error, {depth: 9, showHidden: true})).not.toMatch(/secret|9999/);
		}
		await database.close();
	});

	test('says plainly what it does not accept', async () => {
		const refused = async (address: StoreAddress) => {
			const error = await openPostgres(address).catch(e => e);
			expect(error).toBeInstanceOf(StoreFailed);
			expect(error).not.toBeInstanceOf(StoreUnavailable);
			expect(inspect(error, {depth: 9, showHidden: true})).not.toMatch(/secret|wrong|127\.0\.0\.1/);
			return error.why;
		};
		const {limitedAddress: address} = mine;
		expect(await refused({...address, password: 'wrong'})).toBe(
			'the database refused the user or the password (28P01)',
		);
		expect(await refused({...address, url: address.url.replace(/\w+$/, 'none')})).toBe(
			'there is no such database (3D000)',
		);
		expect(await refused({...address, tls: 'verify'})).toBe('the database does not offer TLS');
	});
});
