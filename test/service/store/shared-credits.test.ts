import {afterAll, beforeAll, beforeEach, expect, onTestFinished, test} from 'vitest';
import type {Credits} from '../../../source/service/credits.ts';
import {Refused} from '../../../source/service/http-error.ts';
import {createSharedCredits} from '../../../source/service/shared-credits.ts';
import {type Database, StoreFailed, StoreUnavailable} from '../../../source/service/store/database.ts';
import {openPostgres} from '../../../source/service/store/postgres.ts';
import {waitForDatabase} from '../../../source/service/store/wait-for-database.ts';
import {type PostgresServer, postgresBinaries, startPostgres} from '../../helpers/postgres.ts';

let server: PostgresServer | undefined;
let stores = 0;
let schema: string;

beforeAll(async () => {
	if (postgresBinaries !== undefined) server = await startPostgres();
});
afterAll(() => server?.close());
beforeEach(context => {
	if (server === undefined) context.skip('PostgreSQL is not installed here');
	schema = `credits${++stores}`;
});

/** The credits as one replica has them. */
async function replica(each: number, apiKeys: readonly string[]): Promise<Credits> {
	const database = await openPostgres(server!.address, {schema});
	onTestFinished(() => database.close());
	return createSharedCredits(each, {database, apiKeys});
}

const done = async () => 'done';
const statusOf = (error: unknown) => (error instanceof Refused ? error.statusCode : String(error));
const spend = (credits: Credits, caller: string, work: () => Promise<unknown> = done) =>
	credits.spend(caller, 1, work).catch(statusOf);

test('what is spent on one replica is spent on all, whatever the order of their keys', async () => {
	const first = await replica(3, ['one', 'two']);
	const second = await replica(3, ['two', 'one']);
	expect([await spend(first, 'key:0'), await spend(second, 'key:1'), await spend(first, 'key:0')]).toEqual(
		Array(3).fill('done'),
	);
	expect([await spend(first, 'key:0'), await spend(second, 'key:1')]).toEqual([402, 402]);
	expect([await spend(second, 'key:0'), await spend(first, 'address:127.0.0.1')]).toEqual(['done', 'done']);
	// More are given by a larger number, and what was spent counts.
	const later = await replica(4, ['one']);
	expect([await spend(later, 'key:0'), await spend(later, 'key:0')]).toEqual(['done', 402]);
});

test('of concurrent calls on several replicas exactly as many succeed as there are credits', async () => {
	const replicas = await Promise.all([replica(20, ['k']), replica(20, ['k']), replica(20, ['k'])]);
	const results = await Promise.all(Array.from({length: 60}, (_, n) => spend(replicas[n % 3]!, 'key:0')));
	expect(results.filter(result => result === 'done')).toHaveLength(20);
	expect(results.filter(result => result === 402)).toHaveLength(40);
});

test('calls that wait for the same credits go on one after the other: none is thrown back by the one before it', async () => {
	const replicas = 3;
	const [calls, each] = [8 * replicas, 20];
	const [holder, watcher] = await Promise.all([1, 2].map(() => openPostgres(server!.address, {schema})));
	onTestFinished(async () => void (await Promise.all([holder!.close(), watcher!.close()])));
	let [transactions, attempts] = [0, 0];
	const counted = async (): Promise<Credits> => {
		const database = await openPostgres(server!.address, {schema});
		onTestFinished(() => database.close());
		const counting: Database = {
			...database,
			transaction(act, options) {
				transactions++;
				return database.transaction(() => {
					attempts++;
					return act();
				}, options);
			},
		};
		return createSharedCredits(each, {database: counting, apiKeys: ['k']});
	};
	const credits = await Promise.all(Array.from({length: replicas}, counted));
	expect(await spend(credits[0]!, 'key:0')).toBe('done');
	const waiting = async () =>
		Number((await watcher!.get("SELECT count(*) AS n FROM pg_stat_activity WHERE wait_event_type = 'Lock'"))!['n']);

	// A transaction holds the row until each connection of all replicas waits for it.
	let results: Promise<unknown>[] = [];
	await holder!.transaction(
		async () => {
			await holder!.run('UPDATE credits SET spent = spent');
			results = Array.from({length: calls}, (_, n) => spend(credits[n % replicas]!, 'key:0'));
			await expect.poll(waiting).toBe(calls);
		},
		{isolation: 'read-committed'},
	);
	const ended = await Promise.all(results);
	expect(ended.filter(result => result === 'done')).toHaveLength(each - 1);
	expect(ended.filter(result => result === 402)).toHaveLength(calls - (each - 1));
	expect(transactions).toBeGreaterThan(calls);
	expect(attempts).toBe(transactions);
});

test('failed work refunds its credits on all replicas, except when its result is unknown', async () => {
	const first = await replica(1, ['k']);
	const second = await replica(1, ['k']);
	const fails = (status: number) => () => Promise.reject(new Refused(status, 'no'));
	expect(await spend(first, 'key:0', fails(502))).toBe(502);
	await expect.poll(() => spend(second, 'key:0', fails(409))).toBe(409);
	await expect.poll(() => spend(first, 'key:0', fails(504))).toBe(504);
	expect([await spend(first, 'key:0'), await spend(second, 'key:0')]).toEqual([402, 402]);
});

