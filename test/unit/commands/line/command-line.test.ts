import {expect, test} from 'vitest';
import {COMMAND_LINE} from '../../../../source/commands/command-table.ts';
import type {Command, Grammar} from '../../../../source/commands/line/command.ts';
import {readCommandLine} from '../../../../source/commands/line/command-line.ts';
import {helpText} from '../../../../source/commands/line/help.ts';
import {SETTINGS, settingsIn} from '../../../../source/config/settings.ts';
import {explain} from '../../../../source/errors.ts';
import {fc} from '../../../helpers/properties.ts';

function failure(...argv: readonly string[]): string {
	try {
		readCommandLine(argv, COMMAND_LINE);
	} catch (error) {
		const {code, what, why} = explain(error);
		return `${code}: ${what}. ${why}`;
	}
	return expect.fail('it was accepted');
}

test('control characters in a word are not repeated', () => {
	for (const argv of [['\u001b[31mx'], ['--\u001b[31mx'], ['feed', '--view', '\u001b[31mx'], ['help', '\u0085']])
		expect(failure(...argv)).toMatch(/^[\P{Cc}\n]+$/u);
});

function allCommands({commands}: Grammar): readonly Command[] {
	const below = (command: Command): readonly Command[] => [command, ...(command.subcommands ?? []).flatMap(below)];
	return commands.flatMap(below);
}

test('without a command word the flags are those of the monitor', () => {
	const {path, flags} = readCommandLine(['--theme', 'light', '--seed=7'], COMMAND_LINE);
	expect(path).toEqual([]);
	expect(flags.text('theme')).toBe('light');
	expect(flags.text('seed')).toBe('7');
});

test('global flags stand before or after the command, with a blank or an equals sign', () => {
	for (const argv of [
		['--base-url', 'http://a.example', 'feed', '--json'],
		['feed', '--json', '--base-url=http://a.example'],
		['--json', 'feed', '--base-url', 'http://a.example'],
	]) {
		const {path, flags} = readCommandLine(argv, COMMAND_LINE);
		expect(path.map(({name}) => name)).toEqual(['feed']);
		expect(flags.values()).toEqual({json: true, 'base-url': 'http://a.example'});
	}
});

test('a repeated flag keeps every value where the command takes several, and the last where it does not', () => {
	const served = readCommandLine(
		['serve', '--api-key', 'a', '--api-key=b', '--port', '1', '--port', '2'],
		COMMAND_LINE,
	);
	expect(served.flags.all('api-key')).toEqual(['a', 'b']);
	expect(served.flags.text('port')).toBe('2');
	expect(readCommandLine(['feed', '--api-key', 'a', '--api-key=b'], COMMAND_LINE).flags.all('api-key')).toEqual(['b']);
});

test('--follow takes a chain with its node where one comes after it', () => {
	const read = (...argv: readonly string[]) => readCommandLine(argv, COMMAND_LINE).flags;
	const monitor = read('--follow', 'base=wss://a.example/?k=1', '--follow=bnb=https://b.example', '--backfill', '1h');
	expect(monitor.all('follow')).toEqual(['base=wss://a.example/?k=1', 'bnb=https://b.example']);
	expect(monitor.values()).toEqual({
		follow: ['base=wss://a.example/?k=1', 'bnb=https://b.example'],
		backfill: '1h',
	});
	expect(read('serve', '--follow', 'none').all('follow')).toEqual(['none']);
	// In `feed` it also stands alone.
	for (const argv of [
		['feed', '--follow', '--view', 'new'],
		['--follow', 'feed', '--view', 'new'],
	]) {
		expect(read(...argv).has('follow')).toBe(true);
		expect(read(...argv).all('follow')).toEqual([]);
		expect(read(...argv).all('view')).toEqual(['new']);
	}
	expect(read('feed', '--follow', 'base=https://a.example').all('follow')).toEqual(['base=https://a.example']);
	expect(failure('--follow', '--theme', 'dark')).toBe('usage: --follow needs a value. Write --follow CHAIN=URL.');
	// An address alone is the flag's value, so that no error repeats it as a word.
	expect(read('--follow', 'https://a.example/key').all('follow')).toEqual(['https://a.example/key']);
});

test('a value may begin with a dash or hold an equals sign', () => {
	expect(readCommandLine(['feed', '--filter', '-kw:elon'], COMMAND_LINE).flags.text('filter')).toBe('-kw:elon');
	expect(readCommandLine(['feed', '--filter=dev<=5%'], COMMAND_LINE).flags.text('filter')).toBe('dev<=5%');
});

