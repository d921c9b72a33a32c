import type {Profile} from '../../market/events.ts';
import type {Log} from './log.ts';

export type Address = `0x${string}`;
export type Hex = `0x${string}`;

/**
 * A place where tokens are launched or traded, as one table: its contracts, their events and the meaning of the events.
 * Adding a venue is a file with such a table and a line in `venues.ts`.
 */
export interface Venue {
	/** Of its own among all venues: `pancakeswap-v2`. */
	readonly id: string;
	/** Pool type in the system metadata, which forks share: `uniswap-v2`. */
	readonly poolType: string;
	/** `four.meme`. */
	readonly name: string;
	/** Contracts that are always followed, by chain number: factories, launchpads, managers. */
	readonly contracts: Readonly<Record<number, readonly Address[]>>;
	/** Topics of the events of those contracts that are read; everything else they write is skipped by name. */
	readonly events: Readonly<Record<Hex, Decode>>;
	/** Topics of the events of pools that this venue makes. The log's address is the pool. */
	readonly poolEvents?: Readonly<Record<Hex, Decode>>;
	/**
	 * The same where `contracts` hold all pools of the chain (Uniswap V4): the pool's id is the second topic. Asked for by the
	 * ids of followed pools; never in `events`, or every swap of the chain would come.
	 */
	readonly managedEvents?: Readonly<Record<Hex, Decode>>;
	/** Topics that are known and mean nothing for a market. All others of `contracts` count as newer than the decoder. */
	readonly skipped: readonly Hex[];
	/** Fee of a pool in parts per million where no event reports it; null when unknown. */
	readonly feePpm: number | null;
	/**
	 * The swap events do not say the reserves of the pool: they are the reserves of the opening plus the amounts moved by swaps.
	 * Virtual amounts of the opening count in the price.
	 */
	readonly countsReserves?: true;
	/** Facts of a launch that no event says: calls to the node made once a token. */
	readonly launchFacts?: LaunchFacts;
	/** Contracts of a launchpad that keep tokens, by chain number: they are no holders. */
	readonly keepers?: Readonly<Record<number, readonly Address[]>>;
}

/** Reads one log of its topic. Undefined: the log is of another kind with the same topic. @throws DecodeFailed for bytes that are no such event */
export type Decode = (log: Log) => VenueEvent | undefined;

export interface LaunchFacts {
	calls(made: TokenMade, chain: number): readonly {readonly to: Address; readonly data: Hex}[];
	/**
	 * @param results of each call; undefined for one that failed
	 * @throws DecodeFailed
	 */
	read(results: readonly (Hex | undefined)[]): SaidOfLaunch;
}

/** Facts of a launch from a call. A missing fact is unknown. */
export interface SaidOfLaunch {
	/** Raw tokens that the curve sells. */
	readonly sale?: bigint | null;
	/** The coin that it sells them for. */
	readonly quote?: Address | 'native' | null;
	/** Raw quote coins in its price that it never holds. */
	readonly virtual?: bigint;
	/** Raw tokens that the curve does not sell. */
	readonly kept?: bigint;
	/** The launchpad that launched by the venue. */
	readonly launchpad?: string;
	/** The person. */
	readonly creator?: Address;
}

/** The event in a log of a venue. Amounts are raw; text is as the chain has it, hostile. */
export type VenueEvent =
	| TokenMade
	| PoolMade
	| PoolSwap
	| PoolReserves
	| PoolLiquidity
	| CurveTrade
	| CurveTerms
	| CurveProgress
	| CurveOpened
	| Graduated;

/** A launchpad made a token. */
export interface TokenMade {
	readonly kind: 'token';
	readonly token: Address;
	/** The person, not the launchpad; null when the event does not say. */
	readonly creator: Address | null;
	readonly name: string | null;
	readonly symbol: string | null;
	readonly supply: bigint | null;
	readonly decimals: number | null;
	/** Null: the token has no curve, its pool comes with a `pool` event or is `pool` here. Its terms may follow in a `curve-terms` event. */
	readonly curve: {
		/** The contract that sells; many tokens may share it. */
		readonly address: Address;
		readonly quote: Address | 'native' | null;
		/** Raw tokens that the curve sells before the token graduates; null when a call has to say. */
		readonly sale: bigint | null;
		/** Raw quote coins that it takes to graduate, where progress goes by them. */
		readonly raise?: bigint;
	} | null;
	/**
	 * The first pool of the token, where this event names the pool and no `pool` event does. For a token with a curve, the curve is
	 * that pool: its trades are `swap` events.
	 */
	readonly pool: {
		readonly venue: string;
		readonly pool: Hex;
		readonly quote: Address;
		/** The index of the token's amount among the two of its events: such pools need not sort their coins. */
		readonly tokenIs: 0 | 1;
	} | null;
	readonly profile: Profile;
	/** It is launched by a `curve-opened` event, perhaps days later. */
	readonly isPlanned?: true;
}

