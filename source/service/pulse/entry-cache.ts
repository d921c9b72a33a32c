import {DETAIL_HOLDERS, type Market} from '../market/market.ts';

export type EntryMode = 'asset' | 'pool';

/**
 * Entries as the bytes of their JSON, made once for each version of a row and shared by every response and every
 * subscriber. Holds at most `maxBytes`; what was used longest ago goes first.
 */
export class EntryCache {
	readonly #market: Market;
	readonly #maxBytes: number;
	readonly #kinds = {asset: new Map<number, Held>(), pool: new Map<number, Held>(), detailed: new Map<number, Held>()};
	#bytes = 0;

	constructor(market: Market, {maxBytes = 8 << 20} = {}) {
		this.#market = market;
		this.#maxBytes = maxBytes;
	}

	/**
	 * The JSON of a row's entry, as it is now. Not to be written to.
	 * @param isDetailed with its largest holders, in asset mode: for a token that the request names
	 */
	json(row: number, mode: EntryMode, isDetailed = false): Buffer {
		const rows = this.#kinds[isDetailed && mode === 'asset' ? 'detailed' : mode];
		const version = this.#market.table.versions()[row]!;
		const held = rows.get(row);
		if (held) rows.delete(row);
		if (held?.version === version) {
			rows.set(row, held);
			return held.json;
		}
		const holders = isDetailed ? DETAIL_HOLDERS : 0;
		const entry = mode === 'asset' ? this.#market.assetEntry(row, holders) : this.#market.poolEntry(row);
		const json = Buffer.from(JSON.stringify(entry));
		this.#bytes += json.length - (held?.json.length ?? 0);
		rows.set(row, {version, json});
		while (this.#bytes > this.#maxBytes) this.#evict();
		return json;
	}

	/** Lets go of the entry used longest ago, of the kind that has most of them. */
	#evict(): void {
		const [rows] = Object.values(this.#kinds).toSorted((a, b) => b.size - a.size);
		const [row, held] = rows!.entries().next().value!;
		rows!.delete(row);
		this.#bytes -= held.json.length;
	}
}

interface Held {
	readonly version: number;
	readonly json: Buffer;
}
