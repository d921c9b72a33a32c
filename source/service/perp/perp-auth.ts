import type {Address} from 'viem';
import {PERP_REFUSALS, PERP_SKEW_MS} from '../../contract/perp.ts';
import {MalformedSignature, recoverMessageSigner} from '../chain/recover.ts';
import {Refused} from '../http-error.ts';
import type {SignatureStore} from '../store/signatures.ts';

/** Refuses in the spec's own words (spec 7). */
export function perpRefusal(name: keyof typeof PERP_REFUSALS): Refused {
	const {status, message} = PERP_REFUSALS[name];
	return new Refused(status, message, {next: status === 403 ? 'retry-same' : 'fix-input'});
}

/** A request that carries a single-use signature (spec 5). */
export interface SignedRequest {
	/** Unix ms. */
	readonly timestamp: number;
	readonly signature: string;
}

/**
 * Who signed a request. The signature is used up by this, whatever comes of the request.
 * @param text what the signature must be over
 * @throws Refused 403 for a time more than 30 s from ours and for a signature that was used before, 400 for one that is none
 */
export function signerOnce(
	{timestamp, signature}: SignedRequest,
	text: string,
	{signatures, nowMs}: {signatures: SignatureStore; nowMs: number},
): Address {
	if (Math.abs(nowMs - timestamp) > PERP_SKEW_MS) throw perpRefusal('expired');
	let signer: Address;
	try {
		signer = recoverMessageSigner(text, signature);
	} catch (error) {
		if (error instanceof MalformedSignature) throw perpRefusal('malformed');
		throw error;
	}
	// Its last byte has two spellings: r and s are the signature.
	if (!signatures.use(signature.slice(0, 130), timestamp + 2 * PERP_SKEW_MS, nowMs)) throw perpRefusal('replayed');
	return signer;
}
