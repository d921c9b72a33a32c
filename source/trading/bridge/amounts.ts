/** Decimals of the native coin of every EVM chain. */
export const COIN_DECIMALS = 18;

/**
 * Raw units of a decimal text of a service, rounded up: the minimum that has to arrive.
 * @param decimals undefined when they could not be read
 * @returns undefined when it is no number, or the decimals are not known
 */
export function leastRawOf(text: string, decimals: number | undefined): bigint | undefined {
	const [, whole, fraction = ''] = /^(\d{1,60})(?:\.(\d{1,80}))?$/.exec(text) ?? [];
	if (whole === undefined || decimals === undefined) return undefined;
	const raw = BigInt(whole + fraction.slice(0, decimals).padEnd(decimals, '0'));
	return /[1-9]/.test(fraction.slice(decimals)) ? raw + 1n : raw;
}
