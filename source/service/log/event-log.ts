import type {Lease} from '../store/lease.ts';
import type {LogEntry, LogRecord} from './log-entry.ts';

/** The market log of replicas: the events that leaders read from their sources, in one order for all. A process that is alone has a LocalLog. */
export interface EventLog {
	/** Id of the log, letters and digits: a position of another log is meaningless here. */
	readonly epoch: string;
	/**
	 * Appends records atomically.
	 * @returns the seq of the last one
	 * @throws LeaseLost when another replica holds the lease: nothing was written. StoreFailed
	 */
	append(lease: Lease, records: readonly LogRecord[]): Promise<number>;
	/**
	 * Entries after a seq, in order, at most `limit`; fewer where the rest takes another read. Several readers may get the same
	 * objects: they are not to be changed.
	 * @throws LogTooShort when the next one was dropped; LogUnreadable when it cannot be read; StoreFailed
	 */
	read(afterSeq: number, limit: number): Promise<LogEntry[]>;
	/** Seq and time of the newest entry (0 and 0 in an empty log), the oldest seq that can be read, and the database's clock. */
	head(): Promise<{readonly seq: number; readonly atMs: number; readonly firstSeq: number; readonly nowMs: number}>;
	/** Notifies soon after any replica has written. Notifications may be lost: a reader polls as well. */
	onWritten(listener: () => void): () => void;
}
