import fc from 'fast-check';
import {expect, test} from 'vitest';
import {collateralOf, costOf, putPrices, sharesBetween, sharesFor} from '../../../source/service/prediction/lmsr.ts';

const depth = fc.double({min: 100, max: 40_000, noNaN: true});
const position = fc.record({
	depth,
	shares: fc.array(fc.double({min: 0, max: 20_000, noNaN: true}), {minLength: 2, maxLength: 7}),
});
const pricesOf = (shares: readonly number[], deep: number): number[] => {
	const prices = shares.map(() => 0);
	putPrices(prices, shares, deep);
	return prices;
};

test('prices are above 0 and sum to 1', () => {
	fc.assert(
		fc.property(position, ({depth: deep, shares}) => {
			const prices = pricesOf(shares, deep);
			expect(prices.reduce((a, b) => a + b)).toBeCloseTo(1, 12);
			for (const price of prices) expect(price).toBeGreaterThan(0);
		}),
	);
});

test('what a purchase costs is what the collateral grows by, and selling it again brings the same', () => {
	fc.assert(
		fc.property(position, fc.double({min: 0.001, max: 5, noNaN: true}), ({depth: deep, shares}, part) => {
			const count = deep * part;
			const [price] = pricesOf(shares, deep);
			const after = [shares[0]! + count, ...shares.slice(1)];
			const cost = costOf(count, price!, deep);
			expect(cost).toBeCloseTo(collateralOf(after, deep) - collateralOf(shares, deep), 3);
			expect(-costOf(-count, pricesOf(after, deep)[0]!, deep)).toBeCloseTo(cost, 3);
		}),
	);
});

test('the collateral covers the payout of whichever outcome comes true', () => {
	fc.assert(
		fc.property(position, ({depth: deep, shares}) => {
			expect(collateralOf(shares, deep)).toBeGreaterThanOrEqual(Math.max(...shares));
		}),
	);
});

test('an amount of money buys the shares that cost it; shares move a price to where they should', () => {
	const price = fc.double({min: 0.01, max: 0.99, noNaN: true});
	fc.assert(
		fc.property(depth, price, price, fc.double({min: 1, max: 2000, noNaN: true}), (deep, from, to, amountUSD) => {
			expect(costOf(sharesFor(amountUSD, from, deep), from, deep)).toBeCloseTo(amountUSD, 6);
			const start = Math.log(from / (1 - from)) * deep;
			const [after] = pricesOf([start + sharesBetween(from, to, deep), 0], deep);
			expect(after).toBeCloseTo(to, 9);
		}),
	);
});
