import type {Random} from '../market/simulator/random.ts';

/** Shares of one market by trader and outcome. */
export class Holdings {
	/** Number of traders with shares, and of those of each outcome. */
	people = 0;
	readonly peopleOf: number[];
	readonly #outcomes: number;
	/** Index of a trader's shares in `#shares`. */
	readonly #slots = new Map<number, number>();
	readonly #traders: number[] = [];
	readonly #shares: number[] = [];

	constructor(outcomes: number) {
		this.#outcomes = outcomes;
		this.peopleOf = new Array(outcomes).fill(0);
	}

	of(trader: number, outcome: number): number {
		const slot = this.#slots.get(trader);
		return slot === undefined ? 0 : this.#shares[slot + outcome]!;
	}

	/** The first outcome that a trader holds; -1 for none. */
	firstOf(trader: number): number {
		for (let outcome = 0; outcome < this.#outcomes; outcome++) if (this.of(trader, outcome) > 0) return outcome;
		return -1;
	}

	/** A random trader with past trades. */
	anyTrader(random: Random): number | undefined {
		return this.#traders.length === 0 ? undefined : random.pick(this.#traders);
	}

	/** Adds shares, or takes them when negative, at most all of them. */
	add(trader: number, outcome: number, shares: number): void {
		let slot = this.#slots.get(trader);
		if (slot === undefined) {
			slot = this.#shares.length;
			this.#slots.set(trader, slot);
			this.#traders.push(trader);
			for (let i = 0; i < this.#outcomes; i++) this.#shares.push(0);
		}
		const before = this.#shares[slot + outcome]!;
		const hadAny = this.firstOf(trader) >= 0;
		const after = Math.max(0, before + shares);
		this.#shares[slot + outcome] = after;
		this.peopleOf[outcome]! += Number(after > 0) - Number(before > 0);
		this.people += Number(this.firstOf(trader) >= 0) - Number(hadAny);
	}
}
