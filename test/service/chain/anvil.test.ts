import {type ChildProcess, execFileSync, fork} from 'node:child_process';
import {once} from 'node:events';
import {
	chmodSync,
	existsSync,
	mkdtempSync,
	readdirSync,
	readFileSync,
	readlinkSync,
	statSync,
	utimesSync,
	writeFileSync,
} from 'node:fs';
import {rm} from 'node:fs/promises';
import {request} from 'node:http';
import {networkInterfaces, tmpdir} from 'node:os';
import {dirname, join} from 'node:path';
import {afterAll, afterEach, beforeAll, expect, test} from 'vitest';
import {WebSocket} from 'ws';
import {createJsonRpc} from '../../../source/rpc/json-rpc.ts';
import {type Anvil, startAnvil} from '../../../source/service/chain/anvil.ts';
import {findAnvil} from '../../../source/service/chain/anvil-binary.ts';
import {ChainUnavailable} from '../../../source/service/chain/driver.ts';
import {findListenAddress} from '../../../source/service/chain/listen-address.ts';
import {bareEnvironment, startWatchdog, type Watchdog} from '../../../source/service/chain/watchdog.ts';
import {until} from '../../helpers/until.ts';
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
/** Not even as a zombie. */
const isRunning = (pid: number) => {
	try {
		return !/\) Z /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
	} catch {
		return false;
	}
};

test('a chain answers for its own number through a socket of its own, with no accounts', async () => {
	const [a, b] = await Promise.all([start(), start({chainId: 42161})]);
	expect(await call(a, 'eth_chainId')).toBe('0x2105');
	expect(await call(b, 'eth_chainId')).toBe('0xa4b1');
	expect(a.rpcUrl).toMatch(/^ipc:/);
	expect(a.rpcUrl).not.toBe(b.rpcUrl);
	expect(await call(a, 'eth_accounts')).toEqual([]);
});

test('answers find their calls: many at once, in batches, with ids of the caller, and longer than one piece', async () => {
	const anvil = await start();
	const rpc = createJsonRpc(() => anvil.rpcUrl);
	const address = `0x${'aa'.repeat(20)}`;
	const code = `0x${'7b227d5b5c0a'.repeat(50_000)}`;
	await rpc.call('anvil_setCode', [address, code]);
	const accounts = Array.from({length: 200}, (_, i) => `0x${(i + 1).toString(16).padStart(40, '0')}`);
	await Promise.all(accounts.map((account, i) => rpc.call('anvil_setBalance', [account, `0x${(i + 1).toString(16)}`])));
	const balances = accounts.map(account => rpc.call('eth_getBalance', [account, 'latest']));
	const [whole, ...each] = await Promise.all([rpc.call('eth_getCode', [address, 'latest']), ...balances]);
	expect(whole).toBe(code);
	expect(each).toEqual(accounts.map((_, i) => `0x${(i + 1).toString(16)}`));
	const batch = accounts.map(account => ({method: 'eth_getBalance', params: [account, 'latest']}));
	expect(await rpc.batch(batch)).toEqual(each);
	const own = ['x', 7, null].map(id => ({jsonrpc: '2.0', id, method: 'eth_chainId', params: []}));
	expect(await rpc.forward(own)).toEqual(own.map(({id}) => ({jsonrpc: '2.0', id, result: '0x2105'})));
	expect(await rpc.forward(own[0])).toEqual({jsonrpc: '2.0', id: 'x', result: '0x2105'});
	await rpc.close();
});

test('a call to a dead node is never sent when the connection failed, and unknown when the call was in flight', async () => {
	const anvil = await start();
	const rpc = createJsonRpc(() => anvil.rpcUrl);
	await rpc.call('eth_chainId');
	process.kill(anvil.pid, 'SIGSTOP');
	// A thread that runs meanwhile still answers: the signal stops each thread when it reaches the system next.
	await until(() => hasStopped(anvil.pid));
	const lost = rpc.call('eth_chainId');
	process.kill(anvil.pid, 'SIGKILL');
	await expect(lost).rejects.toMatchObject({code: 'rpc-unanswered', neverSent: false});
	await rpc.close();
	const nowhere = createJsonRpc(() => 'ipc:/does/not/exist');
	await expect(nowhere.call('eth_chainId')).rejects.toMatchObject({neverSent: true});
	await nowhere.close();
});

/** Whether each thread of a process stands still, from the tables of the system (or of ps, where these are missing). */
function hasStopped(pid: number): boolean {
	if (process.platform !== 'linux')
		return execFileSync('ps', ['-o', 'state=', '-p', String(pid)], {encoding: 'utf8'}).startsWith('T');
	return readdirSync(`/proc/${pid}/task`).every(thread =>
		/^State:\s*T/m.test(readFileSync(`/proc/${pid}/task/${thread}/status`, 'utf8')),
	);
}

/** The ports on which a process listens, from the tables of the system. */
function portsOf(pid: number): number[] {
	const sockets = new Set(
		readdirSync(`/proc/${pid}/fd`).flatMap(fd => {
			try {
				return /^socket:\[(\d+)\]$/.exec(readlinkSync(`/proc/${pid}/fd/${fd}`))?.[1] ?? [];
			} catch {
				return [];
			}
		}),
	);
	return ['tcp', 'tcp6'].flatMap(table =>
		readFileSync(`/proc/${pid}/net/${table}`, 'utf8')
			.split('\n')
			.map(line => line.trim().split(/\s+/))
			.filter(columns => columns[3] === '0A' && sockets.has(columns[9]!))
			.map(columns => Number.parseInt(columns[1]!.split(':')[1]!, 16)),
	);
}

