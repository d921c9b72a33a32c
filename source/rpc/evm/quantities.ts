import type {Hex} from 'viem';

/*
 * Values of JSON-RPC answers, read strictly. Undefined is what is no such value.
 */

/** A number that fits 53 bits, from `0x1f`, or from a number as some nodes send it. */
export function readQuantity(value: unknown): number | undefined {
	if (typeof value === 'number') return Number.isSafeInteger(value) && value >= 0 ? value : undefined;
	if (typeof value !== 'string' || !/^0x[\da-f]{1,14}$/i.test(value)) return undefined;
	const number = Number(value);
	return Number.isSafeInteger(number) ? number : undefined;
}

/** 32 bytes in lower case. */
export function readHash(value: unknown): Hex | undefined {
	return typeof value === 'string' && /^0x[\da-f]{64}$/i.test(value) ? (value.toLowerCase() as Hex) : undefined;
}

/** 20 bytes in lower case. */
export function readAddress(value: unknown): Hex | undefined {
	return typeof value === 'string' && /^0x[\da-f]{40}$/i.test(value) ? (value.toLowerCase() as Hex) : undefined;
}

/** Whole bytes in lower case. */
export function readBytes(value: unknown): Hex | undefined {
	if (typeof value !== 'string' || value.length % 2 !== 0 || !/^0x[\da-f]*$/i.test(value)) return undefined;
	return value.toLowerCase() as Hex;
}

export function toQuantity(number: number): Hex {
	return `0x${number.toString(16)}`;
}
