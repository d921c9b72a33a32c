/**
 * The events of a market, as data. Everything the service shows is computed from a sequence of these, whatever their
 * source: the simulator, a recording (`pulsetop replay`), or an indexer of real chains.
 *
 * An event is plain JSON. Times are Unix milliseconds; amounts are in whole units of the coin (not raw) and money in US
 * dollars, as numbers. Addresses are written as their chain writes them; EVM ones in any case, they compare in lower case.
 *
 * Order: the events of ONE token must come oldest first (one that comes late counts at the time of the token's newest
 * event). Events of different tokens may come in any order, which is what lets 24 hours of history be filled in per token.
 */
export type MarketEvent =
	| LaunchEvent
	| TradeEvent
	| TransferEvent
	| LiquidityEvent
	| MigrateEvent
	| FundEvent
	| ProfileEvent
	| ReservesEvent
	| HoldersEvent
	| GapEvent;

interface At {
	readonly timeMs: number;
	/** `solana:solana`, `evm:8453`. */
	readonly chainId: string;
}

/** A token on its chain. */
export interface TokenPlace {
	readonly chainId: string;
	readonly token: string;
}

interface OfToken extends At {
	/** The token's address. */
	readonly token: string;
	/** The block (slot) that holds the event. */
	readonly block: number;
}

/** The coin that a pool prices its token in. */
export interface QuoteCoin {
	readonly address: string;
	readonly symbol: string;
	readonly name: string;
	readonly decimals: number;
}

export interface PoolFacts {
	readonly address: string;
	/** Pool type as in the system metadata: `pumpfun`, `uniswap-v3`. */
	readonly type: string;
	/** Address of the factory or program that made the pool. */
	readonly factory: string | null;
	readonly exchange: {readonly name: string; readonly logo: string} | null;
	readonly quote: QuoteCoin;
}

/** A token and its first pool are created; the supply outside `reserveToken` belongs to the deployer. */
export interface LaunchEvent extends OfToken {
	readonly type: 'launch';
	/** `quote`: a stablecoin or native coin. `lp`: the wrapper of a pool share, without a pool of its own. */
	readonly kind: 'token' | 'quote' | 'lp';
	readonly symbol: string | null;
	readonly name: string | null;
	readonly decimals: number;
	/** Total supply; null when the source does not report it: then no figure that needs it is shown. */
	readonly supply: number | null;
	readonly deployer: string | null;
	/** Null for quote coins and LP wrappers. */
	readonly pool: PoolFacts | null;
	/** Tokens in the pool at the start; null when unknown. */
	readonly reserveToken: number | null;
	readonly reserveQuote: number | null;
	/** US dollars for one quote coin; null when unknown. */
	readonly quoteUSD: number | null;
	/** US dollars for one token at the opening; null when unknown. */
	readonly priceUSD: number | null;
	/**
	 * The events that move the balances of wallets: trades (the default), or transfer events alone, where a source has every transfer of the
	 * token since its launch. Then the supply has no owner until transfers assign it.
	 */
	readonly balances?: 'trades' | 'transfers';
	/** Set when the pool is a bonding curve: how many tokens it sells before the token graduates. */
	readonly curveSale: number | null;
	/** The token starts in an ordinary pool, which counts as the time of its bonding. */
	readonly isBonded?: true;
	/** False when the source has no holder index for the token: holder figures are unknown then, not 0. */
	readonly holdersReported: boolean;
	readonly profile: Profile;
}

/**
 * A swap between a wallet and a pool of the token. The fee is paid on top and enters no reserve.
 *
 * A trade has two prices, and only this comment defines them:
 * - The pool's price after the trade, `spotQuote`: what the next small trade would be made at. The token's price, market cap, changes,
 *   candles, highs and lows, the value of holdings and every order by them come from it.
 * - The trade's own average, `valueUSD / amountToken`: what this wallet paid or got. Volume, fees, cost and profit come from it.
 *
 * Where a source gives no state after the trade, the average stands for the pool's price too; the token's price is marked then.
 */
export interface TradeEvent extends OfToken {
	readonly type: 'trade';
	/** Null: the token's main pool. */
	readonly pool: string | null;
	/** Null when the trader is unknown: the trade counts, and no trader with it. */
	readonly wallet: string | null;
	readonly side: 'buy' | 'sell';
	readonly amountToken: number;
	/** Quote coins that entered (buy) or left (sell) the pool's reserve. */
	readonly amountQuote: number;
	/** Price of the tokens without the fee; divided by `amountToken`, the trade's average. Null while the quote coin's price is unknown. */
	readonly valueUSD: number | null;
	readonly feeUSD: number | null;
	readonly quoteUSD: number | null;
	/** Quote coins for one token in the pool after the trade, above 0. Absent: the source gives no state after the trade. */
	readonly spotQuote?: number;
	/** Reserves of the pool after the trade, where the source reports them; otherwise the amounts are added. */
	readonly reserves?: {readonly token: number; readonly quote: number};
	/** How much of a curve is done after the trade, 0 to 1, where the tokens that it sold do not say: it goes by what was paid. */
	readonly curveShare?: number;
	readonly tx: string | null;
	/** Id of the trading program that the wallet used, when the source knows it. */
	readonly platform: string | null;
}

