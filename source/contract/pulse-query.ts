import type {Filter} from './filter.ts';
import type {Sort} from './sort.ts';

/** One request to the pulse endpoints, with every default filled in (spec 4.1 to 4.3, contract gaps 3). */
export interface PulseQuery {
	/** One entry a token instead of one entry a pool. */
	readonly assetMode: boolean;
	readonly compressed: boolean;
	/** In the order in which the response lists them; names are unique. */
	readonly views: readonly ViewQuery[];
}

/** The models a view may start from. `filtered-` ones are the plain models: every view's own filters are added anyway. */
export const VIEW_MODELS = ['new', 'bonding', 'bonded', 'trending', 'filtered-bonding', 'filtered-bonded'] as const;
export type ViewModel = (typeof VIEW_MODELS)[number];

export interface ViewQuery {
	/** Key of the view in the response. */
	readonly name: string;
	readonly model?: ViewModel;
	/** Only these chains; all when empty. */
	readonly chainIds: readonly string[];
	/** Only pools of these types, in lower case; all when empty. Compare in lower case. */
	readonly poolTypes: readonly string[];
	/** The filter of the view: the model's filter, `min_socials` and the view's own filters together. */
	readonly filter: Filter;
	readonly sort: Sort;
	/** 1 to 100. */
	readonly limit: number;
	readonly offset: number;
	/** One row a token: its main pool. Always so in asset mode. */
	readonly excludeDuplicates: boolean;
	/** Pool mode: an entry is a pool, so a token without one has no entry. */
	readonly onlyPools: boolean;
	/** Asset mode: leave out quote assets. */
	readonly filterQuotes: boolean;
	/** Asset mode: leave out tokens without a pool of their own. */
	readonly excludeLPTokens: boolean;
	/** Whether the response has the count of all matches beside the data. */
	readonly pagination: boolean;
	/** Leave out pools where one of these is token0, token1 or the pool. EVM addresses in lower case. */
	readonly addressToExclude: readonly string[];
	/** Leave out entries whose base token is one of these. EVM addresses in lower case. */
	readonly baseTokenToExclude: readonly string[];
	/** Only entries of these tokens; all when empty. EVM addresses in lower case. */
	readonly onlyTokens: readonly string[];
	/**
	 * Asset mode: always in the view, on top of `limit`, whatever the filters and exclusions say; re-sorted with the rest.
	 * EVM addresses in lower case; only tokens on `chainIds` when those are given; unknown ones are ignored.
	 */
	readonly includeTokens: readonly string[];
	/** Only tokens that are (true) or are not (false) known as an asset with a name and a symbol. */
	readonly assetListed?: boolean;
}

export const PULSE_LIMITS = {views: 10, limit: 100, addresses: 500, nameLength: 100} as const;

/** Rows of a view when the request does not say: 30 (spec 4.1), 50 in the default model (contract gaps 3.2). */
export const DEFAULT_LIMIT = 30;
export const DEFAULT_MODEL_LIMIT = 50;
