/** What people call the chains of money flows (spec 4.4), and the coin that pays for gas there. */
const KNOWN: Readonly<Record<string, {readonly name: string; readonly coin: string}>> = {
	'evm:8453': {name: 'Base', coin: 'ETH'},
	'evm:56': {name: 'BNB Chain', coin: 'BNB'},
	'evm:42161': {name: 'Arbitrum One', coin: 'ETH'},
	'evm:137': {name: 'Polygon', coin: 'POL'},
	'evm:4663': {name: 'chain 4663', coin: 'ETH'},
	'evm:1': {name: 'Ethereum', coin: 'ETH'},
	'evm:10': {name: 'Optimism', coin: 'ETH'},
	'solana:solana': {name: 'Solana', coin: 'SOL'},
};

/** The name of a chain, or its id where it has none here. */
export function chainName(chainId: string): string {
	return KNOWN[chainId]?.name ?? chainId;
}

/** Symbol of a chain's own coin. */
export function coinOf(chainId: string): string {
	return KNOWN[chainId]?.coin ?? 'native coin';
}

/** The number of an EVM chain, or undefined for any other. */
export function numberOf(chainId: string): number | undefined {
	const digits = /^evm:([1-9]\d{0,15})$/.exec(chainId)?.[1];
	return digits === undefined ? undefined : Number(digits);
}
