/** A pool's price and range, as Uniswap V3 and V4 take them. */
export interface Range {
	readonly sqrtPriceX96: bigint;
	readonly lower: number;
	readonly upper: number;
	readonly liquidity: bigint;
}

/** The outermost ticks of a spacing of 200. */
const OUTERMOST = 887_200;

/** Raw units of whole ones. */
export function rawOf(whole: number, decimals: number): bigint {
	const digits = Math.min(decimals, 9);
	return BigInt(Math.round(whole * 10 ** digits)) * 10n ** BigInt(decimals - digits);
}

/** A position over all prices with the two amounts in it, a little less: the pool rounds in its own favour. */
export function fullRange(amount0: bigint, amount1: bigint): Range {
	const sqrtPriceX96 = root((amount1 << 192n) / amount0);
	const liquidity = (root(amount0 * amount1) * 999n) / 1000n;
	return {sqrtPriceX96, lower: -OUTERMOST, upper: OUTERMOST, liquidity};
}

/**
 * A position that has one coin only, and sells it from a price on.
 * @param price quote coins for one token, both with 18 decimals
 * @param isFirst the token is coin 0 of the pool
 */
export function oneSided(tokens: bigint, price: number, isFirst: boolean): Range {
	const tick = Math.floor(Math.log(price) / Math.log(1.0001) / 200) * 200;
	// A millionth beside the edge: with the price inside the range the other coin would be needed.
	const sqrt = isFirst ? 1.0001 ** (tick / 2) * (1 - 1e-6) : 1.0001 ** (-tick / 2) * (1 + 1e-6);
	const sqrtPriceX96 = BigInt(Math.round(sqrt * 2 ** 48)) << 48n;
	const whole = isFirst ? (tokens * sqrtPriceX96) >> 96n : (tokens << 96n) / sqrtPriceX96;
	const liquidity = (whole * 999_990n) / 1_000_000n;
	return {
		sqrtPriceX96,
		lower: isFirst ? tick : -OUTERMOST,
		upper: isFirst ? OUTERMOST : -tick,
		liquidity,
	};
}

/** Square root, rounded down. */
function root(n: bigint): bigint {
	if (n < 2n) return n;
	let x = 1n << BigInt(Math.ceil(n.toString(2).length / 2));
	for (;;) {
		const next = (x + n / x) >> 1n;
		if (next >= x) return x;
		x = next;
	}
}
