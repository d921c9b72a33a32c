import {randomBytes} from 'node:crypto';
import {expect, onTestFinished, test} from 'vitest';
import type {LogEntry, LogRecord} from '../../../source/service/log/log-entry.ts';
import {addPartitions, dropPartitions} from '../../../source/service/log/log-partitions.ts';
import {LogTooShort, openPostgresLog, type PostgresLog} from '../../../source/service/log/postgres-log.ts';
import {LogUnreadable} from '../../../source/service/log/record-bytes.ts';
import {type Database, StoreFailed} from '../../../source/service/store/database.ts';
import {type Lease, LeaseLost, type Leases} from '../../../source/service/store/lease.ts';
import {openLeases} from '../../../source/service/store/leases.ts';
import {until} from '../../helpers/until.ts';
import {replicaDatabases} from '../replicas/replica-databases.ts';

const databases = replicaDatabases();

interface Writer {
	readonly database: Database;
	readonly leases: Leases;
	readonly log: PostgresLog;
}

/** A replica with its own connections. */
async function writer(clock?: string): Promise<Writer> {
	const database = await databases.open();
	const leases = openLeases(database);
	onTestFinished(() => leases.close());
	return {database, leases, log: await openPostgresLog(database, clock === undefined ? {} : {clock})};
}

const take = async ({leases}: Writer, name = 'market:one'): Promise<Lease> => (await leases.tryTake(name))!;

/** A record with a number that can be found again. */
const numbered = (n: number, note = ''): LogRecord => ({
	kind: 'gap',
	gap: {chainId: 'evm:1', fromBlock: n, toBlock: n, fromMs: 0, toMs: 1, why: note},
});
const numberOf = ({record}: LogEntry): number => (record.kind === 'gap' ? record.gap.fromBlock : -1);
const seqs = (entries: readonly LogEntry[]) => entries.map(({seq}) => seq);

async function readAll(log: PostgresLog, from = 0): Promise<LogEntry[]> {
	const entries: LogEntry[] = [];
	for (let next = await log.read(from, 100); next.length > 0; next = await log.read(entries.at(-1)!.seq, 100))
		entries.push(...next);
	return entries;
}

test('concurrent writers make one order without gaps, with increasing times', async () => {
	const writers: Writer[] = [];
	while (writers.length < 3) writers.push(await writer());
	const EACH = 60;
	await Promise.all(
		writers.flatMap((one, w) =>
			[0, 1].map(async stream => {
				const lease = await take(one, `market:${w}.${stream}`);
				for (let n = 0; n < EACH; n += 3) {
					const base = (w * 2 + stream) * 1000 + n;
					const seq = await one.log.append(lease, [numbered(base), numbered(base + 1), numbered(base + 2)]);
					expect(seq % 3).toBe(0);
				}
			}),
		),
	);
	const entries = await readAll(writers[0]!.log);
	expect(seqs(entries)).toEqual(Array.from({length: 6 * EACH}, (_, n) => n + 1));
	expect(entries.map(({atMs}) => atMs)).toEqual(entries.map(({atMs}) => atMs).sort((a, b) => a - b));
	for (let stream = 0; stream < 6; stream++) {
		const own = entries.map(numberOf).filter(n => Math.floor(n / 1000) === stream);
		expect(own).toEqual(Array.from({length: EACH}, (_, n) => stream * 1000 + n));
	}
	expect(await readAll(writers[1]!.log)).toEqual(entries);
	const {seq, firstSeq, atMs, nowMs} = await writers[2]!.log.head();
	expect([seq, firstSeq, atMs]).toEqual([6 * EACH, 1, entries.at(-1)!.atMs]);
	expect(nowMs).toBeGreaterThanOrEqual(atMs);
	expect(new Set(writers.map(({log}) => log.epoch)).size).toBe(1);
});

