import type {Random} from './random.ts';

/**
 * The pause between two trades of a held token that the crowd has left. The engine may drop tokens without a trade for
 * an hour.
 */
const IDLE_MS = {shortest: 720_000, longest: 2_400_000} as const;

interface OutsideHolding {
	readonly wallet: string;
	readonly tokens: number;
	readonly sinceMs: number;
}

/** The wallets from outside the simulation that hold one token. The crowd knows nothing of them: it would sell their tokens. */
export class OutsideHolders {
	/** Trades from outside in the token's life. */
	epoch: number;
	/** Whether the token has changed since its facts were last taken. */
	isChanged = true;
	readonly #holdings = new Map<string, OutsideHolding>();

	constructor(holdings: readonly OutsideHolding[] = [], epoch = 0) {
		this.epoch = epoch;
		for (const holding of holdings) this.#holdings.set(holding.wallet.toLowerCase(), holding);
	}

	/** False when all of them have sold. */
	get isHeld(): boolean {
		return this.#holdings.size > 0;
	}

	/** Adds the tokens of a buy, or takes those of a sale (negative). */
	add(wallet: string, tokens: number, timeMs: number): void {
		const name = wallet.toLowerCase();
		const before = this.#holdings.get(name);
		const sum = (before?.tokens ?? 0) + tokens;
		// The rest after a sale of everything is rounding.
		if (sum <= Math.abs(tokens) * 1e-12) this.#holdings.delete(name);
		else this.#holdings.set(name, {wallet, tokens: sum, sinceMs: before?.sinceMs ?? timeMs});
	}

	list(): readonly OutsideHolding[] {
		return [...this.#holdings.values()];
	}

	/** When the crowd trades next at the latest. */
	idleUntilMs(nowMs: number, random: Random): number {
		return Math.ceil(nowMs + random.between(IDLE_MS.shortest, IDLE_MS.longest));
	}
}
