import {findChain} from '../../chains/chains.ts';

/**
 * The page of a token or another address on its chain's explorer; undefined for an unknown chain and for text that is no
 * address.
 */
export function explorerPage(chainId: string, kind: 'token' | 'address', address: string): string | undefined {
	const explorer = findChain(chainId)?.explorer;
	if (explorer === undefined || !/^[0-9A-Za-z]{20,64}$/.test(address)) return undefined;
	const page = kind === 'token' ? 'token' : (explorer.account ?? 'address');
	return `${explorer.origin}/${page}/${address}`;
}
