import {describe, expect, test} from 'vitest';
import type {TradeTarget} from '../../../source/contract/trade-target.ts';
import type {TradePlan} from '../../../source/trading/trade/plan.ts';
import {tradeLines} from '../../../source/trading/trade/review-lines.ts';
import {goodBuy, goodSell, NOW} from './trade-plans.ts';

/* What stands in the review of a trade, at each of its limits: below, at and above. */

const lineOf = (plan: TradePlan, label: string) => tradeLines(plan, []).find(line => line.label === label);
const isMarked = (plan: TradePlan, label: string): boolean => lineOf(plan, label)?.isMarked === true;

describe('the last trade of the same token', () => {
	const endedAgo = (ms: number) => {
		const plan = goodBuy();
		return {...plan, trade: {...plan.trade, endedAtMs: plan.clock.nowMs - ms}};
	};

	test.each([
		[-400, 'you bought it 0 s ago'],
		[0, 'you bought it 0 s ago'],
		[29_999, 'you bought it 30 s ago'],
		[30_000, 'you bought it 30 s ago'],
		[30_001, undefined],
	])('%d ms ago', (ms, text) => {
		expect(lineOf(endedAgo(ms), 'again')?.text).toBe(text);
	});

	test('without one there is no line', () => {
		expect(lineOf(goodBuy(), 'again')).toBeUndefined();
		const sale = goodSell();
		expect(lineOf({...sale, trade: {...sale.trade, endedAtMs: NOW}}, 'again')?.text).toMatch(/^you sold it/);
	});
});

test.each([
	[-5000, '0 s'],
	[59_999, '59 s'],
	[60_000, '1 min'],
	[3_599_999, '59 min'],
	[3_600_000, '1 h'],
	[86_399_999, '23 h'],
	[86_400_000, '1 d'],
])('a token of %d ms is %s old', (ms, age) => {
	const plan = goodBuy();
	const target = {...plan.trade.target, createdAtMs: plan.clock.nowMs - ms};
	expect(lineOf({...plan, trade: {...plan.trade, target}}, 'buy')?.text).toContain(`, ${age} old)`);
});

test.each([
	[10, false],
	[10.01, true],
])('a slippage of %d %% is marked: %s', (slippage, marked) => {
	const plan = goodBuy();
	expect(isMarked({...plan, request: {...plan.request, slippage}}, 'at least')).toBe(marked);
});

describe('a tax', () => {
	test.each<[string, TradePlan, boolean]>([
		['of 5 % to buy is not marked', goodBuy({buyTax: 5}), false],
		['of 5.01 % to buy is marked', goodBuy({buyTax: 5.01}), true],
		['of 5 % to sell what is bought is not marked', goodBuy({sellTax: 5}), false],
		['of 5.01 % to sell what is bought is marked', goodBuy({sellTax: 5.01}), true],
		['of 5 % to sell is not marked', goodSell({sellTax: 5}), false],
		['of 5.01 % to sell is marked', goodSell({sellTax: 5.01}), true],
		['to buy is nothing to who sells', goodSell({buyTax: 50}), false],
	])('%s', (_, plan, marked) => {
		expect(isMarked(plan, 'tax')).toBe(marked);
	});
});

/** The plan, as if the service had not reported these figures of the token. */
function lacking(plan: TradePlan, names: readonly (keyof TradeTarget)[]): TradePlan {
	const known = Object.entries(plan.trade.target).filter(([name]) => !(names as readonly string[]).includes(name));
	return {...plan, trade: {...plan.trade, target: Object.fromEntries(known) as unknown as TradeTarget}};
}

test.each<[string, TradePlan, readonly (keyof TradeTarget)[], string]>([
	['nothing', goodBuy(), [], 'none are reported'],
	['honeypot', goodBuy(), ['isHoneypot'], 'none are reported; not reported: honeypot'],
	['one tax', goodBuy(), ['sellTax'], 'none are reported; not reported: tax'],
	['liquidity', goodBuy(), ['liquidityUSD'], 'none are reported; not reported: liquidity'],
	['liquidity of a curve', goodBuy({isCurve: true}), ['liquidityUSD'], 'none are reported'],
	['phase', goodBuy(), ['phase'], 'none are reported; not reported: phase'],
	['anything, to who sells', goodSell(), ['isHoneypot', 'sellTax', 'liquidityUSD', 'phase'], 'none are reported'],
])('what is not reported of a token is named: %s', (_, plan, names, text) => {
	expect(lineOf(lacking(plan, names), 'marks')?.text).toBe(text);
});

