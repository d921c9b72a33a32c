import {createHmac} from 'node:crypto';

/** The claim of a service with its proof. Both programs compute the proof over these words, so neither can stand for more. */
export const PRACTICE_CLAIM = {market: 'simulated', money: 'practice'} as const;

/** Form of the nonce of a client: 32 random bytes in hex. */
export const PRACTICE_NONCE = /^[0-9a-f]{64}$/;

/**
 * The proof that a service has only a simulated market and practice chains: HMAC-SHA-256 over the claim, the address and the
 * nonce.
 * @param secret 32 bytes in hex, from a file that only the owner of both programs can read
 * @param address where the service listens: `127.0.0.1:4010`. A proof for one address is not valid for another
 * @param nonce fresh for each question, so that a copied answer proves nothing
 * @returns 64 hex digits
 */
export function practiceProof(secret: string, {address, nonce}: {address: string; nonce: string}): string {
	const {market, money} = PRACTICE_CLAIM;
	return createHmac('sha256', Buffer.from(secret, 'hex'))
		.update(['pulsetop practice service 1', market, money, address, nonce].join('\n'))
		.digest('hex');
}
