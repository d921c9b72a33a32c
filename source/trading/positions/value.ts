/** Bounds of a plausible price, US dollars. A holding valued at a price outside of them could never be paid out. */
const MIN_PRICE = 1e-18;
const MAX_PRICE = 1e9;

/** Whether a figure of the feed can be the price of a token in US dollars. */
export function isPrice(priceUSD: number | undefined): priceUSD is number {
	return priceUSD !== undefined && priceUSD >= MIN_PRICE && priceUSD <= MAX_PRICE;
}

/**
 * The value of an amount in micro-USD, rounded down, exactly: the price is taken by its decimal digits.
 * @param raw raw units of the token
 * @returns undefined without a price, or with one that can't be one
 */
export function valueMicro(raw: bigint, decimals: number, priceUSD: number | undefined): bigint | undefined {
	if (!isPrice(priceUSD)) return undefined;
	const [mantissa, exponent] = priceUSD.toExponential().split('e') as [string, string];
	const digits = mantissa.replace('.', '');
	const places = digits.length - 1 - Number(exponent);
	const shift = decimals + places - 6;
	const product = raw * BigInt(digits);
	return shift >= 0 ? product / 10n ** BigInt(shift) : product * 10n ** BigInt(-shift);
}

/** Raw units as a figure to show, in whole tokens: rounded, never to be counted with. */
export function wholeTokens(raw: bigint, decimals: number): number {
	const digits = raw.toString();
	return Number(`${digits}e-${decimals}`);
}

/** Micro-USD as a figure to show, in US dollars. */
export function dollars(micro: bigint): number {
	return Number(micro) / 1e6;
}
