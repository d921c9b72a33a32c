/*
 * The forms of addresses. EVM addresses compare without regard to case; their checksum (EIP-55) is not verified here.
 */

/** For schemas that publish the pattern; elsewhere see `isEvmAddress`. */
export const EVM_ADDRESS = /^0x[0-9a-fA-F]{40}$/;
const SOLANA_ADDRESS = /^[1-9A-HJ-NP-Za-km-z]{32,44}$/;

/** The digits of base58, as Solana writes addresses and hashes. */
export const BASE58 = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';

/** Whether a text is 0x and 40 hexadecimal digits, in any case. */
export function isEvmAddress(text: string): boolean {
	return EVM_ADDRESS.test(text);
}

/** Whether a text has the form of a Solana address: 32 to 44 base58 digits. That they are 32 bytes is not checked. */
export function isSolanaAddress(text: string): boolean {
	return SOLANA_ADDRESS.test(text);
}

/** The same text for all spellings of an address: in lower case where it begins with 0x, unchanged otherwise. */
export function foldAddress(address: string): string {
	return address.startsWith('0x') || address.startsWith('0X') ? address.toLowerCase() : address;
}

/** Whether two texts are spellings of the same address. */
export function isSameAddress(a: string, b: string): boolean {
	return foldAddress(a) === foldAddress(b);
}
