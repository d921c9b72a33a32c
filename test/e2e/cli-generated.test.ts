import {expect, test} from 'vitest';
import {COMMAND_LINE} from '../../source/commands/command-table.ts';
import type {Command} from '../../source/commands/line/command.ts';
import {runCli, runShell} from '../helpers/program.ts';

function everyCommand(commands: readonly Command[] = COMMAND_LINE.commands): readonly Command[] {
	return commands.flatMap(command => [command, ...everyCommand(command.subcommands ?? [])]);
}

/** What bash offers when Tab is pressed after the words. */
async function offered(...words: readonly string[]): Promise<readonly string[]> {
	const quoted = words.map(word => `'${word}'`).join(' ');
	const line = `eval "$(pulsetop completion bash)"; COMP_WORDS=(pulsetop ${quoted}); COMP_CWORD=${words.length}; _pulsetop; printf '%s\\n' "\${COMPREPLY[@]}"`;
	const outcome = await runShell(line);
	expect(outcome).toMatchObject({code: 0, stderr: ''});
	return outcome.stdout.split('\n').filter(Boolean);
}

test('bash completes commands, subcommands, the flags of a command, and the values of a flag', async () => {
	expect(await offered('se')).toEqual(['serve', 'serve-ssh', 'sell']);
	expect(await offered('config', 'va')).toEqual(['validate']);
	expect(await offered('feed', '--fo')).toEqual(['--format', '--follow']);
	expect(await offered('--base-url', 'http://a.example', 'feed', '--view', 'bon')).toEqual(['bonding', 'bonded']);
	expect(await offered('token', 'SomeAddress', '--ch')).toEqual(['--chain']);
	expect(await offered('feed', '--po')).toEqual([]);
});

test('bash offers every command', async () => {
	expect(await offered('')).toEqual(expect.arrayContaining(COMMAND_LINE.commands.map(({name}) => name)));
});

test.each(['bash', 'zsh', 'fish'])('the script for %s names every command and every flag', async shell => {
	const {code, stdout} = await runCli(['completion', shell]);
	expect(code).toBe(0);
	for (const {name, flags} of everyCommand()) {
		expect(stdout).toContain(name);
		for (const flag of flags) expect(stdout).toMatch(new RegExp(`(--|-l )${flag.name}\\b`));
	}
	for (const {name} of COMMAND_LINE.globalFlags) expect(stdout).toMatch(new RegExp(`(--|-l )${name}\\b`));
});

test('each shell completes the value of a flag that names a file or a directory as a path, and no other', async () => {
	const all = [...COMMAND_LINE.globalFlags, ...everyCommand().flatMap(({flags}) => flags)];
	const flags = all.filter(({value, choices}) => value !== undefined && !choices);
	const scripts = await Promise.all(
		['bash', 'zsh', 'fish'].map(async shell => (await runCli(['completion', shell])).stdout),
	);
	const [bash, zsh, fish] = scripts as [string, string, string];
	expect(flags.filter(({value}) => value === 'FILE').map(({name}) => name)).toContain('ca-file');
	for (const {name, value} of flags) {
		const isPath = value === 'FILE' || value === 'DIR';
		expect([name, bash.includes(`--${name}) COMPREPLY=($(compgen -f`)]).toEqual([name, isPath]);
		expect([name, new RegExp(`'--${name}\\[[^\n]*?:${value}:_files'`).test(zsh)]).toEqual([name, isPath]);
		expect([name, new RegExp(`-l ${name} (?:-s \\w )?-r -d`).test(fish)]).toEqual([name, isPath]);
	}
	for (const {name, short} of all.filter(flag => flag.short !== undefined))
		expect(fish).toContain(`-l ${name} -s ${short} `);
	expect(fish).not.toContain('undefined');
});

test('another shell is a usage error', async () => {
	const outcome = await runCli(['completion', 'csh']);
	expect(outcome).toMatchObject({code: 2, stdout: ''});
	expect(outcome.stderr).toContain('There are: bash, zsh, fish.');
});

test('the manual page holds every command, flag, variable and exit code, and every line of it is roff', async () => {
	const {code, stdout} = await runCli(['man']);
	expect(code).toBe(0);
	const plain = stdout.replaceAll('\\-', '-');
	for (const {name, flags} of everyCommand()) {
		expect(plain).toMatch(new RegExp(`^\\.SS (\\w+ )?${name}\\b`, 'm'));
		for (const flag of flags) expect(plain).toContain(`\\fB--${flag.name}\\fR`);
	}
	for (const name of ['PULSETOP_BASE_URL', 'PULSETOP_CONFIG', 'NO_COLOR']) expect(plain).toContain(`.B ${name}`);
	for (const exitCode of [0, 1, 2, 3, 69, 70]) expect(plain).toContain(`.TP\n.B ${exitCode}\n`);
	const requests = stdout.split('\n').filter(line => /^[.']/.test(line));
	for (const line of requests) expect(line).toMatch(/^\.(TH|SH|SS|TP|PP|EX|EE|B|I)\b/);
});
