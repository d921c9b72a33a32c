import * as z from 'zod';
import {EVM_ADDRESS} from '../address.ts';
import {once, patterned} from './schema.ts';

/** Small values of many responses and requests. JSON has no big integers: raw amounts are decimal text. */

/** A whole number of base units or Unix seconds as text: `"50000000"`. */
export const integerText = once(() => patterned(/^\d{1,78}$/, 'be a whole number as text'));

/** A decimal number as text: `"12.5"`. */
export const decimalText = once(() => patterned(/^-?\d{1,78}(\.\d{1,78})?$/, 'be a decimal number as text'));

export const evmAddress = once(() => patterned(EVM_ADDRESS, 'be an EVM address'));

/** Bytes as hex, whole bytes, possibly none. */
export const hexBytes = once(() => patterned(/^0x([0-9a-fA-F]{2})*$/, 'be hex bytes'));

/** A hash of a transaction or an on-chain id. */
export const hash32 = once(() => patterned(/^0x[0-9a-fA-F]{64}$/, 'be 32 bytes of hex'));

/** r, s and v: 65 bytes. */
export const signature65 = once(() => patterned(/^0x[0-9a-fA-F]{130}$/, 'be a signature of 65 bytes'));

/** A moment in ISO 8601. */
export const isoDate = once(() =>
	patterned(/^\d{4}-\d\d-\d\d(T[\d:.]+(Z|[+-]\d\d:?\d\d)?)?$/, 'be a moment in ISO 8601'),
);

/** Text where an API documents values and may send others: all pass, the known ones are documented. */
export function openEnum<const T extends readonly [string, ...string[]]>(known: T) {
	return z.union([z.enum(known), z.string()]);
}

/** An EIP-712 object to sign, as JSON: integers as text or safe numbers. */
export const typedData = once(() =>
	z.object({
		domain: z.record(z.string(), z.unknown()),
		types: z.record(z.string(), z.array(z.object({name: z.string(), type: z.string()}))),
		primaryType: z.string(),
		message: z.record(z.string(), z.unknown()),
	}),
);
