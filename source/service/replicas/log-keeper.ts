import {setTimeout as pause} from 'node:timers/promises';
import type {EventLog} from '../log/event-log.ts';
import {addPartitions, dropPartitions} from '../log/log-partitions.ts';
import type {Database} from '../store/database.ts';
import type {HoldOptions, Lease, Leases} from '../store/lease.ts';
import type {SnapshotFacts, Snapshots} from './snapshots.ts';

export interface LogKeeperOptions {
	readonly database: Database;
	readonly leases: Leases;
	readonly log: EventLog;
	readonly snapshots: Snapshots;
	/** This replica's own journal. */
	readonly journal: {
		/** Whether its market is close to the end of the log. */
		isReady(): boolean;
		/** Copies it into a file while it is used. */
		backup(path: string): Promise<void>;
	};
	/** Resolves when this replica may compete for the lease; at once when omitted. */
	readonly ready?: HoldOptions['ready'];
	/** Age of the newest snapshot at which the next one is stored, in milliseconds. */
	readonly snapshotMs?: number;
	/** Number of entries after a snapshot at which the next one is stored, whatever its age. */
	readonly snapshotEntries?: number;
	/** Retention of entries, in milliseconds. */
	readonly keepMs?: number;
	/** Time between two checks, in milliseconds. */
	readonly everyMs?: number;
}

/** Bounds the size of the log. */
export interface LogKeeper {
	/** The newest snapshot as of this replica's last check; undefined before its first. */
	readonly newest: SnapshotFacts | undefined;
	close(): Promise<void>;
}

const HOUR_MS = 3_600_000;

/**
 * Competes for the keeper's lease: one replica at a time makes partitions ahead, stores snapshots and drops old entries. The
 * log always begins before the end of the oldest snapshot, so that a new replica can continue from each.
 */
export function keepLog({
	database,
	leases,
	log,
	snapshots,
	journal,
	ready,
	snapshotMs = HOUR_MS / 6,
	snapshotEntries = 20_000,
	keepMs = 25 * HOUR_MS,
	everyMs = 10_000,
}: LogKeeperOptions): LogKeeper {
	const closing = new AbortController();
	let newest: SnapshotFacts | undefined;
	/** @returns false when another replica has to do it, since this one's market is behind */
	const look = async (lease: Lease): Promise<boolean> => {
		const {seq, nowMs} = await log.head();
		await addPartitions(database, nowMs);
		const stored = await snapshots.all();
		newest = stored[0];
		const isDue = newest === undefined || nowMs - newest.atMs >= snapshotMs || seq - newest.seq >= snapshotEntries;
		if (isDue && seq > (newest?.seq ?? 0)) {
			if (!journal.isReady()) return false;
			newest = await snapshots.store(lease, path => journal.backup(path));
		}
		// Also after the oldest snapshot, from which a new replica starts when the newest is damaged.
		const oldest = stored.at(-1) ?? newest;
		if (oldest) await dropPartitions(database, {nowMs, keepMs, afterSeq: oldest.seq});
		return true;
	};
	const keeping = leases.hold(
		'log-keeper',
		async lease => {
			while (!lease.signal.aborted && (await look(lease))) {
				await pause(everyMs, undefined, {signal: lease.signal}).catch(() => {});
			}
		},
		closing.signal,
		ready && {ready},
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
