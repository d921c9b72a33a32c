import {chainName} from '../../chains/chains.ts';
import {SPONSORED_CHAINS} from '../../contract/bridge-chains.ts';

/** Why tokens of a chain can't be traded: `not on Solana`; undefined where the bridge trades them. */
export function whyNotOnChain(chainId: string): string | undefined {
	return SPONSORED_CHAINS.some(id => id === chainId) ? undefined : `not on ${chainName(chainId)}`;
}
