import {CHAIN_FACTS} from '../../chains.ts';

/** The id of a chain in the API: `evm:<number>`. */
export type ChainKey = `evm:${number}`;

/** The fixed facts of a chain, whichever node serves it. */
export interface ChainInfo {
	readonly id: number;
	readonly key: ChainKey;
	readonly name: string;
	/** Symbol of the native coin; it has 18 decimals everywhere. */
	readonly nativeSymbol: string;
	/** US dollars for one native coin, for quotes. */
	readonly nativeUSD: number;
	/** Gwei for one unit of gas, for quotes: the base fee of an idle practice chain falls to nothing. */
	readonly gasPriceGwei: number;
	/**
	 * The token that wraps the native coin, in lower case, where known: it cannot be the origin of a gasless bridge
	 * (spec 4.4).
	 */
	readonly wrappedNative?: string;
	/** Approximate time of a bridge into this chain (contract gaps 4.3). */
	readonly fillTimeMs: number;
}

const PRICES: readonly Pick<ChainInfo, 'id' | 'nativeUSD' | 'gasPriceGwei' | 'fillTimeMs'>[] = [
	{id: 8453, nativeUSD: 3000, gasPriceGwei: 0.05, fillTimeMs: 500},
	{id: 56, nativeUSD: 800, gasPriceGwei: 0.1, fillTimeMs: 3000},
	{id: 42161, nativeUSD: 3000, gasPriceGwei: 0.1, fillTimeMs: 1000},
	{id: 137, nativeUSD: 0.25, gasPriceGwei: 60, fillTimeMs: 2000},
	{id: 4663, nativeUSD: 3000, gasPriceGwei: 0.05, fillTimeMs: 500},
];

/** The chains on which a sponsored bridge can start (spec 4.4), by number. */
export const CHAINS: ReadonlyMap<number, ChainInfo> = new Map(
	PRICES.map(chain => {
		const key = chainKey(chain.id);
		const {name, coin, wrappedNative} = CHAIN_FACTS[key]!;
		return [chain.id, {...chain, key, name, nativeSymbol: coin, ...(wrappedNative !== undefined && {wrappedNative})}];
	}),
);

/** The practice chains by default: every chain on which a sponsored bridge can start (spec 4.4). */
export const DEFAULT_CHAIN_IDS: readonly number[] = [...CHAINS.keys()];

/** `8453` => `evm:8453`. */
export function chainKey(id: number): ChainKey {
	return `evm:${id}`;
}