test('records are read as they were written: long and short ones, and any text', async () => {
	const one = await writer();
	const lease = await take(one);
	const records: LogRecord[] = [
		{kind: 'clock'},
		numbered(1, 'x'.repeat(100_000)),
		numbered(2, "'; DROP TABLE market_log; -- \u0000 \u202e \ud83d\ude80 \\ ? $1"),
		{kind: 'take-back', chainId: 'evm:1', fromBlock: 7},
		{kind: 'forget', chainId: 'solana:solana', tokens: ['a', 'b']},
	];
	expect(await one.log.append(lease, records)).toBe(5);
	expect((await one.log.read(0, 10)).map(({record}) => record)).toEqual(records);
	expect(seqs(await one.log.read(2, 2))).toEqual([3, 4]);
	expect(await one.log.read(5, 10)).toEqual([]);
});

test('nothing is written with a lost lease: acquired by another, released, or expired', async () => {
	const [one, two] = [await writer(), await writer()];
	const released = await take(one);
	await released.release();
	await expect(one.log.append(released, [numbered(1)])).rejects.toBeInstanceOf(LeaseLost);
	const old = await take(one);
	// As seen by the database after the owner was stopped for longer than its lease.
	await two.database.run('UPDATE leases SET until_ms = 1');
	await expect(one.log.append(old, [numbered(2)])).rejects.toBeInstanceOf(LeaseLost);
	const heir = await take(two);
	await expect(one.log.append(old, [numbered(3)])).rejects.toBeInstanceOf(LeaseLost);
	expect(await two.log.append(heir, [numbered(4)])).toBe(1);
	expect((await readAll(two.log)).map(numberOf)).toEqual([4]);
	expect(one.log.tally).toMatchObject({appends: 0, failures: 3});
	expect(two.log.tally).toMatchObject({appends: 1, records: 1, failures: 0});
});

test('a lease cannot be acquired in the middle of a write: its next holder finds the write in the log', async () => {
	const [one, two] = [await writer(), await writer()];
	const lease = await take(one);
	// The write waits for the head of the log, with the lease locked.
	const locked = Promise.withResolvers<void>();
	const free = Promise.withResolvers<void>();
	const blocking = two.database.transaction(async () => {
		await two.database.get('SELECT seq FROM market_head FOR UPDATE');
		locked.resolve();
		await free.promise;
	});
	await locked.promise;
	const writing = one.log.append(lease, [numbered(1)]);
	const waiting = async () =>
		Number((await two.database.get('SELECT count(*) AS n FROM pg_locks WHERE NOT granted'))?.['n']);
	await expect.poll(waiting).toBe(1);
	const third = await writer();
	const taking = third.database
		.run("UPDATE leases SET owner = 'heir', fence = fence + 1")
		.then(async () => (await third.log.head()).seq);
	await expect.poll(waiting).toBe(2);
	free.resolve();
	await blocking;
	expect(await writing).toBe(1);
	expect(await taking).toBe(1);
});

test('a reader is notified when another replica writes', async () => {
	const [one, two] = [await writer(), await writer()];
	let calls = 0;
	const end = two.log.onWritten(() => calls++);
	// Listening begins with a call.
	await until(() => calls > 0);
	const before = calls;
	await one.log.append(await take(one), [numbered(1)]);
	await until(() => calls > before);
	end();
});

test('a reader that comes later is called first, too: what was written just before may have gone unsaid', async () => {
	const {database, log} = await writer();
	let early = 0;
	onTestFinished(database.listen('early', () => early++));
	await until(() => early > 0);
	let calls = 0;
	onTestFinished(log.onWritten(() => calls++));
	await until(() => calls > 0);
});

