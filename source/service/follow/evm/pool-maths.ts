import {amountsInRange, MAX_TICK, priceFromSqrt} from '../../../chains/ticks.ts';
import type {FollowedToken} from './followed-tokens.ts';
import {toUnits} from './units.ts';
import type {PoolLiquidity, RawPrice} from './venue.ts';

/**
 * The amounts that an event of a pool's liquidity moved, raw; undefined when they cannot be known: the price is unknown, or the range empty.
 * @param root square root of raw coins 1 for a raw coin 0, times 2^96
 */
export function liquidityAmounts(
	{amounts, ticks}: PoolLiquidity,
	root: bigint | undefined,
): {readonly amount0: bigint; readonly amount1: bigint} | undefined {
	if (amounts) return amounts;
	if (!ticks || root === undefined) return undefined;
	if (Math.abs(ticks.lower) > MAX_TICK || Math.abs(ticks.upper) > MAX_TICK) return undefined;
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

/**
 * The price in a pool of the formula x³y + y³x, which keeps coins of like price together; null for an empty side. Whole units, as the
 * pool's contract counts them.
 */
export function priceInStablePool(token: number, quote: number): number | null {
	const price = priceOfReserves(token * (token ** 2 + 3 * quote ** 2), quote * (3 * token ** 2 + quote ** 2));
	return price !== null && Number.isFinite(price) ? price : null;
}

/** The price of a token in its quote coin, in whole units; null for an empty side. */
export function priceOfRatio({quote, token}: RawPrice, tokenDecimals: number, quoteDecimals: number): number | null {
	return priceOfReserves(toUnits(token, tokenDecimals), toUnits(quote, quoteDecimals));
}

/**
 * The price on a constant-product curve by its reserves, all in whole units; null when the virtual part of the reserves is unknown,
 * and for an empty side.
 */
export function curvePrice(
	{curve}: Pick<FollowedToken, 'curve'>,
	{token, quote}: {token: number; quote: number},
	quoteDecimals: number,
): number | null {
	if (!curve || (curve.raise !== undefined && curve.virtual === undefined)) return null;
	return priceOfReserves(token, quote + toUnits(BigInt(curve.virtual ?? 0), quoteDecimals));
}
