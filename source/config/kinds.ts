import {durationMs} from '../duration.ts';
import {homeOf} from '../home.ts';
import {urlText} from '../url-text.ts';

/** The kind of a setting: the values that it accepts. */
export interface Kind<V> {
	/** The form, for a person: 'a whole number from 1 to 100'. */
	readonly form: string;
	/** The words to choose from, if it is a choice: for completion and the template. */
	readonly choices?: readonly string[];
	/** The value, or undefined when the file's value does not fit. */
	readonly read: (raw: unknown) => V | undefined;
	/** The file's value for the text of a flag or an environment variable. The text itself if not given. */
	readonly fromText?: (text: string) => unknown;
	/** The fault of the file's value, where `form` does not say it well. */
	readonly problem?: (raw: unknown) => Problem | undefined;
}

/** A mistake in the value of a setting that is a table. */
export interface Problem {
	/** The name in the table that is to blame; without one the whole value is. */
	readonly item?: string;
	/** A sentence that repeats no value. */
	readonly why: string;
}

/** One line of text that is not empty. */
export const text: Kind<string> = {
	form: 'text in quotes',
	read: raw => (typeof raw === 'string' && raw !== '' ? raw : undefined),
};

/**
 * A text that travels in an HTTP header. Blanks, line ends and a byte order mark around it, which copies and mounted files have, are
 * dropped.
 */
export const headerText: Kind<string> = {
	form: 'printable ASCII, which an HTTP header can carry: no line break, no zero-width character',
	read: raw => {
		const given = typeof raw === 'string' ? raw.trim() : '';
		return /^[\x20-\x7e]+$/.test(given) ? given : undefined;
	},
};

/** A file or directory; `~/` is the home directory. */
export const path: Kind<string> = {
	form: 'a path',
	read: raw => {
		if (typeof raw !== 'string' || raw === '') return undefined;
		const home = raw === '~' || raw.startsWith('~/') ? homeOf(process.env) : undefined;
		return home === undefined ? raw : home + raw.slice(1);
	},
};

/** An address of one of the schemes, without a trailing slash: `url('http', 'https')`. */
export function url(...schemes: readonly string[]): Kind<string> {
	return {
		form: `an address that begins with ${schemes.map(scheme => `${scheme}://`).join(' or ')}`,
		read: raw => {
			const given = urlText(raw);
			const parsed = given === undefined ? null : URL.parse(given);
			return parsed && schemes.includes(parsed.protocol.slice(0, -1)) ? given!.replace(/\/+$/, '') : undefined;
		},
	};
}

export function choice<const Word extends string>(...words: readonly Word[]): Kind<Word> {
	return {
		form: `one of ${words.map(word => `"${word}"`).join(', ')}`,
		choices: words,
		read: raw => words.find(word => word === raw),
	};
}

export const yesNo: Kind<boolean> = {
	form: 'true or false',
	choices: ['true', 'false'],
	read: raw => (typeof raw === 'boolean' ? raw : undefined),
	fromText: given => ({true: true, 1: true, yes: true, false: false, 0: false, no: false})[given.toLowerCase()],
};

export function wholeNumber(from: number, to: number): Kind<number> {
	return {
		form: `a whole number from ${from} to ${to}`,
		read: raw => (Number.isSafeInteger(raw) ? between(raw, from, to) : undefined),
		fromText: numberFromText,
	};
}

export function number(from: number, to: number): Kind<number> {
	return {form: `a number from ${from} to ${to}`, read: raw => between(raw, from, to), fromText: numberFromText};
}

function between(raw: unknown, from: number, to: number): number | undefined {
	return typeof raw === 'number' && raw >= from && raw <= to ? raw : undefined;
}

function numberFromText(given: string): unknown {
	return given.trim() === '' ? undefined : Number(given);
}

/** Two times of day. */
export const hours: Kind<string> = {
	form: 'two times of day, "23:00-07:00", or "never"',
	read: raw => (typeof raw === 'string' && (raw === 'never' || HOURS.test(raw)) ? raw : undefined),
};
const HOURS = /^([01]?\d|2[0-3]):[0-5]\d-([01]?\d|2[0-3]):[0-5]\d$/;

/** A length of time that is not longer than another, nor shorter: `90s`, `10m`, `1h30m`. */
export function duration(most: string, least = '0s'): Kind<string> {
	return {
		form: `a length of time as "90s", "10m" or "1h30m", ${least === '0s' ? '' : `at least "${least}", `}at most "${most}"`,
		read: raw => {
			const ms = typeof raw === 'string' ? durationMs(raw) : undefined;
			return ms !== undefined && ms >= durationMs(least)! && ms <= durationMs(most)! ? (raw as string) : undefined;
		},
	};
}

/** A list of texts; in an environment variable they are separated by commas. */
export const texts: Kind<readonly string[]> = {
	form: 'a list of texts, ["like", "this"]',
	read: raw =>
		Array.isArray(raw) && raw.every(item => typeof item === 'string' && item !== '')
			? Object.freeze([...raw])
			: undefined,
	fromText: given => given.split(',').map(item => item.trim()),
};

