import {PulsetopError} from '../errors.ts';

/** Text that is not an amount of this token. */
export class BadAmount extends PulsetopError {
	readonly code = 'bad-amount';

	constructor(why: string) {
		super('This is not an amount', {why, next: 'fix-input'});
	}
}

/**
 * Raw units of a decimal amount, exactly: never through a floating-point number.
 * @param text digits with at most one dot: `12.5`
 * @throws BadAmount when it is no number, or finer than the token
 */
export function parseUnits(text: string, decimals: number): bigint {
	const [, whole, fraction = ''] = /^(\d{1,60})(?:\.(\d{1,60}))?$/.exec(text.trim()) ?? [];
	if (whole === undefined) throw new BadAmount('write digits with at most one dot, such as 12.5');
	const digits = fraction.replace(/0+$/, '');
	if (digits.length > decimals) throw new BadAmount(`this token has only ${decimals} decimal places`);
	return BigInt(whole + digits.padEnd(decimals, '0'));
}

/** The decimal text of raw units, exactly, without needless zeros: `12.5`. */
export function formatUnits(raw: bigint, decimals: number): string {
	const digits = (raw < 0n ? -raw : raw).toString().padStart(decimals + 1, '0');
	const at = digits.length - decimals;
	const fraction = digits.slice(at).replace(/0+$/, '');
	return `${raw < 0n ? '-' : ''}${digits.slice(0, at)}${fraction === '' ? '' : `.${fraction}`}`;
}
