import {expect, test} from 'vitest';
import type {Quote} from '../../../source/contract/bridge.ts';
import {slippageWithin} from '../../../source/trading/trade/fresh-quote.ts';
import {fc} from '../../helpers/properties.ts';

/** What of a quote decides: its estimate, and the least that follows from a slippage. */
const quote = (estimate: number, slippage: number) =>
	({estimatedAmountOut: String(estimate), minAmountOut: String(estimate * (1 - slippage / 100))}) as Quote;

test('a price that moves on between two quotes still leaves at least what was shown', () => {
	fc.assert(
		fc.property(
			fc.double({min: 0.981, max: 0.9999, noNaN: true}),
			fc.double({min: 0.9996, max: 1.001, noNaN: true}),
			(moved, movedOn) => {
				const shown = quote(3_730_502.9, 10);
				const next = quote(3_730_502.9 * moved, 10);
				const tighter = slippageWithin(shown, next, 10)!;
				expect(tighter).toBeLessThan(10);
				const last = quote(3_730_502.9 * moved * movedOn, tighter);
				expect(Number(last.minAmountOut)).toBeGreaterThanOrEqual(Number(shown.minAmountOut));
			},
		),
	);
});

test('a price that moved by more than is signed, or by more than the slippage, asks for no tighter quote', () => {
	expect(slippageWithin(quote(100, 10), quote(97.9, 10), 10)).toBeUndefined();
	expect(slippageWithin(quote(100, 1), quote(98.9, 1), 1)).toBeUndefined();
	expect(slippageWithin(quote(100, 10), quote(101, 10), 10)).toBeUndefined();
	expect(slippageWithin(quote(100, 10), quote(99, 10), undefined)).toBeUndefined();
});
