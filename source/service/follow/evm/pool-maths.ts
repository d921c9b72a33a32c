import {amountsInRange, MOST_TICK, priceFromSqrt} from './ticks.ts';
import type {PoolLiquidity} from './venue.ts';

/**
 * What an event of a pool's liquidity moved, raw; undefined when it cannot be known: the price is unknown, or the range none.
 * @param root square root of raw coins 1 for a raw coin 0, times 2^96
 */
export function liquidityAmounts(
	{amounts, ticks}: PoolLiquidity,
	root: bigint | undefined,
): {readonly amount0: bigint; readonly amount1: bigint} | undefined {
	if (amounts) return amounts;
	if (!ticks || root === undefined) return undefined;
	if (Math.abs(ticks.lower) > MOST_TICK || Math.abs(ticks.upper) > MOST_TICK) return undefined;
	return amountsInRange(ticks, root);
}

/** The price of a token in its quote coin, in whole units; null for none. */
export function priceOfRoot(
	root: bigint,
	{isToken0, tokenDecimals, quoteDecimals}: {isToken0: boolean; tokenDecimals: number; quoteDecimals: number},
): number | null {
	if (isToken0) return priceFromSqrt(root, tokenDecimals, quoteDecimals);
	const price = priceFromSqrt(root, quoteDecimals, tokenDecimals);
	return price === null || price === 0 ? null : 1 / price;
}

/** The price by what a pool of the constant product holds; null for an empty side. */
export function priceOfReserves(token: number, quote: number): number | null {
	return token > 0 && quote > 0 ? quote / token : null;
}
