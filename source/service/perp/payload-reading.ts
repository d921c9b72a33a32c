import type {Address} from 'viem';
import type * as z from 'zod';
import {MalformedSignature, recoverMessageSigner} from '../chain/recover.ts';
import {Refused} from '../http-error.ts';
import {EnvelopeMismatch} from './envelope.ts';

/**
 * Reads a part of a payload.
 * @param name of the part, for the message
 * @throws EnvelopeMismatch naming the field
 */
export function readPayload<S extends z.ZodType>(schema: S, value: unknown, name: string): z.output<S> {
	const result = schema.safeParse(value);
	if (result.success) return result.data;
	const at = result.error.issues[0]?.path.map(String).join('.') ?? '';
	throw new EnvelopeMismatch(name, `${name}${at && `.${at}`} is not as it was built`);
}

/** Checks the owner's own signature for the exchange, beside that of the request. @throws Refused 403 */
export function checkL1Signature(text: string, signature: string, owner: Address): void {
	let signer: Address | undefined;
	try {
		signer = recoverMessageSigner(text, signature);
	} catch (error) {
		if (!(error instanceof MalformedSignature)) throw error;
	}
	if (signer !== owner) throw new Refused(403, 'L1Sig is not the signature of the account over its message');
}

/** @throws Refused 403: the envelope belongs to another account */
export function refuseOtherAccount(): never {
	throw new Refused(403, 'the payload was built for another account than the signer of the request');
}
