import {BASE58, isEvmAddress, isSolanaAddress} from '../../address.ts';
import {resolveChain} from '../filter/chain-words.ts';

/** Longer texts are not searched for an address. */
const MAX_PASTED = 2000;
const WORD = /[A-Za-z0-9]+/g;

/**
 * The token that a pasted text names: an address alone, `chain:address`, `evm:8453:0x…`, or a page of a token on an explorer
 * or an exchange, whose path holds both. The first address counts.
 * @returns `ADDRESS` or `ADDRESS CHAIN`, as typed commands take it; undefined when the text holds no address
 */
export function tokenInPaste(pasted: string): string | undefined {
	if (pasted.length > MAX_PASTED) return undefined;
	const words = Array.from(pasted.matchAll(WORD), ([word]) => word);
	const address = words.find(word => isEvmAddress(word) || isSolanaKey(word));
	if (address === undefined) return undefined;
	if (!isEvmAddress(address)) return address;
	const byId = words.flatMap((word, at) =>
		word.toLowerCase() === 'evm' && /^[1-9]\d{0,15}$/.test(words[at + 1] ?? '') ? [`evm:${words[at + 1]}`] : [],
	);
	// `https://basescan.org/token/0x…` names no chain, `dexscreener.com/base/0x…` does.
	const byName = words.flatMap(word => resolveChain(word).id ?? []);
	const [chain] = [...byId, ...byName];
	return chain === undefined ? address : `${address} ${chain}`;
}

/** Whether a word is 32 bytes in base58, unlike other long words (keys, hashes of other lengths). */
function isSolanaKey(word: string): boolean {
	if (!isSolanaAddress(word)) return false;
	let value = 0n;
	for (const letter of word) value = value * 58n + BigInt(BASE58.indexOf(letter));
	const zeros = /^1*/.exec(word)![0].length;
	const bytes = value === 0n ? 0 : Math.ceil(value.toString(16).length / 2);
	return zeros + bytes === 32;
}
