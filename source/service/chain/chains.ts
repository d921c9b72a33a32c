import type {Address} from 'viem';

/** A chain as the wire names it: `evm:<number>`. */
export type ChainKey = `evm:${number}`;

/** What is fixed about a chain, whichever node serves it. */
export interface ChainInfo {
	readonly id: number;
	readonly key: ChainKey;
	readonly name: string;
	/** Symbol of the native coin; it has 18 decimals everywhere. */
	readonly nativeSymbol: string;
	/** US dollars for one native coin, as quotes price gas. */
	readonly nativeUSD: number;
	/** Gwei for one unit of gas, as quotes price it: a practice chain's own base fee falls to nothing when nobody uses it. */
	readonly gasPriceGwei: number;
	/** The token that wraps the native coin, where it is known: no origin of a gasless bridge (spec 4.4). */
	readonly wrappedNative?: Address;
	/** What a bridge into this chain takes, roughly (contract gaps 4.3). */
	readonly fillTimeMs: number;
}

/** The chains on which a sponsored bridge can start (spec 4.4), by number. */
export const CHAINS: ReadonlyMap<number, ChainInfo> = new Map(
	(
		[
			{
				id: 8453,
				name: 'Base',
				nativeSymbol: 'ETH',
				nativeUSD: 3000,
				gasPriceGwei: 0.05,
				wrappedNative: '0x4200000000000000000000000000000000000006',
				fillTimeMs: 500,
			},
			{
				id: 56,
				name: 'BNB Chain',
				nativeSymbol: 'BNB',
				nativeUSD: 800,
				gasPriceGwei: 0.1,
				wrappedNative: '0xbb4CdB9CBd36B01bD1cBaEBF2De08d9173bc095c',
				fillTimeMs: 3000,
			},
			{
				id: 42161,
				name: 'Arbitrum One',
				nativeSymbol: 'ETH',
				nativeUSD: 3000,
				gasPriceGwei: 0.1,
				wrappedNative: '0x82aF49447D8a07e3bd95BD0d56f35241523fBab1',
				fillTimeMs: 1000,
			},
			{
				id: 137,
				name: 'Polygon',
				nativeSymbol: 'POL',
				nativeUSD: 0.25,
				gasPriceGwei: 60,
				wrappedNative: '0x0d500B1d8E8eF31E21C99d1Db9A6444d3ADf1270',
				fillTimeMs: 2000,
			},
			{id: 4663, name: 'Chain 4663', nativeSymbol: 'ETH', nativeUSD: 3000, gasPriceGwei: 0.05, fillTimeMs: 500},
		] as const
	).map(chain => [chain.id, {...chain, key: chainKey(chain.id)}]),
);

/** The practice chains when nothing else is configured: every chain on which a sponsored bridge can start (spec 4.4). */
export const DEFAULT_CHAIN_IDS: readonly number[] = [...CHAINS.keys()];

/** `8453` => `evm:8453`. */
export function chainKey(id: number): ChainKey {
	return `evm:${id}`;
}

/** `evm:8453` => 8453; undefined for other namespaces and for numbers that are not written plainly. */
export function chainIdOf(key: string): number | undefined {
	const digits = /^evm:([1-9]\d{0,14})$/.exec(key)?.[1];
	return digits === undefined ? undefined : Number(digits);
}
