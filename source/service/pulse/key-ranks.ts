import type {MarketTable} from '../market/market.ts';

/**
 * The order of the rows' keys as numbers, so that a tie between thousands of rows costs no thousands of comparisons of
 * text. Equal numbers say nothing: then the keys themselves decide.
 */
export class KeyRanks {
	readonly #table: MarketTable;
	/** `<chainId>|` by its place among all of them. */
	#chains: string[] = [];
	#ranks = new Float64Array(0);
	/** Which token a rank was made for: another token in the row was made at another moment. */
	#madeFor = new Float64Array(0);

	constructor(table: MarketTable) {
		this.#table = table;
	}

	/** The rank of a row. Valid for one query. */
	bind(): (row: number) => number {
		const created = this.#table.numbers('created_at');
		if (this.#ranks.length < this.#table.length) this.#grow();
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
		let rank = this.#chainRank(key.slice(0, split));
		// Seven bits for each of the first characters; what is not ASCII is not told apart, nor what follows it.
		let isTold = true;
		for (let i = split; i < split + CHARACTERS; i++) {
			const code = isTold && i < key.length ? key.charCodeAt(i) + 1 : 0;
			isTold &&= code < 127;
			rank = rank * 128 + Math.min(code, 127);
		}
		this.#ranks[row] = rank;
		this.#madeFor[row] = createdMs;
	}

	#chainRank(chain: string): number {
		const known = this.#chains.indexOf(chain);
		if (known >= 0) return known;
		this.#chains = [...this.#chains, chain].sort();
		// The places of the others have moved.
		this.#madeFor.fill(Number.NaN);
		return this.#chains.indexOf(chain);
	}
}

const CHARACTERS = 6;
