import {spawnSync} from 'node:child_process';
import {chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {CLI, runShell, startServe} from '../helpers/program.ts';
import {isolatedEnvironment, withPty} from '../helpers/pty.ts';
import {temporaryDirectory} from '../helpers/temporary-directory.ts';

/* Where files go: with a home, without one, and with an empty one. */

interface Place {
	readonly env?: Readonly<Record<string, string>>;
	readonly umask?: string;
	/** A user without an entry in the system's list. */
	readonly asNobody?: boolean;
}

/** Runs a command in an empty directory with nothing but this environment. */
function run(args: readonly string[], {env = {}, umask = '022', asNobody = false}: Place = {}) {
	const cwd = temporaryDirectory();
	chmodSync(cwd, 0o777);
	const quoted = [process.execPath, CLI, ...args].map(part => `'${part}'`).join(' ');
	const result = spawnSync('/bin/sh', ['-c', `umask ${umask}; exec ${quoted}`], {
		cwd,
		env,
		encoding: 'utf8',
		...(asNobody && {uid: 54_321, gid: 54_321}),
	});
	return {code: result.status, out: result.stdout, err: result.stderr, made: readdirSync(cwd)};
}

const isRoot = process.getuid?.() === 0;

test('an empty HOME and empty XDG names never make the working directory the home', () => {
	for (const env of [
		{HOME: ''},
		{HOME: '.'},
		{HOME: '', XDG_DATA_HOME: '', XDG_CONFIG_HOME: 'here', XDG_CACHE_HOME: 'here'},
	]) {
		const {code, out, made} = run(['config', 'show', '--json'], {env});
		expect(code).toBe(0);
		expect(made).toEqual([]);
		expect(out).not.toContain('"here');
		expect(out).toMatch(/"\/[^"]*\/pulsetop"/);
	}
});

test.runIf(isRoot)('a user without a home is told which setting helps, and works with every path named', () => {
	const alone = run(['feed', '--limit', '1'], {asNobody: true});
	expect([alone.code, alone.err]).toEqual([2, expect.stringMatching(/--config|PULSETOP_CONFIG/)]);
	const config = join(temporaryDirectory(), 'config.toml');
	chmodSync(join(config, '..'), 0o755);
	writeFileSync(config, '');
	const noData = run(['feed', '--limit', '1'], {asNobody: true, env: {PULSETOP_CONFIG: config}});
	expect([noData.code, noData.err]).toEqual([2, expect.stringMatching(/--data-dir|PULSETOP_DATA_DIR/)]);
	const data = temporaryDirectory();
	chmodSync(data, 0o777);
	const named = run(['feed', '--limit', '1', '--json', '--data-dir', join(data, 'own')], {
		asNobody: true,
		env: {PULSETOP_CONFIG: config},
	});
	expect([named.code, named.err]).toEqual([0, '']);
	expect(named.made).toEqual([]);
	expect(run(['--version'], {asNobody: true}).code).toBe(0);
});

test('in a working directory that was removed, paths begin at /, and every command works', () => {
	const program = [process.execPath, CLI].map(part => `'${part}'`).join(' ');
	const inRemoved = (args: string) => {
		const env = {HOME: temporaryDirectory()};
		const script = `mkdir gone && cd gone && rmdir ../gone && exec ${program} ${args}`;
		return spawnSync('/bin/sh', ['-c', script], {cwd: temporaryDirectory(), env, encoding: 'utf8'});
	};
	const feed = inRemoved('feed --limit 1 --json');
	expect([feed.status, feed.stderr]).toEqual([0, expect.stringContaining('the working directory was removed')]);
	expect(JSON.parse(feed.stdout)).toMatchObject({schema: 'pulsetop.feed/1'});
	expect(inRemoved('doctor').stdout).toMatch(/^ok {4}service .* answers in/m);
});

test.runIf(process.platform === 'linux')(
	'a data directory that nothing can make ends serve, and leaves a feed to read',
	() => {
		const serve = run(['serve', '--port', '0', '--data-dir', '/proc/pulsetop/data'], {
			env: {HOME: temporaryDirectory()},
		});
		expect([serve.code, serve.err]).toEqual([
			2,
			expect.stringContaining('/proc/pulsetop/data: there is no such file or directory'),
		]);
		const feed = run(['feed', '--limit', '1', '--data-dir', '/proc/pulsetop/data'], {
			env: {HOME: temporaryDirectory()},
		});
		expect([feed.code, feed.err]).toEqual([0, '']);
	},
);

test('with / as the home, paths stay paths', () => {
	const data = temporaryDirectory();
	const {out} = run(['doctor', '--data-dir', data], {env: {HOME: '/', XDG_CACHE_HOME: data}});
	expect(out).not.toMatch(/~\.|\.config~/);
	expect(out).toContain('/.config/pulsetop/config.toml');
});

test('nobody else can write where compiled code lies, under any umask', () => {
	for (const umask of ['000', '002', '022', '077']) {
		const home = temporaryDirectory();
		expect(run(['feed', '--limit', '1'], {env: {HOME: home}, umask}).code).toBe(0);
		for (const path of ['.cache/pulsetop', '.cache/pulsetop/code']) {
			expect([umask, path, (statSync(join(home, path)).mode & 0o777).toString(8)]).toEqual([umask, path, '700']);
		}
	}
});

test('a directory of compiled code that others could write is closed, and one of another owner is not used', () => {
	const home = temporaryDirectory();
	const code = join(home, '.cache/pulsetop/code');
	mkdirSync(code, {recursive: true});
	chmodSync(code, 0o777);
	expect(run(['feed', '--limit', '1'], {env: {HOME: home}}).code).toBe(0);
	expect((statSync(code).mode & 0o777).toString(8)).toBe('700');
	expect(readdirSync(code).length).toBeGreaterThan(0);
	if (!isRoot) return;
	const open = temporaryDirectory();
	chmodSync(open, 0o777);
	mkdirSync(join(open, '.cache/pulsetop/code'), {recursive: true});
	chmodSync(join(open, '.cache'), 0o777);
	expect(
		run(['feed', '--limit', '1', '--data-dir', join(open, 'data')], {env: {HOME: open}, asNobody: true}).code,
	).toBe(0);
	expect(readdirSync(join(open, '.cache/pulsetop/code'))).toEqual([]);
});

test('whatever the umask, each file is for its owner alone, and the docs name it', async () => {
	const data = temporaryDirectory();
	const secret = join(data, 'whales.secret');
	const recording = join(data, 'launches.pulse');
	const before = process.umask(0);
	try {
		const serve = await startServe(['--no-auth', '--data-dir', data]);
		const made = await runShell(
			[
				`pulsetop webhook create whales --url https://example.com/in --base-url ${serve.url} --secret-file ${secret}`,
				`printf 'correct horse' | pulsetop wallet create main --data-dir ${data} --passphrase-fd 0`,
				`pulsetop record ${recording} --for 1s --base-url ${serve.url}`,
			].join(' && '),
			{env: {...isolatedEnvironment(data), PULSETOP_API_KEY: 'k'}},
		);
		expect(made).toMatchObject({code: 0});
		await withPty({args: [CLI, '--data-dir', data], columns: 120, rows: 30}, async pty => {
			await pty.waitFor(/NEW [1-9]/);
			pty.type('j');
			pty.type('x');
			await expect.poll(() => existsSync(join(data, 'choices.json'))).toBe(true);
			pty.type('q');
			await pty.exit;
		});
		await serve.stop();
	} finally {
		process.umask(before);
	}
	const files = readdirSync(data, {recursive: true, encoding: 'utf8'});
	const open = files.filter(file => (statSync(join(data, file)).mode & 0o077) !== 0);
	expect(open).toEqual([]);
	expect(files).toEqual(
		expect.arrayContaining(['choices.json', 'service.db', 'trading', 'whales.secret', 'launches.pulse']),
	);
	const docs = readFileSync(new URL('../../source/docs/configuration.md', import.meta.url), 'utf8');
	const table = docs.slice(docs.indexOf('## Files'), docs.indexOf('## Settings'));
	const named = readdirSync(data).filter(name => !['cache', 'whales.secret', 'launches.pulse'].includes(name));
	for (const name of named) expect(table).toContain(`\`${name.replace(/-(wal|shm)$/, '')}`);
});
