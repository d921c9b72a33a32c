import {execFileSync, spawn} from 'node:child_process';
import {chownSync, existsSync, mkdtempSync, readdirSync, rmSync} from 'node:fs';
import {createServer} from 'node:net';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {openPostgres} from '../../source/service/store/postgres.ts';
import {PATIENCE_MS} from './patience.ts';

/** A database server of its own for a test. */
export interface PostgresServer {
	/** The address of its database, with a password. */
	readonly url: string;
	/** Ends it as a crash of its machine would. */
	kill(): Promise<void>;
	/** Starts it again with its data. */
	start(): Promise<void>;
	close(): Promise<void>;
}

/** Nobody: PostgreSQL refuses to run as root. */
const NOBODY = 65_534;

/** Folder of PostgreSQL's programs; undefined where there is none, and tests that need one say so. */
export const postgresBinaries: string | undefined = findBinaries();

function findBinaries(): string | undefined {
	const debian = '/usr/lib/postgresql';
	const versions = existsSync(debian) ? readdirSync(debian).sort((a, b) => Number(b) - Number(a)) : [];
	const places = [
		...versions.map(version => join(debian, version, 'bin')),
		...(process.env['PATH'] ?? '').split(':'),
		'/opt/homebrew/opt/postgresql/bin',
	];
	return places.find(place => existsSync(join(place, 'initdb')) && existsSync(join(place, 'postgres')));
}

/** Starts a server with an empty database, on a free port of this machine. */
export async function startPostgres(): Promise<PostgresServer> {
	const bin = postgresBinaries!;
	const directory = mkdtempSync(join(tmpdir(), 'pulsetop-pg-'));
	const user = process.getuid?.() === 0 ? {uid: NOBODY, gid: NOBODY} : {};
	if (user.uid !== undefined) chownSync(directory, NOBODY, NOBODY);
	const data = join(directory, 'data');
	execFileSync(
		join(bin, 'initdb'),
		['-D', data, '-U', 'pulsetop', '-A', 'trust', '-E', 'UTF8', '--no-sync', '--locale=C'],
		{
			...user,
			cwd: directory,
			stdio: 'ignore',
		},
	);
	const port = await freePort();
	const url = `postgres://pulsetop:secret@127.0.0.1:${port}/postgres`;
	let child: ReturnType<typeof spawn> | undefined;
	let ended: Promise<unknown> = Promise.resolve();
	const start = async (): Promise<void> => {
		const options = ['-D', data, '-p', String(port), '-h', '127.0.0.1', '-k', directory, '-c', 'logging_collector=off'];
		child = spawn(join(bin, 'postgres'), options, {...user, cwd: directory, stdio: 'ignore'});
		ended = new Promise(resolve => child!.once('exit', resolve));
		const untilMs = performance.now() + PATIENCE_MS;
		for (;;) {
			const database = await openPostgres(url).catch(() => undefined);
			if (database) return database.close();
			if (performance.now() > untilMs) throw new Error('PostgreSQL did not start');
			await new Promise(resolve => setTimeout(resolve, 50));
		}
	};
	const end = async (signal: NodeJS.Signals): Promise<void> => {
		child?.kill(signal);
		await ended;
	};
	await start();
	return {
		url,
		start,
		kill: () => end('SIGKILL'),
		async close() {
			await end('SIGQUIT');
			rmSync(directory, {recursive: true, force: true});
		},
	};
}

function freePort(): Promise<number> {
	return new Promise((resolve, reject) => {
		const server = createServer();
		server.once('error', reject);
		server.listen(0, '127.0.0.1', () => {
			const {port} = server.address() as {port: number};
			server.close(() => resolve(port));
		});
	});
}
