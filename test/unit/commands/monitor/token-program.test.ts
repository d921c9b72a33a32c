import {existsSync, mkdtempSync, readFileSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {afterEach, beforeEach, expect, test, vi} from 'vitest';
import {meaningProblems} from '../../../../source/commands/config/meaning.ts';
import {runProgram, variablesOf} from '../../../../source/commands/monitor/token-program.ts';
import {readConfigText} from '../../../../source/config/config-file.ts';
import {describeEnd, readUserCommands} from '../../../../source/monitor/user-commands.ts';
import {entryOf} from '../../../helpers/entries.ts';
import {PATIENCE_MS} from '../../../helpers/patience.ts';

/** Everything that is wrong in a configuration, as a person reads it. */
async function problemsOf(text: string): Promise<readonly string[]> {
	const file = await readConfigText(text, 'c.toml');
	return [...file.problems, ...(await meaningProblems(file))].map(({message, why}) => `${message}. ${why}`);
}

test('good commands pass, and are read as they stand', async () => {
	const text =
		'[commands.explorer]\nkey = "f2"\nrun = ["open", ""]\n[commands.buy]\nkey="f3"\nrun=["b"]\nconfirm=true\ndanger=true';
	expect(await problemsOf(text)).toEqual([]);
	const {values} = await readConfigText(text, 'c.toml');
	const {commands} = readUserCommands(values.get('commands')?.value as Parameters<typeof readUserCommands>[0]);
	expect([...commands.values()]).toEqual([
		{name: 'explorer', key: 'f2', run: ['open', ''], help: 'Run open.', confirm: false, danger: false},
		{name: 'buy', key: 'f3', run: ['b'], help: 'Run b.', confirm: true, danger: true},
	]);
});

test.each([
	['[commands.a]\nrun = ["x"]', "The value of commands.a can't be used. Line 1 of c.toml: It needs a key"],
	['[commands.a]\nkey = "f2"', "The value of commands.a can't be used. Line 1 of c.toml: It needs a program"],
	[
		'[commands.a]\nkey = "f2"\nrun = "x y"',
		"The value of commands.a.run can't be used. Line 3 of c.toml: It must be a list",
	],
	[
		'[commands.a]\nkey = "f2"\nrun = []',
		"The value of commands.a.run can't be used. Line 3 of c.toml: It must be a list",
	],
	['[commands.a]\nkey = "f2"\nrun = ["x"]\nconfirm = "yes"', 'Line 4 of c.toml: It must be true or false.'],
	[
		'[commands.a]\nkey = "f2"\nrun = ["x"]\nconfrm = true',
		'"confrm" is not a setting of a command. Line 4 of c.toml: The nearest is "confirm".',
	],
	['[commands."a b"]\nkey = "f2"\nrun = ["x"]', '"a b" can\'t be the name of a command. Line 1 of c.toml'],
	['[commands.a]\nkey = "f99"\nrun = ["x"]', '"f99" can\'t be the key of the command a. Line 2 of c.toml'],
	[
		'[commands.a]\nkey = "3"\nrun = ["x"]',
		'"3" can\'t be the key of the command a. Line 2 of c.toml: Digits are counts',
	],
	['[commands.a]\nkey = "ctrl+c"\nrun = ["x"]', 'Ctrl+C leaves the program'],
	[
		'[commands.a]\nkey = "y"\nrun = ["x"]',
		'"y" is the key of two actions, the command a and token.copy. Line 2 of c.toml',
	],
	[
		'[commands.a]\nkey = "f2"\nrun = ["x"]\n[commands.b]\nkey = "f2"\nrun = ["y"]',
		'"f2" is the key of two actions, the command b and the command a. Line 5 of c.toml',
	],
	[
		'[keys]\nfeed.pause = "f2"\n[commands.a]\nkey = "f2"\nrun = ["x"]',
		'"f2" is the key of two actions, the command a and feed.pause. Line 4 of c.toml',
	],
	['[commands]\na = "x"', "The value of commands can't be used. Line 1 of c.toml: it must be a table of tables"],
])('mistake %$ of a command is refused with its line', async (text, problem) => {
	expect((await problemsOf(text)).join('\n')).toContain(problem);
});

test('a key that was taken from an action is free for a command', async () => {
	expect(await problemsOf('[keys]\nfeed.pause = []\n[commands.a]\nkey = "p"\nrun = ["x"]')).toEqual([]);
});

let dir: string;
beforeEach(() => {
	dir = mkdtempSync(join(tmpdir(), 'pulsetop-command-'));
});
afterEach(() => {
	vi.unstubAllEnvs();
	rmSync(dir, {recursive: true});
});

const NODE = process.execPath;
const LIMIT_MS = PATIENCE_MS;

test('a name full of shell syntax is text in the environment, and not an argument', async () => {
	const trap = join(dir, 'trap');
	const name = `$(touch ${trap}); touch ${trap} | \`touch ${trap}\` --help\n-rf`;
	const out = join(dir, 'out.json');
	const script =
		'require("fs").writeFileSync(process.argv[1], JSON.stringify({argv: process.argv.slice(2), env: process.env}))';
	vi.stubEnv('PULSETOP_API_KEY', 'secret-key');
	vi.stubEnv('PULSETOP_PRICE', 'of another token');
	const entry = entryOf('So1', {symbol: name, name, market_cap: 1_234_567.5});
	const end = await runProgram({
		argv: [NODE, '-e', script, '--', out, '$PULSETOP_NAME', '*'],
		variables: variablesOf(entry, 'new'),
		limitMs: LIMIT_MS,
	});
	expect(end).toEqual({kind: 'ended', code: 0, lastLine: ''});
	const {argv, env} = JSON.parse(readFileSync(out, 'utf8')) as {argv: string[]; env: Record<string, string>};
	expect(argv).toEqual(['$PULSETOP_NAME', '*']);
	expect(env).toMatchObject({
		PULSETOP_NAME: name,
		PULSETOP_SYMBOL: name,
		PULSETOP_ADDRESS: 'So1',
		PULSETOP_CHAIN: 'solana:solana',
		PULSETOP_COLUMN: 'new',
		PULSETOP_MCAP: '1234567.5',
	});
	expect(env).not.toHaveProperty('PULSETOP_API_KEY');
	// What is not known of this token is not that of another, and not 0.
	expect(env).not.toHaveProperty('PULSETOP_PRICE');
	expect(existsSync(trap)).toBe(false);
});

test('figures have no exponent', () => {
	expect(variablesOf(entryOf('a', {latest_price: 1.5e-9, liquidity: 2e6}), 'new')).toMatchObject({
		PULSETOP_PRICE: '0.0000000015',
		PULSETOP_LIQUIDITY: '2000000',
	});
});

test('a failure is reported with its exit code and the last line of stderr, without escape codes', async () => {
	const script = 'process.stderr.write("first\\n\\x1b[31mno such\\x1b]0;x\\x07 token\\n\\n"); process.exitCode = 3';
	const end = await runProgram({argv: [NODE, '-e', script], variables: {}, limitMs: LIMIT_MS});
	expect(describeEnd('explorer', end)).toEqual({
		text: 'explorer failed with exit code 3: no such token',
		tone: 'bad',
	});
});

test('a missing program is reported by its name', async () => {
	const end = await runProgram({argv: [join(dir, 'nothing')], variables: {}, limitMs: LIMIT_MS});
	expect(describeEnd('explorer', end).text).toBe(
		`explorer could not be started: there is no program ${join(dir, 'nothing')}.`,
	);
});

test('a program that does not end is ended', async () => {
	const end = await runProgram({argv: [NODE, '-e', 'setInterval(() => {}, 1000)'], variables: {}, limitMs: 50});
	expect(describeEnd('explorer', end).text).toBe('explorer took longer than 0.05 s and was ended.');
});
