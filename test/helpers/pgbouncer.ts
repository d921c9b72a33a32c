import {execFileSync, spawn} from 'node:child_process';
import {chownSync, mkdtempSync, rmSync, writeFileSync} from 'node:fs';
import {connect} from 'node:net';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import type {StoreAddress} from '../../source/service/store/store-address.ts';
import {freePort} from './loopback.ts';
import {PATIENCE_MS} from './patience.ts';

/** Nobody: PgBouncer refuses to run as root. */
const NOBODY = 65_534;

/** Whether PgBouncer is installed; tests that need it say so. */
export const hasPgBouncer: boolean = (() => {
	try {
		execFileSync('pgbouncer', ['--version'], {stdio: 'ignore'});
		return true;
	} catch {
		return false;
	}
})();

/** Starts a pooler before a database. @returns the address through it */
export async function startPgBouncer(
	{url, password, ...rest}: StoreAddress,
	poolMode: 'session' | 'transaction',
): Promise<{readonly address: StoreAddress; close(): Promise<void>}> {
	const directory = mkdtempSync(join(tmpdir(), 'pulsetop-pooler-'));
	const user = process.getuid?.() === 0 ? {uid: NOBODY, gid: NOBODY} : {};
	const port = await freePort();
	const {port: databasePort, username, pathname} = new URL(url);
	const [users, config] = [join(directory, 'users'), join(directory, 'pgbouncer.ini')];
	writeFileSync(users, `"${username}" "${password}"\n`);
	writeFileSync(
		config,
		`[databases]
postgres = host=127.0.0.1 port=${databasePort} dbname=${pathname.slice(1)}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = scram-sha-256
auth_file = ${users}
pool_mode = ${poolMode}
`,
	);
	if (user.uid !== undefined) for (const path of [directory, users, config]) chownSync(path, NOBODY, NOBODY);
	const child = spawn('pgbouncer', ['-q', config], {...user, cwd: directory, stdio: 'ignore'});
	const ended = new Promise(resolve => child.once('exit', resolve));
	const through = new URL(url);
	through.port = String(port);
	const untilMs = performance.now() + PATIENCE_MS;
	while (!(await listens(port))) {
		if (child.exitCode !== null) throw new Error(`PgBouncer ended with ${child.exitCode}`);
		if (performance.now() > untilMs) throw new Error('PgBouncer did not start');
		await new Promise(resolve => setTimeout(resolve, 20));
	}
	return {
		address: {...rest, url: through.href, password},
		async close() {
			child.kill('SIGKILL');
			await ended;
			rmSync(directory, {recursive: true, force: true});
		},
	};
}

function listens(port: number): Promise<boolean> {
	return new Promise(resolve => {
		const socket = connect(port, '127.0.0.1');
		socket.once('connect', () => {
			socket.destroy();
			resolve(true);
		});
		socket.once('error', () => resolve(false));
	});
}
