import type {TomlError} from 'smol-toml';
import {nearest} from '../nearest.ts';
import {ConfigError, type ConfigLine} from './config-error.ts';
import {fileName, isSetting, RENAMED, SETTINGS, type Section, type Setting} from './settings.ts';

/** The content of a configuration file. */
export interface ConfigFile {
	readonly path: string;
	/** By setting path. */
	readonly values: ReadonlyMap<string, FileValue>;
	/** Names that are no settings, with the nearest name, and values that don't fit, each with its line, in the file's order. */
	readonly problems: readonly ConfigError[];
}

/** A setting as a configuration file holds it. */
export interface FileValue {
	readonly value: unknown;
	readonly line: number;
	/** The line of one item: of a name in a table (`cursor.down` where tables lie in tables), of a text in a list. */
	readonly lineOf: (item: string) => number;
}

type TomlTable = {readonly [name: string]: unknown};

/**
 * Reads the text of a configuration file.
 * @param path names the file in errors
 * @throws ConfigError where it is not TOML
 */
export async function readConfigText(text: string, path: string): Promise<ConfigFile> {
	const {parse} = await import('smol-toml');
	let table: TomlTable;
	try {
		table = parse(text);
	} catch (error) {
		throw notToml(error, path, text);
	}
	const values = new Map<string, FileValue>();
	const problems: ConfigError[] = [];
	collect(table, SETTINGS, [], {text, path, values, problems});
	return {path, values, problems};
}

interface Collecting {
	readonly text: string;
	readonly path: string;
	readonly values: Map<string, FileValue>;
	readonly problems: ConfigError[];
}

function collect(table: TomlTable, section: Section, above: readonly string[], into: Collecting): void {
	const known = new Map(Object.entries(section).map(([name, entry]) => [fileName(name), entry]));
	for (const [name, raw] of Object.entries(table)) {
		const keys = [...above, name];
		const entry = known.get(name);
		const line = lineOf(into.text, keys);
		const place = {path: into.path, line};
		const dotted = keys.join('.');
		if (entry === undefined) into.problems.push(unknownName(keys, place, known.keys()));
		else if (isSetting(entry)) {
			const value = entry.kind.read(raw);
			if (value !== undefined)
				into.values.set(dotted, {value, line, lineOf: item => lineOfItem(into.text, keys, item)});
			else into.problems.push(unusable(keys, raw, entry, {into, line}));
		} else if (isTable(raw)) collect(raw, entry, keys, into);
		else
			into.problems.push(ConfigError.at(place, `${dotted} is a section`, `write [${dotted}] and its settings below.`));
	}
}

/** Why a value does not fit, with the name in a table that is to blame where its kind can say it. */
function unusable(
	keys: readonly string[],
	raw: unknown,
	{kind}: Setting<unknown>,
	{into: {text, path}, line}: {readonly into: Collecting; readonly line: number},
): ConfigError {
	const {item, why} = kind.problem?.(raw) ?? {why: `it must be ${kind.form}.`};
	const names = item === undefined ? keys : [...keys, item];
	const place = {path, line: item === undefined ? line : lineOfItem(text, keys, item)};
	return ConfigError.at(place, `The value of ${names.join('.')} can't be used`, why);
}

function isTable(raw: unknown): raw is TomlTable {
	return typeof raw === 'object' && raw !== null && !Array.isArray(raw) && !(raw instanceof Date);
}

function unknownName(keys: readonly string[], place: ConfigLine, known: Iterable<string>): ConfigError {
	const renamed = RENAMED.get(keys.join('.'));
	if (renamed !== undefined)
		return ConfigError.at(place, `${keys.join('.')} has another name now`, `write ${renamed} instead.`);
	const names = [...known];
	const near = nearest(keys.at(-1) as string, names);
	const within = keys.length > 1 ? ` in [${keys.slice(0, -1).join('.')}]` : '';
	const hint = near === undefined ? `Known${within}: ${names.join(', ')}.` : `The nearest${within} is "${near}".`;
	return ConfigError.at(place, `"${keys.at(-1)}" is not a setting`, hint);
}

/** The parser's words without its picture of the lines, which may hold a key. */
function notToml(error: unknown, path: string, text: string): ConfigError {
	const {message, line, column} = error as TomlError;
	const isCurly = CURLY_QUOTE.test(text.split('\n')[line - 1] ?? '');
	const reason = isCurly
		? `it has curly quotes, as word processors write them: write straight ones, " or '`
		: message.split('\n', 1)[0]?.replace(/^Invalid TOML document: /, '');
	return ConfigError.at({path, line, column}, 'The configuration file is not TOML', `${reason}.`, error);
}

/** A quotation mark where a name or a value begins. */
const CURLY_QUOTE = /(?:^|[=[{,.])\s*[“”„‟‘’‚«»]/;
const HEADER = /^\s*\[\[?\s*([^\]]+?)\s*\]/;
const ASSIGNMENT = /^\s*((?:"(?:[^"\\]|\\.)*"|'[^']*'|[\w-]+)(?:\s*\.\s*(?:"(?:[^"\\]|\\.)*"|'[^']*'|[\w-]+))*)\s*=/;
const NAME = /"((?:[^"\\]|\\.)*)"|'([^']*)'|([\w-]+)/g;

/**
 * The line, from 1, that a name of the file stands on: its assignment, its section's header, or else (in a table written
 * on one line) the nearest name above it.
 */
function lineOf(text: string, keys: readonly string[]): number {
	return placeOf(text, keys).line;
}

/** Finds the line of a setting; `"a.b"` and `a.b` are the same name. `isWhole` when the setting itself is there. */
function placeOf(text: string, keys: readonly string[]): {readonly line: number; readonly isWhole: boolean} {
	const setting = `${keys.join('.')}.`;
	let within: readonly string[] = [];
	let best = {line: 1, length: 0};
	for (const [index, line] of text.split('\n').entries()) {
		const header = HEADER.exec(line)?.[1];
		const assigned = header === undefined ? ASSIGNMENT.exec(line)?.[1] : undefined;
		if (header !== undefined) within = namesIn(header);
		else if (assigned === undefined) continue;
		const name = `${(assigned === undefined ? within : [...within, ...namesIn(assigned)]).join('.')}.`;
		const length = name.startsWith(setting) || setting.startsWith(name) ? Math.min(name.length, setting.length) : 0;
		if (length > best.length) best = {line: index + 1, length};
	}
	return {line: best.line, isWhole: best.length === setting.length};
}

function namesIn(dotted: string): string[] {
	return [...dotted.matchAll(NAME)].map(([, quoted, literal, bare]) => quoted ?? literal ?? bare ?? '');
}

/** As `lineOf`, of a name in a table or of a text in a list; the setting's own line where it is not found. */
function lineOfItem(text: string, keys: readonly string[], item: string): number {
	const named = placeOf(text, [...keys, item]);
	if (named.isWhole) return named.line;
	const first = lineOf(text, keys);
	const inList = text.split('\n').findIndex((line, index) => index >= first - 1 && line.includes(item));
	return inList < 0 ? first : inList + 1;
}
