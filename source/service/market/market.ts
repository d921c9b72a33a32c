import type {ChainCoverage} from '../../contract/coverage.ts';
import type {BooleanFieldName, DateFieldName, NumberFieldName, TextFieldName} from '../../contract/fields.ts';
import type {InventedMarket} from '../../contract/health.ts';
import type {WalletLabels} from '../../contract/labels.ts';
import type {SystemMetadata} from '../../contract/system-metadata.ts';
import type {MarketEvent, Security} from './events.ts';
import type {OutsideMarket} from './outside.ts';

/** The state of a row of the table; a set of bits. */
export const ROW = {
	/** In use. A row without it is free and must be skipped. */
	live: 1,
	/** The pool that stands for its token: the one row of a token in asset mode, and in pool mode with excludeDuplicates. */
	main: 2,
	/** A quote asset (stablecoin, native coin), which has no pool of its own: left out in asset mode by filterQuotes. */
	quote: 4,
	/** An LP wrapper token: it has no pool of its own (`poolAddress` null) and is left out by excludeLPTokens. */
	lpToken: 8,
	/** Its holders are reported; without this bit, figures of holders are unknown. */
	holders: 16,
	/** Is a pool. */
	pool: 32,
	/** Its price is the average of its newest trade, since the source gave no state of the pool after it (see TradeEvent). */
	averagePrice: 64,
} as const;

/**
 * The figures of every pool, one column a field, kept current by the engine (sliding windows included). Row numbers are
 * stable while a row is live and may be reused afterwards. Columns may be replaced as the table grows: get them once in
 * every query, not for every row.
 */
export interface MarketTable {
	/** One more than the highest row in use. */
	readonly length: number;
	/** ROW bits, by row. */
	readonly bits: Uint8Array;
	/** Numbers as they are, dates in Unix ms, booleans as 0 and 1; NaN is null. */
	numbers(name: NumberFieldName | DateFieldName | BooleanFieldName): Float64Array;
	texts(name: TextFieldName): readonly (string | null)[];
	/** The text of one row; null is unknown. Makes no column, for callers that read few rows and do not filter. */
	text(name: TextFieldName, row: number): string | null;
	/** Grows with each change of anything that the row's entry shows. */
	versions(): Uint32Array;
	/** `<chainId>|<token address>` of the row (EVM in lower case), see entryKey. */
	key(row: number): string;
	/** The main row of a token, by its key. */
	rowOf(key: string): number | undefined;
	/** The security flags of the row's token (contract gaps 2.1); null when nothing was reported. */
	security(row: number): Security | null;
	/** Addresses of the row's two tokens and its pool, for addressToExclude. */
	addresses(row: number): {readonly token0: string; readonly token1: string; readonly pool: string | null};
}

/** One point of a price history: Unix ms and US dollars. */
export interface PricePoint {
	readonly timeMs: number;
	readonly price: number;
}

/** Number of holders in the entry of a token whose details are open. */
export const DETAIL_HOLDERS = 20;

/** The place of a replica's market in the log that all replicas read (service/replicas). */
export interface MarketLog {
	/** See EventLog. */
	readonly epoch: string;
	/** The newest entry whose effects the market has; in a listener of `onEvent`, the entry of the event. */
	readonly seq: () => number;
	/**
	 * Since this position the rows of `takeChanged` came step by step, at most five seconds of the log at once. What came and
	 * went in a longer step, after this process or its machine stood still, nobody has seen.
	 */
	readonly unbrokenSeq: () => number;
	/** How old the market is: nothing new came, or it lags the newest entry. In milliseconds; undefined below two seconds. */
	readonly staleMs: () => number | undefined;
	/** Whether the market is within two seconds of the newest entry, and can be read on. */
	readonly isReady: () => boolean;
	/** False when the next entry cannot be read: it is damaged, dropped, or of a newer program. */
	readonly isReadable: () => boolean;
}

/** The market engine as the rest of the service sees it. */
export interface Market {
	readonly table: MarketTable;
	/** Where the tokens come from when they are not real: a simulation or a recording. */
	readonly invented?: InventedMarket | undefined;
	/** How much is seen of the chains that the tokens come from; undefined where they come from no node. */
	readonly coverage?: () => readonly ChainCoverage[];
	/** The chains that its tokens are of; undefined: every chain that the service knows. */
	readonly chainIds?: readonly string[];
	/** Factories and programs that its tokens and pools come from; undefined: those of the simulated market. */
	readonly factories?: readonly SystemMetadata['factories'][number][];
	/** How far the log of the replicas was read; undefined for a market that one process makes for itself. */
	readonly log?: MarketLog;
	/** False while history is still being loaded: counts still grow. */
	readonly isFilled?: boolean;
	/** Loads the rest of the past at once. */
	readonly fill?: () => void;
	/** Trades by wallets that are no part of a simulation; undefined for a recording, whose tokens can't be traded. */
	readonly outside?: OutsideMarket;
	/** The engine's clock: wall time in live running, the events' time in a replay. */
	nowMs(): number;
	/** Rows changed since the last call (by events or by a window sliding), each once, freed rows included. */
	takeChanged(): readonly number[];
	/**
	 * An entry in asset mode: flat, all fields of contract gaps 2.1. A fresh object of plain JSON values.
	 * @param holders how many of the largest holders go into `holders_list` (default 0: a holder is half a kilobyte).
	 *   Give DETAIL_HOLDERS for the tokens that a view names in `includeTokens`: that is how a client requests one
	 *   token's details.
	 */
	assetEntry(row: number, holders?: number): Record<string, unknown>;
	/**
	 * Says that details of a token are looked at. A market that can learn more of it then does so, in the background; the row
	 * changes when it has. May be called for each entry that is sent.
	 */
	detailsWanted?(row: number): void;
	/** An entry in pool mode: `pair` and the repeats at the root (spec 2.1, contract gaps 2.2). */
	poolEntry(row: number, holders?: number): Record<string, unknown>;
	/** Label records (spec 2.2) in the order of the request; unknown wallets have `labels: []`. */
	walletLabels(addresses: readonly string[], tokenAddress?: string): WalletLabels[];
	/** Prices of a token since a time, oldest first, from its trades; undefined when the token is unknown. */
	priceHistory(key: string, sinceMs: number): readonly PricePoint[] | undefined;
	/** Rows whose token matches an address, a symbol or a name (case-insensitive), best first. */
	find(text: string, chainId?: string): readonly number[];
	/**
	 * Calls back with each event from now on, after its effect; the table's columns follow in the same turn of the
	 * event loop. Returns the function that stops the calls. Costs nothing without listeners.
	 */
	onEvent(listener: (event: MarketEvent) => void): () => void;
	/**
	 * Calls back when a simulated market has begun again after a jump of the clock, maybe at an earlier time: all its tokens are
	 * others, but for those that wallets from outside hold. Returns the function that stops the calls.
	 */
	onBeginsAgain?(listener: () => void): () => void;
}
