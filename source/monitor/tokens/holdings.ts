/** The holding of a token, in all wallets: for the mark in its rows and the line in its pane. Figures to show. */
export interface TokenHolding {
	/** By the chain, or by the trades while the chain was not read. */
	readonly isHeld: boolean;
	/** A trade of it was sent and has no end yet. */
	readonly isUnderWay: boolean;
	/** Whole tokens on the chain; undefined while that was not read. */
	readonly amount?: number;
	/** The part of it that was bought here, and its cost in US dollars, fees in. */
	readonly bought?: number;
	readonly costUSD?: number;
	/** Average cost of a whole token in US dollars; undefined where nothing was bought here. */
	readonly averageUSD?: number;
	/** Its unusual facts, a short sentence each. */
	readonly words: readonly string[];
}

/** By the token's key. */
export type TokenHoldings = ReadonlyMap<string, TokenHolding>;