test('entries over midnight go into the partition of their day, made as they are needed, and old days are dropped', async () => {
	const setup = await databases.open();
	await setup.run('CREATE TABLE test_clock (now_ms BIGINT NOT NULL)');
	const midnightMs = Date.UTC(2026, 11, 31) + 86_400_000;
	await setup.run('INSERT INTO test_clock VALUES (?)', [midnightMs - 1000]);
	const one = await writer('(SELECT now_ms FROM test_clock)');
	const lease = await take(one);
	// The lease is by the database's own clock.
	await setup.run('UPDATE leases SET until_ms = ?', [Number.MAX_SAFE_INTEGER]);
	const days = async () =>
		(
			await setup.all('SELECT tableoid::regclass::text AS day, count(*) AS n FROM market_log GROUP BY 1 ORDER BY 1')
		).map(row => [row['day'], Number(row['n'])]);
	await one.log.append(lease, [numbered(1), numbered(2)]);
	await setup.run('UPDATE test_clock SET now_ms = ?', [midnightMs + 5]);
	await one.log.append(lease, [numbered(3)]);
	// A clock that goes back does not take the log's with it.
	await setup.run('UPDATE test_clock SET now_ms = ?', [midnightMs - 5]);
	await one.log.append(lease, [numbered(4)]);
	// Away for longer than partitions were made for.
	const laterMs = midnightMs + 9 * 86_400_000;
	await setup.run('UPDATE test_clock SET now_ms = ?', [laterMs]);
	await one.log.append(lease, [numbered(5)]);
	expect(await days()).toEqual([
		['market_log_20261231', 2],
		['market_log_20270101', 2],
		['market_log_20270110', 1],
	]);
	expect((await readAll(one.log)).map(({seq, atMs}) => [seq, atMs])).toEqual([
		[1, midnightMs - 1000],
		[2, midnightMs - 1000],
		[3, midnightMs + 5],
		[4, midnightMs + 5],
		[5, laterMs],
	]);

	// The first day is old enough; of the second one entry 4 is still needed.
	const keepMs = 86_400_000;
	expect(await dropPartitions(setup, {nowMs: laterMs, keepMs, afterSeq: 3})).toEqual(['market_log_20261231']);
	expect((await one.log.head()).firstSeq).toBe(3);
	await expect(one.log.read(1, 10)).rejects.toBeInstanceOf(LogTooShort);
	expect(seqs(await one.log.read(2, 10))).toEqual([3, 4, 5]);
	expect(await dropPartitions(setup, {nowMs: laterMs, keepMs, afterSeq: 4})).toContain('market_log_20270101');
	expect((await one.log.head()).firstSeq).toBe(5);
	expect(await dropPartitions(setup, {nowMs: laterMs + 10 * 86_400_000, keepMs, afterSeq: 5})).toContain(
		'market_log_20270110',
	);
	expect(await one.log.head()).toMatchObject({seq: 5, firstSeq: 6});
	await expect(one.log.read(4, 10)).rejects.toBeInstanceOf(LogTooShort);
	expect(await one.log.read(5, 10)).toEqual([]);
});

test('a dump of the database holds up no day of the log, no writer and no reader; what it reads is dropped after it', async () => {
	const one = await writer();
	const other = await databases.open();
	const lease = await take(one);
	await one.log.append(lease, [numbered(1)]);
	const {nowMs} = await one.log.head();
	const laterMs = nowMs + 10 * 86_400_000;
	const partitionCount = async () =>
		Number(
			(await one.database.get("SELECT count(*) AS n FROM pg_inherits WHERE inhparent = 'market_log'::regclass"))!['n'],
		);
	const before = await partitionCount();
	await other.transaction(
		async () => {
			await other.run('LOCK TABLE market_log IN ACCESS SHARE MODE');
			await addPartitions(one.database, laterMs);
			expect(await partitionCount()).toBe(before + 3);
			expect(await dropPartitions(one.database, {nowMs: laterMs, keepMs: 0, afterSeq: 1})).toEqual([]);
			expect(await one.log.append(lease, [numbered(2)])).toBe(2);
			expect(seqs(await one.log.read(1, 10))).toEqual([2]);
		},
		{isolation: 'read-committed'},
	);
	expect(await dropPartitions(one.database, {nowMs: laterMs, keepMs: 0, afterSeq: 2})).toHaveLength(before);
});

