import {cp, mkdtemp, rm, stat} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {dirname, join} from 'node:path';
import {afterAll, beforeAll, describe, expect, test} from 'vitest';
import manifest from '../../package.json' with {type: 'json'};
import {CLI, type RunningServe, runCli, runShell, startServe} from '../helpers/program.ts';
import {withPty} from '../helpers/pty.ts';
import {temporaryDirectory} from '../helpers/temporary-directory.ts';

test.each(['--version', '-V'])('%s prints the version and nothing else', async flag => {
	expect(await runCli([flag])).toEqual({code: 0, signal: null, stdout: `${manifest.version}\n`, stderr: ''});
});

test('--help prints the commands, --help after a command its flags, both on stdout', async () => {
	const program = await runCli(['--help']);
	expect(program).toMatchObject({code: 0, stderr: ''});
	expect(program.stdout).toContain('\n  feed ');
	const command = await runCli(['feed', '--help']);
	expect(command).toMatchObject({code: 0, stderr: ''});
	expect(command.stdout).toContain('--follow');
});

test('help before a command is --help after it', async () => {
	expect(await runCli(['help'])).toEqual(await runCli(['--help']));
	expect(await runCli(['help', 'perp', 'cancel'])).toEqual(await runCli(['perp', 'cancel', '--help']));
	expect(await runCli(['help', 'perq'])).toMatchObject({code: 2, stdout: ''});
});

test('help fits a terminal of 120 columns', async () => {
	await withPty({args: [CLI, '--help'], columns: 120, rows: 90}, async pty => {
		await pty.waitFor('Exit codes:');
		expect((await pty.exit).code).toBe(0);
		expect(pty.row(0)).toBe('pulsetop: a live monitor of token launches for the terminal');
	});
});

test('an unknown flag is refused with the nearest one on stderr and exit code 2', async () => {
	const outcome = await runCli(['feed', '--fliter=hunter2']);
	expect(outcome).toMatchObject({code: 2, stdout: ''});
	expect(outcome.stderr).toBe(
		'pulsetop: --fliter is not a flag\n  The nearest is --filter.\n  Correct the input and try again.\n',
	);
});

test('with --json a failure is one line of JSON on stderr', async () => {
	const outcome = await runCli(['--json', 'fed']);
	expect(outcome).toMatchObject({code: 2, stdout: ''});
	expect(JSON.parse(outcome.stderr)).toEqual({
		error: {
			code: 'usage',
			what: '"fed" is not a command',
			why: 'The nearest is "feed".',
			next: 'fix-input',
			advice: 'Correct the input and try again.',
		},
	});
});

test('a fault in the configuration ends with exit code 2 before anything is opened', async () => {
	const outcome = await runCli(['feed'], {env: {PULSETOP_BASE_URL: 'example.com'}});
	expect(outcome).toMatchObject({code: 2, stdout: ''});
	expect(outcome.stderr).toContain("The value of PULSETOP_BASE_URL can't be used");
	expect(outcome.stderr).toContain('It must be an address that begins with http:// or https://.');
});

test('a reader that stops early is not a failure', async () => {
	const outcome = await runShell('pulsetop --help | head -1');
	expect(outcome).toEqual({
		code: 0,
		signal: null,
		stdout: 'pulsetop: a live monitor of token launches for the terminal\n',
		stderr: '',
	});
});

test('output that the disk does not take is a failure with its reason, not a bug and not a success', async () => {
	for (const line of ['pulsetop --help > /dev/full', 'pulsetop config template > /dev/full'])
		expect(await runShell(line)).toMatchObject({
			code: 1,
			stderr: expect.stringMatching(/The output cannot be written\n {2}the disk is full.*\n.*write to another file/),
		});
});

describe('a file that may only take a part', () => {
	let service: RunningServe;
	beforeAll(async () => {
		service = await startServe(['--no-auth']);
	});
	afterAll(() => service?.stop());

	test.each([
		'man',
		'feed --json --limit 100',
		'feed --format csv --limit 100',
		'feed --limit 100',
		'feed --follow',
		'watch --rule "mcap>0" --json',
	])('ends %s with a failure, not as a success and not as a bug', async command => {
		const file = join(temporaryDirectory(), 'out');
		const outcome = await runShell(`ulimit -f 4; pulsetop ${command} > '${file}'`, {
			env: {PULSETOP_BASE_URL: service.url},
		});
		expect(outcome.stderr).toMatch(/The output cannot be written.*the file is as large as it may be/s);
		expect(outcome.code).toBe(1);
		expect((await stat(file)).size).toBe(4 * 1024);
	});
});

// With fewer than 22 Node itself does not start. How many are missed by a hair depends on its version.
test.runIf(process.platform === 'linux').each([24, 26, 28, 29, 30, 31, 32, 34, 38, 42, 46])(
	'with %i descriptors it runs, or names the limit',
	async count => {
		const {code, stderr} = await runShell(`ulimit -n ${count}; pulsetop feed --limit 1`);
		if (code !== 0) expect(stderr).toMatch(/ulimit -n/);
		// Waiting does not help: a limit stays.
		expect(stderr).not.toMatch(/report|EMFILE|Wait/);
	},
);

test.runIf(process.platform === 'linux')('with too little memory for a thread the limit is named', async () => {
	const outcome = await runShell('ulimit -v 1900000; pulsetop feed --limit 1');
	expect(outcome).toMatchObject({code: 1, stderr: expect.stringMatching(/2\.1 GB .*1\.9 GB \(ulimit -v\)/)});
});

