import {nearest} from '../../nearest.ts';
import type {Command, Flag, Grammar} from './command.ts';
import {Flags} from './flags.ts';
import {UsageError} from './usage-error.ts';

/** A parsed command line. */
export interface CommandLine {
	/** From the outermost command to the one that runs; empty when none was named. */
	readonly path: readonly Command[];
	readonly flags: Flags;
	readonly operands: readonly string[];
}

/**
 * Reads the arguments after the program's name. Flags may stand before or after the command, as `--name value`,
 * `--name=value` or `-n`; after `--` everything is an operand.
 * @throws UsageError for an unknown command or flag (with the nearest one), a missing or extra value, extra operands
 */
export function readCommandLine(argv: readonly string[], grammar: Grammar): CommandLine {
	const tokens = tokensOf(argv, grammar);
	const path: Command[] = [];
	const operands: string[] = [];
	for (const token of tokens) {
		if (token.kind !== 'word') continue;
		const choices = path.length === 0 ? grammar.commands : path.at(-1)?.subcommands;
		if (choices === undefined || token.isOperand) operands.push(token.text);
		else path.push(commandNamed(token, choices, path));
	}
	const command = path.at(-1) ?? grammar.defaultCommand;
	// A flag of the command hides the global flag with the same name.
	const accepted = [...(path.length === 0 ? [command] : path).flatMap(({flags}) => flags), ...grammar.globalFlags];
	const flags = new Map<string, (string | true)[]>();
	for (const token of tokens) {
		if (token.kind !== 'flag') continue;
		const flag = accepted.find(({name}) => name === token.flag.name);
		if (flag === undefined) throw notOfCommand(token.flag.name, path.length === 0 ? [command] : path, accepted);
		if (token.value === true && flag.value !== undefined && !flag.isAlone) throw valueMissing(flag);
		const given = flags.get(flag.name);
		if (given && flag.repeats) given.push(token.value);
		else flags.set(flag.name, [checked(flag, token.value)]);
	}
	if (operands.length > 0 && command.operands === undefined && !flags.has('help')) {
		for (const token of tokens) if (token.kind === 'word' && token.after) throw notOfFlag(token.after);
		const [example] = command.examples ?? [];
		throw new UsageError(
			`${commandText(path.length === 0 ? [command] : path)} takes nothing more`,
			`Its flags begin with --${example === undefined ? '' : `, as in ${example}`}.`,
		);
	}
	return {path, flags: new Flags(flags), operands};
}

interface Word {
	readonly kind: 'word';
	readonly text: string;
	readonly isOperand: boolean;
	/** The flag before the word, where the flag may take a value and the word does not look like one. */
	readonly after?: Flag | undefined;
}

type Token = Word | {readonly kind: 'flag'; readonly flag: Flag; readonly value: string | true};

/** Whether a flag takes a value is the same for every command, so words and flags are separated before the command is known. */
function tokensOf(argv: readonly string[], grammar: Grammar): readonly Token[] {
	const known = [...grammar.globalFlags, ...flagsOf(grammar.commands)];
	const tokens: Token[] = [];
	const rest = [...argv];
	for (let word = rest.shift(); word !== undefined; word = rest.shift()) {
		if (word === '--') {
			tokens.push(...rest.map(text => ({kind: 'word', text, isOperand: true}) as const));
			break;
		}
		if (!word.startsWith('-') || word === '-') {
			tokens.push({kind: 'word', text: word, isOperand: false, after: flagWithoutValue(tokens.at(-1))});
			continue;
		}
		const [name, ...assigned] = word.replace(/^--?/, '').split('=') as [string, ...string[]];
		const isLong = word.startsWith('--');
		const flag = known.find(candidate => (isLong ? candidate.name : candidate.short) === name);
		if (flag === undefined) throw unknownFlag(isLong ? `--${name}` : `-${name}`, known);
		const inline = assigned.length > 0 ? assigned.join('=') : undefined;
		if (flag.value === undefined) {
			if (inline !== undefined) throw new UsageError(`--${flag.name} takes no value`, 'Give the flag alone.');
			tokens.push({kind: 'flag', flag, value: true});
			continue;
		}
		const next = rest[0] ?? '';
		const isValue = flag.valueLike?.test(next) ?? !known.some(({name}) => next === `--${name}`);
		const value = inline ?? (isValue ? rest.shift() : true);
		if (value === undefined) throw valueMissing(flag);
		tokens.push({kind: 'flag', flag, value});
	}
	return tokens;
}

function flagWithoutValue(token: Token | undefined): Flag | undefined {
	return token?.kind === 'flag' && token.value === true && token.flag.value !== undefined ? token.flag : undefined;
}

function valueMissing({name, value}: Flag): UsageError {
	return new UsageError(`--${name} needs a value`, `Write --${name} ${value}.`);
}

function flagsOf(commands: readonly Command[]): readonly Flag[] {
	return commands.flatMap(({flags, subcommands = []}) => [...flags, ...flagsOf(subcommands)]);
}

/** The word may hold a key: it is not repeated. */
function notOfFlag({name, value}: Flag): UsageError {
	return new UsageError(`The value of --${name} can't be used`, `Write --${name} ${value}.`);
}

function commandNamed({text, after}: Word, choices: readonly Command[], path: readonly Command[]): Command {
	const found = choices.find(({name}) => name === text);
	if (found) return found;
	if (after) throw notOfFlag(after);
	const names = choices.map(({name}) => name);
	const near = nearest(text, names);
	const name = [commandText(path), text].filter(Boolean).join(' ');
	throw new UsageError(
		`"${name}" is not a command`,
		near === undefined ? `There are: ${names.join(', ')}.` : `The nearest is "${near}".`,
	);
}

function checked(flag: Flag, value: string | true): string | true {
	if (value === true || flag.choices === undefined || flag.choices.includes(value)) return value;
	const near = nearest(value, flag.choices);
	const hint = near === undefined ? '' : ` The nearest is "${near}".`;
	throw new UsageError(
		`The value of --${flag.name} can't be used`,
		`It must be one of ${flag.choices.join(', ')}.${hint}`,
	);
}

function unknownFlag(written: string, known: readonly Flag[]): UsageError {
	const near = nearest(
		written.replace(/^-+/, ''),
		known.map(({name}) => name),
	);
	return new UsageError(
		`${written} is not a flag`,
		near === undefined ? 'pulsetop --help lists the flags.' : `The nearest is --${near}.`,
	);
}

function notOfCommand(name: string, path: readonly Command[], accepted: readonly Flag[]): UsageError {
	const command = commandText(path);
	const near = nearest(
		name,
		accepted.map(flag => flag.name),
	);
	const hint = near === undefined ? `pulsetop ${command} --help lists its flags.` : `The nearest is --${near}.`;
	return new UsageError(`${command} does not take --${name}`, hint);
}

/** A command as it is typed after the program's name: `webhook delete`. */
function commandText(path: readonly Command[]): string {
	return path.map(({name}) => name).join(' ');
}
