import {randomBytes} from 'node:crypto';
import {existsSync, readdirSync, rmSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {backup, DatabaseSync} from 'node:sqlite';
import {expect, onTestFinished, test} from 'vitest';
import type {JournalPosition} from '../../../source/service/log/journal-file.ts';
import type {LogRecord} from '../../../source/service/log/log-entry.ts';
import {LogTooShort, openPostgresLog, type PostgresLog} from '../../../source/service/log/postgres-log.ts';
import {keepLog} from '../../../source/service/replicas/log-keeper.ts';
import {prepareJournal} from '../../../source/service/replicas/prepare-journal.ts';
import {
	openSnapshots,
	removeCopies,
	SnapshotDamaged,
	type Snapshots,
} from '../../../source/service/replicas/snapshots.ts';
import type {Database} from '../../../source/service/store/database.ts';
import {type Lease, LeaseLost, type Leases} from '../../../source/service/store/lease.ts';
import {temporaryDirectory} from '../../helpers/temporary-directory.ts';
import {until} from '../../helpers/until.ts';
import {replicaDatabases} from './replica-databases.ts';

const databases = replicaDatabases();

/** As a journal, as far as snapshots know it: a database that says where it stands. */
function positionOf(path: string): JournalPosition | undefined {
	if (!existsSync(path)) return undefined;
	try {
		const database = new DatabaseSync(path, {readOnly: true});
		try {
			const row = database.prepare('SELECT epoch, seq, at_ms FROM position').get()!;
			return {epoch: String(row['epoch']), seq: Number(row['seq']), atMs: Number(row['at_ms'])};
		} finally {
			database.close();
		}
	} catch {
		return undefined;
	}
}

interface Journal {
	readonly path: string;
	backup(path: string): Promise<void>;
	moveTo(seq: number): void;
}

/** A journal at a place, with bytes that do not get shorter. */
function journal(epoch: string, seq: number, {bytes = 0, atMs = 0} = {}): Journal {
	const path = join(temporaryDirectory(), 'replica.db');
	const database = new DatabaseSync(path);
	onTestFinished(() => database.close());
	database.exec('PRAGMA journal_mode = WAL; CREATE TABLE position (epoch, seq, at_ms); CREATE TABLE load (data)');
	database.prepare('INSERT INTO position VALUES (?, ?, ?)').run(epoch, seq, atMs);
	for (let n = 0; n < bytes; n += 100_000) database.prepare('INSERT INTO load VALUES (?)').run(randomBytes(100_000));
	return {
		path,
		backup: async to => void (await backup(database, to)),
		moveTo: to => void database.prepare('UPDATE position SET seq = ?').run(to),
	};
}

interface Joined {
	readonly database: Database;
	readonly leases: Leases;
	readonly log: PostgresLog;
	readonly snapshots: Snapshots;
	readonly directory: string;
	readonly lease: Lease;
}

/** @param clock of its log, an SQL expression; that of the database when omitted */
async function joined(clock?: string): Promise<Joined> {
	const leases = await databases.leases({retryMs: 50});
	const {database} = leases;
	const log = await openPostgresLog(database, clock === undefined ? {} : {clock});
	const directory = temporaryDirectory();
	const snapshots = openSnapshots(database, {epoch: log.epoch, directory, positionOf});
	return {database, leases, log, snapshots, directory, lease: (await leases.tryTake('log-keeper'))!};
}

const CLOCK: LogRecord = {kind: 'clock'};

async function write({leases, log}: Joined, entries: number): Promise<void> {
	const lease = (await leases.tryTake('market:one'))!;
	await log.append(lease, Array<LogRecord>(entries).fill(CLOCK));
	await lease.release();
}

test('a new replica gets the whole stored journal, and no other file is left', async () => {
	const one = await joined();
	const stored = journal(one.log.epoch, 41, {bytes: 3_000_000});
	expect(await one.snapshots.load(join(one.directory, 'replica.db'))).toBeUndefined();
	const facts = await one.snapshots.store(one.lease, stored.backup);
	expect(facts.seq).toBe(41);
	expect(facts.bytes).toBeGreaterThan(3_000_000);
	expect(await one.snapshots.all()).toEqual([facts]);
	const pieces = await one.database.all('SELECT length(data) AS bytes FROM market_snapshot_pieces');
	expect(pieces.length).toBeGreaterThan(2);
	for (const {bytes} of pieces) expect(Number(bytes)).toBeLessThanOrEqual(2 ** 20);

	const path = join(one.directory, 'replica.db');
	expect(await one.snapshots.load(path)).toMatchObject({epoch: one.log.epoch, seq: 41});
	expect(readdirSync(one.directory)).toEqual(['replica.db']);
	const rows = (file: string) => {
		const database = new DatabaseSync(file);
		const all = database.prepare('SELECT data FROM load').all();
		database.close();
		return all;
	};
	expect(rows(path)).toEqual(rows(stored.path));
});

test('the newest two are kept, and an incomplete or damaged one is not used', async () => {
	const one = await joined();
	const stored = journal(one.log.epoch, 1, {bytes: 200_000});
	for (const seq of [1, 2, 3]) {
		stored.moveTo(seq);
		await one.snapshots.store(one.lease, stored.backup);
	}
	const seqs = async () =>
		(await one.database.all('SELECT seq FROM market_snapshots ORDER BY seq')).map(row => row['seq']);
	expect(await seqs()).toEqual([2, 3]);
	stored.moveTo(4);
	await expect(one.snapshots.store(one.lease, () => Promise.reject(new Error('no disk')))).rejects.toThrow('no disk');
	// A keeper that was stopped in the middle, and wakes when another has its lease.
	const slow = one.snapshots.store(one.lease, async path => {
		await stored.backup(path);
		await one.database.run("UPDATE leases SET owner = 'heir', fence = fence + 1 WHERE name = 'log-keeper'");
	});
	await expect(slow).rejects.toBeInstanceOf(LeaseLost);
	expect(await seqs()).toEqual([2, 3]);

	const path = join(one.directory, 'replica.db');
	writeFileSync(path, 'what was there');
	await one.database.run('UPDATE market_snapshot_pieces SET data = set_byte(data, 5000, 1 # get_byte(data, 5000))');
	await expect(one.snapshots.load(path)).rejects.toBeInstanceOf(SnapshotDamaged);
	expect(readdirSync(one.directory)).toEqual(['replica.db']);
	await one.database.run('DELETE FROM market_snapshot_pieces');
	await expect(one.snapshots.load(path)).rejects.toBeInstanceOf(SnapshotDamaged);
});

test('a journal is replaced only when the log does not continue it', async () => {
	const one = await joined();
	await write(one, 30);
	const {epoch} = one.log;
	const {atMs} = await one.log.head();
	const path = join(one.directory, 'replica.db');
	const faults: string[] = [];
	const prepare = async (own: Journal | undefined) => {
		rmSync(path, {force: true});
		if (own) await own.backup(path);
		await prepareJournal({path, log: one.log, snapshots: one.snapshots, positionOf, fault: line => faults.push(line)});
		return positionOf(path)?.seq;
	};
	// The log has everything: no snapshot is needed.
	expect(await prepare(undefined)).toBeUndefined();
	expect(await prepare(journal(epoch, 12, {atMs}))).toBe(12);
	expect(await prepare(journal('other', 12, {atMs}))).toBeUndefined();
	expect(await prepare(journal(epoch, 31, {atMs}))).toBeUndefined();
	// Another entry has that number: the database was restored from a backup, and written on.
	expect(await prepare(journal(epoch, 12, {atMs: atMs - 1}))).toBeUndefined();

	await one.snapshots.store(one.lease, journal(epoch, 20, {atMs}).backup);
	expect(await prepare(undefined)).toBe(20);
	expect(await prepare(journal(epoch, 12, {atMs}))).toBe(12);
	await one.database.run('DELETE FROM market_log WHERE seq <= 15');
	expect(await prepare(journal(epoch, 12, {atMs}))).toBe(20);
	expect(await prepare(journal(epoch, 15, {atMs}))).toBe(15);
	expect(faults).toEqual([]);

	// One that is damaged is left out while an older one is there that the log goes on from.
	await one.snapshots.store(one.lease, journal(epoch, 22, {atMs}).backup);
	await one.snapshots.store(one.lease, journal(epoch, 24, {atMs}).backup);
	await damage(one.database, 24);
	expect(await prepare(undefined)).toBe(22);
	expect(faults.splice(0)).toEqual([
		'A snapshot of the market could not be used: the one at entry 24: its bytes are not those that were stored. An older one or the log is used',
	]);
	await one.database.run('DELETE FROM market_log WHERE seq <= 23');
	await expect(prepare(undefined)).rejects.toBeInstanceOf(SnapshotDamaged);
	await one.database.run('DELETE FROM market_log WHERE seq <= 25');
	await expect(prepare(journal(epoch, 12, {atMs}))).rejects.toBeInstanceOf(LogTooShort);
});

test('where every snapshot is damaged, the log is read from its beginning, if it has that', async () => {
	const one = await joined();
	await write(one, 30);
	for (const seq of [10, 20]) await one.snapshots.store(one.lease, journal(one.log.epoch, seq).backup);
	await damage(one.database, 10);
	await one.database.run('DELETE FROM market_snapshot_pieces USING market_snapshots WHERE id = snapshot AND seq = 20');
	const faults: string[] = [];
	const path = join(one.directory, 'replica.db');
	const options = {
		path,
		log: one.log,
		snapshots: one.snapshots,
		positionOf,
		fault: (line: string) => faults.push(line),
	};
	await prepareJournal(options);
	expect(positionOf(path)).toBeUndefined();
	expect(faults.map(line => /entry \d+: .*\./.exec(line)?.[0])).toEqual([
		'entry 20: a part of it is missing.',
		'entry 10: its bytes are not those that were stored.',
	]);
});

/** Changes a bit of a snapshot. */
async function damage(database: Database, seq: number): Promise<void> {
	await database.run(
		`UPDATE market_snapshot_pieces SET data = set_byte(data, 100, get_byte(data, 100) # 1)
		FROM market_snapshots WHERE id = snapshot AND n = 0 AND seq = ?`,
		[seq],
	);
}

test('one keeper stores due snapshots, and drops no day that reaches beyond the newest', async () => {
	const setup = await databases.open();
	const {nowMs} = setup.dialect;
	await setup.run('CREATE TABLE test_clock (days_ago BIGINT NOT NULL)');
	await setup.run('INSERT INTO test_clock VALUES (10)');
	const setDaysAgo = (days: number) => setup.run('UPDATE test_clock SET days_ago = ?', [days]);
	const one = await joined(`(${nowMs} - 86400000 * (SELECT days_ago FROM test_clock))`);
	await one.lease.release();
	await write(one, 10);
	const own = journal(one.log.epoch, 10);
	let isReady = false;
	const options = {...one, everyMs: 20, snapshotMs: 3_600_000, snapshotEntries: 5, keepMs: 86_400_000};
	const keeper = keepLog({...options, journal: {isReady: () => isReady, backup: own.backup}});
	onTestFinished(() => keeper.close());
	await expect
		.poll(async () => one.database.get("SELECT 1 AS is FROM leases WHERE name = 'log-keeper' AND until_ms > 0"))
		.toBeDefined();
	await setDaysAgo(0);
	expect(await one.snapshots.all()).toEqual([]);
	// Every entry is old enough; they stay while no snapshot has them.
	expect((await one.log.head()).firstSeq).toBe(1);
	isReady = true;
	await until(() => keeper.newest?.seq === 10);
	await expect.poll(async () => (await one.log.head()).firstSeq).toBe(11);

	// These are old enough, too, and what the snapshot does not have stays in the log.
	own.moveTo(14);
	await setDaysAgo(5);
	await write(one, 4);
	await setDaysAgo(0);
	const storedMs = keeper.newest!.atMs;
	await new Promise(resolve => setTimeout(resolve, 100));
	expect(keeper.newest!.atMs).toBe(storedMs);
	expect((await one.log.head()).firstSeq).toBe(11);
	own.moveTo(15);
	await write(one, 1);
	await until(() => keeper.newest?.seq === 15);
});

test('a keeper that cannot store what is due leaves it to another', async () => {
	const one = await joined();
	const other = await joined();
	await Promise.all([one.lease.release(), write(one, 10)]);
	const options = {everyMs: 20, snapshotEntries: 5};
	let asked = 0;
	const behind = keepLog({
		...one,
		...options,
		journal: {
			isReady: () => {
				asked++;
				return false;
			},
			backup: async () => {},
		},
	});
	onTestFinished(() => behind.close());
	await until(() => asked > 0);
	const own = journal(one.log.epoch, 10);
	const keeper = keepLog({...other, ...options, journal: {isReady: () => true, backup: own.backup}});
	onTestFinished(() => keeper.close());
	await until(() => keeper.newest?.seq === 10);
});

test('a copy that a killed process left is removed, and nothing else', async () => {
	const directory = temporaryDirectory();
	for (const name of ['snapshot-0123', 'snapshot-0123-wal', 'replica.db', 'lock.db'])
		writeFileSync(join(directory, name), 'x');
	await removeCopies(directory);
	expect(readdirSync(directory).toSorted()).toEqual(['lock.db', 'replica.db']);
});
