import {InvalidRequest} from '../../contract/wire-error.ts';

/** Longer numbers are not amounts. */
const DIGITS = 64;

/**
 * A number of a JSON text in base units, exactly: the text is read as decimals, never as a binary fraction.
 * @param text as written in the request: `0.1`, `1e2`
 * @param decimals of the token
 * @throws InvalidRequest `amount` when the text has more decimals than the token
 */
export function baseUnits(text: string, decimals: number): bigint {
	const parts = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d{1,4}))?$/.exec(text);
	if (parts === null || text.length > DIGITS) {
		throw new InvalidRequest('amount', 'must be a plain number', `at most ${DIGITS} characters`);
	}
	const [, sign, whole, fraction = '', exponent = '0'] = parts;
	const digits = `${whole}${fraction}`.replace(/0+$/, '');
	if (digits === '') return 0n;
	// The value is digits * 10^scale.
	const scale = `${whole}${fraction}`.length - digits.length - fraction.length + Number(exponent) + decimals;
	if (scale < 0) throw new InvalidRequest('amount', `must have at most ${decimals} decimals`, `got ${text}`);
	if (scale > DIGITS) throw new InvalidRequest('amount', 'is too large', `got ${text}`);
	const units = BigInt(digits) * 10n ** BigInt(scale);
	return sign === '-' ? -units : units;
}
