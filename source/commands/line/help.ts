import {EXIT_CODES} from '../process/exit-code.ts';
import type {Command, Flag, Grammar} from './command.ts';
import {ENVIRONMENT} from './environment.ts';

/** The help of the program, or of the command at the end of the path. Plain text. */
export function helpText(grammar: Grammar, path: readonly Command[] = []): string {
	const command = path.at(-1);
	return command === undefined ? programHelp(grammar) : commandHelp(command, path, grammar);
}

function programHelp({commands, globalFlags, defaultCommand}: Grammar): string {
	return [
		'pulsetop: a live monitor of token launches for the terminal',
		`Usage: pulsetop [COMMAND] [FLAGS]\n\nWithout a command, ${defaultCommand.name}. See pulsetop COMMAND --help.`,
		section(
			'Commands',
			commands.map(({name, summary}) => [name, summary]),
		),
		section(`Flags of ${defaultCommand.name}`, defaultCommand.flags.map(flagRow)),
		section('Flags', globalFlags.map(flagRow)),
		section('Environment', ENVIRONMENT),
		section(
			'Exit codes',
			Object.entries(EXIT_CODES).map(([code, meaning]) => [code, meaning]),
		),
	].join('\n\n');
}

function commandHelp(command: Command, path: readonly Command[], {globalFlags}: Grammar): string {
	const name = path.map(step => step.name).join(' ');
	const after = [command.subcommands && 'COMMAND', command.operands, '[FLAGS]'].filter(Boolean).join(' ');
	const flags = path.flatMap(({flags}) => flags);
	return [
		`pulsetop ${name}: ${command.summary}`,
		`Usage: pulsetop ${name} ${after}`,
		command.details,
		command.subcommands &&
			section(
				'Commands',
				command.subcommands.map(({name, summary}) => [name, summary]),
			),
		flags.length > 0 && section('Flags', flags.map(flagRow)),
		section('Flags of every command', globalFlags.map(flagRow)),
		command.examples && `Examples:\n${command.examples.map(example => `  ${example}`).join('\n')}`,
	]
		.filter(Boolean)
		.join('\n\n');
}

function flagRow({name, short, value, choices, help}: Flag): readonly [string, string] {
	const written = [short && `-${short},`, `--${name}`, value].filter(Boolean).join(' ');
	return [written, choices ? `${help} (${choices.join(', ')})` : help];
}

function section(title: string, rows: readonly (readonly [string, string])[]): string {
	const width = Math.max(...rows.map(([left]) => left.length).filter(length => length <= 24));
	const lines = rows.map(([left, right]) =>
		left.length > width ? `  ${left}\n${' '.repeat(width + 4)}${right}` : `  ${left.padEnd(width)}  ${right}`,
	);
	return `${title}:\n${lines.join('\n')}`;
}
