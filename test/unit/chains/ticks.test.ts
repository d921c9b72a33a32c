import {expect, test} from 'vitest';
import {amountsInRange, MAX_TICK, priceFromSqrt, sqrtPriceAtTick} from '../../../source/chains/ticks.ts';
import {fc} from '../../helpers/properties.ts';

const ticks = fc.integer({min: -MAX_TICK, max: MAX_TICK});
const Q96 = 2n ** 96n;

/** Within one unit of what the contracts count, which round up. */
test.each([
	[-MAX_TICK, 4295128739n],
	[0, Q96],
	[MAX_TICK, 1461446703485210103287273052203988822378723970342n],
])('tick %i has the price that Uniswap publishes', (tick, published) => {
	const difference = published - sqrtPriceAtTick(tick);
	// The contracts carry 128 bits, so their largest price is off in its 29th digit.
	expect(Math.abs(Number(difference)) / Number(published)).toBeLessThan(1e-9);
});

test('the price is 1.0001 to the power of the tick', () => {
	fc.assert(
		fc.property(ticks, tick => {
			const root = Number(sqrtPriceAtTick(tick)) / 2 ** 96;
			expect(Math.log(root) * 2).toBeCloseTo(tick * Math.log(1.0001), 6);
		}),
	);
});

test('a higher tick has a higher price', () => {
	fc.assert(
		fc.property(fc.integer({min: -MAX_TICK, max: MAX_TICK - 1}), tick => {
			expect(sqrtPriceAtTick(tick + 1)).toBeGreaterThan(sqrtPriceAtTick(tick));
		}),
	);
});

test.each([1.5, MAX_TICK + 1, -MAX_TICK - 1, Number.NaN])('%d is no tick', tick => {
	expect(() => sqrtPriceAtTick(tick)).toThrow(RangeError);
});

test('below its range liquidity is all of coin 0, above all of coin 1, and inside of both', () => {
	const range = {lower: -600, upper: 600, liquidity: 10n ** 24n};
	const below = amountsInRange(range, sqrtPriceAtTick(-601));
	const inside = amountsInRange(range, Q96);
	const above = amountsInRange(range, sqrtPriceAtTick(601));
	expect(below.amount0).toBeGreaterThan(0n);
	expect(below.amount1).toBe(0n);
	expect(above.amount0).toBe(0n);
	expect(above.amount1).toBeGreaterThan(0n);
	// The range is symmetric about the price of one.
	expect(inside.amount0 - inside.amount1).toBeLessThanOrEqual(1n);
	expect(Number(inside.amount0) / 1e24).toBeCloseTo(1 - 1.0001 ** -300, 12);
});

test('what is put in comes out again, and the parts of a range are the range', () => {
	const prices = fc.bigInt({min: 0n, max: 2n ** 160n - 1n});
	const liquidities = fc.bigInt({min: 1n, max: 2n ** 127n});
	fc.assert(
		fc.property(ticks, ticks, ticks, liquidities, prices, (a, b, c, liquidity, price) => {
			const [lower, middle, upper] = [a, b, c].toSorted((x, y) => x - y) as [number, number, number];
			const whole = amountsInRange({lower, upper, liquidity}, price);
			const back = amountsInRange({lower, upper, liquidity: -liquidity}, price);
			expect([back.amount0, back.amount1]).toEqual([-whole.amount0, -whole.amount1]);
			const first = amountsInRange({lower, upper: middle, liquidity}, price);
			const second = amountsInRange({lower: middle, upper, liquidity}, price);
			for (const key of ['amount0', 'amount1'] as const) {
				const difference = whole[key] - first[key] - second[key];
				expect(difference >= 0n && difference <= 1n).toBe(true);
			}
		}),
	);
});

test('a price counts whole coins', () => {
	expect(priceFromSqrt(Q96, 18, 18)).toBe(1);
	// 3000 dollars of 6 decimals for a coin of 18.
	expect(priceFromSqrt(4339505179874779489431521n, 18, 6)).toBeCloseTo(3000, 6);
	expect(priceFromSqrt(0n, 18, 18)).toBeNull();
});