test('the built program runs wherever it is put, without the packages around it', async () => {
	const elsewhere = await mkdtemp(join(tmpdir(), 'pulsetop-dist-'));
	try {
		await cp(dirname(CLI), join(elsewhere, 'dist'), {recursive: true});
		await cp(new URL('../../package.json', import.meta.url).pathname, join(elsewhere, 'package.json'));
		const outcome = await runShell(`cd '${elsewhere}' && ./dist/cli.js --version`);
		expect(outcome).toMatchObject({code: 0, stdout: `${manifest.version}\n`});
	} finally {
		await rm(elsewhere, {recursive: true});
	}
});

test('config validate prints every problem of a file with its line, and ends with exit code 2', async () => {
	const bad = [
		'[ui]',
		'theem = "dark"',
		'ascii = "yes"',
		'[columns.new]',
		'filter = "mcap>>5"',
		'sort = "volum_1h"',
		'',
	].join('\n');
	const outcome = await runShell(
		`printf '%s' "$BAD" > "$HOME/bad.toml"; cd "$HOME"; pulsetop config validate bad.toml`,
		{env: {BAD: bad}},
	);
	expect(outcome).toMatchObject({code: 2, stderr: ''});
	const problems = outcome.stdout.split(/\n(?! )/).filter(Boolean);
	expect(problems.map(problem => problem.replace(/\n +/, ': '))).toEqual([
		'"theem" is not a setting: Line 2 of bad.toml: The nearest in [ui] is "theme".',
		"The value of ui.ascii can't be used: Line 3 of bad.toml: it must be true or false.",
		expect.stringMatching(
			/^The value of columns\.new\.filter can't be used: Line 5 of bad\.toml, at character \d+ of the text: /,
		),
		expect.stringMatching(
			/^The value of columns\.new\.sort can't be used: Line 6 of bad\.toml: "volum_1h" is not a field\. The nearest is /,
		),
	]);
});

test('config show --origin says where each value came from and never shows a key', async () => {
	const outcome = await runShell(
		'mkdir -p "$XDG_CONFIG_HOME/pulsetop"; printf "[embedded]\\nrate = 4\\n" > "$(pulsetop config path)"; pulsetop config show --origin --api-key hunter2 --ascii',
		{env: {PULSETOP_BASE_URL: 'http://a.example'}},
	);
	expect(outcome).toMatchObject({code: 0, stderr: ''});
	expect(outcome.stdout).not.toContain('hunter2');
	expect(outcome.stdout).toMatch(/^service\.base-url +"http:\/\/a\.example" +PULSETOP_BASE_URL$/m);
	expect(outcome.stdout).toMatch(/^service\.api-key +"\(set\)" +--api-key$/m);
	expect(outcome.stdout).toMatch(/^embedded\.rate +4 +\S+\/pulsetop\/config\.toml:2$/m);
	expect(outcome.stdout).toMatch(/^ui\.theme +"auto" +default$/m);
});

test('config path and config validate work where the file is broken', async () => {
	const outcome = await runShell(
		'mkdir -p "$XDG_CONFIG_HOME/pulsetop"; echo "= [" > "$(pulsetop config path)"; pulsetop config path && pulsetop config validate',
	);
	expect(outcome).toMatchObject({code: 2, stderr: ''});
	expect(outcome.stdout).toContain('The configuration file is not TOML\n  Line 1, column 1 of ');
});

test('doctor measures the terminal and the service, leaves the screen clean, and names neither address nor key nor home', async () => {
	const env = {PULSETOP_API_KEY: 'hunter2', PULSETOP_BASE_URL: 'http://127.0.0.1:1/secret-path'};
	await withPty({args: [CLI, 'doctor'], columns: 160, rows: 30, env}, async pty => {
		expect((await pty.exit).code).toBe(1);
		const report = pty.screenText();
		expect(report).toMatch(/^ok {4}program {8}pulsetop \d/);
		expect(report).toMatch(/^ok {4}terminal +160 columns and 30 rows$/m);
		// The terminal of the tests draws emoji in one cell.
		expect(report).toMatch(/^note {2}terminal +some characters are not as wide as expected: emoji 1 instead of 2/m);
		expect(report).toMatch(/^ok {4}service +the API key is from PULSETOP_API_KEY$/m);
		expect(report).toMatch(/^BAD {3}service +the configured service gives no feed\. The service cannot be reached/m);
		for (const secret of ['hunter2', 'secret-path', '127.0.0.1', pty.home]) expect(report).not.toContain(secret);
	});
});

test('doctor without a terminal says so, finds its own service well, and gives JSON', async () => {
	const outcome = await runCli(['doctor', '--json']);
	expect(outcome).toMatchObject({code: 0, stderr: ''});
	const {schema, findings} = JSON.parse(outcome.stdout);
	expect(schema).toBe('pulsetop.doctor/1');
	expect(findings).toContainEqual(expect.objectContaining({subject: 'terminal', state: 'note'}));
	expect(findings).toContainEqual(expect.objectContaining({subject: 'service', state: 'good'}));
});

test('doctor finds a configuration file that others can read while it holds a key', async () => {
	const outcome = await runShell(
		'mkdir -p "$XDG_CONFIG_HOME/pulsetop"; f="$(pulsetop config path)"; printf "[service]\\napi-key = \\"hunter2\\"\\n" > "$f"; chmod 644 "$f"; pulsetop doctor; code=$?; chmod 600 "$f"; pulsetop doctor; echo "$code $?"',
	);
	const [open, closed] = outcome.stdout.split(/(?<=chains.*\n)(?=ok {4}program)/);
	expect(open).toContain('the configuration file, which holds a key, can be read by others');
	expect(closed).toContain('the configuration file, which holds a key, is private');
	expect(outcome.stdout.trimEnd().split('\n').at(-1)).toBe('1 0');
	expect(outcome.stdout).not.toContain('hunter2');
});
