/*
 * The logarithmic market scoring rule: a market maker that always sells and buys every outcome, at prices that sum to
 * 1. `depth` (USD) is the money that moves a price; the maker can lose at most depth * ln(outcomes).
 */

/** Writes the prices of all outcomes from the issued shares. They are above 0 and sum to 1. */
export function putPrices(prices: number[], shares: readonly number[], depth: number): void {
	let most = shares[0]!;
	for (let i = 1; i < shares.length; i++) most = Math.max(most, shares[i]!);
	let sum = 0;
	for (let i = 0; i < shares.length; i++) {
		const weight = Math.exp((shares[i]! - most) / depth);
		prices[i] = weight;
		sum += weight;
	}
	for (let i = 0; i < shares.length; i++) prices[i]! /= sum;
}

/** The price of `count` shares of an outcome at `price`, in USD; negative for a sale. */
export function costOf(count: number, price: number, depth: number): number {
	return depth * Math.log1p(price * Math.expm1(count / depth));
}

/** The number of shares of an outcome at `price` that an amount of USD buys. */
export function sharesFor(amountUSD: number, price: number, depth: number): number {
	return depth * Math.log1p(Math.expm1(amountUSD / depth) / price);
}

/**
 * The number of shares that move an outcome from one price to another; negative when the price falls. Both prices above
 * 0 and below 1.
 */
export function sharesBetween(from: number, to: number, depth: number): number {
	return depth * Math.log((to * (1 - from)) / (from * (1 - to)));
}

/** The maker's initial money with all payments so far: more than it may ever have to pay out. */
export function collateralOf(shares: readonly number[], depth: number): number {
	const most = Math.max(...shares);
	return most + depth * Math.log(shares.reduce((sum, out) => sum + Math.exp((out - most) / depth), 0));
}
