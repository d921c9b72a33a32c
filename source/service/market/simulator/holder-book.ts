import type {Random} from './random.ts';

/** The holding of one holder of a simulated token. */
export interface Holding {
	readonly wallet: string;
	balance: number;
	/** US dollars paid so far, and for how many tokens. */
	paidUSD: number;
	bought: number;
}

/** Past this many holders a new one replaces another, who then never sells. */
const MAX_HOLDERS = 120;

/** The possible sellers of a simulated token: as many as the crowd needs to look real. */
export class HolderBook {
	readonly #holdings: Holding[] = [];

	find(wallet: string): Holding | undefined {
		return this.#holdings.find(holding => holding.wallet === wallet);
	}

	any(random: Random): Holding | undefined {
		return this.#holdings[random.index(this.#holdings.length)];
	}

	add(wallet: string, amount: number, paidUSD: number, random: Random): void {
		const known = this.find(wallet);
		if (known) {
			known.balance += amount;
			known.paidUSD += paidUSD;
			known.bought += amount;
			return;
		}
		const holding = {wallet, balance: amount, paidUSD, bought: amount};
		if (this.#holdings.length < MAX_HOLDERS) this.#holdings.push(holding);
		else this.#holdings[random.index(MAX_HOLDERS)] = holding;
	}

	/** Takes tokens from a holder; a holder without a balance is forgotten. */
	take(holding: Holding, amount: number): void {
		holding.balance -= amount;
		if (holding.balance > 0) return;
		const at = this.#holdings.indexOf(holding);
		const last = this.#holdings.pop()!;
		if (last !== holding && at >= 0) this.#holdings[at] = last;
	}
}
