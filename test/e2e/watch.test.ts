import {readFile, writeFile} from 'node:fs/promises';
import {dirname, join} from 'node:path';
import {expect, test} from 'vitest';
import {expectShape} from '../helpers/output-shape.ts';
import {openPlainService} from '../helpers/plain-service.ts';
import {CLI, runCli, runShell} from '../helpers/program.ts';
import {withPty} from '../helpers/pty.ts';
import {LAUNCHES, recordingOf} from '../helpers/recordings.ts';

/** A directory with a configuration whose alerts run a command that records its environment. */
async function hooked(): Promise<{readonly config: string; readonly heard: () => Promise<string>}> {
	const directory = dirname(await recordingOf([]));
	const hook = join(directory, 'hook.sh');
	const log = join(directory, 'heard');
	await writeFile(hook, `printf '%s|%s|%s\\n' "$PULSETOP_SYMBOL" "$PULSETOP_RULE" "$#" >> '${log}'\n`);
	const config = join(directory, 'config.toml');
	await writeFile(config, `[alerts]\nrules = ["@new mcap>1k"]\ncommand = ["sh", "${hook}", "one"]\nquiet = "never"\n`);
	return {config, heard: () => readFile(log, 'utf8').catch(() => '')};
}

test.concurrent('each token that begins to match a rule prints a line; one that matched from the start does not', async () => {
	const {stdout, stderr, code} = await runCli(
		['watch', '--rule', 'mcap>5k', '--rule', '@bonded mcap>1', '--recording', LAUNCHES],
		{env: {TZ: 'UTC'}},
	);
	expect({code, stderr}).toEqual({code: 0, stderr: ''});
	const lines = stdout.trimEnd().split('\n');
	for (const symbol of ['PROTOCOL', 'ROYDUC', 'SQUID'])
		expect(lines.filter(line => line.includes(symbol))).toHaveLength(1);
	expect(lines.at(-1)).toMatch(
		/^12:00:1\d {2}new {6}SQUID {2}BSC {2}0x[0-9a-fA-F]{40} {2}mcap \$5\.7\dK {2}matches mcap>5k$/,
	);
	expect(stdout).not.toMatch(/LAZYGOAT|@bonded|GOLLAMA/);
});

test.concurrent('as JSON every hit is as its schema says, and --once ends with the first', async () => {
	const {stdout, code} = await runShell(
		`pulsetop watch --rule 'symbol=SQUID' --rule 'symbol=ROYDUC' --recording '${LAUNCHES}' --once --json`,
	);
	expect(code).toBe(0);
	const hit = JSON.parse(stdout);
	expectShape('watch', hit);
	expect(hit).toMatchObject({view: 'bonding', rule: 'symbol=ROYDUC', token: {symbol: 'ROYDUC'}});
	const none = await runCli(['watch', '--rule', 'mcap>900m', '--once', '--recording', LAUNCHES, '--json']);
	expect(none).toMatchObject({code: 1, stdout: ''});
	expect(JSON.parse(none.stderr).error.code).toBe('nothing-matched');
});

test.concurrent('on a live service the command of the configuration runs once a hit, names go into its environment only; on a recording it never runs', async ({
	expect,
}) => {
	const {config, heard} = await hooked();
	const token = (symbol: string, marketCap: number) => ({
		address: `Addr${symbol.length}`,
		chainId: 'solana:solana',
		symbol,
		marketCap,
	});
	const tokens = [token('OLD', 5000)];
	const service = await openPlainService(view => (view === 'new' ? tokens : []));
	try {
		const watching = runCli(['watch', '--config', config, '--base-url', service.url, '--once', '--for', '12s']);
		await expect.poll(() => service.asked.filter(({path}) => path === '/api/2/pulse').length).toBeGreaterThan(1);
		tokens.push(token('$(touch x);"', 9000));
		expect(await watching).toMatchObject({code: 0, stdout: expect.stringContaining('$(touch x);"')});
		await expect.poll(heard).toBe('$(touch x);"|@new mcap>1k|1\n');
		// The rule is the service's filter: tokens that no screen would show are watched, too.
		const asked = JSON.parse(service.asked.find(({path}) => path === '/api/2/pulse')!.body);
		expect(JSON.stringify(asked)).toContain('"market_cap":{"gt":1000}');
	} finally {
		await service.close();
	}
	const past = await runCli(['watch', '--config', config, '--recording', LAUNCHES, '--once']);
	expect(past.code).toBe(0);
	expect((await heard()).split('\n')).toHaveLength(2);
});

test.concurrent('an invalid rule and a missing one are usage errors', async () => {
	expect(await runCli(['watch', '--rule', 'mcp>5k'])).toMatchObject({
		code: 2,
		stderr: expect.stringContaining('there is no field “mcp”; perhaps mcap.'),
	});
	expect(await runCli(['watch', '--rule', '@old mcap>5k'])).toMatchObject({code: 2});
	expect(await runCli(['watch'])).toMatchObject({
		code: 2,
		stderr: expect.stringContaining('There is no rule to watch'),
	});
	expect(await runCli(['watch', '--rule', 'mcap>1', '--for', 'soon'])).toMatchObject({code: 2});
});

test.concurrent('a reader that closes its end stops the watch without a message', async () => {
	const {code, stderr, stdout} = await runShell(`pulsetop watch --rule 'mcap>1' --recording '${LAUNCHES}' | head -1`);
	expect({code, stderr, lines: stdout.split('\n').length}).toEqual({code: 0, stderr: '', lines: 2});
});

test.concurrent('in a terminal a hit rings the bell, and the interrupt ends the watch with 0', async ({expect}) => {
	await withPty({args: [CLI, 'watch', '--rule', '@new mcap>1', '--rate', '5'], columns: 160}, async pty => {
		await pty.waitFor('matches @new mcap>1');
		// It is a write of its own, after the line.
		await expect.poll(() => pty.bytes().includes(7)).toBe(true);
		pty.type('\x03');
		expect((await pty.exit).code).toBe(0);
	});
});
