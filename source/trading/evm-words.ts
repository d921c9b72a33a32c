/** keccak256 of `Transfer(address,address,uint256)`. */
export const TRANSFER = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef';

/** An address as a word of 32 bytes: a topic of a log, an argument of a call. */
export function wordOf(address: string): string {
	return `0x${address.slice(2).toLowerCase().padStart(64, '0')}`;
}

/** The address in a word. */
export function addressIn(word: string): string {
	return `0x${word.slice(-40).toLowerCase()}`;
}

/** A number of JSON-RPC; undefined for anything else. */
export function quantity(value: unknown): bigint | undefined {
	return typeof value === 'string' && /^0x[0-9a-fA-F]{1,64}$/.test(value) ? BigInt(value) : undefined;
}
