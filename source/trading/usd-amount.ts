/** Decimals of the dollars that trades are counted in. */
export const USD_DECIMALS = 6;

/** Dollars in micro-USD, rounded down: proceeds are never overstated. */
export function microDown(raw: bigint, decimals: number): bigint {
	if (decimals <= USD_DECIMALS) return raw * 10n ** BigInt(USD_DECIMALS - decimals);
	return raw / 10n ** BigInt(decimals - USD_DECIMALS);
}

/** The same rounded up: a payment is never understated. */
export function microUp(raw: bigint, decimals: number): bigint {
	const micro = microDown(raw, decimals);
	const isExact = decimals <= USD_DECIMALS || raw % 10n ** BigInt(decimals - USD_DECIMALS) === 0n;
	return isExact ? micro : micro + 1n;
}
