import type {EventLog} from '../../../source/service/log/event-log.ts';
import type {LogEntry, LogRecord} from '../../../source/service/log/log-entry.ts';
import {decodeRows, encodeRecord} from '../../../source/service/log/record-bytes.ts';

/** A market log in memory, whose end and whose clock the test sets. A reader that changes an entry fails, since others may get it too. */
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

	/** Puts other bytes in the place of an entry. */
	overwrite(seq: number, data: Uint8Array): void {
		this.#rows[seq - 1] = {...this.#rows[seq - 1]!, data};
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
		const rows = this.#rows.slice(afterSeq, Math.min(afterSeq + limit, this.visible));
		return frozen(decodeRows(rows.map((row, n) => ({...row, seq: afterSeq + n + 1}))));
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

function frozen<T>(value: T): T {
	if (typeof value !== 'object' || value === null) return value;
	for (const part of Object.values(value)) frozen(part);
	return Object.freeze(value);
}
