import {clean} from '../../text.ts';

/** Text of an unreported figure. */
export const UNKNOWN = 'not known';

/** The value to type for a figure that was not reported: `tax=unknown`. */
export const UNREPORTED = 'unknown';

/** A share in whole percent, rounded up, as it is typed: `12`. */
export function wholePercent(share: number): string {
	return String(Math.ceil(share * 100 - 1e-9));
}

/** A decimal text of a service as it is read, rounded down: `3,291,417.66`, `0.00001234`. Other text is cleaned. */
export function readable(text: string): string {
	const [, whole, fraction = ''] = /^(\d{1,60})(?:\.(\d{1,60}))?$/.exec(text) ?? [];
	if (whole === undefined) return clean(text, {maxCells: 48});
	const zeros = Number(whole) === 0 ? /^0*/.exec(fraction)![0].length + 2 : 0;
	const rest = fraction.slice(0, zeros + 2).replace(/0+$/, '');
	return thousands(rest === '' ? whole : `${whole}.${rest}`);
}

/** A decimal text with its thousands apart. */
export function thousands(decimal: string): string {
	const [whole = '', fraction] = decimal.split('.');
	const grouped = whole.replace(/\B(?=(\d{3})+$)/g, ',');
	return fraction === undefined ? grouped : `${grouped}.${fraction}`;
}

/** Dollars as they are read: to the cent, and finer below one. */
export function dollars(usd: number): string {
	if (!Number.isFinite(usd)) return UNKNOWN;
	const size = Math.abs(usd);
	if (size >= 1 || size === 0) return `$${usd.toFixed(2)}`;
	return size < 0.0001 ? `$${usd.toPrecision(3)}` : `$${usd.toFixed(4)}`;
}
