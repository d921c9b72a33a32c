import {CHAIN_FACTS} from '../chains.ts';

/** What money flows call chains (spec 4.4) where the name differs from the one on screen. */
const NAMES: Readonly<Record<string, string>> = {
	'evm:56': 'BNB Chain',
	'evm:42161': 'Arbitrum One',
	'evm:4663': 'chain 4663',
};

/** The name of a chain, or its id where it has none here. */
export function chainName(chainId: string): string {
	return NAMES[chainId] ?? CHAIN_FACTS[chainId]?.name ?? chainId;
}

/** Symbol of a chain's own coin. */
export function coinOf(chainId: string): string {
	return CHAIN_FACTS[chainId]?.coin ?? 'native coin';
}

/** How many decimals the dollars of a chain have; undefined where that is not known. */
export function dollarDecimalsOf(chainId: string): number | undefined {
	return CHAIN_FACTS[chainId]?.dollarDecimals;
}
