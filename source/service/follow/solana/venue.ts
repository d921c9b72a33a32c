/**
 * A place where tokens are launched or traded, as one table: the program, its events and their meaning.
 * Adding a venue is a file with such a table and a line in `venues.ts`.
 */
export interface SolanaVenue {
	/** Pool type as in the system metadata: `pumpfun`. */
	readonly id: string;
	/** `Pump.fun`. */
	readonly name: string;
	readonly program: string;
	/** By the first eight bytes of an event in hex, which are shared between programs. */
	readonly events: Readonly<Record<string, DecodeEvent>>;
	/** Events that are known and mean nothing for a market, in hex. All others count as newer than the decoder. */
	readonly skipped: ReadonlySet<string>;
}

/** Reads the bytes of one event, its first eight included. @throws DecodeFailed */
export type DecodeEvent = (bytes: Uint8Array) => DecodedEvent;

export interface DecodedEvent {
	readonly event: SolanaEvent;
	/** Bytes that are newer than the decoder. */
	readonly extra: number;
}

/** An event of a venue. Amounts are raw; text is as the chain has it, hostile. */
export type SolanaEvent = TokenMade | CurveTrade | CurveFull | Migrated | PoolMade | PoolTrade | PoolLiquidity;

/** A launchpad made a token, which a curve sells. */
export interface TokenMade {
	readonly kind: 'token';
	/** Where it is not the one that the kind of event stands for. */
	readonly venue?: Pick<SolanaVenue, 'id' | 'name' | 'program'>;
	/** Null: it stands in the account of the curve. */
	readonly mint: string | null;
	readonly curve: string;
	readonly name: string;
	readonly symbol: string;
	readonly uri: string;
	readonly creator: string;
	readonly timeS: number | null;
	readonly decimals: number;
	readonly supply: bigint;
	/** Tokens that the curve sells before the token graduates; null when unknown. */
	readonly sale: bigint | null;
	readonly virtualToken: bigint | null;
	readonly virtualQuote: bigint | null;
	/** `native` is SOL. Null: it stands in the account of the curve. */
	readonly quote: string | 'native' | null;
	readonly quoteDecimals?: number | undefined;
	readonly isToken2022: boolean | null;
	readonly isMayhem: boolean | null;
	readonly isCashback: boolean | null;
}

/** A trade with a curve. */
export interface CurveTrade {
	readonly kind: 'curve-trade';
	/** One of both says which token. */
	readonly mint: string | null;
	readonly curve: string | null;
	/** Null when the event does not say who traded. */
	readonly wallet: string | null;
	readonly side: 'buy' | 'sell';
	readonly amountToken: bigint;
	/** Without the fee. */
	readonly amountQuote: bigint;
	readonly fee: bigint | null;
	/** Tokens that the curve still sells, and quote coins it holds, after the trade; null when the event is older than these fields. */
	readonly left: bigint | null;
	readonly raised: bigint | null;
	/** Tokens in the coming pool, where the trade went on behind the end of the curve. */
	readonly beyond: {readonly token: bigint; readonly quote: bigint} | null;
	/** The price after the trade, in raw quote coins for a raw token; null when it is not defined. */
	readonly price: number | null;
	/** Null when the event does not say. */
	readonly quote: string | 'native' | null;
	readonly timeS: number | null;
	/** How much of the curve is done after the trade, 0 to 1, where it goes by quote coins. */
	readonly share?: number;
}

/** A curve has sold everything; the token moves to a pool soon. */
export interface CurveFull {
	readonly kind: 'full';
	readonly mint: string;
	readonly timeS: number | null;
}

/** A token left its curve. */
export interface Migrated {
	readonly kind: 'migrated';
	readonly mint: string;
	readonly pool: string;
	readonly amountToken: bigint;
	readonly amountQuote: bigint;
	readonly timeS: number;
}

/** A pool of two coins was opened. */
export interface PoolMade {
	readonly kind: 'pool';
	readonly pool: string;
	readonly base: string;
	readonly quote: string;
	readonly baseDecimals: number;
	readonly quoteDecimals: number;
	readonly reserveBase: bigint;
	readonly reserveQuote: bigint;
	readonly timeS: number;
}

/** A trade with a pool. */
export interface PoolTrade {
	readonly kind: 'pool-trade';
	readonly pool: string;
	readonly wallet: string;
	readonly side: 'buy' | 'sell';
	readonly amountBase: bigint;
	/** The amount that entered (buy) or left (sell) the pool, its own fee included. */
	readonly amountQuote: bigint;
	readonly fee: bigint;
	/** After the trade. */
	readonly reserveBase: bigint;
	readonly reserveQuote: bigint;
	/** The price after the trade, in raw quote coins for a raw token. */
	readonly price: number | null;
	readonly timeS: number;
}

/** Coins were put into a pool (positive) or taken out. */
export interface PoolLiquidity {
	readonly kind: 'pool-liquidity';
	readonly pool: string;
	readonly wallet: string;
	readonly amountBase: bigint;
	readonly amountQuote: bigint;
	readonly timeS: number;
}

/** The price that two reserves give; null for empty reserves. */
export function priceOf(quote: bigint, token: bigint): number | null {
	return quote > 0n && token > 0n ? Number(quote) / Number(token) : null;
}

/** A token that moved to a pool. */
export interface PoolMove {
	readonly mint: string;
	readonly pool: string;
	readonly to: 'cpmm' | 'amm' | 'damm-v2';
}

/** The parts of a transaction that venues read. */
export interface WholeTransaction {
	/** In the order in which they ran. */
	readonly instructions: readonly Instruction[];
	/** Balances of token accounts after it, raw. */
	readonly balances: readonly {readonly mint: string; readonly amount: bigint; readonly decimals: number}[];
}

export interface Instruction {
	readonly program: string;
	readonly accounts: readonly string[];
	readonly data: Uint8Array;
}
