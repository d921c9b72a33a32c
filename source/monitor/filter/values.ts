/** A typed value, or its problem, to be read after the value: `“5x” is not a number`. */
export type ReadValue<T> =
	| {readonly ok: true; readonly value: T}
	| {readonly ok: false; readonly problem: string; readonly suggestion?: string};

/** A moment, or a day: from its first millisecond up to, not including, `untilMs`. */
export interface ReadDate {
	readonly fromMs: number;
	readonly untilMs?: number;
}

const NUMBER = /^([+-]?)(\$?)([+-]?)(\d[\d_]*\.?\d*|\.\d+)(?:e([+-]?\d+))?([kmbt]?)(%?)$/i;
const POWER: Readonly<Record<string, number>> = {'': 0, k: 3, m: 6, b: 9, t: 12};

/** A number with an optional suffix: `50k`, `1.5m`, `2b`, `$400`, `5%`, `-20%`, `1_000`, `1e-7`. */
export function readNumber(text: string, kind: 'number' | 'integer' | 'usd' | 'percent' | 'figure'): ReadValue<number> {
	const [, sign, dollar, laterSign, digits = '', exponent = '0', suffix = '', percent] = NUMBER.exec(text) ?? [];
	if (digits === '' || (sign && laterSign)) return notANumber(text);
	const plain = text.replace(/[$%]/g, '');
	if (percent && kind !== 'percent' && kind !== 'figure') {
		return {ok: false, problem: 'is a percentage, and this field is not', suggestion: plain};
	}
	if (dollar && kind !== 'usd') return {ok: false, problem: 'is in dollars, and this field is not', suggestion: plain};
	// The power of ten goes into the literal, so that 1.005k is 1005 and not 1004.9999999999999.
	const power = Number(exponent) + POWER[suffix.toLowerCase()]!;
	const value = Number(`${sign || laterSign}${digits.replaceAll('_', '')}e${power}`);
	return Number.isFinite(value) ? {ok: true, value} : {ok: false, problem: 'is too large'};
}

function notANumber(text: string): ReadValue<number> {
	const digits = /^[\d.,]+/.exec(text)?.[0].replaceAll(',', '');
	const problem = 'is not a number; write 50, 50k, 1.5m or 2b';
	return digits && Number.isFinite(Number(digits)) ? {ok: false, problem, suggestion: digits} : {ok: false, problem};
}

/** The shortest text that `readNumber` reads as exactly this number. */
export function printNumber(value: number, kind: 'number' | 'integer' | 'usd' | 'percent' | 'figure'): string {
	if (kind === 'percent') return `${value}%`;
	for (const suffix of ['b', 'm', 'k']) {
		const scale = 10 ** POWER[suffix]!;
		if (Math.abs(value) < scale) continue;
		const text = `${value / scale}${suffix}`;
		const back = readNumber(text, kind);
		if (text.length <= String(value).length && back.ok && back.value === value) return text;
	}
	return String(value);
}

const AGE = /^[+-]?(?:(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?(?:min|[smhdw]))+$/i;
const AGE_PART = /(\d+\.?\d*(?:e[+-]?\d+)?|\.\d+(?:e[+-]?\d+)?)(min|[smhdw])/gi;
const SECONDS: Readonly<Record<string, number>> = {s: 1, m: 60, min: 60, h: 3600, d: 86_400, w: 604_800};

/** A length of time in seconds: `90s`, `10m`, `1h30m`, `2d`. */
export function readAge(text: string): ReadValue<number> {
	if (!AGE.test(text)) {
		const problem = 'is not a length of time; write 30s, 10m, 2h or 1d';
		return /^\d+\.?\d*$/.test(text)
			? {ok: false, problem: 'needs a unit: s, m, h or d', suggestion: `${text}m`}
			: {ok: false, problem};
	}
	let seconds = 0;
	for (const [, amount, unit] of text.matchAll(AGE_PART)) seconds += Number(amount) * SECONDS[unit!.toLowerCase()]!;
	return Number.isFinite(seconds)
		? {ok: true, value: text.startsWith('-') ? -seconds : seconds}
		: {ok: false, problem: 'is too long'};
}

/** The text in the largest unit that `readAge` reads as exactly these seconds. */
export function printAge(seconds: number): string {
	for (const unit of ['d', 'h', 'm']) {
		const amount = seconds / SECONDS[unit]!;
		if (seconds !== 0 && Number.isInteger(amount) && amount * SECONDS[unit]! === seconds) return `${amount}${unit}`;
	}
	return `${seconds}s`;
}

const DAY = /^\d{4}-\d\d-\d\d$/;
const MOMENT = /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d(?::\d\d(?:\.\d{1,3})?)?)(Z|[+-]\d\d:\d\d)?$/i;
const UNIX_MS = /^([+-]?\d+\.?\d*(?:e[+-]?\d+)?)ms$/i;
const DAY_MS = 86_400_000;

/** A day `2026-01-31`, a moment `2026-01-31T18:30Z` (UTC without a zone), or Unix milliseconds `1700000000000ms`. */
export function readDate(text: string): ReadValue<ReadDate> {
	const unixMs = Number(UNIX_MS.exec(text)?.[1]);
	if (Number.isFinite(unixMs)) return {ok: true, value: {fromMs: unixMs}};
	const [, day = text, time, zone = 'Z'] = MOMENT.exec(text) ?? [];
	const dayMs = DAY.test(day) ? Date.parse(`${day}T00:00:00Z`) : Number.NaN;
	// Date.parse takes 31 February for 3 March.
	if (Number.isNaN(dayMs) || new Date(dayMs).toISOString().slice(0, 10) !== day) {
		return {ok: false, problem: 'is not a date; write 2026-01-31 or 2026-01-31T18:30Z'};
	}
	if (time === undefined) return {ok: true, value: {fromMs: dayMs, untilMs: dayMs + DAY_MS}};
	const fromMs = Date.parse(`${day}T${time}${zone.toUpperCase()}`);
	return Number.isNaN(fromMs) ? {ok: false, problem: 'has no such time of day'} : {ok: true, value: {fromMs}};
}

/** A moment as `readDate` and the API read it: ISO 8601, or Unix milliseconds for a year beyond four digits. */
export function printDate(ms: number): string {
	const iso = isoOf(ms);
	return iso === undefined ? `${ms}ms` : iso.replace(/(:00)?\.000Z$/, 'Z');
}

/** ISO 8601 with four-digit years, or undefined. */
export function isoOf(ms: number): string | undefined {
	if (!Number.isInteger(ms) || Math.abs(ms) > 8.64e15) return undefined;
	const iso = new Date(ms).toISOString();
	return MOMENT.test(iso) ? iso : undefined;
}
