import {clean} from '../../text.ts';

/*
 * Reads single values in the forms that services use: numbers as text, dates as ISO text or as seconds, booleans as 0 and 1.
 * A malformed value is `undefined`, which means unknown; no function here throws.
 */

export type WireObject = Readonly<Record<string, unknown>>;

/** Longest address, chain id or hash that is accepted. */
const MAX_ID_LENGTH = 200;
const MAX_URL_LENGTH = 2048;
/** A smaller number is a date in seconds: as milliseconds it would be before March 1973. */
const FIRST_MILLISECOND_DATE = 1e11;
const LAST_DATE = 8.64e15;

const DECIMAL = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d{1,4})?$/;
const SCIENTIFIC = /^(\d+)(?:\.(\d+))?[eE]\+?(\d{1,3})$/;
const DIGITS = /^\d{1,100}$/;
const IDENTIFIER = /^[!-{}~]+$/;
const ISO_START = /^\d{4}-\d\d/;
const WITHOUT_ZONE = /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d+)?)?$/;
const HTTP_URL = /^https?:\/\/[^\s/?#@\\]+(?:[/?#][^\s\\]*)?$/i;
const HOST_AND_PATH = /^[a-z0-9-]+(?:\.[a-z0-9-]+)+(?:[/?#][^\s\\]*)?$/i;
const HANDLE = /^@?([A-Za-z0-9_]{1,64})$/;

/** Whether the value is an object with named members. */
export function isObject(value: unknown): value is WireObject {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A finite number, given as such or as decimal or scientific text. */
export function toNumber(value: unknown): number | undefined {
	if (typeof value === 'number') return Number.isFinite(value) ? value || 0 : undefined;
	if (typeof value !== 'string' || value.length > 64) return undefined;
	const text = value.trim();
	if (!DECIMAL.test(text)) return undefined;
	const number = Number(text);
	return Number.isFinite(number) ? number || 0 : undefined;
}

/**
 * Unix milliseconds, given as ISO 8601 text (UTC where no zone is named) or as Unix seconds or milliseconds.
 * Dates up to 1970 are unknown: programs write them for "never".
 */
export function toDate(value: unknown): number | undefined {
	if (typeof value === 'string' && ISO_START.test(value)) return parseIso(value);
	const number = toNumber(value);
	if (number === undefined || number <= 0 || number > LAST_DATE) return undefined;
	return Math.round(number < FIRST_MILLISECOND_DATE ? number * 1000 : number);
}

function parseIso(text: string): number | undefined {
	if (text.length > 40) return undefined;
	// Date.parse reads text without a zone as local time; the wire means UTC (spec 2.1).
	const iso = text.endsWith('Z') ? text : text.replace(' ', 'T');
	const ms = Date.parse(WITHOUT_ZONE.test(iso) ? `${iso}Z` : iso);
	return ms > 0 ? ms : undefined;
}

/** A boolean, given as such, as 0 or 1, or as text. */
export function toBoolean(value: unknown): boolean | undefined {
	if (typeof value === 'boolean') return value;
	if (value === 1 || value === '1' || value === 'true') return true;
	if (value === 0 || value === '0' || value === 'false') return false;
	return undefined;
}

/** Clean text of at most `maxLength` UTF-16 units; empty text is unknown. */
export function toText(value: unknown, maxLength: number): string | undefined {
	if (typeof value === 'number') return String(value);
	if (typeof value !== 'string') return undefined;
	return clean(value, {maxLength}) || undefined;
}

/** An address, hash or chain id: printable ASCII without spaces and without `|`, unchanged. */
export function toIdentifier(value: unknown): string | undefined {
	if (typeof value !== 'string' || value.length > MAX_ID_LENGTH || !IDENTIFIER.test(value)) return undefined;
	return value;
}

/** A whole number of base units as decimal digits; the wire writes them as text, number or `1.2e+21` (contract gaps). */
export function toRawAmount(value: unknown): string | undefined {
	if (typeof value === 'number') return Number.isInteger(value) && value >= 0 ? BigInt(value).toString() : undefined;
	if (typeof value !== 'string') return undefined;
	if (DIGITS.test(value)) return value;
	const [, whole, fraction = '', exponent] = SCIENTIFIC.exec(value) ?? [];
	if (whole === undefined || value.length > 100) return undefined;
	const zeros = Number(exponent) - fraction.length;
	if (zeros < 0 || zeros > 100) return undefined;
	return BigInt(whole + fraction + '0'.repeat(zeros)).toString();
}

/** A clean http(s) URL without user information; other schemes are unknown. A bare host gets https. */
export function toUrl(value: unknown): string | undefined {
	if (typeof value !== 'string' || value === '' || value.length > MAX_URL_LENGTH) return undefined;
	const text = clean(value);
	if (HTTP_URL.test(text)) return text;
	return HOST_AND_PATH.test(text) ? `https://${text}` : undefined;
}

/** The http(s) URL of a profile, given as a URL or as the name on that site (`@name`). */
export function toProfileUrl(value: unknown, site: string): string | undefined {
	const handle = typeof value === 'string' ? HANDLE.exec(value)?.[1] : undefined;
	return handle === undefined ? toUrl(value) : `https://${site}/${handle}`;
}
