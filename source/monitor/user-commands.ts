import {nearest} from '../nearest.ts';
import {clean} from '../text.ts';

/** A program that the configuration puts on a key, run for the token under the cursor. */
export interface UserCommand {
	readonly name: string;
	/** As the configuration writes it: "f2". */
	readonly key: string;
	/** The program and its arguments; no shell reads them. */
	readonly run: readonly string[];
	/** One sentence for the help. */
	readonly help: string;
	/** Whether the user confirms each run. */
	readonly confirm: boolean;
	/** Whether it moves money or changes something: read-only mode leaves it out. */
	readonly danger: boolean;
}

/** By name, in the order of the configuration. */
export type UserCommands = ReadonlyMap<string, UserCommand>;

export const NO_COMMANDS: UserCommands = new Map();

/** How a program ended. */
export type ProgramEnd =
	| {readonly kind: 'ended'; readonly code: number; readonly lastLine: string}
	/** By a signal that pulsetop did not send. */
	| {readonly kind: 'stopped'; readonly signal: string; readonly lastLine: string}
	| {readonly kind: 'tooLong'; readonly afterMs: number}
	/** `why` names the error: ENOENT. */
	| {readonly kind: 'notStarted'; readonly why: string};

/** A fault in the configuration of a command, and its place: `explorer`, `explorer.key`. */
export interface CommandProblem {
	readonly item: string;
	readonly what: string;
	readonly why: string;
}

const KNOWN = ['key', 'run', 'help', 'confirm', 'danger'] as const;
const NAME = /^[A-Za-z][A-Za-z0-9-]{0,23}$/;

/** Reads the commands of a configuration; one with a problem is left out. Whether a key is free is checked elsewhere. */
export function readUserCommands(tables: Readonly<Record<string, Readonly<Record<string, unknown>>>>): {
	readonly commands: UserCommands;
	readonly problems: readonly CommandProblem[];
} {
	const commands = new Map<string, UserCommand>();
	const problems: CommandProblem[] = [];
	for (const [name, table] of Object.entries(tables)) {
		const found = problemsIn(name, table);
		problems.push(...found);
		if (found.length > 0) continue;
		const {key, run, help, confirm = false, danger = false} = table as Partial<UserCommand>;
		commands.set(name, {
			name,
			key: key!,
			run: run!,
			help: help === undefined ? `Run ${clean(run!.join(' '), {maxCells: 60})}.` : clean(help),
			confirm,
			danger,
		});
	}
	return {commands, problems};
}

function problemsIn(name: string, table: Readonly<Record<string, unknown>>): readonly CommandProblem[] {
	const problems: CommandProblem[] = [];
	const refuse = (part: string | undefined, why: string): void => {
		const item = part === undefined ? name : `${name}.${part}`;
		problems.push({item, what: `The value of commands.${item} can't be used`, why});
	};
	if (!NAME.test(name)) {
		const why = 'A name begins with a letter; letters, digits and - follow, at most 24 in all.';
		problems.push({item: name, what: `"${name}" can't be the name of a command`, why});
	}
	for (const part of Object.keys(table)) {
		if (KNOWN.some(known => known === part)) continue;
		const near = nearest(part, KNOWN);
		const why = near === undefined ? `Known: ${KNOWN.join(', ')}.` : `The nearest is "${near}".`;
		problems.push({item: `${name}.${part}`, what: `"${part}" is not a setting of a command`, why});
	}
	const {key, run, help, confirm, danger} = table;
	if (key === undefined) refuse(undefined, 'It needs a key: key = "f2".');
	else if (typeof key !== 'string' || key === '') refuse('key', 'It must be one key: "f2".');
	if (run === undefined) refuse(undefined, 'It needs a program: run = ["program", "argument"].');
	else if (!isArgv(run))
		refuse('run', 'It must be a list of texts, a program and its arguments: ["program", "argument"].');
	if (help !== undefined && (typeof help !== 'string' || help === '')) refuse('help', 'It must be text in quotes.');
	if (confirm !== undefined && typeof confirm !== 'boolean') refuse('confirm', 'It must be true or false.');
	if (danger !== undefined && typeof danger !== 'boolean') refuse('danger', 'It must be true or false.');
	return problems;
}

/** A program, which has a name, and arguments, which may be empty. */
function isArgv(run: unknown): run is readonly string[] {
	return (
		Array.isArray(run) &&
		run.every(part => typeof part === 'string' && !part.includes('\0')) &&
		run[0] !== undefined &&
		run[0] !== ''
	);
}

/** How a program ended, as a sentence with its tone. */
export function describeEnd(name: string, end: ProgramEnd): {readonly text: string; readonly tone: 'good' | 'bad'} {
	const said = 'lastLine' in end && end.lastLine !== '' ? `: ${end.lastLine}` : '.';
	switch (end.kind) {
		case 'ended':
			return end.code === 0
				? {text: `${name} is done${said}`, tone: 'good'}
				: {text: `${name} failed with exit code ${end.code}${said}`, tone: 'bad'};
		case 'stopped':
			return {text: `${name} was ended by ${end.signal}${said}`, tone: 'bad'};
		case 'tooLong':
			return {text: `${name} took longer than ${end.afterMs / 1000} s and was ended.`, tone: 'bad'};
		case 'notStarted':
			return {text: `${name} could not be started: ${end.why}.`, tone: 'bad'};
	}
}
