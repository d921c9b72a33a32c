import {createRequire} from 'node:module';
import type * as Secp256k1 from 'tiny-secp256k1';
import type {Address, Hex} from 'viem';

/*
 * Signing with a key that lies in a buffer, so that it can be wiped: viem's accounts keep it as text for good. Loaded when
 * a key is first used; it reads a file beside itself and cannot be part of a bundle.
 */

let loaded: typeof Secp256k1 | undefined;

function secp256k1(): typeof Secp256k1 {
	loaded ??= createRequire(import.meta.url)('tiny-secp256k1') as typeof Secp256k1;
	return loaded;
}

/** A signature in parts: r and s are 32 bytes, s is low. */
export interface RecoverableSignature {
	readonly r: Hex;
	readonly s: Hex;
	readonly yParity: 0 | 1;
}

/** Whether 32 bytes are a private key: not zero and below the order of the curve. */
export function isPrivateKey(secret: Uint8Array): boolean {
	return secret.length === 32 && secp256k1().isPrivate(secret);
}

/** The account of a private key, with the checksum in its letters. */
export async function addressOfKey(secret: Uint8Array): Promise<Address> {
	const {publicKeyToAddress} = await import('viem/accounts');
	const point = secp256k1().pointFromScalar(secret, false)!;
	return publicKeyToAddress(`0x${Buffer.from(point).toString('hex')}`);
}

/** Signs 32 bytes; the same digest and key give the same signature (RFC 6979). */
export function signDigest(digest: Hex, secret: Uint8Array): RecoverableSignature {
	const {signature, recoveryId} = secp256k1().signRecoverable(Buffer.from(digest.slice(2), 'hex'), secret);
	const hex = Buffer.from(signature).toString('hex');
	return {r: `0x${hex.slice(0, 64)}`, s: `0x${hex.slice(64)}`, yParity: (recoveryId & 1) as 0 | 1};
}

/** The 65 bytes r, s, v of a signature, v being 27 or 28. */
export function signatureBytes({r, s, yParity}: RecoverableSignature): Hex {
	return `${r}${s.slice(2)}${yParity === 0 ? '1b' : '1c'}`;
}
