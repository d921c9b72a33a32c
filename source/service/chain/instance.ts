import {randomBytes} from 'node:crypto';
import {bytesToHex, type Hex, stringToHex} from 'viem';

/** Begins the instance of a practice chain; that of a chain with a real node is the hash of its first block. */
const PRACTICE = stringToHex('pulsetop');

/** The instance of a new practice chain: 32 bytes that no other chain has. */
export function newPracticeInstance(): Hex {
	return `${PRACTICE}${bytesToHex(randomBytes(24)).slice(2)}`;
}

/** The chains of this process. */
interface Chains {
	outline(chainId: number): {readonly kind: string};
	ready(chainId: number): Promise<{readonly instance: string}>;
}

/**
 * Whether work was begun on a chain that only another process of the same store has under the number: a real one where this process
 * practises, or the other way round. Starts no practice chain for work that was begun on one, which may have been reset since.
 * @throws ChainUnavailable
 */
export async function isElsewhere(chains: Chains, chainId: number, instance: string): Promise<boolean> {
	if (chains.outline(chainId).kind === 'embedded' && instance.startsWith(PRACTICE)) return false;
	return (await chains.ready(chainId)).instance !== instance;
}