test('credits are given back once, also when the database is cut off right after it did so', async () => {
	const database = await openPostgres(server!.address, {schema});
	onTestFinished(() => database.close());
	let cuts = 0;
	const cut: Database = {
		...database,
		async transaction(act) {
			const result = await database.transaction(act);
			if (cuts-- > 0) throw new StoreUnavailable('the connection to the database was lost');
			return result;
		},
	};
	const credits = createSharedCredits(2, {database: cut, apiKeys: ['k'], retryMs: 1});
	const other = await replica(2, ['k']);
	expect(await spend(credits, 'key:0')).toBe('done');
	const holds = async () => Number((await database.get('SELECT count(*) AS n FROM credit_holds'))!['n']);
	const fails = async () => {
		await expect.poll(holds).toBe(1);
		cuts = 1;
		throw new Refused(502, 'no');
	};
	expect(await spend(credits, 'key:0', fails)).toBe(502);
	// The cut, and the second attempt.
	await expect.poll(() => cuts).toBe(-1);
	const spent = async () => Number((await database.get('SELECT spent AS n FROM credits'))!['n']);
	expect(await spent()).toBe(1);
	expect([await spend(other, 'key:0'), await spend(other, 'key:0')]).toEqual(['done', 402]);
});

test('credits of work that a kill cut are given back once its time is over, and of work that ended they are not', async () => {
	const database = await openPostgres(server!.address, {schema});
	onTestFinished(() => database.close());
	const holds = async () => Number((await database.get('SELECT count(*) AS n FROM credit_holds'))!['n']);
	const expire = () => database.run('UPDATE credit_holds SET until_ms = 0');
	const [killed, other] = [await replica(3, ['k']), await replica(3, ['k'])];
	expect(await spend(other, 'key:0')).toBe('done');
	await expect.poll(holds).toBe(0);
	// The work of a killed process never ends.
	void spend(killed, 'key:0', () => new Promise(() => {}));
	void spend(killed, 'key:0', () => new Promise(() => {}));
	await expect.poll(holds).toBe(2);
	expect(await spend(other, 'key:0')).toBe(402);
	await expire();
	expect(await spend(other, 'key:0')).toBe('done');
	await expect.poll(holds).toBe(0);
	await expire();
	expect([await spend(other, 'key:0'), await spend(other, 'key:0')]).toEqual(['done', 402]);
});

test('no key is stored', async () => {
	const credits = await replica(1, ['the-key-of-a-person']);
	await spend(credits, 'key:0');
	const database = await openPostgres(server!.address, {schema});
	onTestFinished(() => database.close());
	await credits.spend('key:0', 0, async () => {
		const rows = [
			...(await database.all('SELECT * FROM credits')),
			...(await database.all('SELECT * FROM credit_holds')),
		];
		expect(rows.length).toBeGreaterThan(1);
		expect(JSON.stringify(rows)).not.toContain('person');
	});
});

test('while the database is unreachable nothing is done, and a refund follows when it is back', async () => {
	const credits = await replica(2, ['k']);
	let works = 0;
	const away = await credits
		.spend('key:0', 1, async () => {
			works++;
			await server!.kill();
			throw new Refused(503, 'no');
		})
		.catch(statusOf);
	expect(away).toBe(503);
	const refused = await credits.spend('key:0', 1, async () => works++).catch((error: unknown) => error);
	expect(refused).toBeInstanceOf(StoreFailed);
	expect(works).toBe(1);

	// What starts meanwhile waits for it, and says so.
	const said: string[] = [];
	const waiting = waitForDatabase(() => replica(2, ['k']), {say: line => said.push(line)});
	await expect
		.poll(() => said)
		.toEqual(['waiting for the database: nothing listens at the address of the database (ECONNREFUSED)']);
	await server!.start();
	const later = await waiting;
	expect(said.at(-1)).toBe('the database is there');
	await expect.poll(() => spend(later, 'key:0')).toBe('done');
	await expect.poll(() => spend(credits, 'key:0')).toBe('done');
	expect([await spend(later, 'key:0'), await spend(credits, 'key:0')]).toEqual([402, 402]);
});

test('what waits for the database ends with its signal, and does not wait for one that refuses it', async () => {
	const ending = new AbortController();
	const address = {...server!.address, url: 'postgres://u@127.0.0.1:1/d'};
	const waiting = waitForDatabase(() => openPostgres(address), {say: () => ending.abort(), signal: ending.signal});
	await expect(waiting).rejects.toMatchObject({name: 'AbortError'});
	const wrong = waitForDatabase(() => openPostgres({...server!.address, password: 'x'}), {
		say: line => expect.fail(line),
	});
	await expect(wrong).rejects.toBeInstanceOf(StoreFailed);
});
