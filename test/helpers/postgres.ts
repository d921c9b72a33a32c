import {execFileSync, spawn} from 'node:child_process';
import {chmodSync, chownSync, copyFileSync, mkdtempSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {openPostgres} from '../../source/service/store/postgres.ts';
import type {StoreAddress, StoreLimits} from '../../source/service/store/store-address.ts';
import {freePort} from './loopback.ts';
import {PATIENCE_MS} from './patience.ts';
import {findPostgres} from './postgres-programs.ts';

/** Folder of PostgreSQL's programs; undefined where there is none, and tests that need one say so. */
export const postgresBinaries: string | undefined = findPostgres();

/** A database server of its own for a test. */
export interface PostgresServer {
	/** Of its database, which may take as long as a test waits. */
	readonly address: StoreAddress;
	/** The same with the limits of the program: for a database that is stopped. */
	readonly limitedAddress: StoreAddress;
	/** The same as one text, with the password in it. */
	readonly url: string;
	/** Ends all its processes at once. */
	kill(): Promise<void>;
	/** Starts it again with its data. */
	start(): Promise<void>;
	/** Stops all its processes where they are: connections stay, and nothing answers. */
	pause(): void;
	resume(): void;
	close(): Promise<void>;
}

const fixture = (name: string): string => new URL(`../fixtures/${name}`, import.meta.url).pathname;
/** The certificate of a server that was started with `ssl: 'on'`, for `localhost` and 127.0.0.1, signed by itself. */
export const SERVER_CERTIFICATE = fixture('localhost-certificate.pem');

/** Nobody: PostgreSQL refuses to run as root. */
const NOBODY = 65_534;
const PASSWORD = 'secret';
/** What a server has written outlives its kill; only a machine without power needs more, which costs tests most of their time. */
const DEFAULTS = {fsync: 'off'};

const PATIENT: StoreLimits = {
	connectMs: PATIENCE_MS,
	statementMs: PATIENCE_MS,
	lockMs: PATIENCE_MS,
	idleInTransactionMs: PATIENCE_MS,
	waitMs: PATIENCE_MS,
};

/**
 * Starts a server with an empty database, on a free port of this machine.
 * @param settings of postgresql.conf; paths in them are read by another user than root
 */
export async function startPostgres(settings: Readonly<Record<string, string>> = {}): Promise<PostgresServer> {
	const bin = postgresBinaries!;
	const directory = mkdtempSync(join(tmpdir(), 'pulsetop-pg-'));
	const user = process.getuid?.() === 0 ? {uid: NOBODY, gid: NOBODY} : {};
	const data = join(directory, 'data');
	const passwordFile = join(directory, 'password');
	writeFileSync(passwordFile, PASSWORD);
	if (user.uid !== undefined) for (const path of [directory, passwordFile]) chownSync(path, NOBODY, NOBODY);
	const access = ['-U', 'pulsetop', '-A', 'scram-sha-256', '--pwfile', passwordFile];
	execFileSync(join(bin, 'initdb'), ['-D', data, ...access, '-E', 'UTF8', '--no-sync', '--locale=C'], {
		...user,
		cwd: directory,
		stdio: 'ignore',
	});
	if (settings['ssl'] === 'on') {
		const files = {'server.crt': SERVER_CERTIFICATE, 'server.key': fixture('localhost-key.pem')};
		for (const [name, from] of Object.entries(files)) {
			copyFileSync(from, join(data, name));
			chmodSync(join(data, name), 0o600);
			if (user.uid !== undefined) chownSync(join(data, name), NOBODY, NOBODY);
		}
	}
	const port = await freePort();
	const url = `postgres://pulsetop@127.0.0.1:${port}/postgres`;
	const limitedAddress: StoreAddress = {url, password: PASSWORD, tls: 'off'};
	const address: StoreAddress = {...limitedAddress, limits: PATIENT};
	const options = ['-D', data, '-p', String(port), '-h', '127.0.0.1', '-k', directory];
	for (const [name, value] of Object.entries({...DEFAULTS, ...settings})) options.push('-c', `${name}=${value}`);
	let child: ReturnType<typeof spawn> | undefined;
	let ended: Promise<unknown> = Promise.resolve();
	const start = async (): Promise<void> => {
		child = spawn(join(bin, 'postgres'), options, {...user, cwd: directory, stdio: 'ignore'});
		ended = new Promise(resolve => child!.once('exit', resolve));
		await untilIs('PostgreSQL did not start', async () => {
			if (child!.exitCode !== null) throw new Error(`PostgreSQL ended with ${child!.exitCode}`);
			const database = await openPostgres(address).catch(() => undefined);
			await database?.close();
			return database !== undefined;
		});
	};
	/** The server and its processes for connections, which lead groups of their own. */
	const processes = (): number[] => (child?.pid === undefined ? [] : [child.pid, ...childrenOf(child.pid)]);
	const signalAll = (signal: NodeJS.Signals): number[] => {
		const pids = processes();
		for (const pid of pids) send(pid, signal);
		return pids;
	};
	const kill = async (): Promise<void> => {
		if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
		const pids = signalAll('SIGKILL');
		await ended;
		// A new server refuses to start while one of them has the memory that they share.
		await untilIs('PostgreSQL did not end', async () => pids.every(pid => !send(pid, 0)));
	};
	await start();
	return {
		address,
		limitedAddress,
		url: url.replace('@', `:${PASSWORD}@`),
		start,
		kill,
		pause: () => void signalAll('SIGSTOP'),
		resume: () => void signalAll('SIGCONT'),
		async close() {
			await kill();
			rmSync(directory, {recursive: true, force: true});
		},
	};
}

function childrenOf(parent: number): number[] {
	const lines = execFileSync('ps', ['-A', '-o', 'pid=,ppid='], {encoding: 'utf8'}).trim().split('\n');
	return lines.map(line => line.trim().split(/\s+/).map(Number)).flatMap(([pid, of]) => (of === parent ? [pid!] : []));
}

/** False when there is no such process any more. */
function send(pid: number, signal: NodeJS.Signals | 0): boolean {
	try {
		return process.kill(pid, signal);
	} catch {
		return false;
	}
}

async function untilIs(otherwise: string, isSo: () => Promise<boolean>): Promise<void> {
	const untilMs = performance.now() + PATIENCE_MS;
	while (!(await isSo())) {
		if (performance.now() > untilMs) throw new Error(otherwise);
		await new Promise(resolve => setTimeout(resolve, 50));
	}
}
