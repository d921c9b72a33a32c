import {expect, test} from 'vitest';
import {readable, thousands} from '../../../source/trading/trade/words.ts';

test.each([
	['3291417.659330432371317028', '3,291,417.65'],
	['25', '25'],
	['25.00', '25'],
	['999.999', '999.99'],
	['0.000012345678', '0.00001234'],
	['0.9', '0.9'],
	['1e-30', '1e-30'],
	['\u001b[31m5', '5'],
])('of %s %s is shown, never more than it is', (text, shown) => {
	expect(readable(text)).toBe(shown);
});

test('an amount that is signed keeps every digit', () => {
	expect(thousands('1234567.891234567890123456')).toBe('1,234,567.891234567890123456');
});
