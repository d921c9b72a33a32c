import {setTimeout as pause} from 'node:timers/promises';
import {afterAll, afterEach, beforeAll, beforeEach, expect, onTestFinished, test} from 'vitest';
import type {EventLog} from '../../../source/service/log/event-log.ts';
import type {LogEntry, LogRecord} from '../../../source/service/log/log-entry.ts';
import type {MarketEvent} from '../../../source/service/market/events.ts';
import {type Database, StoreFailed} from '../../../source/service/store/database.ts';
import {openLeases} from '../../../source/service/store/leases.ts';
import {openPostgres} from '../../../source/service/store/postgres.ts';
import {createPoster, type Poster} from '../../../source/service/webhook/poster.ts';
import {createWebhooks, type Webhooks} from '../../../source/service/webhook/webhooks.ts';
import {PATIENCE_MS} from '../../helpers/patience.ts';
import {type PostgresServer, postgresBinaries, startPostgres} from '../../helpers/postgres.ts';
import {waitFor} from '../chain/practice.ts';
import {answers, openReceiver, type Received} from './receiver.ts';
import {CHAIN, readSwap, swap, swapMarket} from './swap.ts';

const EPOCH = 'e1';
const KEY = 'secret';

let server: PostgresServer | undefined;
let worlds = 0;

beforeAll(async () => {
	if (postgresBinaries !== undefined) server = await startPostgres();
});
afterAll(() => server?.close());

/** The log of a hand-made market, which all replicas of a test read. */
class TestLog {
	readonly entries: LogEntry[] = [];
	/** Entries before it were dropped. */
	firstSeq = 1;
	/** Called with each page that is read. */
	onRead: (afterSeq: number) => void = () => {};
	#swaps = 0;

	get seq(): number {
		return this.entries.length;
	}

	write(record: LogRecord): void {
		this.entries.push({seq: this.seq + 1, atMs: Date.now(), record});
	}

	batch(...events: MarketEvent[]): void {
		const chainId = events[0]?.chainId ?? CHAIN;
		this.write({kind: 'batch', batch: {chainId, fromBlock: 1, toBlock: 1, events, facts: [], cursor: ''}});
	}

