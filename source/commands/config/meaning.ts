import type {Config} from '../../config/config.ts';
import {ConfigError} from '../../config/config-error.ts';
import type {FileValue} from '../../config/config-file.ts';
import {readAlertRule} from '../../monitor/alerts/alert-rules.ts';
import {readRowFields} from '../../monitor/columns/row-fields.ts';
import {readColumnSort} from '../../monitor/filter/column-sort.ts';
import {parseFilterLine} from '../../monitor/filter/filter-line.ts';
import type {KeyOverrides} from '../../ui/keymap/rebinding.ts';
import {aliasProblem} from '../provider-names.ts';

/** What is wrong in a value: which item of it, what that is, and why. */
export interface Mistake {
	/** Of a list or a table; without it the value itself. */
	readonly item?: string;
	/** Without it: the value can't be used. */
	readonly what?: string;
	/** Where in the text, counted from 0. */
	readonly at?: number;
	readonly why: string;
}

type CommandTables = Config['commands'];

type Check = (
	value: unknown,
	values: ReadonlyMap<string, FileValue>,
) => readonly Mistake[] | Promise<readonly Mistake[]>;

/** Settings that have a language of their own: their text has the right form, but may mean nothing. */
const CHECKS: readonly (readonly [RegExp, Check])[] = [
	[/^columns\.\w+\.filter$/, value => filterMistakes(value as string)],
	[/^columns\.\w+\.sort$/, value => sortMistakes(value as string)],
	[/^columns\.\w+\.fields$/, value => fieldMistakes(value as readonly string[])],
	[/^alerts\.rules$/, value => (value as readonly string[]).flatMap(ruleMistakes)],
	[/^colors$/, (value, values) => colorMistakes(value as Readonly<Record<string, string>>, values)],
	[/^commands$/, (value, values) => commandMistakes(value as CommandTables, values)],
	[/^keys$/, value => keyMistakes(value as KeyOverrides)],
	[/^provider\.aliases$/, value => Object.keys(value as object).flatMap(aliasMistakes)],
];

/** What a configuration file says that means nothing: each with its line, and its place in a text. */
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
		const usual = `The value of ${name} can't be used`;
		for (const {item, what = usual, at, why} of mistakes) {
			const place = {path, line: item === undefined ? line : lineOf(item)};
			problems.push(ConfigError.at(at === undefined ? place : {...place, character: at + 1}, what, why));
		}
	}
	return problems;
}

/**
 * Refuses a configuration that means nothing somewhere, before anything is drawn: a filter that is quietly left out would
 * show tokens that were not asked for, and an alert rule that is left out would never ring.
 * @throws ConfigError the first of what `config validate` finds
 */
export async function refuseMeaningless({file}: Pick<Config, 'file'>): Promise<void> {
	const [first] = await meaningProblems(file);
	if (first) throw first;
}

function filterMistakes(line: string): readonly Mistake[] {
	const parsed = parseFilterLine(line);
	if (parsed.ok) return [];
	return parsed.errors.map(({start, message, suggestion}) => {
		const isSaid = suggestion === undefined || message.includes(suggestion);
		return {at: start, why: `${message}${isSaid ? '' : `; perhaps ${suggestion}`}.`};
	});
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

/** The table of keys is loaded only where one is changed: commands other than the monitor do without it. */
async function keyMistakes(overrides: KeyOverrides): Promise<readonly Mistake[]> {
	if (Object.keys(overrides).length === 0) return [];
	const {keyProblems} = await import('../../ui/keymap/rebinding.ts');
	return keyProblems(overrides);
}

/** As with the keys. */
async function commandMistakes(
	tables: CommandTables,
	values: ReadonlyMap<string, FileValue>,
): Promise<readonly Mistake[]> {
	if (Object.keys(tables).length === 0) return [];
	const [{readUserCommands}, {commandKeyProblems}] = await Promise.all([
		import('../../monitor/user-commands.ts'),
		import('../../ui/keymap/command-keys.ts'),
	]);
	const overrides = (values.get('keys')?.value ?? {}) as KeyOverrides;
	return [...readUserCommands(tables).problems, ...commandKeyProblems(tables, overrides)];
}

/** As with the keys: the themes are loaded only where a colour is changed. */
async function colorMistakes(
	colors: Readonly<Record<string, string>>,
	values: ReadonlyMap<string, FileValue>,
): Promise<readonly Mistake[]> {
	if (Object.keys(colors).length === 0) return [];
	const {colorProblems} = await import('../../ui/color-overrides.ts');
	return colorProblems(colors, (values.get('ui.theme')?.value as string | undefined) ?? 'auto');
}
