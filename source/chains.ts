/** Facts about a chain that do not depend on the service. */
export interface ChainFacts {
	/** The name that people read: `Arbitrum`. */
	readonly name: string;
	/** The same in at most four letters, for rows: `ARB`. */
	readonly short: string;
	/** What can be typed for it, in lower case; the first one is shown. */
	readonly words: readonly string[];
	/** Symbol of the native coin. */
	readonly coin: string;
	/** The token that wraps the native coin, EVM addresses in lower case; absent when unknown. */
	readonly wrappedNative?: string;
	/** Decimals of the dollars of the chain: USDC, USDT, and USDG of Robinhood Chain. */
	readonly dollarDecimals?: number;
}

/** Facts by chain id. Rooms add their own facts and names. */
export const CHAIN_FACTS: Readonly<Record<string, ChainFacts>> = {
	'solana:solana': {
		name: 'Solana',
		short: 'SOL',
		words: ['solana', 'sol'],
		coin: 'SOL',
		wrappedNative: 'So11111111111111111111111111111111111111112',
	},
	'evm:1': {
		name: 'Ethereum',
		short: 'ETH',
		words: ['ethereum', 'eth'],
		coin: 'ETH',
		wrappedNative: '0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2',
		dollarDecimals: 6,
	},
	'evm:10': {
		name: 'Optimism',
		short: 'OP',
		words: ['optimism', 'op'],
		coin: 'ETH',
		wrappedNative: '0x4200000000000000000000000000000000000006',
		dollarDecimals: 6,
	},
	'evm:56': {
		name: 'BNB Smart Chain',
		short: 'BSC',
		words: ['bsc', 'bnb', 'bnb-smart-chain'],
		coin: 'BNB',
		wrappedNative: '0xbb4cdb9cbd36b01bd1cbaebf2de08d9173bc095c',
		dollarDecimals: 18,
	},
	'evm:137': {
		name: 'Polygon',
		short: 'POL',
		words: ['polygon', 'pol', 'matic'],
		coin: 'POL',
		wrappedNative: '0x0d500b1d8e8ef31e21c99d1db9a6444d3adf1270',
		dollarDecimals: 6,
	},
	'evm:4663': {
		name: 'Robinhood Chain',
		short: 'RHC',
		words: ['robinhood', 'rhc', 'robinhood-chain'],
		coin: 'ETH',
		wrappedNative: '0x0bd7d308f8e1639fab988df18a8011f41eacad73',
		dollarDecimals: 6,
	},
	'evm:8453': {
		name: 'Base',
		short: 'BASE',
		words: ['base'],
		coin: 'ETH',
		wrappedNative: '0x4200000000000000000000000000000000000006',
		dollarDecimals: 6,
	},
	'evm:42161': {
		name: 'Arbitrum',
		short: 'ARB',
		words: ['arbitrum', 'arb'],
		coin: 'ETH',
		wrappedNative: '0x82af49447d8a07e3bd95bd0d56f35241523fbab1',
		dollarDecimals: 6,
	},
	'evm:43114': {name: 'Avalanche', short: 'AVAX', words: ['avalanche', 'avax'], coin: 'AVAX'},
};

/** `evm:8453` => 8453; undefined for other namespaces and for numbers that are not written plainly. */
export function evmChainNumber(chainId: string): number | undefined {
	const digits = /^evm:([1-9]\d{0,15})$/.exec(chainId)?.[1];
	const number = Number(digits);
	return Number.isSafeInteger(number) ? number : undefined;
}
