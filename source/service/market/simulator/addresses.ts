import type {Random} from './random.ts';

const BASE58 = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';
const HEX = Array.from({length: 65_536}, (_, i) => i.toString(16).padStart(4, '0'));

/** A Solana address: base58 that decodes to exactly 32 bytes, with an ending of choice. */
export function solanaAddress(random: Random, ending = ''): string {
	// 44 characters whose first is '2' to 'H' lie between 2^251 and 2^256.
	return BASE58[1 + random.index(16)]! + base58(random, 43 - ending.length) + ending;
}

/** A Solana transaction signature: base58 of 64 bytes. */
export function solanaSignature(random: Random): string {
	return BASE58[1 + random.index(4)]! + base58(random, 87);
}

/** An EVM address in lower case, with an ending of choice. */
export function evmAddress(random: Random, ending = ''): string {
	return `0x${hex(random, 10).slice(0, 40 - ending.length)}${ending}`;
}

/** An EVM transaction hash. */
export function evmHash(random: Random): string {
	return `0x${hex(random, 16)}`;
}

/** An address in the form of a chain. */
export function addressOn(chainId: string, random: Random, ending = ''): string {
	return chainId.startsWith('evm:') ? evmAddress(random, ending) : solanaAddress(random, ending);
}

/** A transaction's name in the form of a chain. */
export function transactionOn(chainId: string, random: Random): string {
	return chainId.startsWith('evm:') ? evmHash(random) : solanaSignature(random);
}

function base58(random: Random, length: number): string {
	let text = '';
	// 58^5 < 2^32: five characters a draw.
	for (let left = length; left > 0; left -= 5) {
		let bits = random.uint32();
		for (let i = 0; i < Math.min(5, left); i++) {
			text += BASE58[bits % 58]!;
			bits = Math.floor(bits / 58);
		}
	}
	return text;
}

function hex(random: Random, groups: number): string {
	let text = '';
	for (let i = 0; i < groups; i += 2) {
		const bits = random.uint32();
		text += HEX[bits >>> 16]! + HEX[bits & 0xffff]!;
	}
	return text;
}
