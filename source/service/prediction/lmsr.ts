/*
 * The logarithmic market scoring rule: a market maker that always sells and buys every outcome, at prices that sum to 1.
 * `depth` (USD) is how much money it takes to move a price; the maker can lose at most depth * ln(outcomes).
 */

/** Writes the prices of all outcomes, from the shares that are out. They are above 0 and sum to 1. */
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

/** What `count` shares of an outcome at `price` cost, in USD; of a negative count: minus what they bring. */
export function costOf(count: number, price: number, depth: number): number {
	return depth * Math.log1p(price * Math.expm1(count / depth));
}

/** How many shares of an outcome at `price` an amount of USD buys. */
export function sharesFor(amountUSD: number, price: number, depth: number): number {
	return depth * Math.log1p(Math.expm1(amountUSD / depth) / price);
}

/** How many shares move an outcome from one price to another; negative when it falls. Both above 0 and below 1. */
export function sharesBetween(from: number, to: number, depth: number): number {
	return depth * Math.log((to * (1 - from)) / (from * (1 - to)));
}

/** All that was paid to the maker and not paid back, with what it began with: the most that it may have to pay out is less. */
export function collateralOf(shares: readonly number[], depth: number): number {
	const most = Math.max(...shares);
	return most + depth * Math.log(shares.reduce((sum, out) => sum + Math.exp((out - most) / depth), 0));
}
