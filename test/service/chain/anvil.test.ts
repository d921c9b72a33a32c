import {type ChildProcess, fork} from 'node:child_process';
import {mkdtempSync, readdirSync, readFileSync, utimesSync, writeFileSync} from 'node:fs';
import {rm} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {afterAll, afterEach, beforeAll, expect, test} from 'vitest';
import {type Anvil, startAnvil} from '../../../source/service/chain/anvil.ts';
import {findAnvil} from '../../../source/service/chain/anvil-binary.ts';
import {ChainUnavailable} from '../../../source/service/chain/driver.ts';
import {createJsonRpc} from '../../../source/service/chain/json-rpc.ts';
import {startWatchdog, type Watchdog} from '../../../source/service/chain/watchdog.ts';
import {waitFor} from './practice.ts';

const binary = findAnvil().path!;
const root = mkdtempSync(join(tmpdir(), 'pulsetop-anvil-'));
const started: Anvil[] = [];
let watchdog: Watchdog;
let directories = 0;

beforeAll(() => {
	watchdog = startWatchdog();
});
afterEach(async () => {
	await Promise.all(started.splice(0).map(anvil => anvil.close()));
});
afterAll(async () => {
	watchdog.close();
	await rm(root, {recursive: true});
});

const newDirectory = () => join(root, String(++directories));
const someone = `0x${'ab'.repeat(20)}`;

async function start(
	options: {directory?: string; chainId?: number; log?: (line: string) => void} = {},
): Promise<Anvil> {
	const anvil = await startAnvil({chainId: 8453, binary, watchdog, ...options});
	started.push(anvil);
	return anvil;
}

async function call<T>(anvil: {rpcUrl: string}, method: string, params: unknown[] = []): Promise<T> {
	const rpc = createJsonRpc(() => anvil.rpcUrl);
	try {
		return await rpc.call<T>(method, params);
	} finally {
		await rpc.close();
	}
}

const balance = (anvil: Anvil) => call<string>(anvil, 'eth_getBalance', [someone, 'latest']);
/** Not even as a process that has ended and whose parent has not noticed yet. */
const isRunning = (pid: number) => {
	try {
		return !/\) Z /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
	} catch {
		return false;
	}
};

test('a chain answers for its own number on a port of its own, with no accounts, on this machine only', async () => {
	const [a, b] = await Promise.all([start(), start({chainId: 42161})]);
	expect(await call(a, 'eth_chainId')).toBe('0x2105');
	expect(await call(b, 'eth_chainId')).toBe('0xa4b1');
	expect(a.rpcUrl).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
	expect(a.rpcUrl).not.toBe(b.rpcUrl);
	expect(await call(a, 'eth_accounts')).toEqual([]);
});

test('no web page may call the chain', async () => {
	const anvil = await start();
	const preflight = await fetch(anvil.rpcUrl, {
		method: 'OPTIONS',
		headers: {origin: 'https://example.org', 'access-control-request-method': 'POST'},
	});
	expect(preflight.headers.get('access-control-allow-origin')).toBeNull();
});

test('a chain that is asked thousands of times does not stop because nobody reads its output', async () => {
	const anvil = await start();
	const rpc = createJsonRpc(() => anvil.rpcUrl);
	await rpc.call('anvil_setLoggingEnabled', [true]);
	const calls = Array.from({length: 500}, () => ({method: 'eth_chainId', params: []}));
	for (let i = 0; i < 10; i++) await rpc.batch(calls);
	expect(await rpc.call('eth_chainId')).toBe('0x2105');
	await rpc.close();
});

test('what is on a chain is there again after a stop', async () => {
	const directory = newDirectory();
	const first = await start({directory});
	await call(first, 'anvil_setBalance', [someone, '0x7']);
	first.touched();
	await first.close();
	expect(await balance(await start({directory}))).toBe('0x7');
});