/**
 * Tokens move between wallets without a price. To the zero or dead address they are burnt; from the zero address they are new and
 * add to the supply. Null stands for an address that is no holder: a pool, a curve, a launchpad's own contract.
 */
export interface TransferEvent extends OfToken {
	readonly type: 'transfer';
	readonly from: string | null;
	readonly to: string | null;
	readonly amountToken: number;
	/** Transaction of the trade that pays this transfer as its tax; absent for other transfers. */
	readonly taxOf?: string;
}

/** Reserves are added to (positive) or taken from (negative) a pool by a wallet. */
export interface LiquidityEvent extends OfToken {
	readonly type: 'liquidity';
	/** Null: the token's main pool. */
	readonly pool: string | null;
	/** Null when the owner of the coins is unknown. */
	readonly wallet: string | null;
	readonly amountToken: number;
	readonly amountQuote: number;
}

/** The token leaves its curve, or opens a further pool. */
export interface MigrateEvent extends OfToken {
	readonly type: 'migrate';
	readonly pool: PoolFacts;
	/** Null when unknown. */
	readonly reserveToken: number | null;
	readonly reserveQuote: number | null;
	/** False: a further pool beside the main one, which is unchanged. */
	readonly main: boolean;
}

/** The reserves of a pool, as the chain reports them: they replace the figures so far. */
export interface ReservesEvent extends OfToken {
	readonly type: 'reserves';
	/** Null: the token's main pool. */
	readonly pool: string | null;
	readonly reserveToken: number;
	readonly reserveQuote: number;
}

/**
 * The largest holders of a token as the chain had them at a time. Shown instead of those that trades and transfers give, where
 * these are not complete: where holders are not reported, and after a gap. It stays as of its time: no later trade moves it.
 */
export interface HoldersEvent extends OfToken {
	readonly type: 'holders';
	/** Largest first, each wallet once; pools and curves are no holders. Replaces the list before. */
	readonly largest: readonly LargeHolder[];
}

export interface LargeHolder {
	readonly wallet: string;
	readonly amountToken: number;
}

/**
 * Nothing is known of the token between two times: figures of windows that reach back before the end of the gap are unknown,
 * and holders from then on.
 */
export interface GapEvent extends OfToken {
	readonly type: 'gap';
	readonly fromMs: number;
	/** `timeMs` is the end of the gap. */
}

/** The first money that reaches a wallet. */
export interface FundEvent extends At {
	readonly type: 'fund';
	readonly wallet: string;
	readonly from: string;
	readonly amount: number;
	readonly coin: QuoteCoin;
	readonly tx: string | null;
}

/** Facts about a token from outside its chain: the given fields replace the old ones, the others stay. */
export interface ProfileEvent extends At {
	readonly type: 'profile';
	readonly token: string;
	readonly profile: Profile;
}

/** Facts about a token from outside its chain. A missing field is unknown; text may be hostile. */
export interface Profile {
	readonly description?: string | null;
	readonly logo?: string | null;
	readonly uri?: string | null;
	readonly twitter?: string | null;
	readonly website?: string | null;
	readonly telegram?: string | null;
	readonly otherSocials?: {readonly showName: boolean; readonly createdOn: string} | null;
	readonly twitterRenames?: readonly {readonly username: string; readonly lastCheckedMs: number}[];
	readonly tokenType?: '2020' | '2022' | null;
	/** Null: the token has no page there. */
	readonly screener?: ScreenerProfile | null;
	readonly live?: LiveProfile | null;
	readonly security?: Security | null;
	readonly securityScore?: number | null;
	readonly isSpam?: boolean | null;
	readonly launchFlags?: {
		readonly mayhem: boolean | null;
		readonly cashback: boolean | null;
		readonly agent: boolean | null;
		readonly og: boolean | null;
	} | null;
}

/** As the API has it (contract gaps 2.1, SecurityFlags); every flag optional. */
export type Security = Readonly<Record<string, string | number | boolean | null>>;

export interface ScreenerProfile {
	readonly listed: boolean;
	readonly header: string | null;
	readonly adPaid: boolean;
	readonly boosted: number;
	readonly description: string | null;
	readonly isCto: boolean;
	readonly timeMs: number;
}

export interface LiveProfile {
	readonly status: 'live' | 'live_end';
	readonly thumbnail: string | null;
	readonly title: string | null;
	readonly replies: number;
}
