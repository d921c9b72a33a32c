/** A raw amount in whole units of its coin, rounded to the nearest number. */
export function toUnits(raw: bigint, decimals: number): number {
	return Number(raw) / 10 ** decimals;
}
