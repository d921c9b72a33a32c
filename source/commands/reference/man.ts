import manifest from '../../../package.json' with {type: 'json'};
import type {Call, Command, Flag, Grammar} from '../line/command.ts';
import {ENVIRONMENT} from '../line/environment.ts';
import {print} from '../output/output.ts';
import {EXIT_CODES} from '../process/exit-code.ts';

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
		...ENVIRONMENT.map(([name, help]) => `.TP\n.B ${escaped(name)}\n${escaped(help)}`),
		'.SH FILES',
		'.TP\n.I $XDG_CONFIG_HOME/pulsetop/config.toml\nThe configuration; pulsetop config template prints one to start from.',
		'.SH EXIT STATUS',
		...Object.entries(EXIT_CODES).map(([code, meaning]) => `.TP\n.B ${code}\n${escaped(meaning)}`),
		'',
	].join('\n');
}

function commandText(command: Command, above: string): readonly string[] {
	const path = `${above}${command.name}`;
	const {operands, summary, details, flags, examples = [], subcommands = []} = command;
	return [
		`.SS ${escaped([path, operands].filter(Boolean).join(' '))}`,
		escaped([`${summary}.`, details].filter(Boolean).join(' ')),
		...flags.map(flagText),
		...examples.map(example => `.PP\n.EX\n${escaped(example)}\n.EE`),
		...subcommands.flatMap(subcommand => commandText(subcommand, `${path} `)),
	];
}

function flagText({name, short, value, choices, help}: Flag): string {
	const written = [short && `-${short},`, `--${name}`].filter(Boolean).join(' ');
	const text = choices ? `${help} (${choices.join(', ')})` : help;
	return `.TP\n\\fB${escaped(written)}\\fR${value === undefined ? '' : ` \\fI${escaped(value)}\\fR`}\n${escaped(text)}`;
}

/** Escapes what roff would interpret: backslashes, dashes, and a point or an apostrophe at the start of a line. */
function escaped(text: string): string {
	return text
		.replaceAll('\\', '\\e')
		.replaceAll('-', '\\-')
		.replace(/^(?=[.'])/, '\\&');
}
