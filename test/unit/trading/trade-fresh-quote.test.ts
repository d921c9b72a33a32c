import {formatUnits} from 'viem';
import {expect, test} from 'vitest';
import {leastOf} from '../../../source/service/bridge/amounts.ts';
import {slippageWithin, whatIsWorse} from '../../../source/trading/trade/fresh-quote.ts';
import type {TradePlan} from '../../../source/trading/trade/plan.ts';
import {fc} from '../../helpers/properties.ts';
import {goodBuy} from './trade-plans.ts';

const buy = goodBuy();

/** A quote of `raw` units, as the service makes it. */
const quoteOf = (raw: bigint, decimals: number, slippage: number): TradePlan['quote'] => ({
	...buy.quote,
	estimatedAmountOut: formatUnits(raw, decimals),
	minAmountOut: formatUnits(leastOf(raw, slippage), decimals),
});

test('a tighter slippage keeps the least that was shown, at any price, in any decimals', () => {
	let tightened = 0;
	fc.assert(
		fc.property(
			fc.bigInt({min: 10n ** 6n, max: 10n ** 30n}),
			fc.integer({min: 0, max: 36}),
			fc.integer({min: 1, max: 250}),
			fc.integer({min: 960_000, max: 1_040_000}),
			(raw, decimals, slippageTenths, movedPpm) => {
				const slippage = slippageTenths / 10;
				const shown = quoteOf(raw, decimals, slippage);
				const movedRaw = (raw * BigInt(movedPpm)) / 1_000_000n;
				const next = quoteOf(movedRaw, decimals, slippage);
				const tighter = slippageWithin(shown, next, slippage);
				const signed = tighter === undefined ? next : quoteOf(movedRaw, decimals, tighter);
				const worse = whatIsWorse({...buy, quote: shown}, {...buy, quote: signed});
				// A price that fell by less than 2 % can be signed as it was shown, while any slippage is left.
				if (tighter !== undefined) {
					tightened++;
					expect(worse).toEqual([]);
				}
				if (movedPpm >= 1_000_000) expect([tighter, worse]).toEqual([undefined, []]);
				if (worse.length > 0) return;
				expect(Number(signed.minAmountOut)).toBeGreaterThanOrEqual(Number(shown.minAmountOut) * (1 - 1e-9));
				expect(Number(signed.estimatedAmountOut)).toBeGreaterThanOrEqual(
					Number(shown.estimatedAmountOut) * 0.98 - 1e-30,
				);
			},
		),
		{numRuns: 500},
	);
	expect(tightened).toBeGreaterThan(50);
});

test('figures that are no numbers are worse, not equal', () => {
	for (const text of ['NaN', '', 'lots', '1e'])
		expect(
			whatIsWorse(buy, {...buy, quote: {...buy.quote, minAmountOut: text, estimatedAmountOut: text}}),
		).toHaveLength(2);
});

const changed = (quote: Partial<TradePlan['quote']>) => ({...buy, quote: {...buy.quote, ...quote}});

test.each<
	readonly [
		what: string,
		shown: Partial<TradePlan['quote']>,
		same: Partial<TradePlan['quote']>,
		worse: Partial<TradePlan['quote']>,
	]
>([
	['the least', {minAmountOut: '1000000000'}, {minAmountOut: '999999999'}, {minAmountOut: '999999998'}],
	[
		'the estimate',
		{estimatedAmountOut: '100', minAmountOut: '90'},
		{estimatedAmountOut: '98', minAmountOut: '90'},
		{estimatedAmountOut: '97.9', minAmountOut: '90'},
	],
	['the fees', {fees: {totalFeeUsd: '0.5'}}, {fees: {totalFeeUsd: '0.52'}}, {fees: {totalFeeUsd: '0.53'}}],
	['unknown fees', {fees: {totalFeeUsd: '0.5'}}, {fees: {totalFeeUsd: '0.5'}}, {fees: {}}],
])('%s may be a little worse than shown, and no more', (_, shown, same, worse) => {
	expect(whatIsWorse(changed(shown), changed({...shown, ...same}))).toEqual([]);
	expect(whatIsWorse(changed(shown), changed({...shown, ...worse}))).toHaveLength(1);
	// Better is never worse.
	expect(whatIsWorse(changed({...shown, ...worse}), changed({...shown, ...same}))).toEqual([]);
});

test('no slippage is tightened beyond a fall of 2 %, nor to none', () => {
	const within = (least: string, estimate: string, next: string) =>
		slippageWithin(
			{...buy.quote, minAmountOut: least, estimatedAmountOut: estimate},
			{...buy.quote, minAmountOut: String(Number(next) * 0.9), estimatedAmountOut: next},
			10,
		);
	expect(within('90', '100', '98')).toBe(8.1132);
	expect(within('90', '100', '97.99')).toBeUndefined();
	expect(within('98', '100', '98')).toBeUndefined();
	expect(within('98', '100', '98.2')).toBe(0.1536);
	expect(within('90', '100', '100')).toBeUndefined();
});
