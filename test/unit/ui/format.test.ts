import {expect, test} from 'vitest';
import {cellWidth} from '../../../source/text.ts';
import {age, ageHoldsMs, brief, change, compact, price, progress, share, usd} from '../../../source/ui/format.ts';
import {fc} from '../../helpers/properties.ts';

test.each([
	[0, '0'],
	[0.004, '<.01'],
	[1.5, '1.50'],
	[7, '7'],
	[42.4, '42'],
	[999.4, '999'],
	[999.6, '1.00K'],
	[1234, '1.23K'],
	[9_996, '10.0K'],
	[45_600, '45.6K'],
	[999_950, '1.00M'],
	[1.2e9, '1.20B'],
	[-1234, '-1.23K'],
	[5e15, '>999T'],
])('%d is written %s', (value, text) => {
	expect(compact(value)).toBe(text);
});

test('unknown is a dash, never 0', () => {
	for (const format of [compact, usd, price, change, share, progress, age]) expect(format(undefined)).toBe('–');
});

test('a curve is sold out at 100% and not before', () => {
	expect([0, 0.4, 17.5, 99.97, 100].map(percent => progress(percent))).toEqual(['0%', '0%', '17%', '99%', '100%']);
});

test('a share is at most five cells', () => {
	expect([0, 0.04, 4.2, 43.4, 120, 1e300].map(percent => share(percent))).toEqual([
		'0%',
		'<0.1%',
		'4.2%',
		'43%',
		'120%',
		'>999%',
	]);
	expect([-1e7, 120, 1e300].map(percent => progress(percent))).toEqual(['<0%', '120%', '>999%']);
});

test('no figure is wider than six cells', () => {
	fc.assert(
		fc.property(fc.double({noNaN: true}), value => void expect(cellWidth(compact(value))).toBeLessThanOrEqual(6)),
	);
});

test.each([
	[1234.5, '$1,235'],
	[12.345, '$12.35'],
	[0.5, '$0.5'],
	[0.99994, '$0.9999'],
	[0.99999, '$1'],
	[-0.99999, '-$1'],
	[0.001234, '$0.001234'],
	[0.000001234, '$0.0₅1234'],
	[1e-12, '$0.0₁₁1'],
	[0, '$0'],
])('a price of %d is written %s', (value, text) => {
	expect(price(value)).toBe(text);
});

test('every number has a price, however close to a dollar or to nothing', () => {
	fc.assert(fc.property(fc.double({noNaN: true}), value => void price(value)));
	for (const value of [1 - Number.EPSILON, Number.MIN_VALUE, Number.MAX_VALUE]) expect(price(value)).toMatch(/^\$/);
});

test('without subscripts a tiny price has an exponent', () => {
	expect(price(0.000001234, {subscripts: ''})).toBe('$1.234e-6');
});

test.each([
	[0, '0.0%'],
	[12.34, '+12.3%'],
	[-4.56, '-4.6%'],
	[150, '+150%'],
	[1100, '+12x'],
	[-99.99, '-100%'],
	[-1e300, '<-999%'],
])('a change of %d percent is written %s', (value, text) => {
	expect(change(value)).toBe(text);
});

test('a change is at most seven cells', () => {
	fc.assert(fc.property(fc.double({noNaN: true}), value => void expect(change(value).length).toBeLessThanOrEqual(7)));
});

test.each([
	[-500, '0s'],
	[59_999, '59s'],
	[60_000, '1m'],
	[3_600_000, '1h'],
	[86_400_000, '1d'],
	[86_400_000 * 100, '14w'],
])('%d ms ago is written %s', (value, text) => {
	expect(age(value)).toBe(text);
});

test('an age holds until its text is another one', () => {
	fc.assert(
		fc.property(fc.integer({min: -10_000, max: 86_400_000 * 20}), ms => {
			const holdsMs = ageHoldsMs(ms);
			expect([age(ms + holdsMs - 1), age(ms + holdsMs) === age(ms)]).toEqual([age(ms), false]);
		}),
	);
});

test('a brief count is at most four cells', () => {
	expect([brief(0), brief(999), brief(1234), brief(45_600), brief(999_900), brief(undefined)]).toEqual([
		'0',
		'999',
		'1.2K',
		'46K',
		'1.0M',
		'–',
	]);
	fc.assert(
		fc.property(fc.double({noNaN: true, min: 0}), value => void expect(brief(value).length).toBeLessThanOrEqual(4)),
	);
});
