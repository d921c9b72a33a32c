import type {MarketTable} from '../market/market.ts';

/**
 * The order of the rows' keys as numbers, so that a tie between thousands of rows does not cost thousands of comparisons of
 * text. Equal numbers decide nothing: then the keys themselves are compared.
 */
export class KeyRanks {
	readonly #table: MarketTable;
	/** `<chainId>|`, sorted: the index of a chain is the first part of its rows' ranks. */
	#chains: readonly string[] = [];
	/** Chains that appeared during a query. They would move the indexes of others, so they are added before the next one. */
	readonly #newChains = new Set<string>();
	#ranks = new Float64Array(0);
	/** When the token was created that a rank was computed for: a row may be reused by another token. */
	#createdMs = new Float64Array(0);

	constructor(table: MarketTable) {
		this.#table = table;
	}

	/** Gives the rank of a row, NaN where it has none yet. Valid for one query. */
	bind(): (row: number) => number {
		const created = this.#table.numbers('created_at');
		if (this.#ranks.length < this.#table.length) this.#grow();
		if (this.#newChains.size > 0) {
			this.#chains = [...this.#chains, ...this.#newChains].sort();
			this.#newChains.clear();
			this.#createdMs.fill(Number.NaN);
		}
		return row => {
			if (this.#createdMs[row] !== created[row]) this.#compute(row, created[row]!);
			return this.#ranks[row]!;
		};
	}

	#grow(): void {
		const size = Math.ceil(this.#table.length * 1.5);
		const [ranks, createdMs] = [this.#ranks, this.#createdMs];
		this.#ranks = new Float64Array(size);
		this.#createdMs = new Float64Array(size).fill(Number.NaN);
		this.#ranks.set(ranks);
		this.#createdMs.set(createdMs);
	}

	#compute(row: number, createdMs: number): void {
		const key = this.#table.key(row);
		const addressAt = key.indexOf('|') + 1;
		const chain = key.slice(0, addressAt);
		const index = this.#chains.indexOf(chain);
		if (index < 0) this.#newChains.add(chain);
		this.#ranks[row] = index < 0 ? Number.NaN : rankOfText(index, key, addressAt);
		this.#createdMs[row] = createdMs;
	}
}

const CHARACTERS = 6;

/** Seven bits for each of the first characters. From the first one that is not ASCII on, texts get the same rank. */
function rankOfText(chainIndex: number, text: string, from: number): number {
	let rank = chainIndex;
	let isAscii = true;
	for (let i = from; i < from + CHARACTERS; i++) {
		const code: number = isAscii && i < text.length ? text.charCodeAt(i) + 1 : 0;
		isAscii &&= code < 127;
		rank = rank * 128 + Math.min(code, 127);
	}
	return rank;
}
