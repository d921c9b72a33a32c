import {parseUnits} from 'viem';
import {expect, test} from 'vitest';
import {baseUnits} from '../../../source/service/prediction/exact-amount.ts';
import {fc} from '../../helpers/properties.ts';
import {refusedAt} from '../../unit/contract/refusal.ts';

test.each([
	['0.01', 10_000n],
	['0.1', 100_000n],
	['1.10', 1_100_000n],
	['4.35', 4_350_000n],
	['1000000000', 1_000_000_000_000_000n],
	['999999999.999999', 999_999_999_999_999n],
	['123456789.123456', 123_456_789_123_456n],
	['1e2', 100_000_000n],
	['1.5E+3', 1_500_000_000n],
	['25e-2', 250_000n],
	['0.0000010', 1n],
	['1.0000000000', 1_000_000n],
	['100e-8', 1n],
	['0', 0n],
	['-2.5', -2_500_000n],
])('%s is %s base units of a token with six decimals', (text, units) => {
	expect(baseUnits(text, 6)).toBe(units);
});

test.each([
	'0.0000001',
	'1.0000005',
	'999999999.9999999',
	'1e-7',
	'0.30000000000000004',
	'',
	'x',
	'1e99999',
	'1e999',
	`1${'0'.repeat(70)}`,
])('%s is refused, not rounded', text => expect(refusedAt(() => baseUnits(text, 6))).toBe('amount'));

test('every amount of six decimals is read exactly, however it is written', () => {
	fc.assert(
		fc.property(fc.bigInt({min: 0n, max: 10n ** 15n}), fc.integer({min: 0, max: 8}), (units, shift) => {
			const text = `${units / 1_000_000n}.${String(units % 1_000_000n).padStart(6, '0')}`;
			expect(baseUnits(text, 6)).toBe(parseUnits(text, 6));
			expect(baseUnits(`${units}e-6`, 6)).toBe(units);
			expect(baseUnits(`${units}${'0'.repeat(shift)}e-${6 + shift}`, 6)).toBe(units);
		}),
	);
});
