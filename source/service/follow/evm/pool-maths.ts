const Q96 = 2 ** 96;

/**
 * The price of a token in its quote coin, in whole units.
 * @param root square root of raw token1 per raw token0, times 2^96
 */
export function priceOfRoot(
	root: bigint,
	{isToken0, tokenDecimals, quoteDecimals}: {isToken0: boolean; tokenDecimals: number; quoteDecimals: number},
): number {
	const root1 = Number(root) / Q96;
	const raw = isToken0 ? root1 * root1 : 1 / (root1 * root1);
	return raw * 10 ** (tokenDecimals - quoteDecimals);
}

/** The price by what a pool of the constant product holds; null for an empty side. */
export function priceOfReserves(token: number, quote: number): number | null {
	return token > 0 && quote > 0 ? quote / token : null;
}
