/*
 * Arithmetic of pools with ranges (Uniswap V3 and V4). A price is the square root of raw coins 1 for one raw coin 0, times 2^96; tick
 * t stands for the price 1.0001^t. Exact in whole numbers, so that the same chain gives the same figures everywhere.
 */

/** Furthest tick from zero that a pool can have. */
export const MAX_TICK = 887_272;

const Q96 = 2n ** 96n;
/** Bits behind the point of the powers below: far more than a price keeps. */
const BITS = 256n;

/** 1.0001^(-2^n / 2) for n from 0, made at first use. */
let powers: readonly bigint[] | undefined;

/**
 * The square root of the price at a tick, times 2^96, rounded down.
 * @throws RangeError outside of -887272 to 887272
 */
export function sqrtPriceAtTick(tick: number): bigint {
	const distance = Math.abs(tick);
	if (!Number.isInteger(tick) || distance > MAX_TICK) throw new RangeError(`${tick} is no tick`);
	powers ??= makePowers();
	let below = 1n << BITS;
	for (let bit = 0; 1 << bit <= distance; bit++) {
		if (distance & (1 << bit)) below = (below * powers[bit]!) >> BITS;
	}
	return tick <= 0 ? (below * Q96) >> BITS : (Q96 << BITS) / below;
}

function makePowers(): readonly bigint[] {
	const unit = 1n << BITS;
	// The root of 10000/10001, with twice the bits under it.
	let power = squareRoot((10_000n * unit * unit) / 10_001n);
	const made = [power];
	while (made.length < 20) {
		power = (power * power) >> BITS;
		made.push(power);
	}
	return made;
}

/** Newton's way, rounded down. */
function squareRoot(value: bigint): bigint {
	let root = 1n << BigInt(Math.ceil(value.toString(2).length / 2));
	for (;;) {
		const next = (root + value / root) >> 1n;
		if (next >= root) return root;
		root = next;
	}
}

export interface RangeOfLiquidity {
	readonly lower: number;
	readonly upper: number;
	/** Positive: put in; negative: taken out. */
	readonly liquidity: bigint;
}

/**
 * The raw coins that liquidity in a range is made of at a price, with the sign of the liquidity; off by one at most from the amount
 * that a pool moves, since a pool rounds in its own favour. Zero for an empty range.
 * @throws RangeError for a tick that no pool can have
 */
export function amountsInRange(
	{lower, upper, liquidity}: RangeOfLiquidity,
	sqrtPriceX96: bigint,
): {readonly amount0: bigint; readonly amount1: bigint} {
	const low = sqrtPriceAtTick(lower);
	const high = sqrtPriceAtTick(upper);
	if (low >= high) return {amount0: 0n, amount1: 0n};
	const price = sqrtPriceX96 < low ? low : sqrtPriceX96 > high ? high : sqrtPriceX96;
	return {
		amount0: (liquidity * (high - price) * Q96) / (high * price),
		amount1: (liquidity * (price - low)) / Q96,
	};
}

/**
 * Whole coins 1 for one whole coin 0, without the fee; null for a price of 0, which a pool without one reports.
 * @param sqrtPriceX96 as a pool reports it
 */
export function priceFromSqrt(sqrtPriceX96: bigint, decimals0: number, decimals1: number): number | null {
	if (sqrtPriceX96 <= 0n) return null;
	const root = Number(sqrtPriceX96) / 2 ** 96;
	return root * root * 10 ** (decimals0 - decimals1);
}