test('replicas that make the same days at the same time make each once', async () => {
	const writers = await Promise.all([writer(), writer(), writer()]);
	const {nowMs} = await writers[0]!.log.head();
	const laterMs = nowMs + 10 * 86_400_000;
	await Promise.all(writers.map(({database}) => addPartitions(database, laterMs)));
	const partitions = () =>
		writers[0]!.database.all("SELECT 1 FROM pg_inherits WHERE inhparent = 'market_log'::regclass");
	expect(await partitions()).toHaveLength(6);
});

test('a reader that is ahead of the log, or of another log, is stopped', async () => {
	const one = await writer();
	await one.log.append(await take(one), [numbered(1), numbered(2)]);
	await expect(one.log.read(3, 10)).rejects.toBeInstanceOf(LogTooShort);
	await one.database.run("UPDATE market_head SET epoch = 'restored'");
	await expect(one.log.read(1, 10)).rejects.toBeInstanceOf(LogTooShort);
});

/** A replica that counts the pages it fetches. */
async function countingWriter(): Promise<Writer & {readonly fetches: () => number}> {
	const database = await databases.open();
	let count = 0;
	const counting: Database = {
		...database,
		all: (...query) => {
			count++;
			return database.all(...query);
		},
	};
	const leases = openLeases(database);
	onTestFinished(() => leases.close());
	const log = await openPostgresLog(counting);
	const opened = count;
	return {database, leases, log, fetches: () => count - opened};
}

test('entries are fetched once for several readers, as far as the first one has come', async () => {
	const one = await countingWriter();
	const lease = await take(one);
	await one.log.append(
		lease,
		Array.from({length: 50}, (_, n) => numbered(n + 1)),
	);
	const first = [...(await one.log.read(0, 32)), ...(await one.log.read(32, 32))];
	expect([seqs(first), one.fetches()]).toEqual([Array.from({length: 50}, (_, n) => n + 1), 2]);
	expect(await one.log.read(0, 20)).toEqual(first.slice(0, 20));
	expect(await one.log.read(20, 32)).toEqual(first.slice(20));
	expect(await one.log.read(49, 32)).toEqual(first.slice(49));
	expect(one.fetches()).toBe(2);
	expect(await one.log.read(50, 32)).toEqual([]);
	await one.log.append(lease, [numbered(51), numbered(52)]);
	expect(seqs(await one.log.read(50, 1))).toEqual([51]);
	expect(one.fetches()).toBe(4);
	expect(seqs(await one.log.read(48, 32))).toEqual([49, 50, 51]);
	expect(seqs(await one.log.read(51, 32))).toEqual([52]);
	expect(one.fetches()).toBe(5);
});

test('of the entries that were read the newest are held, a bounded number and size', async () => {
	const one = await countingWriter();
	const lease = await take(one);
	await one.log.append(
		lease,
		Array.from({length: 130}, (_, n) => numbered(n + 1)),
	);
	await readAll(one.log);
	const isHeld = async (seq: number): Promise<boolean> => {
		const before = one.fetches();
		expect(seqs(await one.log.read(seq - 1, 1))).toEqual([seq]);
		return one.fetches() === before;
	};
	expect([await isHeld(2), await isHeld(3), await isHeld(130)]).toEqual([false, true, true]);
	// A reader of old entries, as a new enqueuer is one, takes nothing from the others.
	expect([await isHeld(1), await isHeld(130)]).toEqual([false, true]);
	// They are stored with about 1.6 MB each.
	const large = () => randomBytes(1.5 * 2 ** 20).toString('hex');
	await one.log.append(lease, [numbered(131, large()), numbered(132, large()), numbered(133, large())]);
	await readAll(one.log, 130);
	expect([await isHeld(131), await isHeld(132), await isHeld(133)]).toEqual([false, true, true]);
	// After entries that were not read there would be a gap.
	await one.log.append(lease, [numbered(134), numbered(135)]);
	expect([await isHeld(135), await isHeld(133), await isHeld(135)]).toEqual([false, false, true]);
});

