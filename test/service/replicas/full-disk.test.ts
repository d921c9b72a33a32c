import type {DatabaseSync} from 'node:sqlite';
import {expect, onTestFinished, test, vi} from 'vitest';
import {formatPosition} from '../../../source/service/log/position.ts';
import {openPostgresLog} from '../../../source/service/log/postgres-log.ts';
import type {ReplicaMarket} from '../../../source/service/replicas/replica-market.ts';
import type {Lease} from '../../../source/service/store/lease.ts';
import {openLeases} from '../../../source/service/store/leases.ts';
import {createWebhooks, type Webhooks} from '../../../source/service/webhook/webhooks.ts';
import {temporaryDirectory} from '../../helpers/temporary-directory.ts';
import {blockMs, CHAIN} from '../follow/made-events.ts';
import {MADE_CHAIN, writeMadeChain} from '../log/made-log.ts';
import {MemoryLog} from '../log/memory-log.ts';
import {copyAsKilled, positionIn, withConnection} from '../log/replica-file.ts';
import {openReceiver} from '../webhook/receiver.ts';
import {replicaDatabases} from './replica-databases.ts';
import {openReplica, untilAt} from './replica-pages.ts';

const databases = replicaDatabases();
/** The clock of the log is that of the made chain. */
const CLOCK = '(SELECT now_ms FROM test_clock)';
const LEASE: Lease = {
	name: 'market:made',
	owner: 'a test',
	fence: 1,
	signal: new AbortController().signal,
	release: async () => {},
};

interface TestReplica {
	readonly owner: string;
	readonly market: ReplicaMarket;
	readonly webhooks: Webhooks;
	readonly directory: string;
	readonly faults: readonly string[];
	/** How often the log was read. */
	readonly reads: () => number;
	/** The journal's connection, on which SQLite is made to fail. */
	readonly connection: DatabaseSync;
}

async function openTestReplica(): Promise<TestReplica> {
	const database = await databases.open();
	const leases = openLeases(database, {ttlMs: 600, renewMs: 150, retryMs: 50});
	onTestFinished(() => leases.close());
	const log = await openPostgresLog(database, {clock: CLOCK});
	const reads = vi.spyOn(log, 'read');
	const directory = temporaryDirectory();
	const faults: string[] = [];
	const {opened: market, connection} = await withConnection(() =>
		openReplica(log, {sources: MADE_CHAIN, startMs: blockMs(0), directory, faults}),
	);
	const webhooks = await createWebhooks({
		market,
		database,
		replica: {id: leases.owner, leases, log, marketLog: market.log},
		allowPrivate: true,
		leaseMs: 500,
		onError: error => faults.push(String(error)),
	});
	onTestFinished(() => webhooks.close());
	const owner = leases.owner;
	return {owner, market, webhooks, directory, faults, reads: () => reads.mock.calls.length, connection};
}

test('a replica whose disk is full while it follows the log is behind and stale until there is room, and another one enqueues webhooks', async () => {
	const made = new MemoryLog();
	await writeMadeChain(made, {seed: 7, steps: 300});
	const entries = await made.read(0, made.length);
	const setup = await databases.open();
	await setup.run('CREATE TABLE test_clock (now_ms BIGINT NOT NULL)');
	await setup.run('INSERT INTO test_clock VALUES (?)', [blockMs(0)]);
	const {name, owner, fence} = LEASE;
	const never = [name, owner, fence, Number.MAX_SAFE_INTEGER];
	await setup.run('INSERT INTO leases (name, owner, fence, until_ms) VALUES (?, ?, ?, ?)', never);
	const log = await openPostgresLog(setup, {clock: CLOCK});
	const replicas = [await openTestReplica(), await openTestReplica()];
	/** Appends the made entries up to one, each as soon as one of the replicas has the one before. */
	const write = async (untilSeq: number, reader: ReplicaMarket): Promise<void> => {
		for (let seq = (await log.head()).seq; seq < untilSeq; seq++) {
			const {atMs, record} = entries[seq]!;
			await setup.run('UPDATE test_clock SET now_ms = ?', [atMs]);
			await untilAt(reader, await log.append(LEASE, [record]));
		}
	};
	const enqueuer = async (): Promise<TestReplica | undefined> => {
		const row = await setup.get("SELECT owner FROM leases WHERE name = 'webhooks' AND until_ms > 0");
		return replicas.find(one => one.owner === row?.['owner']);
	};
	const enqueued = async () => (await setup.get('SELECT position FROM webhook_progress'))?.['position'];
	const at = (seq: number): string => formatPosition({epoch: log.epoch, seq});

	const half = Math.floor(entries.length / 2);
	await write(half, replicas[0]!.market);
	const receiver = await openReceiver();
	const webhook = {name: 'n', chainIds: [CHAIN], events: ['swap'], url: receiver.url, filters: null} as const;
	await replicas[0]!.webhooks.create('key', webhook);
	await write(half + 1, replicas[0]!.market);
	await expect.poll(enqueued).toBe(at(half + 1));
	const full = (await enqueuer())!;
	const other = replicas.find(one => one !== full)!;
	await expect.poll(() => positionIn(copyAsKilled(full.directory)) ?? 0).toBeGreaterThan(0);
	expect([full.market.log.isReady(), other.market.log.isReady()]).toEqual([true, true]);

	const pages = Number(full.connection.prepare('PRAGMA page_count').get()?.['page_count']);
	full.connection.exec(`PRAGMA max_page_count = ${pages + 2}`);
	await write(entries.length - 1, other.market);
	await expect.poll(() => full.market.log.isReady()).toBe(false);
	expect(full.market.appliedSeq()).toBeLessThan(entries.length - 1);
	await expect.poll(enqueuer).toBe(other);
	await expect.poll(enqueued).toBe(at(entries.length - 1));
	// As long as it lasts, however often the same entry is tried again.
	const before = full.reads();
	await expect.poll(() => full.reads()).toBeGreaterThan(before + 4);
	const {isReady, isReadable, staleMs} = full.market.log;
	expect([isReady(), isReadable(), staleMs() === undefined, other.market.log.isReady()]).toEqual([
		false,
		true,
		false,
		true,
	]);
	expect(full.faults).toEqual([expect.stringMatching(/^the market log: .*is full\. /)]);

	full.connection.exec('PRAGMA max_page_count = 1000000');
	await write(entries.length, full.market);
	await expect.poll(() => full.market.log.isReady()).toBe(true);
	expect(full.faults).toHaveLength(1);
	expect(other.faults).toEqual([]);
});
