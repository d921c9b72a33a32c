/** The explorers of the chains that are known by name. `account`: the path of an address, `address` by default. */
const EXPLORERS: Readonly<Record<string, {readonly name: string; readonly origin: string; readonly account?: string}>> =
	{
		'solana:solana': {name: 'Solscan', origin: 'https://solscan.io', account: 'account'},
		'evm:1': {name: 'Etherscan', origin: 'https://etherscan.io'},
		'evm:10': {name: 'OP Etherscan', origin: 'https://optimistic.etherscan.io'},
		'evm:56': {name: 'BscScan', origin: 'https://bscscan.com'},
		'evm:130': {name: 'Uniscan', origin: 'https://uniscan.xyz'},
		'evm:137': {name: 'PolygonScan', origin: 'https://polygonscan.com'},
		'evm:143': {name: 'MonadScan', origin: 'https://monadscan.com'},
		'evm:146': {name: 'SonicScan', origin: 'https://sonicscan.org'},
		'evm:2741': {name: 'Abscan', origin: 'https://abscan.org'},
		'evm:8453': {name: 'BaseScan', origin: 'https://basescan.org'},
		'evm:42161': {name: 'Arbiscan', origin: 'https://arbiscan.io'},
		'evm:43114': {name: 'Snowscan', origin: 'https://snowscan.xyz'},
		'evm:59144': {name: 'LineaScan', origin: 'https://lineascan.build'},
		'evm:80094': {name: 'Berascan', origin: 'https://berascan.com'},
		'evm:81457': {name: 'Blastscan', origin: 'https://blastscan.io'},
	};

/**
 * The page of a token or another address on its chain's explorer; undefined for an unknown chain and for text that is no
 * address.
 */
export function explorerPage(chainId: string, kind: 'token' | 'address', address: string): string | undefined {
	const explorer = EXPLORERS[chainId];
	if (explorer === undefined || !/^[0-9A-Za-z]{20,64}$/.test(address)) return undefined;
	const page = kind === 'token' ? 'token' : (explorer.account ?? 'address');
	return `${explorer.origin}/${page}/${address}`;
}