test('a recipient that is not the wallet is marked, in any case of its letters', () => {
	const plan = goodBuy();
	expect(
		isMarked({...plan, request: {...plan.request, recipient: plan.signer.toUpperCase().replace('0X', '0x')}}, 'to'),
	).toBe(false);
	expect(isMarked({...plan, request: {...plan.request, recipient: `${plan.signer.slice(0, -1)}f`}}, 'to')).toBe(true);
});

test('what does not protect a trade is named: that no resale of a buy was tried, and each check that could not run', () => {
	const checks = [
		{name: 'price', title: 'The price is that of the feed', ok: true, detail: ''},
		{name: 'safety', title: 'The token can be sold', ok: true, isUnavailable: true as const, detail: 'no node'},
	];
	const shown = (plan: TradePlan, results: Parameters<typeof tradeLines>[1]) => {
		const {text, isMarked} = tradeLines(plan, results).find(({label}) => label === 'not checked')!;
		return [text, isMarked === true];
	};
	expect(shown(goodBuy(), [])).toEqual(['no resale was tried', false]);
	expect(shown(goodSell(), [])).toEqual(['nothing is left out', false]);
	expect(shown(goodBuy(), checks)).toEqual(['The token can be sold, no resale was tried', true]);
	expect(shown(goodSell(), checks)).toEqual(['The token can be sold', true]);
});

describe('costs of a trade', () => {
	const plan = goodBuy();
	const quoted = (more: Partial<TradePlan['quote']>): TradePlan => ({...plan, quote: {...plan.quote, ...more}});
	const textOf = (of: TradePlan, label: string) => lineOf(of, label)?.text;

	test.each<readonly [label: string, what: string, plan: TradePlan, isMarked: boolean]>([
		['impact', 'an impact of 2.99 %', quoted({priceImpact: 2.99}), false],
		['impact', 'an impact of 3 %', quoted({priceImpact: 3}), true],
		['impact', 'a share of the pool of 0.99 %', quoted({poolShare: 0.99}), false],
		['impact', 'a share of the pool of 1 %', quoted({poolShare: 1}), true],
		['fees', 'fees of 5 %', quoted({fees: {totalFeeUsd: '1.25'}}), false],
		['fees', 'fees of more', quoted({fees: {totalFeeUsd: '1.26'}}), true],
		['fees', 'fees that are not reported', quoted({fees: {}}), false],
		['worst case', 'a loss of just under 15 %', quoted({minAmountOut: '21251'}), false],
		['worst case', 'a loss of more', quoted({minAmountOut: '21249'}), true],
	])('%s: %s', (label, _, of, marked) => {
		expect(isMarked(of, label)).toBe(marked);
	});

	test('the price is better or worse than that of the feed, or not known', () => {
		expect(textOf(plan, 'price')).toMatch(/^\d.* worse than the feed's \$0\.001/);
		expect(textOf(quoted({estimatedAmountOut: '26000'}), 'price')).toMatch(/^\d.* better than the feed's/);
		const {priceUSD: _, ...target} = plan.trade.target;
		const blind = {...plan, trade: {...plan.trade, target: target as TradeTarget}};
		expect(textOf(blind, 'price')).toMatch(/^not known/);
		expect(lineOf(blind, 'worst case')).toMatchObject({text: 'not known: the feed has no price', isMarked: true});
	});

	test.each(['25.125.1', 'all', '1e400'])('a least of %j leaves the worst case unknown', minAmountOut => {
		const shown = quoted({minAmountOut});
		const text = 'not known: the amounts of the quote are no numbers';
		expect(lineOf(shown, 'worst case')).toMatchObject({text, isMarked: true});
		for (const line of tradeLines(shown, [])) expect(line.text).not.toMatch(/NaN|Infinity/);
	});

	test('the age of the feed’s price is that of the row, and never below 0', () => {
		const aged = (ms: number) => textOf(goodBuy({atMs: NOW - ms}), 'worst case');
		expect(aged(2400)).toMatch(/, 2 s old$/);
		expect(aged(-5000)).toMatch(/, 0 s old$/);
	});

	test('a tax and an impact that nobody reports are not known', () => {
		const {buyTax: _, sellTax: __, liquidityUSD: ___, ...target} = plan.trade.target;
		const unknown = {...plan, trade: {...plan.trade, target: target as TradeTarget}};
		expect(textOf(unknown, 'tax')).toBe('not known to buy, not known to sell');
		expect(textOf(unknown, 'impact')).toBe('not known, share of the pool not known');
		expect(textOf(quoted({priceImpact: 50}), 'impact')).toContain('(says the service)');
	});
});
