import type {Market} from '../market/market.ts';

export type EntryMode = 'asset' | 'pool';

/**
 * Entries as the bytes of their JSON, made once for each version of a row and shared by every response and every
 * subscriber. Holds at most `maxBytes`; what was used longest ago goes first.
 */
export class EntryCache {
	readonly #market: Market;
	readonly #maxBytes: number;
	readonly #modes: Record<EntryMode, Map<number, {version: number; json: Buffer}>> = {
		asset: new Map(),
		pool: new Map(),
	};
	#bytes = 0;

	constructor(market: Market, {maxBytes = 16 << 20} = {}) {
		this.#market = market;
		this.#maxBytes = maxBytes;
	}

	/** The JSON of a row's entry, as it is now. Not to be written to. */
	json(row: number, mode: EntryMode): Buffer {
		const rows = this.#modes[mode];
		const version = this.#market.table.versions()[row]!;
		const held = rows.get(row);
		if (held?.version === version) {
			rows.delete(row);
			rows.set(row, held);
			return held.json;
		}
		const entry = mode === 'asset' ? this.#market.assetEntry(row) : this.#market.poolEntry(row);
		const json = Buffer.from(JSON.stringify(entry));
		this.#bytes += json.length - (held?.json.length ?? 0);
		rows.delete(row);
		rows.set(row, {version, json});
		this.#evict();
		return json;
	}

	#evict(): void {
		while (this.#bytes > this.#maxBytes) {
			const {asset, pool} = this.#modes;
			const rows = asset.size >= pool.size ? asset : pool;
			const [row, held] = rows.entries().next().value!;
			rows.delete(row);
			this.#bytes -= held.json.length;
		}
	}
}
