import {BASE58} from '../../../address.ts';

const DIGIT = new Int8Array(128).fill(-1);
for (let value = 0; value < BASE58.length; value++) DIGIT[BASE58.charCodeAt(value)] = value;
/** More than any signature has. Longer texts are hostile, and cost the square of their length. */
const LONGEST = 4096;

/** Bytes as base58, as Solana writes addresses and signatures. */
export function encodeBase58(bytes: Uint8Array): string {
	let zeros = 0;
	while (zeros < bytes.length && bytes[zeros] === 0) zeros++;
	// Limbs of 58^5, lowest first: a byte is one pass over them, and five digits come out of each.
	const limbs: number[] = [];
	for (let at = zeros; at < bytes.length; at++) {
		let carry = bytes[at]!;
		for (let limb = 0; limb < limbs.length; limb++) {
			carry += limbs[limb]! * 256;
			limbs[limb] = carry % LIMB;
			carry = Math.floor(carry / LIMB);
		}
		if (carry > 0) limbs.push(carry);
	}
	let text = '';
	for (const limb of limbs) {
		let rest = limb;
		for (let digit = 0; digit < 5; digit++) {
			text = BASE58[rest % 58] + text;
			rest = Math.floor(rest / 58);
		}
	}
	return '1'.repeat(zeros) + text.replace(/^1+/, '');
}

/** The bytes of a base58 text; undefined for other texts. */
export function decodeBase58(text: string): Uint8Array | undefined {
	if (text.length > LONGEST) return undefined;
	const bytes: number[] = [];
	let zeros = 0;
	for (let at = 0; at < text.length; at++) {
		let carry = DIGIT[text.charCodeAt(at)] ?? -1;
		if (carry < 0) return undefined;
		if (carry === 0 && zeros === at) zeros++;
		for (let index = 0; index < bytes.length; index++) {
			carry += bytes[index]! * 58;
			bytes[index] = carry & 0xff;
			carry >>= 8;
		}
		while (carry > 0) {
			bytes.push(carry & 0xff);
			carry >>= 8;
		}
	}
	return Uint8Array.from([...new Array<number>(zeros).fill(0), ...bytes.reverse()]);
}

const LIMB = 58 ** 5;