	/** One entry with swaps whose numbers go on: they are their values in US dollars. Returns the values. */
	swaps(count = 1, more: {readonly block?: number; readonly timeMs?: number} = {}): number[] {
		const values = Array.from({length: count}, () => ++this.#swaps);
		this.batch(...values.map(value => swap(value, more)));
		return values;
	}

	get asEventLog(): EventLog {
		return {
			epoch: EPOCH,
			append: () => Promise.reject(new Error('a test writes by itself')),
			read: async (after, limit) => {
				this.onRead(after);
				if (after < this.firstSeq - 1) throw new StoreFailed('the log begins later');
				return this.entries.slice(after, after + limit);
			},
			head: async () => ({
				seq: this.seq,
				atMs: this.entries.at(-1)?.atMs ?? 0,
				firstSeq: this.firstSeq,
				nowMs: Date.now(),
			}),
			onWritten: () => () => {},
		};
	}
}

interface TestReplica {
	readonly webhooks: Webhooks;
	/** Ends as a killed process does: nothing of it reaches the database any more. */
	kill(): void;
	close(): Promise<void>;
}

interface World {
	readonly log: TestLog;
	readonly database: Database;
	open(options?: {readonly poster?: Poster; readonly queue?: number; readonly leaseMs?: number}): Promise<TestReplica>;
}

const replicas: TestReplica[] = [];
const databases: Database[] = [];
const errors: unknown[] = [];

async function openWorld(): Promise<World> {
	const schema = `world${++worlds}`;
	const log = new TestLog();
	const connect = async (): Promise<Database> => {
		const database = await openPostgres(server!.address, {schema});
		databases.push(database);
		return database;
	};
	const open: World['open'] = async (limits = {}) => {
		let isDead = false;
		const own = await connect();
		const alive = <A extends unknown[], R>(act: (...values: A) => Promise<R>) => {
			return (...values: A): Promise<R> => (isDead ? Promise.reject(new StoreFailed('killed')) : act(...values));
		};
		const database: Database = {
			...own,
			run: alive(own.run),
			get: alive(own.get),
			all: alive(own.all),
			transaction: alive(own.transaction) as Database['transaction'],
		};
		const leases = openLeases(database, {ttlMs: 600, renewMs: 150, retryMs: 50});
		const eventLog = log.asEventLog;
		const marketLog = {
			epoch: EPOCH,
			seq: () => log.seq,
			unbrokenSeq: () => 0,
			staleMs: () => undefined,
			isReady: () => !isDead,
			isReadable: () => true,
		};
		const webhooks = await createWebhooks({
			market: swapMarket(),
			database,
			replica: {id: leases.owner, leases, log: eventLog, marketLog},
			allowPrivate: true,
			// A busy replica keeps its work; tests of a killed one say how soon another takes it.
			leaseMs: PATIENCE_MS,
			onError: error => errors.push(error),
			...limits,
		});
		const replica: TestReplica = {
			webhooks,
			kill: () => {
				isDead = true;
			},
			close: async () => {
				await webhooks.close();
				await leases.close();
			},
		};
		replicas.push(replica);
		return replica;
	};
	const database = await connect();
	return {log, database, open};
}

let world: World;
beforeEach(async context => {
	if (server === undefined) context.skip('PostgreSQL is not installed here');
	errors.length = 0;
	world = await openWorld();
});
afterEach(async () => {
	for (const replica of replicas.splice(0)) await replica.close();
	for (const database of databases.splice(0)) await database.close();
});

/** They start together, as after an outage. */
const threeReplicas = (): Promise<TestReplica[]> => Promise.all([world.open(), world.open(), world.open()]);

const create = ({webhooks}: TestReplica, url: string, filters: Record<string, unknown> | null = null) =>
	webhooks.create(KEY, {name: 'n', chainIds: [CHAIN], events: ['swap'], url, filters});
const status = ({webhooks}: TestReplica, id: string) => webhooks.deliveries(KEY, id, {limit: 10, offset: 0});

const usdOf = ({json}: Received): number => json.amountUSD;
const idOf = ({headers}: Received): string => String(headers['x-webhook-delivery']);
/** What was received, by the id of its delivery. */
const byId = (received: readonly Received[]): Map<string, Received[]> => Map.groupBy(received, idOf);

test('three replicas enqueue each event once, and send it', async () => {
	const [a, b, c] = (await threeReplicas()) as [TestReplica, TestReplica, TestReplica];
	const receiver = await openReceiver();
	world.log.swaps(3);
	const {id} = await create(a, receiver.url);
	const wanted: number[] = [];
	for (let n = 0; n < 20; n++) {
		wanted.push(...world.log.swaps(5));
		await pause(5);
	}
	await waitFor(async () => (await status(b, id)).delivered === wanted.length);
	expect(receiver.received.map(usdOf).sort((x, y) => x - y)).toEqual(wanted);
	expect(byId(receiver.received).size).toBe(wanted.length);
	expect(receiver.maxOpen()).toBeLessThanOrEqual(8);
	const inBlock = receiver.received.map(({json}) => json.logIndex as number);
	expect(new Set(inBlock).size).toBe(inBlock.length);
	expect(await status(c, id)).toMatchObject({pending: 0, dropped: 0, deadLettersCount: 0});
	expect(errors).toEqual([]);
});

test('a webhook that one replica makes, changes or removes is so on all', async () => {
	const [a, b, c] = (await threeReplicas()) as [TestReplica, TestReplica, TestReplica];
	const receiver = await openReceiver();
	const {id} = await create(a, receiver.url);
	expect(await b.webhooks.list(KEY)).toMatchObject([{id}]);
	expect(await c.webhooks.list('other')).toEqual([]);
	await expect(b.webhooks.update('other', id, 'replace', null)).rejects.toMatchObject({statusCode: 404});
	world.log.swaps();
	await receiver.first(1);
	await b.webhooks.update(KEY, id, 'replace', {gte: ['amountUSD', 5]});
	world.log.swaps(4);
	await waitFor(() => receiver.received.length === 2);
	expect(receiver.received.map(usdOf)).toEqual([1, 5]);
	await c.webhooks.remove(KEY, id);
	world.log.swaps(5);
	const second = await create(b, `${receiver.url}/second`);
	const [last] = world.log.swaps();
	await waitFor(() => receiver.received.length === 3);
	expect(receiver.received.map(usdOf)).toEqual([1, 5, last]);
	expect(await a.webhooks.list(KEY)).toMatchObject([{id: second.id}]);
	await expect(a.webhooks.remove(KEY, id)).rejects.toMatchObject({statusCode: 404});
	expect(errors).toEqual([]);
});

test('a trade that only webhooks of launches could get is never written, and one that is added in time gets it', async () => {
	const receiver = await openReceiver();
	const a = await world.open();
	const launches = {
		name: 'n',
		chainIds: [CHAIN],
		events: ['launchpad', 'block'],
		url: `${receiver.url}/launches`,
	} as const;
	await a.webhooks.create(KEY, launches);
	const first = readSwap(1, {block: 1});
	world.log.batch(first.event);
	// The block's event comes from the same trade.
	await receiver.first(1);
	await waitFor(
		async () => (await world.database.get('SELECT position FROM webhook_progress'))?.['position'] === 'e1.1',
	);
	expect(first.reads()).toBe(0);
	// The enqueuer learns of the second webhook only when it stores its position, with the trade in hand.
	const {id} = await create(a, `${receiver.url}/swaps`);
	const second = readSwap(2, {block: 1});
	world.log.batch(second.event);
	await waitFor(async () => (await status(a, id)).delivered === 1);
	expect(receiver.received.at(-1)!.json).toMatchObject({type: 'swap', amountUSD: 2, logIndex: 1, transactionIndex: 1});
	expect([first.reads(), second.reads()]).toEqual([0, 1]);
	expect(errors).toEqual([]);
});

test('a key has at most 100 webhooks, also with concurrent requests to several replicas', async () => {
	const open = await threeReplicas();
	const made = await Promise.allSettled(
		Array.from({length: 105}, (_, n) => create(open[n % 3]!, 'https://93.184.216.34/')),
	);
	const refused = made.filter(one => one.status === 'rejected').map(one => one.reason);
	expect(await open[0]!.webhooks.list(KEY)).toHaveLength(100);
	expect(refused.map(({statusCode}) => statusCode)).toEqual([409, 409, 409, 409, 409]);
});

test('deliveries in progress at a kill are sent by another replica, with the same ids', async () => {
	const receiver = await openReceiver(() => {});
	const a = await world.open({leaseMs: 500});
	const {id} = await create(a, receiver.url);
	const wanted = world.log.swaps(20);
	// The first eight are under way, and were never answered.
	await waitFor(() => receiver.received.length === 8);
	const before = receiver.received.map(idOf);
	a.kill();
	receiver.behave(answers(200));
	const [b, c] = [await world.open(), await world.open()];
	wanted.push(...world.log.swaps(20));
	await waitFor(async () => (await status(b, id)).delivered === 40);
	const sent = byId(receiver.received);
	expect([...sent.values()].map(([first]) => usdOf(first!)).sort((x, y) => x - y)).toEqual(wanted);
	for (const delivery of before) expect(sent.get(delivery)!.length).toBeGreaterThan(1);
	expect(await status(c, id)).toMatchObject({pending: 0, delivered: 40, failedAttempts: 0});
});

test("a killed replica's retry is made by another one, by the clock of the database", async () => {
	const receiver = await openReceiver(answers(500));
	const a = await world.open({leaseMs: 500});
	const {id} = await create(a, receiver.url);
	world.log.swaps();
	await waitFor(async () => (await status(a, id)).failedAttempts === 1);
	a.kill();
	const b = await world.open();
	await waitFor(async () => (await status(b, id)).deadLettersCount === 1);
	expect(receiver.received).toHaveLength(3);
	expect(byId(receiver.received).size).toBe(1);
	const [first, second, third] = receiver.received.map(({atMs}) => atMs) as [number, number, number];
	expect(second - first).toBeGreaterThanOrEqual(950);
	expect(third - second).toBeGreaterThanOrEqual(1950);
	const {deadLetters, failedAttempts, lastAttempt} = await status(b, id);
	expect(deadLetters).toMatchObject([{attempts: 3, status: 500, reason: 'the answer was 500', event: 'swap'}]);
	expect([failedAttempts, lastAttempt?.success]).toEqual([3, false]);

	receiver.behave(answers(200));
	expect(await b.webhooks.redeliver(KEY, id)).toBe(1);
	await waitFor(async () => (await status(b, id)).delivered === 1);
	expect(idOf(receiver.received.at(-1)!)).toBe(idOf(receiver.received[0]!));
	expect(await status(b, id)).toMatchObject({deadLettersCount: 0, pending: 0});
});

test('events after the position are enqueued after all replicas were down', async () => {
	const receiver = await openReceiver();
	const first = await world.open();
	const {id} = await create(first, receiver.url);
	const wanted = world.log.swaps(2);
	await waitFor(async () => (await status(first, id)).delivered === 2);
	await replicas.splice(0)[0]!.close();
	wanted.push(...world.log.swaps(3), ...world.log.swaps(3));
	const again = await world.open();
	await waitFor(async () => (await status(again, id)).delivered === 8);
	expect(receiver.received.map(usdOf).sort((x, y) => x - y)).toEqual(wanted);
});

test('a webhook gets no events from before it, also when there was no webhook to advance the position', async () => {
	const receiver = await openReceiver();
	const a = await world.open();
	world.log.swaps(50);
	await create(a, receiver.url);
	// Read late: it happened long before.
	world.log.swaps(1, {timeMs: Date.now() - 600_000});
	const [value] = world.log.swaps();
	await receiver.first(1);
	expect(receiver.received.map(usdOf)).toEqual([value]);
});

test('entries before a webhook are read in pages, with other work between them, and no further once the replica stops', async () => {
	const a = await world.open();
	for (let n = 0; n < 200; n++) world.log.swaps();
	let turn = 0;
	let ticking: NodeJS.Immediate;
	const tick = (): void => {
		turn++;
		ticking = setImmediate(tick);
	};
	tick();
	onTestFinished(() => clearImmediate(ticking));
	const pages: {readonly afterSeq: number; readonly turn: number}[] = [];
	let closing: Promise<void> | undefined;
	world.log.onRead = afterSeq => {
		pages.push({afterSeq, turn});
		if (pages.length === 5) closing = a.webhooks.close();
	};
	await create(a, 'https://93.184.216.34/');
	await waitFor(() => closing !== undefined);
	await closing;
	expect(pages.map(({afterSeq}) => afterSeq)).toEqual([0, 32, 64, 96, 128]);
	expect(new Set(pages.map(page => page.turn)).size).toBe(5);
});

test('an event that returns after a reorganisation is not sent again', async () => {
	const receiver = await openReceiver();
	const a = await world.open();
	const {id} = await create(a, receiver.url);
	world.log.swaps(2, {block: 7});
	world.log.swaps(1, {block: 8});
	world.log.write({kind: 'take-back', chainId: CHAIN, fromBlock: 8});
	world.log.batch(swap(3, {block: 9}), swap(4, {block: 9}));
	await waitFor(async () => (await status(a, id)).delivered === 4);
	expect(receiver.received.map(usdOf).sort()).toEqual([1, 2, 3, 4]);
});

test('the queue of a webhook is bounded over all replicas: further events are dropped and counted', async () => {
	const receiver = await openReceiver(() => {});
	const [a, b] = [await world.open({queue: 10}), await world.open({queue: 10})];
	const {id} = await create(a, receiver.url);
	world.log.swaps(25);
	world.log.swaps(5);
	await waitFor(async () => (await status(b, id)).dropped === 20);
	expect(await status(b, id)).toMatchObject({pending: 10, delivered: 0});
	receiver.behave(answers(200));
	await waitFor(async () => (await status(b, id)).delivered === 10);
});

test('a replica that stops releases its work at once', async () => {
	const receiver = await openReceiver(answers(500));
	const poster = createPoster({allowPrivate: true});
	const a = await world.open({poster});
	const {id} = await create(a, receiver.url);
	world.log.swaps();
	await waitFor(async () => (await status(a, id)).failedAttempts === 1);
	await replicas.splice(0)[0]!.close();
	receiver.behave(answers(200));
	const b = await world.open();
	world.log.swaps();
	await waitFor(async () => (await status(b, id)).delivered === 2);
});

test('nothing is lost while the database is unreachable, and delivery resumes by itself', async () => {
	const [a, b] = (await threeReplicas()) as [TestReplica, TestReplica, TestReplica];
	const receiver = await openReceiver();
	const {id} = await create(a, receiver.url);
	const wanted = world.log.swaps(5);
	await waitFor(() => receiver.received.length > 0);
	await server!.kill();
	wanted.push(...world.log.swaps(5));
	await server!.start();
	wanted.push(...world.log.swaps(5));
	await waitFor(
		async () =>
			(await status(b, id).catch(() => undefined))?.pending === 0 && new Set(receiver.received.map(usdOf)).size === 15,
	);
	expect([...byId(receiver.received).values()].map(([first]) => usdOf(first!)).sort((x, y) => x - y)).toEqual(wanted);
});
