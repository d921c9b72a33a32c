import {globSync, readFileSync} from 'node:fs';
import {join} from 'node:path';
import {EVM_CHAINS} from '../chains/evm-chains.ts';
import {COMMAND_LINE, GLOBAL_FLAGS} from '../commands/command-table.ts';
import {isLive} from '../commands/config/reload/live-settings.ts';
import {tomlText} from '../commands/config/template.ts';
import {EXIT_CODES} from '../commands/process/exit-code.ts';
import {fileName, isSetting, SETTINGS, type Section, type Setting, shownDefault} from '../config/settings.ts';
import {ENDPOINTS} from '../contract/endpoints.ts';
import {WINDOWS_8} from '../contract/windows.ts';
import {FIELD_WORDS, windowWord} from '../monitor/filter/field-words.ts';
import {VIEWS} from '../monitor/views.ts';
import type {Binding} from '../ui/keymap/binding.ts';
import {DEFAULT_KEYS} from '../ui/keymap/bound-keys.ts';
import {helpSections} from '../ui/keymap/help-sections.ts';
import {keyLabels} from '../ui/keymap/key-names.ts';
import {withKeys} from '../ui/keymap/key-texts.ts';
import {keymap} from '../ui/keymap/keymap.ts';
import {ROOT} from './bundle.ts';

/** The pages for people, from the project's root on. */
export const PAGES: readonly string[] = [
	'README.md',
	...globSync('source/docs/*.md', {cwd: ROOT})
		.map(path => path.replaceAll('\\', '/'))
		.toSorted(),
	'source/README.md',
	'test/README.md',
];

/** The parts of the pages that are made from the code, by the name that stands in their marks. */
const PARTS: Readonly<Record<string, () => string>> = {
	keys: keysTable,
	words: wordsTable,
	settings: settingsTable,
	commands: commandsTable,
	flags: flagsTable,
	'exit-codes': exitCodes,
	'error-codes': errorCodes,
	endpoints: endpointsTable,
};

/** The names of the generated parts. */
export const PART_NAMES: readonly string[] = Object.keys(PARTS);

/** The names of the generated parts that a page has a place for. */
export function partsIn(page: string): readonly string[] {
	return Array.from(page.matchAll(/^<!-- ([\w-]+): made by npm run docs -->$/gm), ([, name]) => name!);
}

/** A page with each of its generated parts made again. @throws Error when a part is not known or its end is not marked */
export function refreshed(page: string): string {
	return partsIn(page).reduce((text, name) => {
		const [begin, end] = [`<!-- ${name}: made by npm run docs -->`, `<!-- /${name} -->`];
		const [from, to] = [text.indexOf(begin), text.indexOf(end)];
		const part = PARTS[name];
		if (part === undefined) throw new Error(`No part is named ${name}`);
		if (to < from) throw new Error(`The end of the part ${name} is not marked`);
		return `${text.slice(0, from + begin.length)}\n${part()}\n${text.slice(to)}`;
	}, page);
}

/** The places whose keys stand with a sentence each; those of the others are known from their names. */
const EXPLAINED: ReadonlySet<string> = new Set(['columns', 'detail', 'view', 'more', 'money']);

/** A table for the places that are explained, a paragraph for each other one. */
function keysTable(): string {
	const places = helpSections(keymap).map(({id, title, topics}) => ({
		id,
		title: escaped(capitalised(withKeys(title, DEFAULT_KEYS))),
		bindings: topics.flatMap(({bindings}) => bindings),
	}));
	const rows = places
		.filter(({id}) => EXPLAINED.has(id))
		.flatMap(({title, bindings}) => [
			`| **${title}** | |`,
			...bindings.map(binding => `| ${keysOf(binding)} | ${escaped(withKeys(binding.help, DEFAULT_KEYS))} |`),
		]);
	const others = places
		.filter(({id}) => !EXPLAINED.has(id))
		.map(({title, bindings}) => `**${title}**: ${bindings.map(keys => `${keysOf(keys)} ${keys.label}`).join(', ')}`);
	return ['| Keys | What they do |', '| --- | --- |', ...rows, '', others.join('\n\n')].join('\n');
}

function keysOf(binding: Binding): string {
	return keyLabels(binding).map(code).join(' ');
}