/** A pool of two coins was made. `pool` is an address, or the 32 byte id of a pool in a manager. Zero address: the native coin. */
export interface PoolMade {
	readonly kind: 'pool';
	readonly pool: Hex;
	readonly token0: Address;
	readonly token1: Address;
	/** Null when the fee changes from trade to trade. */
	readonly feePpm: number | null;
	/** Contract that may change amounts; null for none. */
	readonly hooks: Address | null;
	/** Set where the event has it: sqrt of token1 per token0, times 2^96. */
	readonly sqrtPriceX96: bigint | null;
	/** Whether the pool has the formula for coins of like price, x³y + y³x; false for the constant product. Only venues with both set it. */
	readonly isStable?: boolean;
}

/** A swap, from the pool's side: positive entered the pool, negative left it, fees included. */
export interface PoolSwap {
	readonly kind: 'swap';
	readonly pool: Hex;
	readonly amount0: bigint;
	readonly amount1: bigint;
	/** Set where the event has it. */
	readonly feePpm: number | null;
	readonly sqrtPriceX96: bigint | null;
	/** Liquidity at the price after the swap, where the event has it: without any, the price can be moved anywhere for nothing. */
	readonly liquidity?: bigint;
	/** The trader, where the event names the person. */
	readonly wallet?: Address;
}

/** The reserves of a pool now (V2 Sync). */
export interface PoolReserves {
	readonly kind: 'reserves';
	readonly pool: Hex;
	readonly reserve0: bigint;
	readonly reserve1: bigint;
}

/** Coins were put into a pool (positive) or taken out. `ticks`: the amounts follow from a range and the price now (V4). */
export interface PoolLiquidity {
	readonly kind: 'liquidity';
	readonly pool: Hex;
	readonly provider: Address | null;
	readonly amounts: {readonly amount0: bigint; readonly amount1: bigint} | null;
	readonly ticks: {readonly lower: number; readonly upper: number; readonly liquidity: bigint} | null;
}

/** A trade with a launchpad's curve. */
export interface CurveTrade {
	readonly kind: 'curve-trade';
	readonly token: Address;
	readonly wallet: Address | null;
	readonly side: 'buy' | 'sell';
	readonly amountToken: bigint;
	/** Without the fee. */
	readonly amountQuote: bigint;
	readonly fee: bigint | null;
	/** Raw tokens that the curve still sells, and quote coins it holds, after the trade. */
	readonly left: bigint | null;
	readonly raised: bigint | null;
	/** The curve's price after the trade; null where the event does not say it. */
	readonly spot: RawPrice | null;
}

/**
 * A price as an exact ratio: `quote` raw quote coins for `token` raw tokens. Two virtual reserves as they are, a price per whole token
 * of 18 decimals as `{quote: price, token: 10n ** 18n}`. An empty side is no price.
 */
export interface RawPrice {
	readonly quote: bigint;
	readonly token: bigint;
}

/** The tokens and the coin of a curve, in events beside the one that made the token. Null: not said here. */
export interface CurveTerms {
	readonly kind: 'curve-terms';
	readonly token: Address;
	readonly sale: bigint | null;
	readonly quote: Address | 'native' | null;
}

/** How far a curve is, 0 to 1, where an event of its own says it. */
export interface CurveProgress {
	readonly kind: 'curve-progress';
	readonly token: Address;
	readonly progress: number;
}

/** A token that was made before can be traded on its curve from now on. */
export interface CurveOpened {
	readonly kind: 'curve-opened';
	readonly token: Address;
}

/** A token left its curve. */
export interface Graduated {
	readonly kind: 'graduated';
	readonly token: Address;
	/** The pool it moved to, where the event names it; otherwise the pool made for the token in the same transaction. */
	readonly pool: Address | null;
	/** That pool has this hook: no other one of the token is its main pool. */
	readonly hooks?: Address;
	readonly amountToken: bigint | null;
	readonly amountQuote: bigint | null;
}