test.runIf(process.platform === 'linux')(
	'neither a page, by websocket, by another name or by guessing the port, nor another user reaches a chain',
	async () => {
		const anvil = await start();
		const ports = portsOf(anvil.pid);
		expect(ports.length).toBeGreaterThan(0);
		const own = Object.values(networkInterfaces()).flatMap(list => list!.map(({address}) => address));
		const hosts = ['127.0.0.1', 'localhost', '0.0.0.0', '::1', (await findListenAddress()).host, ...own];
		for (const port of ports) {
			for (const host of hosts) {
				const at = `${host.includes(':') ? `[${host}]` : host}:${port}`;
				const socket = new WebSocket(`ws://${at}`, {origin: 'https://evil.example'});
				await expect(once(socket, 'open'), at).rejects.toThrow();
				const headers = {host: 'evil.example', 'content-type': 'application/json'};
				const body = JSON.stringify({jsonrpc: '2.0', id: 1, method: 'anvil_setBalance', params: [someone, '0x1']});
				const sent = request({host, port, method: 'POST', headers}).end(body);
				await expect(once(sent, 'response'), at).rejects.toThrow();
			}
		}
		const socketFile = anvil.rpcUrl.slice('ipc:'.length);
		expect(statSync(dirname(socketFile)).mode & 0o777).toBe(0o700);
		expect(statSync(socketFile).mode & 0o077).toBe(0);
		if (process.getuid?.() === 0) {
			const look = ['-c', '[ -e "$1" ] && echo seen || echo hidden', 'sh', socketFile];
			expect(execFileSync('/bin/sh', look, {uid: 65_534, gid: 65_534, encoding: 'utf8'})).toBe('hidden\n');
			expect(execFileSync('/bin/sh', look, {encoding: 'utf8'})).toBe('seen\n');
		}
		expect(await balance(anvil)).toBe('0x0');
	},
);

test.runIf(process.platform === 'linux')(
	'a chain and its watchdog get from the environment only where programs and files are',
	async () => {
		process.env['PULSETOP_API_KEY'] = 'a secret of the tests';
		const own = startWatchdog();
		const anvil = await startAnvil({chainId: 8453, binary, watchdog: own});
		try {
			const children = readFileSync(`/proc/self/task/${process.pid}/children`, 'utf8').trim().split(' ');
			expect(children).toContain(String(anvil.pid));
			const names = children.flatMap(pid =>
				readFileSync(`/proc/${pid}/environ`, 'utf8')
					.split('\0')
					.filter(Boolean)
					.map(line => line.split('=')[0]!),
			);
			// A shell may add where it stands.
			expect(new Set(names)).toEqual(new Set([...Object.keys(bareEnvironment()), ...names.filter(n => n === 'PWD')]));
			expect(names).not.toContain('PULSETOP_API_KEY');
		} finally {
			delete process.env['PULSETOP_API_KEY'];
			await anvil.close();
			own.close();
		}
	},
);

test('files of a chain are private with any umask', async () => {
	const directory = newDirectory();
	const before = process.umask(0);
	try {
		const anvil = await start({directory});
		await call(anvil, 'anvil_setBalance', [someone, '0x7']);
		anvil.touched();
		await anvil.close();
	} finally {
		process.umask(before);
	}
	for (const name of ['8453.json', '8453.exit.json'])
		expect(statSync(join(directory, name)).mode & 0o777, name).toBe(0o600);
	chmodSync(join(directory, '8453.exit.json'), 0o666);
	await (await start({directory})).close();
	expect(statSync(join(directory, '8453.exit.json')).mode & 0o777).toBe(0o600);
});

test("a parent's death still ends its chain when the watchdog was killed before, and leaves no socket", async () => {
	const {parent, pid, rpcUrl} = await parentOf(newDirectory());
	const children = () => readFileSync(`/proc/${parent.pid}/task/${parent.pid}/children`, 'utf8').trim().split(' ');
	const [watchdogPid] = children().filter(child => child !== String(pid));
	process.kill(Number(watchdogPid), 'SIGKILL');
	await waitFor(() => children().some(child => ![String(pid), watchdogPid].includes(child)));
	parent.kill('SIGKILL');
	await waitFor(() => !isRunning(pid));
	await waitFor(() => !existsSync(dirname(rpcUrl.slice('ipc:'.length))));
});

test('thousands of calls do not stop a chain because its output is full', async () => {
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

test('a killed chain restarts with its state, and reports that', async () => {
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

test('a chain without a readable state starts empty', async () => {
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

test('a parent without work ends, and its chain with it', async () => {
	const {parent, pid} = await parentOf(newDirectory());
	const ended = new Promise(resolve => parent.once('exit', resolve));
	parent.disconnect();
	expect(await ended).toBe(0);
	await waitFor(() => !isRunning(pid));
});

test('a chain that another service runs from the same directory is not started a second time', async () => {
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
