/*
 * The subject of a trade: a token as its row showed it when the key was pressed. Chain and address of a target never change; its
 * figures can be read again.
 */

export type TradeSide = 'buy' | 'sell';

/** A token to buy or sell. An undefined member was not reported, and is neither 0 nor false. */
export interface TradeTarget {
	readonly side: TradeSide;
	readonly chainId: string;
	/** As the feed wrote it. */
	readonly address: string;
	readonly symbol: string;
	readonly name: string;
	readonly decimals?: number;
	readonly priceUSD?: number;
	/** Both sides of a pool; of a bonding curve the money alone. */
	readonly liquidityUSD?: number;
	readonly phase: 'new' | 'bonding' | 'bonded' | undefined;
	/** Whether its bonding curve still sells the token. No figure of the feed shows the depth of a curve. */
	readonly isCurve?: boolean;
	readonly isHoneypot?: boolean;
	readonly isNotOpenSource?: boolean;
	/** Percent. */
	readonly buyTax?: number;
	readonly sellTax?: number;
	readonly lookAlike?: 'warn' | 'bad';
	/** When the token was created, Unix ms. */
	readonly createdAtMs?: number;
	/** Risks in words, as the row shows them. */
	readonly marks: readonly string[];
	/** Its prices before the key was pressed; undefined where none was seen. */
	readonly seen?: SeenPrices;
	/** When the figures were current, server time. */
	readonly atMs: number;
	/** Whether the feed was live then. */
	readonly isLive: boolean;
}

/** The prices of a token that the feed brought in the minutes before its trade key was pressed. */
export interface SeenPrices {
	readonly lowUSD: number;
	readonly highUSD: number;
	readonly count: number;
	/** From the first one to the key, ms. */
	readonly spanMs: number;
}
