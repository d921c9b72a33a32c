import {FAULTS} from '../chaos/fault.ts';
import {PRESETS} from '../chaos/presets.ts';
import {COMMAND_LINE, GLOBAL_FLAGS} from '../commands/command-table.ts';
import {EXIT_CODES} from '../commands/exit-code.ts';
import {helpSections} from '../ui/help/help-sections.ts';
import {keyWords} from '../ui/key-names.ts';
import {usualKeys, withKeys} from '../ui/key-texts.ts';
import {keymap} from '../ui/keymap.ts';

/** The parts of README.md that are made from the code, by the name that stands in their marks. */
export function readmeParts(): Readonly<Record<string, string>> {
	return {
		keys: keysTable(),
		commands: commandsTable(),
		flags: flagsTable(),
		'exit-codes': exitCodes(),
		chaos: chaosTable(),
		faults: faultsTable(),
	};
}

/** The README with every generated part put in its place anew. @throws Error when a mark is missing */
export function refreshed(readme: string): string {
	return Object.entries(readmeParts()).reduce((text, [name, part]) => {
		const [begin, end] = [`<!-- ${name}: made by npm run docs -->`, `<!-- /${name} -->`];
		const [from, to] = [text.indexOf(begin), text.indexOf(end)];
		if (from < 0 || to < from) throw new Error(`README.md has no marks for the part ${name}`);
		return `${text.slice(0, from + begin.length)}\n${part}\n${text.slice(to)}`;
	}, readme);
}

function keysTable(): string {
	const rows = helpSections(keymap).flatMap(({title, topics}) => [
		`| **${escaped(capitalised(withKeys(title, usualKeys)))}** | |`,
		...topics.flatMap(({bindings}) =>
			bindings.map(
				binding => `| ${keyWords(binding).map(code).join(' ')} | ${escaped(withKeys(binding.help, usualKeys))} |`,
			),
		),
	]);
	return ['| Keys | What they do |', '| --- | --- |', ...rows].join('\n');
}

/** `IN THE COLUMNS (A)` as a README writes it: `In the columns (A)`. */
function capitalised(title: string): string {
	return title.replace(/^[^(]*/, words => words[0] + words.slice(1).toLowerCase());
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

function chaosTable(): string {
	const rows = Object.entries(PRESETS).map(([name, {help}]) => `| ${code(name)} | ${escaped(help)} |`);
	return ['| Preset | What it is like |', '| --- | --- |', ...rows].join('\n');
}

function faultsTable(): string {
	const rows = Object.entries(FAULTS).map(
		([name, {help, rightWithinMs}]) => `| ${name} | ${escaped(help)} | ${rightWithinMs / 1000} s |`,
	);
	return ['| Fault | What it does | Right again within |', '| --- | --- | --- |', ...rows].join('\n');
}

function code(text: string): string {
	return `\`${text}\``;
}

function escaped(text: string): string {
	return text.replaceAll('|', '\\|');
}
