import type {LogTally} from './postgres-log.ts';
import type {SnapshotFacts} from './snapshots.ts';

/** How a replica stands, for its operators. Undefined is unknown: the database did not answer. */
export interface ReplicaNumbers {
	readonly id: string;
	readonly epoch: string;
	/** The newest entry of the log whose effects the market has, and the clock of the market, Unix ms. */
	readonly appliedSeq: number;
	readonly appliedAtMs: number;
	/** The newest entry of the log, and when it was written. */
	readonly headSeq: number | undefined;
	readonly headAtMs: number | undefined;
	/** How far the market's clock is behind the newest entry. */
	readonly lagMs: number | undefined;
	/** How long nothing new was read; undefined while entries come. */
	readonly staleMs: number | undefined;
	readonly isReady: boolean;
	/** Names of the streams that this replica leads. */
	readonly leading: readonly string[];
	/** What it wrote as a leader since its start. */
	readonly written: LogTally;
	/** The newest snapshot, where this replica keeps the log. */
	readonly snapshot: SnapshotFacts | undefined;
}