test.each([
	[['sreve'], 'usage: "sreve" is not a command. The nearest is "serve".'],
	[['--api-kye=hunter2'], 'usage: --api-kye is not a flag. The nearest is --api-key.'],
	[['feed', '--fliter', 'x'], 'usage: --fliter is not a flag. The nearest is --filter.'],
	[['feed', '--port', '1'], 'usage: feed does not take --port. The nearest is --sort.'],
	[
		['feed', '--view', 'bondin'],
		'usage: The value of --view can\'t be used. It must be one of new, bonding, bonded, trending. The nearest is "bonding".',
	],
	[['feed', '--limit'], 'usage: --limit needs a value. Write --limit N.'],
	[['serve-ssh', '--title', '--port', '0'], 'usage: --title needs a value. Write --title TEXT.'],
	[['--json=yes'], 'usage: --json takes no value. Give the flag alone.'],
	[
		['watch', 'mcap>10k'],
		/^usage: watch takes nothing more\. Its flags begin with --, as in pulsetop watch --rule "@bonded mcap>100k/,
	],
	[['doctor', 'now'], 'usage: doctor takes nothing more. Its flags begin with --.'],
	[['--follow', 'base'], "usage: The value of --follow can't be used. Write --follow CHAIN=URL."],
	[
		['feed', '--follow', 'node.example.com/hunter2'],
		"usage: The value of --follow can't be used. Write --follow CHAIN=URL.",
	],
	[['--follow', '--json', 'base'], /^usage: "base" is not a command/],
	[['-x'], 'usage: -x is not a flag. pulsetop --help lists the flags.'],
])('what is not understood is named, with the nearest: %j', (argv, words) => {
	if (typeof words === 'string') expect(failure(...argv)).toBe(words);
	else expect(failure(...argv)).toMatch(words);
});

test('no failure repeats the value of a flag', () => {
	const flags = [...COMMAND_LINE.globalFlags, ...allCommands(COMMAND_LINE).flatMap(command => command.flags)];
	const anyFlag = fc.constantFrom(...flags.map(({name}) => `--${name}`), '--unknown', '-z');
	const secret = 'hunter2';
	fc.assert(
		fc.property(
			fc.array(
				fc.oneof(
					anyFlag,
					anyFlag.map(flag => `${flag}=${secret}`),
				),
			),
			argv => {
				try {
					readCommandLine(['feed', ...argv], COMMAND_LINE);
				} catch (error) {
					expect(Object.values(explain(error)).join(' ')).not.toContain(secret);
				}
			},
		),
	);
});

test('a flag of one name takes a value everywhere or nowhere', () => {
	const takes = new Map<string, boolean>();
	for (const {name, value} of [...COMMAND_LINE.globalFlags, ...allCommands(COMMAND_LINE).flatMap(({flags}) => flags)]) {
		expect([name, takes.get(name) ?? value !== undefined]).toEqual([name, value !== undefined]);
		takes.set(name, value !== undefined);
	}
});

test('a flag of a setting exists, and takes a value exactly when the setting reads one', () => {
	const flags = [...COMMAND_LINE.globalFlags, ...allCommands(COMMAND_LINE).flatMap(command => command.flags)];
	for (const [path, setting] of settingsIn(SETTINGS)) {
		if (setting.flag === undefined) continue;
		const flag = flags.find(({name}) => name === setting.flag);
		expect([path, flag?.name, flag?.value !== undefined]).toEqual([
			path,
			setting.flag,
			setting.flagMeans === undefined,
		]);
		if (flag?.value !== undefined && setting.kind.choices) expect(flag.choices).toEqual(setting.kind.choices);
	}
});

test('help names every command and every flag, each flag of a command in the help of that command', () => {
	const program = helpText(COMMAND_LINE);
	expect(program).not.toContain('undefined');
	for (const {name} of COMMAND_LINE.commands) expect(program).toMatch(new RegExp(`^  ${name} `, 'm'));
	for (const {name} of COMMAND_LINE.globalFlags) expect(program).toContain(`--${name}`);
	for (const command of COMMAND_LINE.commands) {
		const help = helpText(COMMAND_LINE, [command]);
		for (const {name} of command.flags) expect(help).toMatch(new RegExp(`--${name}\\b`));
		for (const {help: words} of command.flags) expect(help).toContain(words);
	}
});