/** `IN THE COLUMNS (A)` as a README writes it: `In the columns (A)`. */
function capitalised(title: string): string {
	return title.replace(/^[^(]*/, words => words[0] + words.slice(1).toLowerCase());
}

/** Every word of the filter language that stands for a figure; a word of a family once, with the windows that it takes. */
function wordsTable(): string {
	const families = new Set<string>();
	const rows = FIELD_WORDS.flatMap(({word, family, synonyms, help}) => {
		if (family && families.has(family.word)) return [];
		if (family) families.add(family.word);
		// The page says once which windows there are.
		const windows =
			family && (family.windows.length === WINDOWS_8.length ? '' : ` ${family.windows.map(windowWord).join(' ')}`);
		const shown = family ? `${code(family.word)} +${windows}` : code(word);
		const said = help.replace(/ Windows: .*; without one (\w+)\.$/, (_, usual) =>
			usual === '1h' ? '' : ` Without a window ${usual}.`,
		);
		return [`| ${shown} | ${synonyms.map(code).join(' ')} | ${escaped(said)} |`];
	});
	return ['| Word | Also | What it is |', '| --- | --- | --- |', ...rows].join('\n');
}

function settingsTable(): string {
	return [
		'| Setting | What it is | Form | Default | Taken over |',
		'| --- | --- | --- | --- | --- |',
		...settingRows(SETTINGS, []),
	].join('\n');
}

/** Members that all have what the first has: the table says it once. */
const ALIKE: Readonly<Record<string, readonly string[]>> = {columns: VIEWS, follow: EVM_CHAINS.map(({name}) => name)};

/** The settings of a section and of those below it, each under its full name. */
function settingRows(section: Section, above: readonly string[]): readonly string[] {
	return Object.entries(section).flatMap(([name, entry]) => {
		const path = [...above, fileName(name)];
		const [first, ...rest] = (above.length === 1 && ALIKE[above[0]!]) || [];
		if (rest.includes(name)) return [];
		const others = name === first ? rest.map(other => code(`${above[0]}.${other}`)).join(', ') : '';
		if (others !== '') return [...memberRows(entry, path), `| ${others} | the same | | | |`];
		return memberRows(entry, path);
	});
}

function memberRows(entry: Section[string], path: readonly string[]): readonly string[] {
	if (!isSetting(entry)) return settingRows(entry, path);
	const {kind, help, flag, env} = entry as Setting<unknown>;
	const value = shownDefault(entry as Setting<unknown>);
	const others = [flag && code(`--${flag}`), env && code(env)].filter(Boolean);
	const also = others.length === 0 ? '' : `; also ${others.join(', ')}`;
	const shown = value === undefined ? 'none' : code(tomlText(value));
	const taken = isLive(path.join('.'), {readOnly: true}) ? 'at once' : 'at the start';
	const cells = [
		code(path.join('.')),
		escaped(withKeys(help, DEFAULT_KEYS)),
		`${escaped(kind.form)}${also}`,
		escaped(shown),
	];
	return [`| ${cells.join(' | ')} | ${taken} |`];
}

function commandsTable(): string {
	const rows = COMMAND_LINE.commands.map(({name, summary}) => `| ${code(`pulsetop ${name}`)} | ${escaped(summary)} |`);
	return ['| Command | What it does |', '| --- | --- |', ...rows].join('\n');
}

function flagsTable(): string {
	const rows = GLOBAL_FLAGS.map(
		({name, value, help}) => `| ${code(`--${name}${value ? ` ${value}` : ''}`)} | ${escaped(help)} |`,
	);
	return ['| Flag | Meaning |', '| --- | --- |', ...rows].join('\n');
}

function exitCodes(): string {
	return [
		'| Code | Meaning |',
		'| --- | --- |',
		...Object.entries(EXIT_CODES).map(([number, meaning]) => `| ${number} | ${meaning} |`),
	].join('\n');
}

/** The error classes of the program: code and first sentence, which stand beside each other in the source. */
function errorCodes(): string {
	const files = globSync('source/**/*.{ts,tsx}', {cwd: ROOT});
	const found = files.flatMap(file =>
		Array.from(
			readFileSync(join(ROOT, file), 'utf8').matchAll(
				/\/\*\*((?:(?!\*\/).)*)\*\/\n(?:(?:export )?class \w+ extends \w+ \{\n\s*(?:override )?readonly code(?:: string)? =|function \w+\(error: unknown\): Explanation(?:(?!\n\}).)*\n\t\tcode:) '([\w-]+)'[;,]/gs,
			),
			([, comment, name]) => `| ${code(name!)} | ${escaped(firstSentence(comment!))} |`,
		),
	);
	return ['| Code | What happened |', '| --- | --- |', ...found.toSorted()].join('\n');
}

function firstSentence(comment: string): string {
	const text = comment.replaceAll(/\s*\n\s*\* ?/g, ' ').trim();
	return /^.*?\.(?= |$)/.exec(text)?.[0] ?? text;
}

const ASKS_FOR = {none: 'nothing', key: 'the key', 'key+signature': 'the key and a signature'} as const;

function endpointsTable(): string {
	const rows = Object.values(ENDPOINTS).map(({method, path, summary, auth}) =>
		[`| ${code(`${method} ${path}`)}`, escaped(summary), `${ASKS_FOR[auth]} |`].join(' | '),
	);
	return ['| Call | What it does | Asks for |', '| --- | --- | --- |', ...rows].join('\n');
}

/** A text between marks of code; one that holds the mark stands between two of them. */
function code(text: string): string {
	return text.includes('`') ? `\`\` ${text} \`\`` : `\`${text}\``;
}

function escaped(text: string): string {
	return text.replaceAll('|', '\\|');
}
