import {type Address, encodeAbiParameters, type Hex, keccak256, toHex} from 'viem';

/** Storage slots of every test token: the order of the variables of Token. A test compares them with the compiler's. */
export const TOKEN_SLOTS = {
	name: 0n,
	symbol: 1n,
	decimalsAndOwner: 2n,
	totalSupply: 3n,
	balances: 4n,
	allowances: 5n,
} as const;

/** The slot of a mapping's entry. */
export function entryOf(slot: bigint | Hex, key: Address): Hex {
	return keccak256(encodeAbiParameters([{type: 'address'}, {type: 'uint256'}], [key, BigInt(slot)]));
}

/** Text in a contract's storage, cut to 31 bytes: the bytes, and twice their number in the last byte. */
export function shortText(text: string): Hex {
	let bytes = Buffer.from(text);
	// Cut between characters, not within one.
	for (let cut = text; bytes.length > 31; bytes = Buffer.from(cut)) cut = [...cut].slice(0, -1).join('');
	const word = Buffer.alloc(32);
	bytes.copy(word);
	word[31] = bytes.length * 2;
	return toHex(word);
}
