import {setTimeout as pause} from 'node:timers/promises';
import type {Database} from '../store/database.ts';
import type {EventLog} from './event-log.ts';
import type {Lease, Leases} from './lease.ts';
import {addPartitions, dropPartitions} from './log-partitions.ts';
import type {SnapshotFacts, Snapshots} from './snapshots.ts';

export interface LogKeeperOptions {
	readonly database: Database;
	readonly leases: Leases;
	readonly log: EventLog;
	readonly snapshots: Snapshots;
	/** This replica's own journal. */
	readonly journal: {
		/** Whether its market has about all of the log. */
		isReady(): boolean;
		/** Copies it into a file while it is used. */
		backup(path: string): Promise<void>;
	};
	/** Age of the newest snapshot at which the next one is stored. */
	readonly snapshotMs?: number;
	/** So many entries after a snapshot the next one is stored, however young it is. */
	readonly snapshotEntries?: number;
	/** How long entries are kept. */
	readonly keepMs?: number;
	/** How often it looks. */
	readonly everyMs?: number;
}

/** What keeps the log at its size. */
export interface LogKeeper {
	/** The newest snapshot that this replica knows of. */
	readonly newest: SnapshotFacts | undefined;
	close(): Promise<void>;
}

const HOUR_MS = 3_600_000;

/**
 * Takes part in keeping the log: one replica at a time makes partitions ahead, stores snapshots and drops what is old. The log
 * always begins before the newest snapshot ends, so that whoever joins can go on.
 */
export function keepLog({
	database,
	leases,
	log,
	snapshots,
	journal,
	snapshotMs = HOUR_MS / 6,
	snapshotEntries = 20_000,
	keepMs = 25 * HOUR_MS,
	everyMs = 10_000,
}: LogKeeperOptions): LogKeeper {
	const closing = new AbortController();
	let newest: SnapshotFacts | undefined;
	const look = async (lease: Lease): Promise<void> => {
		const {seq, nowMs} = await log.head();
		await addPartitions(database, nowMs);
		newest = await snapshots.newest();
		const isDue = newest === undefined || nowMs - newest.atMs >= snapshotMs || seq - newest.seq >= snapshotEntries;
		if (isDue && seq > (newest?.seq ?? 0) && journal.isReady())
			newest = await snapshots.store(lease, path => journal.backup(path));
		if (newest) await dropPartitions(database, {nowMs, keepMs, behindSeq: newest.seq});
	};
	const keeping = leases.hold(
		'log-keeper',
		async lease => {
			while (!lease.signal.aborted) {
				await look(lease);
				await pause(everyMs, undefined, {signal: lease.signal}).catch(() => {});
			}
		},
		closing.signal,
	);
	return {
		get newest() {
			return newest;
		},
		async close() {
			closing.abort();
			await keeping;
		},
	};
}
