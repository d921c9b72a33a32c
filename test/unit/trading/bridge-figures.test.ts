import {describe, expect, test} from 'vitest';
import type {BridgeStatusRow} from '../../../source/contract/bridge.ts';
import {leastRawOf} from '../../../source/trading/bridge/amounts.ts';
import {isAtMost, percent} from '../../../source/trading/bridge/loss.ts';
import {deadlineText} from '../../../source/trading/bridge/review-lines.ts';
import {slippageOf} from '../../../source/trading/bridge/slippage.ts';
import {readingOf} from '../../../source/trading/bridge/status-reading.ts';

/* Small figures and texts of a transfer, each at its limits. */

test.each([
	['1', 6, 1_000_000n],
	['0.000001', 6, 1n],
	['0.0000010', 6, 1n],
	['0.00000100', 6, 1n],
	['0.0000011', 6, 2n],
	['0.00000000000001', 6, 1n],
	['12.5', 0, 13n],
	['12.0', 0, 12n],
	['12', undefined, undefined],
	['', 6, undefined],
	['-1', 6, undefined],
	['1e3', 6, undefined],
	['.5', 6, undefined],
])('at least %s of a token with %s decimals is %s raw units', (text, decimals, raw) => {
	expect(leastRawOf(text, decimals)).toBe(raw);
});

describe('the slippage of a transfer', () => {
	test.each([0, 0.1, 25])('may be %d %%', slippage => {
		expect(slippageOf({slippage})).toBe(slippage);
	});

	test.each([-0.01, 25.01, Number.NaN, Number.POSITIVE_INFINITY])('may not be %d %%', slippage => {
		expect(() => slippageOf({slippage})).toThrow(expect.objectContaining({code: 'bad-slippage'}));
	});

	test('is that of dollars, or of a launch, by default', () => {
		expect([slippageOf({}), slippageOf({trade: {}})]).toEqual([1, 10]);
	});
});

test('a share of exactly the limit is at most that, whatever rounding adds', () => {
	expect([isAtMost(0.03, 0.03), isAtMost(1 - 48.5 / 50, 0.03), isAtMost(0.030001, 0.03)]).toEqual([true, true, false]);
	expect([isAtMost(Number.NaN, 0.03), isAtMost(-1, 0)]).toEqual([false, true]);
});

test.each([
	[0, '0.0 %'],
	[0.0999, '10.0 %'],
	[0.1, '10 %'],
	[-0.05, '-5.0 %'],
	[-0.5, '-50 %'],
])('a part of %d is written %s', (part, text) => {
	expect(percent(part)).toBe(text);
});

test('a batch is void in the seconds that are left, and already at its deadline', () => {
	const at = (nowMs: number) => deadlineText({batch: {deadline: '1000'} as never}, nowMs);
	expect([at(999_000), at(999_999), at(1_000_000), at(2_000_000)]).toEqual([
		'the batch is void in 1 s',
		'the batch is void in 1 s',
		'the batch is void already',
		'the batch is void already',
	]);
});

test.each<[row: object, reading: object]>([
	[{}, {}],
	[{failureReason: 'call 2'}, {said: 'call 2'}],
	[{failureReason: {reason: 'reverted', code: 'E1'}, message: 'm'}, {said: 'reverted'}],
	[{failureReason: {code: 'E1'}, message: 'm'}, {said: 'E1'}],
	[{failureReason: {}, message: 'm'}, {said: 'm'}],
	[{failureReason: null, message: 'm'}, {said: 'm'}],
	[{depositTxHash: '0x1', fillTxHash: ''}, {depositTxHash: '0x1'}],
	[{depositTxHash: null, fillTxHash: '0x2'}, {fillTxHash: '0x2'}],
])('the status %j is read as %j', (row, reading) => {
	expect(readingOf({status: 'failed', ...row} as BridgeStatusRow)).toStrictEqual({status: 'failed', ...reading});
});
