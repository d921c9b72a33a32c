import {CHAINS as ALL_CHAINS, evmChainNumber, wrappedNativeOf} from '../../chains/chains.ts';

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

/** The chains on which a sponsored bridge can start (spec 4.4), by number. */
export const CHAINS: ReadonlyMap<number, ChainInfo> = new Map(
	ALL_CHAINS.flatMap(({id: chainId, name, coin, practiceUSD, practice}) => {
		const id = evmChainNumber(chainId);
		if (id === undefined || practiceUSD === undefined || practice === undefined) return [];
		const wrappedNative = wrappedNativeOf(chainId);
		const info = {
			...practice,
			id,
			key: chainKey(id),
			name,
			nativeSymbol: coin.symbol,
			nativeUSD: practiceUSD,
			...(wrappedNative !== undefined && {wrappedNative}),
		};
		return [[id, info] as const];
	}),
);

/** The practice chains by default: every chain on which a sponsored bridge can start (spec 4.4). */
export const DEFAULT_CHAIN_IDS: readonly number[] = [...CHAINS.keys()];

/** `8453` => `evm:8453`. */
export function chainKey(id: number): ChainKey {
	return `evm:${id}`;
}
