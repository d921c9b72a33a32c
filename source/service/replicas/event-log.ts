import type {Lease} from './lease.ts';
import type {LogEntry, LogRecord} from './log-entry.ts';

/** The market log: what the leaders of the chains saw, in one order that is the same for every replica. */
export interface EventLog {
	/** Made with the log: positions of another log mean nothing here. Letters and digits. */
	readonly epoch: string;
	/**
	 * Writes records behind all others, as one.
	 * @returns the seq of the last one
	 * @throws LeaseLost when the lease is another's by now: nothing was written. StoreFailed
	 */
	append(lease: Lease, records: readonly LogRecord[]): Promise<number>;
	/** Entries behind a seq, in order, at most `limit`. @throws LogTooShort when the next one was dropped; StoreFailed */
	read(afterSeq: number, limit: number): Promise<LogEntry[]>;
	/** The newest entry's seq and time (0 and 0 in an empty log), the oldest seq that can be read, and the database's clock. */
	head(): Promise<{readonly seq: number; readonly atMs: number; readonly firstSeq: number; readonly nowMs: number}>;
	/** Calls back soon after entries were written by any replica. Calls may be missed: a reader also asks by itself. */
	onWritten(listener: () => void): () => void;
}
