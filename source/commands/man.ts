import manifest from '../../package.json' with {type: 'json'};
import {EXIT_CODES} from './exit-code.ts';
import type {Call, Command, Flag} from './line/command.ts';
import type {Grammar} from './line/command-line.ts';
import {ENVIRONMENT} from './line/environment.ts';
import {print} from './output.ts';

/** `pulsetop man`: the manual page, made from the table of commands: `pulsetop man | man -l -`. */
export async function man({grammar}: Call): Promise<number> {
	await print(manualPage(grammar));
	return 0;
}

function manualPage({commands, globalFlags, defaultCommand}: Grammar): string {
	return [
		`.TH PULSETOP 1 "" "pulsetop ${manifest.version}" "User Commands"`,
		'.SH NAME',
		`pulsetop \\- ${escaped('a live monitor of token launches for the terminal')}`,
		'.SH SYNOPSIS',
		'.B pulsetop\n[\\fICOMMAND\\fR] [\\fIFLAGS\\fR]',
		'.SH DESCRIPTION',
		escaped(
			`Without a command, ${defaultCommand.name}. Without a configured service the program starts one of its own.`,
		),
		'.SH COMMANDS',
		...commands.flatMap(command => commandText(command, '')),
		'.SH FLAGS OF EVERY COMMAND',
		...globalFlags.map(flagText),
		'.SH ENVIRONMENT',
		...ENVIRONMENT.map(([name, words]) => `.TP\n.B ${escaped(name)}\n${escaped(words)}`),
		'.SH FILES',
		'.TP\n.I $XDG_CONFIG_HOME/pulsetop/config.toml\nThe configuration; pulsetop config template prints one to start from.',
		'.SH EXIT STATUS',
		...Object.entries(EXIT_CODES).map(([code, words]) => `.TP\n.B ${code}\n${escaped(words)}`),
		'',
	].join('\n');
}

function commandText(command: Command, above: string): readonly string[] {
	const words = `${above}${command.name}`;
	const {operands, summary, details, flags, examples = [], subcommands = []} = command;
	return [
		`.SS ${escaped([words, operands].filter(Boolean).join(' '))}`,
		escaped([`${summary}.`, details].filter(Boolean).join(' ')),
		...flags.map(flagText),
		...examples.map(example => `.PP\n.EX\n${escaped(example)}\n.EE`),
		...subcommands.flatMap(subcommand => commandText(subcommand, `${words} `)),
	];
}

function flagText({name, short, value, choices, help}: Flag): string {
	const written = [short && `-${short},`, `--${name}`].filter(Boolean).join(' ');
	const words = choices ? `${help} (${choices.join(', ')})` : help;
	return `.TP\n\\fB${escaped(written)}\\fR${value === undefined ? '' : ` \\fI${escaped(value)}\\fR`}\n${escaped(words)}`;
}

/** As roff reads it: a backslash, a dash, and a point or an apostrophe that begins a line are its own. */
function escaped(text: string): string {
	return text
		.replaceAll('\\', '\\e')
		.replaceAll('-', '\\-')
		.replace(/^(?=[.'])/, '\\&');
}
