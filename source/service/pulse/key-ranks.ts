import type {MarketTable} from '../market/market.ts';

/**
 * The order of the rows' keys as numbers, so that a tie between thousands of rows costs no thousands of comparisons of
 * text. Equal numbers say nothing: then the keys themselves decide.
 */
export class KeyRanks {
	readonly #table: MarketTable;
	/** `<chainId>|`, in order: a chain's place is the first part of its rows' ranks. */
	#chains: readonly string[] = [];
	/** Chains met during a query. Their places would move those of others, so they are given before the next one. */
	readonly #newChains = new Set<string>();
	#ranks = new Float64Array(0);
	/** Which token a rank was made for: another token in the row was made at another moment. */
	#madeFor = new Float64Array(0);

	constructor(table: MarketTable) {
		this.#table = table;
	}

	/** The rank of a row, NaN where there is none yet. Valid for one query. */
	bind(): (row: number) => number {
		const created = this.#table.numbers('created_at');
		if (this.#ranks.length < this.#table.length) this.#grow();
		if (this.#newChains.size > 0) {
			this.#chains = [...this.#chains, ...this.#newChains].sort();
			this.#newChains.clear();
			this.#madeFor.fill(Number.NaN);
		}
		return row => {
			if (this.#madeFor[row] !== created[row]) this.#make(row, created[row]!);
			return this.#ranks[row]!;
		};
	}

	#grow(): void {
		const size = Math.ceil(this.#table.length * 1.5);
		const [ranks, madeFor] = [this.#ranks, this.#madeFor];
		this.#ranks = new Float64Array(size);
		this.#madeFor = new Float64Array(size).fill(Number.NaN);
		this.#ranks.set(ranks);
		this.#madeFor.set(madeFor);
	}

	#make(row: number, createdMs: number): void {
		const key = this.#table.key(row);
		const split = key.indexOf('|') + 1;
		const chain = key.slice(0, split);
		const place = this.#chains.indexOf(chain);
		if (place < 0) this.#newChains.add(chain);
		this.#ranks[row] = place < 0 ? Number.NaN : rankOfText(place, key, split);
		this.#madeFor[row] = createdMs;
	}
}

const CHARACTERS = 6;

/** Seven bits for each of the first characters; what is not ASCII is not told apart, nor what follows it. */
function rankOfText(rank: number, text: string, from: number): number {
	let isTold = true;
	for (let i = from; i < from + CHARACTERS; i++) {
		const code: number = isTold && i < text.length ? text.charCodeAt(i) + 1 : 0;
		isTold &&= code < 127;
		rank = rank * 128 + Math.min(code, 127);
	}
	return rank;
}
