import type {EventLog} from '../../../source/service/replicas/event-log.ts';
import type {LogEntry, LogRecord} from '../../../source/service/replicas/log-entry.ts';
import {decodeRecord, encodeRecord} from '../../../source/service/replicas/record-bytes.ts';

/** A market log in memory, whose end and whose clock the test sets. */
export class MemoryLog implements EventLog {
	readonly epoch = 'test';
	/** Readers see no entry behind this one. */
	visible = Number.POSITIVE_INFINITY;
	/** The clock of the database, Unix ms. */
	nowMs = 0;
	/** Set while the database is away. */
	failure: Error | undefined;
	readonly #rows: {readonly atMs: number; readonly data: Uint8Array}[] = [];
	readonly #listeners = new Set<() => void>();

	get length(): number {
		return this.#rows.length;
	}

	write(record: LogRecord, atMs: number): void {
		this.nowMs = atMs;
		this.#rows.push({atMs, data: encodeRecord(record)});
	}

	/** Shows readers all entries up to one. */
	show(seq: number): void {
		this.visible = seq;
		for (const listener of this.#listeners) listener();
	}

	async append(_: unknown, records: readonly LogRecord[]): Promise<number> {
		for (const record of records) this.write(record, this.nowMs);
		this.show(this.length);
		return this.length;
	}

	async read(afterSeq: number, limit: number): Promise<LogEntry[]> {
		if (this.failure) throw this.failure;
		return this.#rows
			.slice(afterSeq, Math.min(afterSeq + limit, this.visible))
			.map(({atMs, data}, n) => ({seq: afterSeq + n + 1, atMs, record: decodeRecord(afterSeq + n + 1, data)}));
	}

	async head(): Promise<{seq: number; atMs: number; firstSeq: number; nowMs: number}> {
		if (this.failure) throw this.failure;
		const seq = Math.min(this.length, this.visible);
		return {seq, atMs: this.#rows[seq - 1]?.atMs ?? 0, firstSeq: 1, nowMs: this.nowMs};
	}

	onWritten(listener: () => void): () => void {
		this.#listeners.add(listener);
		return () => this.#listeners.delete(listener);
	}
}
