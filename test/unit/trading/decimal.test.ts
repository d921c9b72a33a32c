import {expect, test} from 'vitest';
import {parseUnits, shortUnits} from '../../../source/trading/decimal.ts';

test.each([
	['12', '12', '12'],
	['12.34', '12.34', '12.34'],
	['12.3456', '12.3456', '12.3456'],
	['12.34567', '12.3456', '12.3457'],
	['999.99999', '999.9999', '1000'],
	// From a thousand on no decimals are shown.
	['1000.25', '1000.25', '1000.25'],
	['1000.256', '1000', '1001'],
	// An exact amount stays as it is, rounded up too.
	['0.5000', '0.5', '0.5'],
	['0.00012345', '0.0001234', '0.0001235'],
	['0.00000000000000123', '0.00000000000000123', '0.00000000000000123'],
	['0.000000000000001239', '0.000000000000001239', '0.000000000000001239'],
	['0', '0', '0'],
])('%s is %s in a sentence, and %s as a bound', (text, down, up) => {
	const raw = parseUnits(text, 18);
	expect([shortUnits(raw, 18), shortUnits(raw, 18, 'up')]).toEqual([down, up]);
});

test('what is shown is never above the amount, and a bound never below', () => {
	for (let raw = 1n; raw < 10n ** 22n; raw = raw * 7n + 3n) {
		const [down, up] = [shortUnits(raw, 18), shortUnits(raw, 18, 'up')].map(text => parseUnits(text, 18));
		expect(down! <= raw && raw <= up!, String(raw)).toBe(true);
		// A thousandth at most is left out.
		expect((raw - down!) * 999n <= raw, String(raw)).toBe(true);
	}
});
