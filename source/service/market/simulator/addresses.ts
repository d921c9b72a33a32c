import {BASE58} from '../../../address.ts';
import type {Random} from './random.ts';

/** A Solana address: base58 that decodes to exactly 32 bytes, with an ending of choice. */
export function solanaAddress(random: Random, ending = ''): string {
	// 44 characters whose first is '2' to 'H' lie between 2^251 and 2^256.
	return base58(random, 1 + random.index(16), 44, ending);
}

/** A Solana transaction signature: base58 of 64 bytes. */
function solanaSignature(random: Random): string {
	return base58(random, 1 + random.index(4), 88, '');
}

/** An EVM address in lower case, with an ending of choice. */
function evmAddress(random: Random, ending = ''): string {
	return hex(random, 40, ending);
}

/** An EVM transaction hash. */
export function evmHash(random: Random): string {
	return hex(random, 64, '');
}

/** An address in the form of a chain. */
export function addressOn(chainId: string, random: Random, ending = ''): string {
	return chainId.startsWith('evm:') ? evmAddress(random, ending) : solanaAddress(random, ending);
}

/** A transaction's name in the form of a chain. */
export function transactionOn(chainId: string, random: Random): string {
	return chainId.startsWith('evm:') ? evmHash(random) : solanaSignature(random);
}

// Written into one buffer: a string joined letter by letter keeps all its pieces alive.
const LETTERS = Buffer.alloc(88);
const BASE58_CODES = Buffer.from(BASE58, 'latin1');
const HEX_CODES = Buffer.from('0123456789abcdef', 'latin1');

/** Random base58 text, five characters a draw, since 58^5 < 2^32. @param first the first digit */
function base58(random: Random, first: number, length: number, ending: string): string {
	LETTERS[0] = BASE58_CODES[first]!;
	const end = length - ending.length;
	for (let at = 1; at < end; ) {
		let bits = random.uint32();
		for (let i = 0; i < 5 && at < end; i++) {
			const rest = Math.floor(bits / 58);
			LETTERS[at++] = BASE58_CODES[bits - rest * 58]!;
			bits = rest;
		}
	}
	LETTERS.write(ending, end, 'latin1');
	return LETTERS.toString('latin1', 0, length);
}

function hex(random: Random, length: number, ending: string): string {
	LETTERS.write('0x', 'latin1');
	const end = 2 + length - ending.length;
	for (let at = 2; at < end; ) {
		let bits = random.uint32();
		for (let i = 0; i < 8 && at < end; i++) {
			LETTERS[at++] = HEX_CODES[bits & 15]!;
			bits >>>= 4;
		}
	}
	LETTERS.write(ending, end, 'latin1');
	return LETTERS.toString('latin1', 0, 2 + length);
}
