import {format as formatDate} from 'date-fns/format';
import type {Entry} from '../contract/entry.ts';

/**
 * Figures as text short enough for a cell. All take `undefined` for unknown, and unknown is never shown as 0.
 */

const UNITS = ['', 'K', 'M', 'B', 'T'] as const;

/** Three significant figures with a unit, at most five cells and a sign: `999`, `1.23K`, `45.6M`. */
export function compact(value: number | undefined, unknown = '–'): string {
	if (value === undefined || Number.isNaN(value)) return unknown;
	if (!Number.isFinite(value)) return value > 0 ? '>999T' : '<-999T';
	const sign = value <= -0.01 ? '-' : '';
	let size = Math.abs(value);
	let unit = 0;
	while (size >= 999.5 && unit < UNITS.length - 1) {
		size /= 1000;
		unit++;
	}
	if (size >= 999.5) return `${sign}>999T`;
	return sign + (unit === 0 ? small(size) : digits(size)) + UNITS[unit];
}

/** Two significant figures, at most four cells: for counts that stand in pairs. `999`, `1.2K`, `45K`. */
export function brief(value: number | undefined, unknown = '–'): string {
	if (value === undefined || !(value >= 999.5))
		return compact(value === undefined ? value : Math.round(value), unknown);
	let size = value;
	let unit = 0;
	while (size >= 999.5 && unit < UNITS.length - 1) {
		size /= 1000;
		unit++;
	}
	return size >= 999.5 ? '>1Q' : (size >= 9.95 ? size.toFixed(0) : size.toFixed(1)) + UNITS[unit];
}

/** Below a thousand: cents matter under ten, nothing behind the point above. */
function small(size: number): string {
	if (size === 0) return '0';
	if (size < 0.01) return '<.01';
	return size < 10 && !Number.isInteger(size) ? size.toFixed(2) : String(Math.round(size));
}

function digits(size: number): string {
	return size >= 99.95 ? size.toFixed(0) : size >= 9.995 ? size.toFixed(1) : size.toFixed(2);
}

/** A whole number with its thousands apart: `12,345`. */
export function grouped(value: number | undefined, unknown = '–'): string {
	return value === undefined ? unknown : Math.round(value).toLocaleString('en-US');
}

/** US dollars: `$45.6K`. */
export function usd(value: number | undefined, unknown = '–'): string {
	if (value === undefined) return unknown;
	const text = compact(Math.abs(value));
	return `${value < 0 ? '-' : ''}$${text}`;
}

/** The mark before a price, and before figures computed from the price: `~` for the average of a trade, nothing for the pool's price. */
export function averageMark({priceIsAverage}: Pick<Entry, 'priceIsAverage'>): string {
	return priceIsAverage ? '~' : '';
}

/**
 * A price in US dollars, four significant figures. The zeros of a tiny price are counted, not written: `$0.0₅1234` is
 * 0.000001234. Without subscripts (ASCII) it is `$1.234e-6`.
 */
export function price(value: number | undefined, {unknown = '–', subscripts = '₀₁₂₃₄₅₆₇₈₉'} = {}): string {
	if (value === undefined) return unknown;
	if (value === 0) return '$0';
	if (value < 0) return `-${price(-value, {subscripts})}`;
	if (value >= 1e6) return usd(value);
	if (value >= 1) return `$${value.toLocaleString('en-US', {maximumFractionDigits: value >= 1000 ? 0 : 2})}`;
	const [mantissa, exponent] = value.toExponential(3).split('e') as [string, string];
	const zeros = -Number(exponent) - 1;
	// So near to a dollar that four figures round it up.
	if (zeros < 0) return '$1';
	const figures = mantissa.replace('.', '').replace(/0+$/, '');
	if (zeros < 4) return `$0.${'0'.repeat(zeros)}${figures}`;
	if (subscripts === '') return `$${mantissa.replace(/\.?0+$/, '')}e${exponent}`;
	const count = [...String(zeros)].map(digit => [...subscripts][Number(digit)]).join('');
	return `$0.0${count}${figures}`;
}

/** A change in percent with its sign, at most seven cells: `+12.3%`, `-4.5%`, `+999%`, `+12x` for what grew more than tenfold. */
export function change(percent: number | undefined, unknown = '–'): string {
	if (percent === undefined || Number.isNaN(percent)) return unknown;
	if (percent <= -999.5) return '<-999%';
	if (percent >= 999.5) {
		const times = percent / 100 + 1;
		return times >= 9999.5 ? '>9999x' : `+${times.toFixed(0)}x`;
	}
	const size = Math.abs(percent);
	if (size < 0.05) return '0.0%';
	return `${percent < 0 ? '-' : '+'}${size >= 99.95 ? size.toFixed(0) : size.toFixed(1)}%`;
}

/** A share in percent: `4.2%`, `43%`, `<0.1%`. */
export function share(percent: number | undefined, unknown = '–'): string {
	if (percent === undefined || Number.isNaN(percent)) return unknown;
	if (percent === 0) return '0%';
	if (percent < 0.1) return '<0.1%';
	if (percent >= 999.5) return '>999%';
	return `${percent < 9.95 ? percent.toFixed(1) : percent.toFixed(0)}%`;
}

/** How much of a bonding curve is sold, in whole percents: `43%`. Never rounded up, so `100%` is sold out. */
export function progress(percent: number | undefined, unknown = '–'): string {
	if (percent === undefined || Number.isNaN(percent)) return unknown;
	if (percent < 0) return '<0%';
	return percent >= 1000 ? '>999%' : `${Math.floor(percent)}%`;
}

/** How long ago, in one unit, at most four cells: `12s`, `5m`, `3h`, `2d`, `4w`. Never negative: clocks differ a little. */
export function age(ms: number | undefined, unknown = '–'): string {
	if (ms === undefined || Number.isNaN(ms)) return unknown;
	const s = Math.max(Math.floor(ms / 1000), 0);
	if (s < 60) return `${s}s`;
	if (s < 3600) return `${Math.floor(s / 60)}m`;
	if (s < 86_400) return `${Math.floor(s / 3600)}h`;
	if (s < 86_400 * 99) return `${Math.floor(s / 86_400)}d`;
	const weeks = Math.floor(s / 604_800);
	return weeks < 999 ? `${weeks}w` : '>19y';
}

/** How long `age` gives the same text from an age on, ms. */
export function ageHoldsMs(ms: number): number {
	if (ms < 0) return 1000 - ms;
	const unit = ms < 60_000 ? 1000 : ms < 3_600_000 ? 60_000 : ms < 86_400_000 ? 3_600_000 : 86_400_000;
	return unit - (ms % unit);
}

/** A moment in this machine's time zone, to the second. */
export function dateTime(ms: number | undefined, unknown = '–'): string {
	return ms === undefined || !Number.isFinite(ms) ? unknown : formatDate(ms, 'yyyy-MM-dd HH:mm:ss');
}

/** The time of day in this machine's time zone. */
export function clock(ms: number): string {
	return formatDate(ms, 'HH:mm:ss');
}

/** A moment in this machine's time zone: the time of day, or the date where that is not today. */
export function moment(ms: number, nowMs: number): string {
	const [day = '', time = ''] = formatDate(ms, 'yyyy-MM-dd HH:mm').split(' ');
	return day === formatDate(nowMs, 'yyyy-MM-dd') ? time : day;
}
