import type {Config} from '../../config/config.ts';
import {ConfigError} from '../../config/config-error.ts';
import type {FileValue} from '../../config/config-file.ts';
import {type AddressList, pairingProblem} from '../../config/service-addresses.ts';
import {readAlertRule} from '../../monitor/alerts/alert-rules.ts';
import {readRowFields} from '../../monitor/columns/row-fields.ts';
import {mistakeText} from '../../monitor/filter/clause.ts';
import {readColumnSort} from '../../monitor/filter/column-sort.ts';
import {parseFilterLine} from '../../monitor/filter/filter-line.ts';
import {keyOverrides} from '../../ui/keymap/classic-keys.ts';
import type {KeyOverrides} from '../../ui/keymap/rebinding.ts';
import {aliasProblem} from '../service/provider-names.ts';

/** A mistake in a value. */
export interface Mistake {
	/** The wrong item of a list or a table; without it the whole value is wrong. */
	readonly item?: string;
	/** The message; by default that the value can't be used. */
	readonly what?: string;
	/** Position in the text, counted from 0. */
	readonly at?: number;
	readonly why: string;
}

type CommandTables = Config['commands'];

type Check = (
	value: unknown,
	values: ReadonlyMap<string, FileValue>,
) => readonly Mistake[] | Promise<readonly Mistake[]>;

/** Checks of settings whose texts have a syntax: filters, sorts, rules, keys. */
const CHECKS: readonly (readonly [RegExp, Check])[] = [
	[/^columns\.\w+\.filter$/, value => filterMistakes(value as string)],
	[/^columns\.\w+\.sort$/, value => sortMistakes(value as string)],
	[/^columns\.\w+\.fields$/, value => fieldMistakes(value as readonly string[])],
	[/^alerts\.rules$/, value => (value as readonly string[]).flatMap(ruleMistakes)],
	[/^service\.stream-url$/, (value, values) => pairingMistakes(value as AddressList, values)],
	[/^colors$/, (value, values) => colorMistakes(value as Readonly<Record<string, string>>, values)],
	[/^commands$/, (value, values) => commandMistakes(value as CommandTables, values)],
	[/^keys$/, (value, values) => keyMistakes(keyOverrides(values.get('ui.keys')?.value, value as KeyOverrides))],
	[/^provider\.aliases$/, value => Object.keys(value as object).flatMap(aliasMistakes)],
];

/** Checks the meaning of valid values: filters, sorts, fields, rules, colours, commands, keys. @returns problems with line and position */
export async function meaningProblems({
	path,
	values,
}: {
	readonly path: string;
	readonly values: ReadonlyMap<string, FileValue>;
}): Promise<readonly ConfigError[]> {
	const problems: ConfigError[] = [];
	for (const [name, {value, line, lineOf}] of values) {
		const mistakes = (await CHECKS.find(([names]) => names.test(name))?.[1](value, values)) ?? [];
		const byDefault = `The value of ${name} can't be used`;
		for (const {item, what = byDefault, at, why} of mistakes) {
			const place = {path, line: item === undefined ? line : lineOf(item)};
			problems.push(ConfigError.at(at === undefined ? place : {...place, character: at + 1}, what, why));
		}
	}
	return problems;
}

/**
 * Refuses a configuration with a mistake before anything is drawn: without its filter a column would show other tokens, and
 * an ignored alert rule would never ring.
 * @throws ConfigError the first problem of `meaningProblems`
 */
export async function assertMeaningful({file}: Pick<Config, 'file'>): Promise<void> {
	const [first] = await meaningProblems(file);
	if (first) throw first;
}

function pairingMistakes(streamUrl: AddressList, values: ReadonlyMap<string, FileValue>): readonly Mistake[] {
	const baseUrl = values.get('service.base-url')?.value as AddressList | undefined;
	const why = pairingProblem({baseUrl, streamUrl});
	return why === undefined ? [] : [{why}];
}

function filterMistakes(line: string): readonly Mistake[] {
	const parsed = parseFilterLine(line);
	if (parsed.ok) return [];
	return parsed.errors.map(mistake => ({at: mistake.start, why: `${mistakeText(mistake)}.`}));
}

function sortMistakes(text: string): readonly Mistake[] {
	const read = readColumnSort(text);
	return read.ok ? [] : [{why: `${read.what}. ${read.why}`}];
}

function fieldMistakes(names: readonly string[]): readonly Mistake[] {
	const read = readRowFields(names);
	return read.ok ? [] : [{item: read.item, why: `${read.problem}.`}];
}

function ruleMistakes(text: string): readonly Mistake[] {
	const read = readAlertRule(text);
	if (read.ok) return [];
	const {problem, at} = read;
	return [
		{item: text, what: `The alert rule "${text}" can't be used`, why: `${problem}.`, ...(at !== undefined && {at})},
	];
}

function aliasMistakes(name: string): readonly Mistake[] {
	const why = aliasProblem(name);
	return why === undefined ? [] : [{item: name, what: `"${name}" in provider.aliases is not a field`, why}];
}

/** Loads the keymap only when the configuration changes a key. */
async function keyMistakes(overrides: KeyOverrides): Promise<readonly Mistake[]> {
	if (Object.keys(overrides).length === 0) return [];
	const {keyProblems} = await import('../../ui/keymap/rebinding.ts');
	return keyProblems(overrides);
}

/** Loads the keymap only when the configuration has commands. */
async function commandMistakes(
	tables: CommandTables,
	values: ReadonlyMap<string, FileValue>,
): Promise<readonly Mistake[]> {
	if (Object.keys(tables).length === 0) return [];
	const [{readUserCommands}, {commandKeyProblems}] = await Promise.all([
		import('../../monitor/user-commands.ts'),
		import('../../ui/keymap/command-keys.ts'),
	]);
	const overrides = keyOverrides(values.get('ui.keys')?.value, (values.get('keys')?.value ?? {}) as KeyOverrides);
	return [...readUserCommands(tables).problems, ...commandKeyProblems(tables, overrides)];
}

/** Loads the themes only when the configuration changes a colour. */
async function colorMistakes(
	colors: Readonly<Record<string, string>>,
	values: ReadonlyMap<string, FileValue>,
): Promise<readonly Mistake[]> {
	if (Object.keys(colors).length === 0) return [];
	const {colorProblems} = await import('../../ui/color-overrides.ts');
	return colorProblems(colors, (values.get('ui.theme')?.value as string | undefined) ?? 'auto');
}