/** Some of these words, in any order, each once: at least one. */
export function someOf<const Word extends string>(what: string, words: readonly Word[]): Kind<readonly Word[]> {
	return {
		...texts,
		form: `a list of ${what}, each once, from ${words.map(word => `"${word}"`).join(', ')}`,
		read: raw => {
			const list = texts.read(raw)?.flatMap(item => words.find(word => word === item) ?? []);
			const isWhole = list !== undefined && list.length > 0 && list.length === (raw as readonly unknown[]).length;
			return isWhole && new Set(list).size === list.length ? Object.freeze(list) : undefined;
		},
	};
}

/** A list of texts that have a form: addresses of tokens. */
export function textsLike(form: string, pattern: RegExp): Kind<readonly string[]> {
	return {
		...texts,
		form: `a list of ${form}`,
		read: raw => {
			const list = texts.read(raw);
			return list?.every(item => pattern.test(item)) ? list : undefined;
		},
	};
}

/** One line of text that has a form. */
export function textLike(form: string, pattern: RegExp): Kind<string> {
	return {form, read: raw => (typeof raw === 'string' && pattern.test(raw) ? raw : undefined)};
}

/**
 * A table of any names, or of names that have a form.
 * @param names.form how such a name is called: 'a chain id as evm:8453'
 */
export function tableOf<V>(
	kind: Kind<V>,
	names?: {readonly form: string; readonly pattern: RegExp},
): Kind<Readonly<Record<string, V>>> {
	return {
		form: `a table whose every value is ${kind.form}${names === undefined ? '' : `, and every name ${names.form}`}`,
		read: raw => {
			if (typeof raw !== 'object' || raw === null || Array.isArray(raw)) return undefined;
			if (names !== undefined && !Object.keys(raw).every(name => names.pattern.test(name))) return undefined;
			const values = Object.entries(raw).map(([name, value]) => [name, kind.read(value)] as const);
			return values.some(([, value]) => value === undefined)
				? undefined
				: Object.freeze(Object.fromEntries(values) as Record<string, V>);
		},
	};
}

/**
 * Keys by action. TOML reads `cursor.down = ["n"]` as a table in a table, and `[keys.detail]` makes tables too: all of it is
 * one table by the joined names. One key needs no list.
 */
export const keyTable: Kind<Readonly<Record<string, readonly string[]>>> = {
	form: 'a table of keys by action, cursor.down = ["n", "down"]',
	read: raw => {
		const keys: Record<string, readonly string[]> = {};
		return isTable(raw) && collectKeys(raw, '', keys) ? Object.freeze(keys) : undefined;
	},
};

/** @returns whether all of it is keys */
function collectKeys(table: object, above: string, into: Record<string, readonly string[]>): boolean {
	return Object.entries(table).every(([name, raw]: [string, unknown]) => {
		if (isTable(raw)) return collectKeys(raw, `${above}${name}.`, into);
		const keys = texts.read(typeof raw === 'string' ? [raw] : raw);
		if (keys !== undefined) into[above + name] = keys;
		return keys !== undefined;
	});
}

function isTable(raw: unknown): raw is object {
	return typeof raw === 'object' && raw !== null && !Array.isArray(raw) && !(raw instanceof Date);
}

/** Tables by name, whose values are checked where they are read. */
export const tablesByName: Kind<Readonly<Record<string, Readonly<Record<string, unknown>>>>> = {
	form: 'a table of tables by name, explorer = {key = "f2", run = ["program", "argument"]}',
	read: raw =>
		isTable(raw) && Object.values(raw).every(isTable)
			? Object.freeze(raw as Record<string, Record<string, unknown>>)
			: undefined,
};

/** The percentages from which a risk figure is a warning, and bad. */
export interface Thresholds {
	readonly warn: number;
	readonly bad: number;
}

export const thresholds: Kind<Thresholds> = {
	form: 'two percentages, [warn, bad], the second not below the first',
	read: raw => {
		if (!Array.isArray(raw) || raw.length !== 2) return undefined;
		const [warn, bad] = raw.map(item => between(item, 0, 100));
		if (warn === undefined || bad === undefined || warn > bad) return undefined;
		return Object.freeze({warn, bad});
	},
};

/** A list of some numbers, each more than the one before. @param of their noun: 'amounts in USD' */
export function rising(
	of: string,
	{from, to, most}: {readonly from: number; readonly to: number; readonly most: number},
): Kind<readonly number[]> {
	return {
		form: `1 to ${most} ${of} from ${from} to ${to}, each more than the one before`,
		read: raw => {
			if (!Array.isArray(raw) || raw.length === 0 || raw.length > most) return undefined;
			const isRising = raw.every(
				(item, at) => between(item, from, to) !== undefined && (at === 0 || item > raw[at - 1]),
			);
			return isRising ? Object.freeze([...raw]) : undefined;
		},
	};
}

/** A number, or a word in its place: `"auto"`. */
export function numberOr<const Word extends string>(word: Word, kind: Kind<number>): Kind<number | Word> {
	return {
		form: `"${word}" or ${kind.form}`,
		read: raw => (raw === word ? word : kind.read(raw)),
		fromText: given => (given === word ? word : kind.fromText!(given)),
	};
}
