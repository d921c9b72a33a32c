import {globSync, readFileSync} from 'node:fs';
import {join} from 'node:path';
import {COMMAND_LINE} from '../commands/command-table.ts';
import {EVERYDAY, tomlText} from '../commands/config/template.ts';
import {EXIT_CODES} from '../commands/process/exit-code.ts';
import {fileName, isSetting, SETTINGS, type Section, type Setting, shownDefault} from '../config/settings.ts';
import {ENDPOINTS} from '../contract/endpoints.ts';
import {WINDOWS_8} from '../contract/windows.ts';
import {FIELD_WORDS, windowWord} from '../monitor/filter/field-words.ts';
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
	keys: keysList,
	words: wordsList,
	settings: settingsList,
	commands: commandsList,
	'exit-codes': exitCodes,
	'error-codes': errorCodes,
	endpoints: endpointsList,
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

/** The places whose keys the page lists; every other place names its own in its last line and in its help. */
const LISTED_PLACES: ReadonlySet<string> = new Set(['columns', 'detail', 'view']);

/** A list for each of the places that people look up before they are there: the keys, and the first sentence of the help. */
function keysList(): string {
	return helpSections(keymap)
		.filter(({id}) => LISTED_PLACES.has(id))
		.map(({title, topics}) =>
			[
				`**${capitalised(withKeys(title, DEFAULT_KEYS))}**`,
				'',
				...topics
					.flatMap(({bindings}) => bindings)
					.map(binding => `- ${keysOf(binding)} ${firstSentence(withKeys(binding.help, DEFAULT_KEYS))}`),
			].join('\n'),
		)
		.join('\n\n');
}

function keysOf(binding: Binding): string {
	return keyLabels(binding).map(code).join(' ');
}

/** `IN THE COLUMNS (A)` as a README writes it: `In the columns (A)`. */
function capitalised(title: string): string {
	return title.replace(/^[^(]*/, words => words[0] + words.slice(1).toLowerCase().replace(/\bi\b/g, 'I'));
}

/** How the help of a figure without bots ends: its word is that of the whole figure behind an `o`. */
const WITHOUT_BOTS = ', bots left out.';

/** Every word of the filter language that stands for a figure; a word of a family once, with the windows that it takes. */
function wordsList(): string {
	const families = new Set<string>();
	const rows = FIELD_WORDS.flatMap(({word, family, help}) => {
		if (help.includes(WITHOUT_BOTS)) return [];
		if (family && families.has(family.word)) return [];
		if (family) families.add(family.word);
		// The page says once which windows there are.
		const windows =
			family && (family.windows.length === WINDOWS_8.length ? '' : ` ${family.windows.map(windowWord).join(' ')}`);
		const shown = family ? `${code(family.word)} +${windows}` : code(word);
		const said = help.replace(/ Windows: .*; without one (\w+)\.$/, (_, usual) =>
			usual === '1h' ? '' : ` Without a window ${usual}.`,
		);
		return [`- ${shown}: ${said}`];
	});
	return rows.join('\n');
}

/** The settings that people set first with their meaning, the others by name. */
function settingsList(): string {
	const all = settingsOf(SETTINGS, []);
	const everyday = all.filter(({path}) => EVERYDAY.has(path)).map(settingLine);
	const others = all.filter(({path}) => !EVERYDAY.has(path)).map(({path}) => code(path));
	return [...everyday, '', `Others: ${others.join(', ')}.`].join('\n');
}

/** The settings of a section and of those below it, each under its full name. */
function settingsOf(section: Section, above: readonly string[]): {path: string; setting: Setting<unknown>}[] {
	return Object.entries(section).flatMap(([name, entry]) => {
		const path = [...above, fileName(name)];
		return isSetting(entry) ? [{path: path.join('.'), setting: entry}] : settingsOf(entry, path);
	});
}

function settingLine({path, setting}: ReturnType<typeof settingsOf>[number]): string {
	const {help, flag, env} = setting;
	const value = shownDefault(setting);
	const also = [flag && code(`--${flag}`), env && code(env)].filter(Boolean).map(other => `, ${other}`);
	const usual = value === undefined ? '' : ` Default: ${code(tomlText(value))}.`;
	return `- ${code(path)}${also.join('')}: ${firstSentence(withKeys(help, DEFAULT_KEYS))}${usual}`;
}

function commandsList(): string {
	return COMMAND_LINE.commands.map(({name, summary}) => `- ${code(`pulsetop ${name}`)}: ${summary}`).join('\n');
}

function exitCodes(): string {
	return Object.entries(EXIT_CODES)
		.map(([number, meaning]) => `- ${code(number)}: ${meaning}`)
		.join('\n');
}

/** The codes of the error classes of the program. */
function errorCodes(): string {
	const files = globSync('source/**/*.{ts,tsx}', {cwd: ROOT});
	const found = files.flatMap(file =>
		Array.from(
			readFileSync(join(ROOT, file), 'utf8').matchAll(
				/(?:class \w+ extends \w+ \{\n\s*(?:override )?readonly code(?:: string)? =|function \w+\(error: unknown\): Explanation(?:(?!\n\}).)*\n\t\tcode:) '([\w-]+)'[;,]/gs,
			),
			([, name]) => name!,
		),
	);
	return [...new Set(found)].toSorted().map(code).join(', ');
}

function firstSentence(comment: string): string {
	const text = comment.replaceAll(/\s*\n\s*\* ?/g, ' ').trim();
	return /^.*?\.(?= |$)/.exec(text)?.[0] ?? text;
}

/** The calls of the API; those of the practice chains stand in a table of their own. */
function endpointsList(): string {
	const marks = {none: ' (without a key)', key: '', 'key+signature': ' *'} as const;
	return Object.values(ENDPOINTS)
		.filter(({path}) => !path.startsWith('/dev/'))
		.map(({method, path, summary, auth}) => `- ${code(`${method} ${path}`)}${marks[auth]}: ${summary}`)
		.join('\n');
}

/** A text between marks of code; one that holds the mark stands between two of them. */
function code(text: string): string {
	return text.includes('`') ? `\`\` ${text} \`\`` : `\`${text}\``;
}
