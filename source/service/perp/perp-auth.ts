import type {Address} from 'viem';
import {PERP_SKEW_MS} from '../../contract/perp.ts';
import {MalformedSignature, recoverMessageSigner} from '../chain/recover.ts';
import type {SignatureStore} from '../store/signatures.ts';
import {perpRefusal} from './perp-refusal.ts';

/** A request that carries a single-use signature (spec 5). */
export interface SignedRequest {
	/** Unix ms. */
	readonly timestamp: number;
	readonly signature: string;
}

/**
 * Who signed a request. The call uses the signature up, even when the request fails later.
 * @param text what the signature must be over
 * @throws Refused 403 for a time more than 30 s from the clock of the store and for a signature that was used before, 400
 *   for 65 bytes that are not a signature; StoreFailed
 */
export async function signerOnce(
	{timestamp, signature}: SignedRequest,
	text: string,
	signatures: SignatureStore,
): Promise<Address> {
	if (Math.abs((await signatures.nowMs()) - timestamp) > PERP_SKEW_MS) throw perpRefusal('expired');
	let signer: Address;
	try {
		signer = recoverMessageSigner(text, signature);
	} catch (error) {
		if (error instanceof MalformedSignature) {
			throw perpRefusal('malformed', {reason: 'signature is not one of an account', field: 'signature'});
		}
		throw error;
	}
	// The last byte of a signature has two spellings: r and s identify it.
	const isFirst = await signatures.use(signature.slice(0, 130), timestamp + 2 * PERP_SKEW_MS);
	if (!isFirst) throw perpRefusal('replayed');
	return signer;
}
