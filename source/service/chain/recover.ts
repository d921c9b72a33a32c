import {createRequire} from 'node:module';
import type * as Secp256k1 from 'tiny-secp256k1';
import {
	type Address,
	getAddress,
	type Hex,
	hashMessage,
	hashTypedData,
	hexToBytes,
	keccak256,
	type TypedDataDefinition,
} from 'viem';
import {hashAuthorization} from 'viem/utils';
import {PulsetopError} from '../../errors.ts';

// libsecp256k1 in WebAssembly: eight times as fast as the JavaScript inside viem, with the same answers. It reads a
// file beside itself, so it cannot be part of a bundle.
const secp256k1 = createRequire(import.meta.url)('tiny-secp256k1') as typeof Secp256k1;

const HALF_ORDER = 0x7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a0n;

/** Text without the form of a signature. */
export class MalformedSignature extends PulsetopError {
	readonly code = 'malformed-signature';

	constructor(why: string) {
		super('The signature is malformed', {why, next: 'fix-input'});
	}
}

/** An EIP-7702 tuple as the API has it (spec 4.4). */
export interface AuthorizationTuple {
	readonly chainId: number;
	readonly address: Address;
	readonly nonce: number;
	readonly yParity: number;
	readonly r: Hex;
	readonly s: Hex;
}

/**
 * The signer of typed data, for example a Batch.
 * @param signature 65 bytes r, s, v
 * @throws MalformedSignature
 */
export function recoverTypedDataSigner(typedData: TypedDataDefinition, signature: string): Address {
	return recoverSigner(hashTypedData(typedData), signature);
}

/** The signer of an EIP-7702 authorization. @throws MalformedSignature */
export function recoverAuthorizationSigner({chainId, address, nonce, yParity, r, s}: AuthorizationTuple): Address {
	const hash = hashAuthorization({chainId, address, nonce});
	if (yParity !== 0 && yParity !== 1) throw new MalformedSignature(`yParity is ${yParity}, not 0 or 1`);
	return recover(hash, compact(scalar('r', r), scalar('s', s)), yParity);
}

/** The signer of a text by EIP-191 (personal sign). @param signature 65 bytes r, s, v @throws MalformedSignature */
export function recoverMessageSigner(text: string, signature: string): Address {
	return recoverSigner(hashMessage(text), signature);
}

/**
 * The signer of a hash.
 * @param signature 65 bytes r, s, v with v 0, 1, 27 or 28, in the one form that the executor accepts (s in the lower
 *   half)
 * @throws MalformedSignature
 */
export function recoverSigner(hash: Hex, signature: string): Address {
	if (!/^0x[\da-f]*$/i.test(signature)) throw new MalformedSignature('it is not hexadecimal with 0x before it');
	if (signature.length !== 132) {
		throw new MalformedSignature(`it has ${(signature.length - 2) / 2} bytes, 65 are needed`);
	}
	const v = Number.parseInt(signature.slice(130), 16);
	const parity = v >= 27 ? v - 27 : v;
	if (parity !== 0 && parity !== 1) throw new MalformedSignature(`its last byte is ${v}, not 0, 1, 27 or 28`);
	return recover(hash, hexToBytes(signature.slice(0, 130) as Hex), parity);
}

function recover(hash: Hex, rs: Uint8Array, parity: 0 | 1): Address {
	const s = BigInt(`0x${Buffer.from(rs.subarray(32)).toString('hex')}`);
	// The same signature with s in the upper half is a second form, which the chain does not accept.
	if (s > HALF_ORDER) throw new MalformedSignature('its s is in the upper half');
	let key: Uint8Array | null;
	try {
		key = secp256k1.recover(hexToBytes(hash), rs, parity);
	} catch {
		key = null;
	}
	if (key === null) throw new MalformedSignature('no key can have made it');
	return getAddress(`0x${keccak256(key.subarray(1)).slice(-40)}`);
}

function scalar(name: string, value: string): bigint {
	if (!/^0x[\da-f]{1,64}$/i.test(value)) throw new MalformedSignature(`${name} is not a number of at most 32 bytes`);
	return BigInt(value);
}

function compact(r: bigint, s: bigint): Uint8Array {
	return hexToBytes(`0x${r.toString(16).padStart(64, '0')}${s.toString(16).padStart(64, '0')}`);
}
