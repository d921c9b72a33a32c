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
import {DEAD_LETTERS_KEPT, DeliveryQueue} from '../../../source/service/webhook/delivery-queue.ts';
import {createWebhookStore} from '../../../source/service/webhook/webhook-store.ts';
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

	describe('keeps webhooks', () => {
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
		const event = (id: string, webhookId = 'w1') => ({id, webhookId, event: 'swap', body: `{"id":"${id}"}`});
		const last = (isDone: boolean) =>
			new Map([['w1', {atMs: 5, event: 'swap', isDone, status: isDone ? 200 : 500, reason: null}]]);
		const idsOf = (rows: readonly {readonly id: string}[]) => rows.map(({id}) => id);

		async function open(options: {readonly max?: number; readonly leaseMs?: number} = {}) {
			const store = await createWebhookStore(database);
			await store.insert(webhook);
			const queue = new DeliveryQueue(database, {owner: 'a', ...options});
			await queue.state('');
			const other = new DeliveryQueue(await another(), {owner: 'b', ...options});
			const letters = (limit = 10, offset = 0) => store.deadLetters('w1', {limit, offset});
			return {store, queue, other, letters};
		}

		test('and their deliveries, in order, each for one process at a time', async () => {
			const {store, queue, other} = await open();
			expect(await (await createWebhookStore(await another())).webhooks()).toEqual([webhook]);
			expect(await queue.due()).toEqual({version: 0, webhookIds: []});
			await queue.add(['d3', 'd1', 'd2', 'd1', 'd4'].map(id => event(id)));
			await queue.add([event('d2'), event('d5', 'removed')]);
			expect(await queue.depths(['w1', 'removed'])).toEqual(new Map([['w1', 4]]));
			expect(await other.due()).toEqual({version: 0, webhookIds: ['w1']});
			const [first, second] = [await queue.take(['w1'], 2), await other.take(['w1'], 3)];
			expect([idsOf(first), idsOf(second)]).toEqual([['d3', 'd1'], ['d2']]);
			expect(first[0]).toMatchObject({...event('d3'), attempts: 0, url: webhook.url, secret: 's'});
			expect([await queue.take(['w1'], 2), await other.take(['gone'], 1)]).toEqual([[], []]);

			await other.arrived(['d3', 'd2'], last(true));
			await queue.retry([{id: 'd1', delayMs: 0}], last(false));
			expect(await store.tally('w1')).toEqual({
				delivered: 1,
				failedAttempts: 1,
				dropped: 0,
				last: last(false).get('w1'),
			});
			expect(await other.take(['w1'], 8)).toMatchObject([{id: 'd1', attempts: 1}, {id: 'd4'}]);
			await queue.release();
			await other.release();
			expect(idsOf(await queue.take(['w1'], 8))).toEqual(['d3', 'd1', 'd4']);
		});

		test('and takes what a dead process had taken when its lease has expired', async () => {
			const {queue, other} = await open({leaseMs: 0});
			await queue.add([event('d1')]);
			const [taken] = await queue.take(['w1'], 1);
			const [again] = await other.take(['w1'], 1);
			expect(again).toMatchObject({id: 'd1', firstTakenAtMs: taken!.firstTakenAtMs});
			// The result of the first comes too late.
			await queue.arrived(['d1'], new Map());
			expect(await queue.depths(['w1'])).toEqual(new Map([['w1', 1]]));
			await other.arrived(['d1'], new Map());
			expect(await queue.depths(['w1'])).toEqual(new Map());
		});

		test('and what found the queue full is counted, not added', async () => {
			const {store, queue} = await open({max: 3});
			await queue.add([event('d1'), event('d2')], new Map([['w1', 4]]));
			await queue.add([event('d3'), event('d4'), event('d5')]);
			expect([(await store.tally('w1')).dropped, await queue.depths(['w1'])]).toEqual([6, new Map([['w1', 3]])]);
		});

		test('and adds what an entry of the log gave together with its position, or nothing', async () => {
			const {queue} = await open();
			const state = await queue.state('');
			expect(await queue.addFrom(state, 'e.1', [event('d1')])).toBe(true);
			expect(await queue.addFrom(state, 'e.2', [event('d2')])).toBe(false);
			await queue.webhooksChange();
			expect(await queue.addFrom({...state, position: 'e.1'}, 'e.2', [event('d2')])).toBe(false);
			expect(await queue.state('')).toEqual({position: 'e.1', version: 1});
			expect(await queue.depths(['w1'])).toEqual(new Map([['w1', 1]]));
		});

		test('and dead letters, the newest ones, which wait again on request, each once', async () => {
			const {store, queue, letters} = await open({max: 2000});
			const giveUp = async (ids: readonly string[]) => {
				await queue.add(ids.map(id => event(id)));
				await queue.take(['w1'], 2000);
				await queue.giveUp(
					ids.map(id => ({id, status: null, reason: 'away'})),
					last(false),
				);
			};
			const ids = Array.from({length: DEAD_LETTERS_KEPT}, (_, n) => `d${n}`);
			await giveUp(ids);
			expect((await letters())[0]).toMatchObject({...event('d999'), attempts: 1, status: null, reason: 'away'});
			await giveUp(['e0', 'd5', 'e1']);
			expect([idsOf(await letters(4)), idsOf(await letters(2, DEAD_LETTERS_KEPT - 2))]).toEqual([
				['e1', 'd5', 'e0', 'd999'],
				['d3', 'd2'],
			]);
			expect([await store.countDeadLetters('w1'), (await store.tally('w1')).failedAttempts]).toEqual([1000, 1003]);
			await queue.add([event('d7')]);
			expect(await queue.revive('w1')).toBe(999);
			expect([await store.countDeadLetters('w1'), await queue.depths(['w1'])]).toEqual([0, new Map([['w1', 1000]])]);
			expect(idsOf(await queue.take(['w1'], 4))).toEqual(['d7', 'd2', 'd3', 'd4']);
		});

		test('and nothing of a removed one', async () => {
			const {store, queue, letters} = await open();
			await queue.add([event('d1'), event('d2')]);
			await queue.take(['w1'], 1);
			await store.remove('w1');
			await queue.giveUp([{id: 'd1', status: 500, reason: 'x'}], last(false));
			await queue.add([event('d3')]);
			expect([await letters(), await queue.depths(['w1']), await store.webhooks()]).toEqual([[], new Map(), []]);
		});
	});
});

test('SQLite waits for the disk after each transaction but those that may be repeated', async () => {
	const database = openSqlite(mkdtempSync(join(tmpdir(), 'pulsetop-store-')));
	const waits = async () => (await database.get('PRAGMA synchronous'))!['synchronous'] === 2;
	expect(await database.transaction(waits, {isDurable: false})).toBe(false);
	expect([await waits(), await database.transaction(waits)]).toEqual([true, true]);
	const failing = async () => {
		throw new Error('no');
	};
	await expect(database.transaction(failing, {isDurable: false})).rejects.toThrow('no');
	expect(await waits()).toBe(true);
	await database.close();
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
