import type {LogEntry} from './log-entry.ts';

/** Maximum number of entries: one reader is seconds behind another at most. */
const MAX_ENTRIES = 128;
/** Maximum size of the entries as they are stored; decoded they take several times as much. */
const MAX_BYTES = 4 * 2 ** 20;

/** The newest entries of the market log that this process has read, without a gap. */
export class NewestEntries {
	readonly #entries: LogEntry[] = [];
	/** Stored sizes of the same entries, and their sum. */
	readonly #sizes: number[] = [];
	#bytes = 0;

	/** Entries after a seq, at most `limit`; none where the next one is not held. */
	after(afterSeq: number, limit: number): LogEntry[] {
		const [first] = this.#entries;
		const from = first === undefined ? -1 : afterSeq + 1 - first.seq;
		return from < 0 ? [] : this.#entries.slice(from, from + limit);
	}

	/** Adds an entry that was read, unless it is older than those that are held. @param bytes its stored size */
	add(entry: LogEntry, bytes: number): void {
		const last = this.#entries.at(-1);
		if (last && entry.seq <= last.seq) return;
		if (last && entry.seq > last.seq + 1) this.clear();
		this.#entries.push(entry);
		this.#sizes.push(bytes);
		this.#bytes += bytes;
		while (this.#entries.length > MAX_ENTRIES || this.#bytes > MAX_BYTES) this.#dropFirst();
	}

	/** Drops the entries before a seq. */
	dropBefore(seq: number): void {
		while (this.#entries.length > 0 && this.#entries[0]!.seq < seq) this.#dropFirst();
	}

	clear(): void {
		this.dropBefore(Number.POSITIVE_INFINITY);
	}

	#dropFirst(): void {
		this.#entries.shift();
		this.#bytes -= this.#sizes.shift()!;
	}
}
