import type {Address} from 'viem';
import type * as z from 'zod';
import {MalformedSignature, recoverMessageSigner} from '../chain/recover.ts';
import {Refused} from '../http-error.ts';
import {EnvelopeMismatch} from './envelope.ts';

/**
 * A part of a payload that came back.
 * @param name what it is, for the message
 * @throws EnvelopeMismatch naming the field
 */
export function readPayload<S extends z.ZodType>(schema: S, value: unknown, name: string): z.output<S> {
	const result = schema.safeParse(value);
	if (result.success) return result.data;
	const at = result.error.issues[0]?.path.map(String).join('.') ?? '';
	throw new EnvelopeMismatch(name, `${name}${at && `.${at}`} is not as it was built`);
}

/** The owner's own word to the exchange, beside the request's signature. @throws Refused 403 */
export function checkL1Signature(text: string, signature: string, owner: Address): void {
	let signer: Address | undefined;
	try {
		signer = recoverMessageSigner(text, signature);
	} catch (error) {
		if (!(error instanceof MalformedSignature)) throw error;
	}
	if (signer !== owner) throw new Refused(403, 'L1Sig is not the signature of the account over its message');
}

/** @throws Refused 403: the envelope is somebody else's */
export function refuseOtherAccount(): never {
	throw new Refused(403, 'the payload was built for another account than the signer of the request');
}
