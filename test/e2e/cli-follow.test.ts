import {mkdtemp, rm} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {afterAll, beforeAll, expect, test, vi} from 'vitest';
import {filesUnder} from '../helpers/files-under.ts';
import {openWorld, type World} from '../helpers/follow-world.ts';
import {PATIENCE_MS} from '../helpers/patience.ts';
import {type RunningServe, runCli, runShell, startServe} from '../helpers/program.ts';

/* The program over a chain of its own, whose address holds what must not be seen. */

const KEY = 'k3y-of-the-node';
let world: World;
let serve: RunningServe;
let dataDir: string;
let node: string;

beforeAll(async () => {
	dataDir = await mkdtemp(join(tmpdir(), 'pulsetop-follow-'));
	world = await openWorld({chain: 'bnb', live: true});
	node = `bnb=${world.url}/?key=${KEY}`;
	await launch('FIRST');
	serve = await startServe(['--no-auth', '--follow', node, '--backfill', '1h', '--data-dir', dataDir]);
});
afterAll(async () => {
	await serve?.stop();
	await world?.close();
	await rm(dataDir, {recursive: true, force: true});
});

/** Launches a token, and mines the blocks that confirm it. */
async function launch(symbol: string): Promise<void> {
	await world.launch({venue: 'four-meme', symbol, by: 'maker'});
	await world.mine(3);
}

const symbols = async (...args: readonly string[]) => {
	const {stdout} = await runCli(['feed', '--view', 'new', '--json', ...args]);
	const {views} = JSON.parse(stdout) as {views: {new: {tokens: readonly {symbol?: string}[]}}};
	return views.new.tokens.map(({symbol}) => symbol);
};

test('serve shows what was launched before it and what is launched then', async () => {
	await vi.waitFor(async () => expect(await symbols('--base-url', serve.url)).toEqual(['FIRST']), PATIENCE_MS);
	await launch('SECOND');
	await vi.waitFor(
		async () => expect(await symbols('--base-url', serve.url)).toEqual(expect.arrayContaining(['FIRST', 'SECOND'])),
		PATIENCE_MS,
	);
	expect(serve.stdout()).toContain('following bnb\n');
});

test('doctor says how the chain does, without its address', async () => {
	const {stdout} = await runCli(['doctor', '--base-url', serve.url, '--json']);
	const {findings} = JSON.parse(stdout) as {findings: readonly {subject: string; words: string}[]};
	const chains = findings.filter(({subject}) => subject === 'chains').map(({words}) => words);
	expect(chains[0]).toMatch(/^bnb is live: block [\d,]+ is read/);
	expect(stdout).not.toContain(new URL(world.url).port);
});

test('a second process on the same data directory is refused with advice', async () => {
	const {code, stderr} = await runCli(['feed', '--data-dir', dataDir], {env: {PULSETOP_FOLLOW: node}});
	expect(code).not.toBe(0);
	expect(stderr).toContain('locked by a running process');
	expect(stderr).toContain('--base-url');
});

test('money and predictions are refused where chains are followed and no service is named', async () => {
	for (const args of [
		['bridge', 'quote', '--from', 'base:usdc', '--amount', '5', '--to', 'arbitrum:usdc'],
		['market', 'show', 'platformA:1001'],
	]) {
		const outcome = await runCli(args, {env: {PULSETOP_FOLLOW: node}});
		expect(outcome).toMatchObject({code: 2, stdout: ''});
		expect(outcome.stderr).toContain('No money moves here');
	}
});

test('check takes addresses from stdin, where no other user of the machine reads them, or those of the configuration', async () => {
	const check = `pulsetop follow check - --chain bnb --json <<< '${world.url}/?key=${KEY} http://127.0.0.1:9/'`;
	const read = await runShell(check);
	const {nodes} = JSON.parse(read.stdout) as {nodes: readonly {hasAnswered: boolean}[]};
	expect(nodes.map(({hasAnswered}) => hasAnswered)).toEqual([true, false]);
	expect(read.code).toBe(69);
	const named = await runCli(['follow', 'check', 'bnb', '--json'], {env: {PULSETOP_FOLLOW: node}});
	expect(JSON.parse(named.stdout).nodes).toHaveLength(1);
	for (const text of [read.stdout, read.stderr, named.stdout]) expect(text).not.toContain(KEY);
});

test('nothing that is printed or stored has the key of the node', async () => {
	const shown = await runCli(['config', 'show', '--origin', '--json'], {env: {PULSETOP_FOLLOW: node}});
	const wrong = await runCli(['feed', '--follow', `bsd=${world.url}/?key=${KEY}`]);
	expect(wrong).toMatchObject({code: 2});
	expect(wrong.stderr).toContain('"bsd" is not a chain');
	const files = [...filesUnder(dataDir).values()];
	expect(files.length).toBeGreaterThan(0);
	const stored = files.map(bytes => bytes.toString('latin1'));
	for (const text of [shown.stdout, wrong.stderr, serve.stdout(), ...stored]) expect(text).not.toContain(KEY);
});
