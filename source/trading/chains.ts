import {CHAIN_FACTS} from '../chains.ts';

/** The name of a chain, or its id where it has none here. */
export function chainName(chainId: string): string {
	return CHAIN_FACTS[chainId]?.name ?? chainId;
}

/** Symbol of a chain's own coin. */
export function coinOf(chainId: string): string {
	return CHAIN_FACTS[chainId]?.coin ?? 'native coin';
}

/** How many decimals the dollars of a chain have; undefined where that is not known. */
export function dollarDecimalsOf(chainId: string): number | undefined {
	return CHAIN_FACTS[chainId]?.dollarDecimals;
}
