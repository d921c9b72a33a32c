/** keccak256 of `Transfer(address,address,uint256)`. */
export const TRANSFER = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef';

/** keccak256 of `Filled(bytes32,address,address,uint256)`: the bridge paid an intent. Topics: intent, recipient; data: token, amount. */
export const FILLED = '0xf34b46d162bfdb332240cb89a10794aa192f907552f0a3ec8d94fa18399ecec4';

/** keccak256 of `Refunded(bytes32,bytes32,address,address,uint256)`: a deposit went back. Topics: intent, deposit, depositor; data: token, amount. */
export const REFUNDED = '0xc63f6bd5a67183be3dcef4be39eec76093507d185e3d392a1db706aec342fe41';

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