test('entries of a log that was replaced, or is shorter, are dropped by the first query that finds it so', async () => {
	const one = await countingWriter();
	await one.log.append(await take(one), [numbered(1), numbered(2)]);
	const untilHeld = async (): Promise<void> => {
		await one.log.read(0, 10);
		const before = one.fetches();
		expect(await one.log.read(0, 10)).toHaveLength(2);
		expect(one.fetches()).toBe(before);
	};
	await untilHeld();
	await one.database.run("UPDATE market_head SET epoch = 'restored'");
	await expect(one.log.read(2, 10)).rejects.toBeInstanceOf(LogTooShort);
	await expect(one.log.read(0, 10)).rejects.toBeInstanceOf(LogTooShort);
	await one.database.run('UPDATE market_head SET epoch = ?', [one.log.epoch]);
	await untilHeld();
	await one.database.run("UPDATE market_head SET epoch = 'restored'");
	await one.log.head();
	await expect(one.log.read(0, 10)).rejects.toBeInstanceOf(LogTooShort);
	await one.database.run('UPDATE market_head SET epoch = ?', [one.log.epoch]);
	await untilHeld();
	await one.database.run('DELETE FROM market_log WHERE seq = 2');
	await one.database.run('UPDATE market_head SET seq = 1');
	await expect(one.log.read(2, 10)).rejects.toBeInstanceOf(LogTooShort);
	expect(seqs(await one.log.read(0, 10))).toEqual([1]);
});

test('bytes that are damaged, or of a newer version, are refused', async () => {
	const one = await writer();
	const lease = await take(one);
	await one.log.append(lease, [numbered(1), numbered(2, 'x'.repeat(1000))]);
	const spoil = async (sql: string): Promise<unknown> => {
		const row = await one.database.get('SELECT data FROM market_log WHERE seq = 2');
		await one.database.run(`UPDATE market_log SET data = ${sql} WHERE seq = 2`);
		const error = await one.log.read(1, 10).catch(e => e);
		await one.database.run('UPDATE market_log SET data = ? WHERE seq = 2', [row!['data']!]);
		return error;
	};
	const damaged = {code: 'log-unreadable', next: 'report', why: expect.stringMatching(/entry 2/)};
	for (const sql of [
		'set_byte(data, 9, 7)',
		"''::bytea",
		'substring(data FROM 1 FOR 4)',
		'substring(data FROM 1 FOR 30)',
	]) {
		const error = await spoil(sql);
		expect(error).toBeInstanceOf(LogUnreadable);
		expect(error).toMatchObject(damaged);
	}
	expect(await spoil('set_byte(data, 0, 9)')).toMatchObject({
		next: 'fix-input',
		advice: expect.stringMatching(/[Uu]pgrade/),
	});
	await one.log.append(lease, [{kind: 'dance'} as unknown as LogRecord]);
	await expect(one.log.read(2, 10)).rejects.toMatchObject({next: 'fix-input', why: expect.stringMatching(/dance/)});
	expect(await one.log.read(1, 1)).toHaveLength(1);
});

test('after a kill of the database the log continues without a gap, and so do leases', async () => {
	const one = await writer();
	const lease = await take(one);
	await one.log.append(lease, [numbered(1)]);
	await databases.server.kill();
	await expect(one.log.append(lease, [numbered(2)])).rejects.toBeInstanceOf(StoreFailed);
	await databases.server.start();
	await expect.poll(() => one.log.append(lease, [numbered(3)]).catch(() => undefined)).toBe(2);
	expect((await readAll(one.log)).map(numberOf)).toEqual([1, 3]);
	expect(lease.signal.aborted).toBe(false);
});
