/** An address of an EVM chain, with the checksum that guards against a wrong digit. */
export type Address = `0x${string}`;

/** Where the price of a quote coin in US dollars comes from. */
export type PriceSource =
	/** Counted as one dollar. */
	| {readonly kind: 'dollar'}
	/** A feed of Chainlink: `latestRoundData()` and `getRoundData(uint80)` of its proxy. */
	| {
			readonly kind: 'chainlink';
			readonly feed: Address;
			/** Decimals of its answers. */
			readonly decimals: number;
			/** Longest time between two rounds, in seconds, as its operator states it. */
			readonly heartbeatS: number;
	  }
	/** A pool of Uniswap V3 with another quote coin, whose price is known: each swap says what it costs. */
	| {readonly kind: 'pool'; readonly pool: Address; readonly in: Address};

/** A coin that pools price tokens in. */
export interface QuoteFacts {
	readonly address: string;
	readonly symbol: string;
	readonly name: string;
	readonly decimals: number;
	/** Null: no dollar price is known here; tokens against this coin have a price in the coin, and none in dollars. */
	readonly price: PriceSource | null;
}

/** Exchanges of the same make by their names, each with its factories or managers. */
type Exchanges = Readonly<Record<string, readonly Address[]>>;

/**
 * All that the program knows of a chain before it asks any service or node. Each chain is one file, listed in `chains.ts`; what
 * is left out is unknown, and the program says so where it matters.
 */
export interface Chain {
	/** `evm:8453`, `solana:solana`. */
	readonly id: string;
	/** The name that people read: `Arbitrum`. */
	readonly name: string;
	/** The name in the answers of the API, where it is another one. */
	readonly apiName?: string;
	/** The same in at most four letters, for rows: `ARB`. */
	readonly short: string;
	/** Words that can be typed for it, in lower case; the first one is shown. */
	readonly words: readonly string[];
	/** The native coin. */
	readonly coin: {readonly symbol: string; readonly name: string; readonly decimals: number};
	/** `account`: the path of an address, `address` by default. */
	readonly explorer?: {readonly name: string; readonly origin: string; readonly account?: string};
	/** Usual time between two blocks. */
	readonly blockMs?: number;
	/** After how many blocks one is taken for final where the node names no final block. */
	readonly finalAfter?: number;
	/** Coins that pools are quoted in; the token that wraps the native coin is the first. */
	readonly quotes?: readonly QuoteFacts[];
	/** Contracts of the exchanges whose pools are read, as their projects publish them. */
	readonly exchanges?: {
		/** Pairs of the constant product: `getPair(address,address)`. */
		readonly v2?: Exchanges;
		/** Pools with ranges: `getPool(address,address,uint24)`. */
		readonly v3?: Exchanges;
		/** Managers that hold every pool. */
		readonly v4?: Exchanges;
		/** Pairs, volatile and stable: `getPool(address,address,bool)`. */
		readonly solidly?: Exchanges;
	};
	/** How `--follow` follows the chain; absent where it cannot. */
	readonly follow?: {
		/** The name that `--follow` takes. */
		readonly name: string;
		/** Blocks behind the head that are shown by default. */
		readonly confirmations: number;
	};
	/** US dollars for one native coin in the simulated market and in practice quotes; absent where there is no practice. */
	readonly practiceUSD?: number;
	/** The practice chain of a sponsored bridge (spec 4.4). */
	readonly practice?: {
		/** Gwei for one unit of gas, for quotes: the base fee of an idle practice chain falls to nothing. */
		readonly gasPriceGwei: number;
		/** Approximate time of a bridge into this chain (contract gaps 4.3). */
		readonly fillTimeMs: number;
	};
}

const DOLLAR: PriceSource = {kind: 'dollar'};

/**
 * Heartbeat of feeds whose figure could not be checked: they were faster once (a minute and less), and a price that moves makes a
 * round at once. Too short would hide prices that are right.
 */
export const UNSURE_S = 3600;

/** The price of a feed of Chainlink, whose answers have 8 decimals. */
export function chainlink(feed: Address, heartbeatS: number): PriceSource {
	return {kind: 'chainlink', feed, decimals: 8, heartbeatS};
}

/** A quote coin; `dollar` is the price of one that counts as a US dollar. */
export function quote(
	address: string,
	coin: readonly [symbol: string, name: string, decimals: number],
	price: PriceSource | 'dollar' | null,
): QuoteFacts {
	const [symbol, name, decimals] = coin;
	return {address, symbol, name, decimals, price: price === 'dollar' ? DOLLAR : price};
}

/** USD Coin, with 6 decimals on all chains but one. */
export function usdc(address: string, decimals = 6): QuoteFacts {
	return quote(address, ['USDC', 'USD Coin', decimals], 'dollar');
}

/** Tether, with 6 decimals on all chains but one. */
export function usdt(address: string, decimals = 6): QuoteFacts {
	return quote(address, ['USDT', 'Tether USD', decimals], 'dollar');
}

/** Wrapped Ether. */
export function weth(address: string, price: PriceSource | null): QuoteFacts {
	return quote(address, ['WETH', 'Wrapped Ether', 18], price);
}

/** The native coin of Ethereum and of its rollups. */
export const ETHER = {symbol: 'ETH', name: 'Ether', decimals: 18} as const;
