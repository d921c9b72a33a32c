import {DETAIL_HOLDERS, type Market} from '../market/market.ts';

export type EntryMode = 'asset' | 'pool';

/**
 * Entries as the bytes of their JSON, made once for each version of a row and shared by all responses and subscribers.
 * Holds at most `maxBytes`; the least recently used entry is dropped first.
 */
export class EntryCache {
	readonly #market: Market;
	readonly #maxBytes: number;
	readonly #kinds = {
		asset: new Map<number, CachedEntry>(),
		pool: new Map<number, CachedEntry>(),
		detailed: new Map<number, CachedEntry>(),
	};
	#bytes = 0;

	constructor(market: Market, {maxBytes = 2 << 20} = {}) {
		this.#market = market;
		this.#maxBytes = maxBytes;
	}

	/**
	 * The current JSON of a row's entry. Read only, and valid until the market changes: the next version may overwrite
	 * it.
	 * @param isDetailed with its largest holders, in asset mode: for a token that the request names
	 */
	json(row: number, mode: EntryMode, isDetailed = false): Buffer {
		if (isDetailed) this.#market.detailsWanted?.(row);
		const rows = this.#kinds[isDetailed && mode === 'asset' ? 'detailed' : mode];
		const version = this.#market.table.versions()[row]!;
		// Trades of holders in other tokens change their labels here. Answers of replicas are equal at one position.
		const seq = isDetailed ? this.#market.log?.seq() : undefined;
		const cached = rows.get(row);
		if (cached) rows.delete(row);
		if (cached?.version === version && cached.seq === seq) {
			rows.set(row, cached);
			return cached.json;
		}
		const holders = isDetailed ? DETAIL_HOLDERS : 0;
		const entry = mode === 'asset' ? this.#market.assetEntry(row, holders) : this.#market.poolEntry(row);
		const text = JSON.stringify(entry);
		const length = Buffer.byteLength(text);
		const memory = cached && cached.memory.length >= length ? cached.memory : Buffer.allocUnsafeSlow(length + SLACK);
		memory.write(text);
		const json = memory.subarray(0, length);
		this.#bytes += memory.length - (cached?.memory.length ?? 0);
		rows.set(row, {version, seq, memory, json});
		while (this.#bytes > this.#maxBytes) this.#evict();
		return json;
	}

	/** Drops the least recently used entry of the largest kind. */
	#evict(): void {
		const [rows] = Object.values(this.#kinds).toSorted((a, b) => b.size - a.size);
		const [row, cached] = rows!.entries().next().value!;
		rows!.delete(row);
		this.#bytes -= cached.memory.length;
	}
}

interface CachedEntry {
	readonly version: number;
	readonly seq: number | undefined;
	/**
	 * A separate allocation, used for all versions of the row. `Buffer.from` would share a piece of 64 kB with other
	 * buffers and keep all of it, and new memory for each version takes long to be collected.
	 */
	readonly memory: Buffer;
	readonly json: Buffer;
}

/** An entry's figures gain and lose digits; with this many spare bytes the next version nearly always fits. */
const SLACK = 256;