test('a chain that is killed comes back with what it had, on its own, and says so', async () => {
	const directory = newDirectory();
	const anvil = await start({directory});
	const news: (string | undefined)[] = [];
	anvil.onChange(reason => news.push(reason));
	await call(anvil, 'anvil_setBalance', [someone, '0x7']);
	anvil.touched();
	await waitFor(() => readdirSync(directory).includes('8453.json'));
	const {pid} = anvil;
	process.kill(pid, 'SIGKILL');
	await waitFor(() => news.length === 2);
	expect(news).toEqual(['its node ended and is being started again', undefined]);
	expect(anvil.pid).not.toBe(pid);
	expect(await balance(anvil)).toBe('0x7');
});

test('a saved state that cannot be read is kept aside and the one before it is used', async () => {
	const directory = newDirectory();
	const first = await start({directory});
	await call(first, 'anvil_setBalance', [someone, '0x7']);
	first.touched();
	await first.close();
	const newest = join(directory, '8453.exit.json');
	writeFileSync(newest, '{"cut off');
	// Both were written within a tick of the file system's clock, or this one a moment later.
	utimesSync(newest, new Date(), new Date(Date.now() + 1000));
	const lines: string[] = [];
	const second = await start({directory, log: line => lines.push(line)});
	expect(await balance(second)).toBe('0x7');
	expect(readdirSync(directory).filter(name => name.includes('unreadable'))).toHaveLength(1);
	expect(lines.join()).toContain('cannot be read and was kept as');
});

test('a chain whose every state is unreadable begins anew', async () => {
	const directory = newDirectory();
	await (await start({directory})).close();
	for (const name of ['8453.json', '8453.exit.json']) writeFileSync(join(directory, name), '');
	const anvil = await start({directory});
	expect(await call(anvil, 'eth_blockNumber')).toBe('0x0');
});

test('a program that is no node is said to have ended at once', async () => {
	const failing = startAnvil({chainId: 8453, binary: '/bin/false', watchdog});
	await expect(failing).rejects.toThrow(ChainUnavailable);
	await expect(failing).rejects.toMatchObject({why: 'its node ended at once (exit 1)'});
	const missing = startAnvil({chainId: 8453, binary: '/does/not/exist', watchdog});
	await expect(missing).rejects.toMatchObject({why: 'its node cannot be started: ENOENT'});
});

/** A process that runs a chain and says its pid, so that it can be ended in every way. */
async function parentOf(directory: string): Promise<{parent: ChildProcess; pid: number; rpcUrl: string}> {
	const parent = fork(new URL('./anvil-parent.ts', import.meta.url), [directory], {stdio: 'ignore'});
	const said = await new Promise<{pid: number; rpcUrl: string}>(resolve => parent.once('message', resolve as never));
	return {parent, ...said};
}

test.each(['SIGKILL', 'SIGTERM'] as const)(
	'a chain does not outlive a parent that is ended by %s, and loses nothing',
	async signal => {
		const directory = newDirectory();
		const {parent, pid, rpcUrl} = await parentOf(directory);
		await call({rpcUrl}, 'anvil_setBalance', [someone, '0x9']);
		parent.kill(signal);
		await waitFor(() => !isRunning(pid));
		expect(await balance(await start({directory}))).toBe('0x9');
	},
);

test('a parent that has nothing left to do ends by itself, and its chain with it', async () => {
	const {parent, pid} = await parentOf(newDirectory());
	const ended = new Promise(resolve => parent.once('exit', resolve));
	parent.disconnect();
	expect(await ended).toBe(0);
	await waitFor(() => !isRunning(pid));
});

test('a chain that another service runs from the same directory is not begun a second time', async () => {
	const directory = newDirectory();
	const {parent, pid} = await parentOf(directory);
	await expect(start({directory})).rejects.toMatchObject({why: 'another service runs it from the same data directory'});
	parent.kill();
	await waitFor(() => !isRunning(pid));
});

test('the program is looked for where it was configured, and there only', () => {
	expect(findAnvil({path: '/bin/false'}).path).toBe('/bin/false');
	expect(findAnvil({path: '/does/not/exist'})).toEqual({tried: ['the configured path']});
	expect(findAnvil({env: {ANVIL_BIN: '/bin/true'}}).path).toBe('/bin/true');
	expect(findAnvil({env: {}}).path).toMatch(/anvil-[a-z0-9-]+\/bin\/anvil/);
});
