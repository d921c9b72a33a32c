import {execFile, spawn, spawnSync} from 'node:child_process';
import {once} from 'node:events';
import {mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {type AddressInfo, createServer} from 'node:net';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {afterAll, beforeAll, describe, expect, test} from 'vitest';
import {PATIENCE_MS} from '../helpers/patience.ts';
import {CLI, runCli, startServe} from '../helpers/program.ts';
import {isolatedEnvironment, type Pty, withPty} from '../helpers/pty.ts';
import {HybridKeys, shakeHands} from '../helpers/ssh-handshake.ts';

/* `pulsetop serve-ssh` with the real OpenSSH client, as people have it. */

// Only Linux has all of 127.0.0.0/8, from which the clients of the tests come.
const hasOpenSSH = process.platform === 'linux' && spawnSync('ssh', ['-V']).status === 0;
if (!hasOpenSSH) process.stderr.write('ssh of OpenSSH is not installed, or this is not Linux: its tests are skipped\n');

/** Whether a client is installed; says so where it is not. */
function isInstalled(name: string): boolean {
	const found = process.platform === 'linux' && spawnSync(name, ['-V']).error === undefined;
	if (!found) process.stderr.write(`${name} is not installed, or this is not Linux: its test is skipped\n`);
	return found;
}

const home = mkdtempSync(join(tmpdir(), 'pulsetop-ssh-'));
afterAll(() => rmSync(home, {recursive: true, force: true}));

/** A server that runs, and what it printed. */
interface Served {
	readonly port: number;
	readonly stdout: () => string;
	readonly stderr: () => string;
	readonly stop: (signal?: NodeJS.Signals) => Promise<number | null>;
}

async function serve(...flags: readonly string[]): Promise<Served> {
	const child = spawn(
		process.execPath,
		[CLI, 'serve-ssh', '--port', '0', '--drain-seconds', '0', '--data-dir', join(home, 'data'), ...flags],
		{stdio: ['ignore', 'pipe', 'pipe'], env: isolatedEnvironment(home)},
	);
	let stdout = '';
	let stderr = '';
	child.stderr.on('data', data => {
		stderr += data;
	});
	const ended = new Promise<number | null>(resolve => child.on('close', resolve));
	const port = await new Promise<number>((resolve, reject) => {
		child.stdout.on('data', data => {
			stdout += data;
			const found = /listening on [\d.]+:(\d+)/.exec(stdout)?.[1];
			if (found !== undefined) resolve(Number(found));
		});
		void ended.then(code => reject(new Error(`serve-ssh ended with code ${code}: ${stderr}`)));
	});
	return {
		port,
		stdout: () => stdout,
		stderr: () => stderr,
		stop: signal => {
			child.kill(signal ?? 'SIGTERM');
			return ended;
		},
	};
}

/** The address of the last client: each has one of its own, since the server takes one connection a second from an address. */
let client = 1;

/** The arguments of ssh for a server of the tests. */
function sshArguments(port: number, ...more: readonly string[]): readonly string[] {
	const options = {
		BindAddress: `127.0.1.${++client}`,
		UserKnownHostsFile: join(home, 'known_hosts'),
		StrictHostKeyChecking: 'accept-new',
		LogLevel: 'ERROR',
	};
	return [
		...['-F', 'none', '-p', String(port)],
		...Object.entries(options).flatMap(([name, value]) => ['-o', `${name}=${value}`]),
		...more,
	];
}

/** Runs ssh without a terminal. */
function ssh(port: number, ...more: readonly string[]): Promise<{code: number; stdout: string; stderr: string}> {
	return new Promise(resolve => {
		const child = execFile(
			'ssh',
			[...sshArguments(port, ...more)],
			{timeout: PATIENCE_MS, maxBuffer: 1 << 26},
			(error, stdout, stderr) => resolve({code: error ? Number(error.code ?? -1) : 0, stdout, stderr}),
		);
		child.stdin?.end();
	});
}

function keyFile(name: string, kind: string): string {
	const path = join(home, name);
	const {status} = spawnSync('ssh-keygen', ['-q', '-t', kind, '-N', '', '-C', `${name} of the tests`, '-f', path]);
	expect(status).toBe(0);
	return path;
}

const asScreen = (
	port: number,
	size: {columns: number; rows: number},
	use: (pty: Pty) => Promise<void>,
	...more: string[]
) => withPty({...size, command: 'ssh', args: sshArguments(port, ...more), env: {HOME: home}}, use);

test('another address than loopback needs --open or --viewers, and an address that is taken is named', async () => {
	const refused = await runCli(['serve-ssh', '--host', '0.0.0.0', '--port', '0']);
	expect(refused).toMatchObject({code: 2, stdout: ''});
	expect(refused.stderr).toMatch(/--host 0\.0\.0\.0 needs --open or --viewers/);
	const missing = await runCli(['serve-ssh', '--port', '0', '--viewers', join(home, 'nowhere')]);
	expect(missing).toMatchObject({code: 2});
	expect(missing.stderr).toMatch(/--viewers .*nowhere can't be read\n +there is no such file/);
	const other = createServer().listen(0, '127.0.0.1');
	await once(other, 'listening');
	const {port} = other.address() as AddressInfo;
	const taken = await runCli(['serve-ssh', '--port', String(port)]);
	other.close();
	expect(taken).toMatchObject({code: 1, stdout: ''});
	expect(taken.stderr).toMatch(
		/127\.0\.0\.1:\d+ can't be listened on\n +port \d+ is already in use\n +Give another --port/,
	);
});

describe.skipIf(process.platform !== 'linux')('the post-quantum key exchange that OpenSSH prefers', () => {
	const algorithm = 'mlkem768x25519-sha256';
	let served: Served;
	const exchange = (init: Buffer, secretOf: (reply: Buffer) => Buffer) =>
		shakeHands({port: served.port, from: `127.0.1.${++client}`, algorithm}, init, secretOf);
	beforeAll(async () => {
		served = await serve();
	});
	afterAll(async () => {
		await served.stop('SIGKILL');
	});

	test('is offered after one of curve25519, and signed over the secret of both parts', async () => {
		for (let i = 0; i < 6; i++) {
			const keys = new HybridKeys();
			const shaken = await exchange(keys.init, reply => keys.secret(reply));
			expect(shaken).toEqual({isSigned: true, offers: expect.arrayContaining([algorithm])});
			// Dropbear waits for ever when the first exchange of both is the same.
			expect(shaken?.offers[0]).toBe('curve25519-sha256@libssh.org');
		}
		const keys = new HybridKeys();
		expect(await exchange(keys.init, () => Buffer.alloc(32))).toMatchObject({isSigned: false});
	});

	test('ends the connection of a client with bad keys, and no other', async () => {
		const keys = new HybridKeys();
		const {init} = keys;
		const bad = [
			Buffer.alloc(0),
			init.subarray(1),
			Buffer.concat([init, Buffer.alloc(1)]),
			// Coefficients beyond the modulus (FIPS 203, 7.2), and a point of small order.
			Buffer.concat([Buffer.alloc(1184, 0xff), init.subarray(1184)]),
			Buffer.concat([init.subarray(0, 1184), Buffer.alloc(32)]),
		];
		for (const keysOfClient of bad) expect(await exchange(keysOfClient, () => Buffer.alloc(32))).toBeUndefined();
		expect(await exchange(init, reply => keys.secret(reply))).toMatchObject({isSigned: true});
	});
});

describe.skipIf(!hasOpenSSH)('OpenSSH', () => {
	let served: Served;
	beforeAll(async () => {
		served = await serve('--title', 'market of the tests', '--per-address', '20');
	});
	afterAll(async () => {
		await served.stop('SIGKILL');
	});

	test('a guest sees the market at once, moves, opens a token, and leaves with q', async () => {
		await asScreen(
			served.port,
			{columns: 120, rows: 36},
			async pty => {
				await pty.waitFor(/market of the tests/);
				await pty.waitFor(/NEW \d\d/);
				expect(pty.screenText()).toMatch(/PRACTICE +read-only guest/);
				pty.type('jj\r');
				await pty.waitFor(/Esc close/);
				pty.type('\u001b');
				pty.resize(80, 24);
				await pty.waitFor(/Tab: BONDED|Tab: BONDING|Tab:/);
				pty.type('q');
				expect((await pty.exit).code).toBe(0);
				expect(pty.screenText()).toMatch(/pulsetop: \d+ s/);
				expect(pty.screen.isAlternate()).toBe(false);
			},
			'guest@127.0.0.1',
		);
	});

	test('without a key, in batches, a guest is let in by name only', async () => {
		expect(await ssh(served.port, '-o', 'BatchMode=yes', 'guest@127.0.0.1', 'version')).toMatchObject({code: 0});
		const other = ['-o', 'BatchMode=yes', '-o', 'IdentitiesOnly=yes', '-i', '/dev/null', 'nobody@127.0.0.1', 'version'];
		expect((await ssh(served.port, ...other)).code).toBe(255);
	});

	test('words work without a screen; all else is no command', async () => {
		const {stdout, code} = await ssh(served.port, 'guest@127.0.0.1', 'feed --json --view new --limit 2');
		expect(code).toBe(0);
		expect(JSON.parse(stdout)).toMatchObject({schema: 'pulsetop.feed/1', views: {new: {tokens: [{}, {}]}}});
		const wrong = await ssh(served.port, 'guest@127.0.0.1', 'feed --config /etc/passwd');
		expect(wrong).toMatchObject({code: 1, stdout: ''});
		expect(wrong.stderr).toMatch(/--config is not a flag/);
		for (const command of ['ls /', 'scp -f /etc/passwd', 'rsync --server', 'sh -c id', '$(id)'])
			expect(await ssh(served.port, 'guest@127.0.0.1', command)).toMatchObject({code: 127, stdout: ''});
		expect((await ssh(served.port, '-T', 'guest@127.0.0.1')).stderr).toMatch(/needs a terminal of 40x10/);
	});

	test('files, forwarding and agents are refused', async () => {
		const scp = spawnSync('scp', [
			'-O',
			...sshArguments(served.port).map(text => (text === '-p' ? '-P' : text)),
			'guest@127.0.0.1:/etc/passwd',
			home,
		]);
		expect(scp.status).not.toBe(0);
		const sftp = spawnSync(
			'sftp',
			[...sshArguments(served.port).map(text => (text === '-p' ? '-P' : text)), 'guest@127.0.0.1'],
			{input: 'ls\n'},
		);
		expect(sftp.status).not.toBe(0);
		const forward = ['-o', 'ExitOnForwardFailure=yes', '-R', '0:127.0.0.1:1', 'guest@127.0.0.1', 'version'];
		expect((await ssh(served.port, ...forward)).code).not.toBe(0);
		const rest = ['-A', '-X', '-o', 'ClearAllForwardings=yes', 'guest@127.0.0.1', 'version'];
		expect((await ssh(served.port, ...rest)).code).toBe(0);
		expect(readdirSync(home)).not.toContain('passwd');
	});

	test.each(['ed25519', 'rsa', 'ecdsa'])('an %s key comes in and is named in the log', async kind => {
		const key = keyFile(`key-${kind}`, kind);
		const {code} = await ssh(served.port, '-o', 'IdentitiesOnly=yes', '-i', key, 'x@127.0.0.1', 'version');
		expect(code).toBe(0);
		const {stdout} = spawnSync('ssh-keygen', ['-l', '-f', `${key}.pub`], {encoding: 'utf8'});
		await expect.poll(() => served.stderr()).toContain(stdout.split(' ')[1]);
	});

	test('what a key pins is there at its next visit, and is forgotten when it says so', async () => {
		const key = keyFile('pinner', 'ed25519');
		const who = ['-o', 'IdentitiesOnly=yes', '-i', key, 'x@127.0.0.1'];
		await asScreen(
			served.port,
			{columns: 120, rows: 36},
			async pty => {
				await pty.waitFor(/NEW \d\d/);
				pty.type('jP');
				await pty.waitFor(/Pinned/);
				pty.type('q');
				await pty.exit;
			},
			...who,
		);
		await expect
			.poll(async () => (await ssh(served.port, ...who, 'settings show')).stdout)
			.toMatch(/"pins":\s*\[\s*\[/);
		expect((await ssh(served.port, ...who, 'settings forget')).stdout).toBe('Forgotten.\n');
		expect((await ssh(served.port, ...who, 'settings show')).stdout).toBe('Nothing is kept for you.\n');
	});

	test('keys that are renewed every 64 kB change nothing', async () => {
		const {code, stdout} = await ssh(served.port, '-o', 'RekeyLimit=64K', 'guest@127.0.0.1', 'feed --json');
		expect(code).toBe(0);
		expect(Object.keys(JSON.parse(stdout).views)).toEqual(['new', 'bonding', 'bonded']);
	});
});

describe('other clients', () => {
	let served: Served;
	beforeAll(async () => {
		served = await serve('--open');
	});
	afterAll(async () => {
		await served.stop('SIGKILL');
	});

	const CLIENTS = [
		{
			name: 'dbclient',
			args: (port: number) => ['-y', '-y', '-b', `127.0.1.${++client}`, '-p', String(port), 'guest@127.0.0.1'],
		},
		{name: 'plink', args: (port: number) => ['-ssh', '-no-antispoof', '-t', '-P', String(port), 'guest@127.0.0.1']},
	];
	for (const {name, args} of CLIENTS) {
		test.skipIf(!isInstalled(name))(
			`${name} shows the market, opens a token, follows a resize and leaves with q`,
			async () => {
				const size = {columns: 120, rows: 36};
				// It keeps the host's key at home, where Dropbear makes no folder.
				mkdirSync(join(home, '.ssh'), {recursive: true});
				await withPty({...size, command: name, args: args(served.port), env: {HOME: home}}, async pty => {
					if (name === 'plink') {
						await pty.waitFor(/Store key in cache/);
						pty.type('y\r');
					}
					await pty.waitFor(/NEW \d\d/);
					pty.type('jj\r');
					await pty.waitFor(/Esc close/);
					pty.type('\u001b');
					pty.resize(80, 24);
					await pty.waitFor(/Tab: BOND/);
					pty.type('q');
					expect((await pty.exit).code).toBe(0);
					expect(pty.screen.isAlternate()).toBe(false);
				});
			},
		);
	}
});

describe.skipIf(!hasOpenSSH)('a file of keys', () => {
	test('lets its keys in by name, is read again when it changes, and refuses a line aloud', async () => {
		const [anna, ben] = [keyFile('anna', 'ed25519'), keyFile('ben', 'ed25519')];
		const file = join(home, 'viewers');
		const line = (key: string): string => readFileSync(`${key}.pub`, 'utf8');
		writeFileSync(file, `${line(anna)}command="sh" ${line(ben)}`);
		const served = await serve('--viewers', file);
		try {
			expect(served.stderr()).toMatch(/line 2: the option command is not known here/);
			const enter = (key: string) => ssh(served.port, '-o', 'IdentitiesOnly=yes', '-i', key, 'x@127.0.0.1', 'version');
			expect((await enter(anna)).code).toBe(0);
			expect((await enter(ben)).code).toBe(255);
			expect((await ssh(served.port, 'guest@127.0.0.1', '-o', 'BatchMode=yes', 'version')).code).toBe(255);
			writeFileSync(file, line(ben));
			await expect.poll(async () => (await enter(ben)).code, {interval: 1500}).toBe(0);
			expect((await enter(anna)).code).toBe(255);
		} finally {
			await served.stop('SIGKILL');
		}
	});
});

describe.skipIf(!hasOpenSSH)('a service elsewhere', () => {
	test('is named by --title and not by its address, and a simulated market says that it is one', async () => {
		const service = await startServe(['--no-auth']);
		const served = await serve('--base-url', service.url, '--title', 'our market');
		try {
			await asScreen(
				served.port,
				{columns: 120, rows: 24},
				async pty => {
					await pty.waitFor(/NEW \d\d/);
					await pty.waitFor(/SIMULATED/);
					expect(pty.row(0)).toMatch(/our market/);
					expect(pty.screenText()).not.toContain(new URL(service.url).host);
				},
				'guest@127.0.0.1',
			);
		} finally {
			await served.stop('SIGKILL');
			await service.stop('SIGKILL');
		}
	});
});

describe.skipIf(!hasOpenSSH)('the figures', () => {
	test('count viewers, logins and ends, and the health says when the server drains', async () => {
		const served = await serve('--metrics', '127.0.0.1:0');
		try {
			await expect.poll(() => served.stdout()).toMatch(/metrics on http:\S+\n/);
			const [, url = ''] = /metrics on (http:\S+)/.exec(served.stdout())!;
			const read = async (): Promise<string> => (await fetch(url)).text();
			expect(await read()).toMatch(/^pulsetop_ssh_viewers 0$/m);
			await asScreen(
				served.port,
				{columns: 80, rows: 24},
				async pty => {
					await pty.waitFor(/NEW \d\d/);
					const during = await read();
					expect(during).toMatch(/^pulsetop_ssh_viewers 1$/m);
					expect(during).toMatch(/^pulsetop_ssh_shared_views [3-9]$/m);
					pty.type('q');
					await pty.exit;
				},
				'guest@127.0.0.1',
			);
			await expect.poll(read).toMatch(/^pulsetop_ssh_connections_total\{end="quit"\} 1$/m);
			const after = await read();
			expect(after).toMatch(/^pulsetop_ssh_logins_total\{kind="guest"\} 1$/m);
			expect(Number(/^pulsetop_ssh_bytes_total (\d+)$/m.exec(after)![1])).toBeGreaterThan(1000);
			expect((await fetch(url.replace('/metrics', '/health'))).status).toBe(200);
			expect((await fetch(url.replace('/metrics', '/x'))).status).toBe(404);
		} finally {
			await served.stop('SIGKILL');
		}
	});
});

test('where the server listens on every address, the way to it names no address', async () => {
	const served = await serve('--host', '0.0.0.0', '--open');
	await expect.poll(() => served.stdout()).toMatch(/^ssh -p \d+ HOST$/m);
	await served.stop('SIGKILL');
});

describe.skipIf(!hasOpenSSH)('the end of the server', () => {
	test('SIGTERM restores each terminal, says how to come again, and ends with 0; the host key stays', async () => {
		const served = await serve();
		const fingerprint = /host key (\S+)/.exec(served.stdout())![1];
		await asScreen(
			served.port,
			{columns: 100, rows: 30},
			async pty => {
				await pty.waitFor(/NEW \d\d/);
				const code = served.stop();
				expect((await pty.exit).code).toBe(75);
				expect(pty.screenText()).toMatch(/restarting, connect again: ssh -p \d+ 127\.0\.0\.1/);
				expect(pty.screen.isAlternate()).toBe(false);
				expect(await code).toBe(0);
			},
			'guest@127.0.0.1',
		);
		const again = await serve();
		expect(again.stdout()).toContain(fingerprint);
		await again.stop('SIGKILL');
	});
});
