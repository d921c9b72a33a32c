import type {LogTally} from '../log/postgres-log.ts';
import type {SnapshotFacts} from './snapshots.ts';

/** State of a replica, for operators. Undefined is unknown: the database did not answer. */
export interface ReplicaNumbers {
	readonly id: string;
	readonly epoch: string;
	/** The newest entry of the log that is applied, and the clock of the market, Unix ms. */
	readonly appliedSeq: number;
	readonly appliedAtMs: number;
	/** The newest entry of the log, and the time it was written, Unix ms. */
	readonly headSeq: number | undefined;
	readonly headAtMs: number | undefined;
	/** Lag of the market's clock behind the newest entry. */
	readonly lagMs: number | undefined;
	/** Time since the last entry was read; undefined while entries arrive. */
	readonly staleMs: number | undefined;
	readonly isReady: boolean;
	/** Names of the streams that this replica leads. */
	readonly leading: readonly string[];
	/** Appends as a leader since its start. */
	readonly written: LogTally;
	/** The newest snapshot, on the replica that keeps the log. */
	readonly snapshot: SnapshotFacts | undefined;
}
