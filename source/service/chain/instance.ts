import {randomBytes} from 'node:crypto';
import {bytesToHex, type Hex, stringToHex} from 'viem';
import type {Chain, ChainSet} from './chain-set.ts';

/** Begins the instance of a practice chain; that of a chain with a real node is the hash of its first block. */
const PRACTICE = stringToHex('pulsetop');

/** The instance of a new practice chain: 32 bytes that no other chain has. */
export function newPracticeInstance(): Hex {
	return `${PRACTICE}${bytesToHex(randomBytes(24)).slice(2)}`;
}

/**
 * Whose work it is that was begun on a chain: `here` of the chain that this process has under the number, `reset` of a practice chain
 * that is gone, `elsewhere` of a chain that another process of the same store may have: a real one where this one practises, or the
 * other way round.
 */
export type Whose = 'here' | 'reset' | 'elsewhere';

export function whose(chain: Pick<Chain, 'kind' | 'instance'>, instance: string): Whose {
	if (chain.instance === instance) return 'here';
	return chain.kind === 'embedded' && instance.startsWith(PRACTICE) ? 'reset' : 'elsewhere';
}

/**
 * Whether work that was begun on a chain is certainly for another process, without the start of a practice chain.
 * @throws ChainUnavailable
 */
export async function isElsewhere(chains: ChainSet, chainId: number, instance: string): Promise<boolean> {
	if (chains.outline(chainId).kind === 'embedded' && instance.startsWith(PRACTICE)) return false;
	return whose(await chains.ready(chainId), instance) === 'elsewhere';
}
