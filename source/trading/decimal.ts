import {PulsetopError} from '../errors.ts';

/** Text that is not an amount of this token. */
export class BadAmount extends PulsetopError {
	readonly code = 'bad-amount';

	constructor(why: string) {
		super('This is not an amount', {why, next: 'fix-input'});
	}
}

/** An amount with separators, which people write in different ways: which one is meant has to be asked. */
export class AmountUnclear extends PulsetopError {
	readonly code = 'amount-unclear';
	/** The amounts that may be meant, as text that is clear: of thousands first. */
	readonly readings: readonly string[];

	constructor(text: string, readings: readonly string[]) {
		const [first, second] = readings;
		super(second === undefined ? 'Is this the amount that you mean?' : 'Thousands or decimals?', {
			why:
				second === undefined
					? `${text} can be read as ${first}`
					: `${text} is ${first} with a separator of thousands, and ${second} with decimals`,
			next: 'fix-input',
			advice: `Write ${readings.join(' or ')}.`,
		});
		this.readings = readings;
	}
}

/** The separators of thousands that people type: a dot, a comma, an apostrophe, a space, an underscore. */
const GROUPED = /^([1-9]\d{0,2})(?:([.,'’_\s])\d{3})(?:\2\d{3})*$/;
const DECIMAL = /^(\d+)[.,](\d+)$/;
const BOTH = /^([1-9]\d{0,2}(?:([.,'’_\s])\d{3})(?:\2\d{3})*)(?!\2)[.,](\d+)$/;

/**
 * An amount as a person types it, as plain decimal text: `12.5`. Separators are never guessed: `1.000` is one
 * to some people and a thousand to others. Text that is no amount in any reading is given back as it is, for parseUnits to refuse.
 * @throws AmountUnclear
 */
export function typedAmount(typed: string): string {
	const text = typed.trim();
	const [, whole, fraction = ''] = DECIMAL.exec(text) ?? [];
	const [, grouped, , decimals = ''] = BOTH.exec(text) ?? [];
	if (GROUPED.test(text)) {
		throw new AmountUnclear(text, [digitsOf(text), ...(whole === undefined ? [] : [clearDecimal(whole, fraction)])]);
	}
	if (grouped === undefined) return text;
	throw new AmountUnclear(text, [clearDecimal(digitsOf(grouped), decimals)]);
}

function digitsOf(text: string): string {
	return text.replace(/\D/g, '');
}

/** Decimal text that cannot be taken for thousands: three decimals get a zero behind them. */
function clearDecimal(whole: string, fraction: string): string {
	const digits = fraction.replace(/0+$/, '');
	if (digits === '') return whole;
	const text = `${whole}.${digits}`;
	return GROUPED.test(text) ? `${text}0` : text;
}

/** Raw units as text that typedAmount does not ask about: `1.2340`. */
export function clearUnits(raw: bigint, decimals: number): string {
	const [whole = '', fraction = ''] = formatUnits(raw, decimals).split('.');
	return clearDecimal(whole, fraction);
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

/** From here on the decimals of an amount are left out. */
const WHOLE = 1000n;
/** How many decimals of a smaller amount are shown. */
const SHOWN_DECIMALS = 4;

/**
 * Raw units for a sentence, or to be typed: nobody reads the 18 decimals of a token. `1234`, `0.0125`
 * @param rounding down, or up for a bound
 */
export function shortUnits(raw: bigint, decimals: number, rounding: 'down' | 'up' = 'down'): string {
	const text = formatUnits(raw, decimals);
	const [whole = '0', fraction = ''] = text.split('.');
	if (fraction.length <= 2) return text;
	// Leading zeros say nothing of the amount: the digits behind them do.
	const zeros = whole === '0' ? /^0*/.exec(fraction)![0].length : 0;
	const shown = BigInt(whole) >= WHOLE ? 0 : Math.min(zeros + SHOWN_DECIMALS, fraction.length);
	const unit = 10n ** BigInt(decimals - shown);
	const rest = raw % unit;
	return formatUnits(raw - rest + (rest > 0n && rounding === 'up' ? unit : 0n), decimals);
}
