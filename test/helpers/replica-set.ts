import {type ChildProcess, spawn} from 'node:child_process';
import {once} from 'node:events';
import {mkdtempSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {setTimeout as pause} from 'node:timers/promises';
import {freePort} from './loopback.ts';
import {PATIENCE_MS} from './patience.ts';
import {CLI} from './program.ts';
import {isolatedEnvironment} from './pty.ts';

/** The keys of the replicas. */
export const REPLICA_KEYS = ['test-key', 'second-key'] as const;

export interface ReplicaSetOptions {
	/** How many processes. */
	readonly replicas: number;
	/** Address of their database, with its password; without it each process has a store of its own. */
	readonly storeUrl?: string | undefined;
	/** Nodes that stand for real chains, by chain number, and the key of the service's account there. */
	readonly nodes?: {readonly urls: ReadonlyMap<number, string>; readonly key: string} | undefined;
	/** Further arguments of `pulsetop serve`. */
	readonly args?: readonly string[];
}

/** `pulsetop serve --store` several times: one service. Each replica keeps its port and its data directory. */
export interface ReplicaSet {
	/** Addresses, in the order of the replicas. */
	readonly urls: readonly string[];
	/** Starts a replica, and waits until it is ready. */
	start(n: number): Promise<void>;
	/** Ends a replica with a signal, and waits for its end. */
	end(n: number, signal?: NodeJS.Signals): Promise<number | null>;
	/** Stops a replica's work without ending it (SIGSTOP), and lets it go on (SIGCONT). */
	freeze(n: number): void;
	thaw(n: number): void;
	/** The process of a replica; undefined while it does not run. */
	pid(n: number): number | undefined;
	/** What the replicas wrote to stderr, in their order. */
	stderr(): readonly string[];
	close(): Promise<void>;
}

/** Makes the set and starts all of its replicas. */
export async function startReplicaSet({replicas, storeUrl, nodes, args = []}: ReplicaSetOptions): Promise<ReplicaSet> {
	const home = mkdtempSync(join(tmpdir(), 'pulsetop-replicas-'));
	const keyFile = join(home, 'chain-key');
	if (nodes) writeFileSync(keyFile, nodes.key, {mode: 0o600});
	const store = storeUrl === undefined ? undefined : storeOf(storeUrl);
	const chains = nodes
		? [
				...[...nodes.urls].flatMap(([number, rpcUrl]) => ['--rpc', `evm:${number}=${rpcUrl}`]),
				'--rpc-key-file',
				keyFile,
				'--rpc-deploys',
			]
		: [];
	const ports = await Promise.all(Array.from({length: replicas}, freePort));
	const urls = ports.map(port => `http://127.0.0.1:${port}`);
	const children: (ChildProcess | undefined)[] = urls.map(() => undefined);
	const stderr = urls.map(() => '');

	const start = async (n: number): Promise<void> => {
		const child = spawn(
			process.execPath,
			[
				CLI,
				'serve',
				...[
					'--port',
					String(ports[n]),
					...REPLICA_KEYS.flatMap(key => ['--api-key', key]),
					'--data-dir',
					join(home, String(n)),
				],
				...[...(store?.args ?? []), ...chains, ...args],
			],
			{
				stdio: ['ignore', 'pipe', 'pipe'],
				env: {...isolatedEnvironment(home), ...store?.env},
			},
		);
		children[n] = child;
		child.stderr.setEncoding('utf8').on('data', (text: string) => {
			stderr[n] = (stderr[n]! + text).slice(-100_000);
		});
		const ended = once(child, 'exit').then(() => {
			if (children[n] === child) children[n] = undefined;
			throw new Error(`replica ${n} ended while it started: ${stderr[n]!.slice(-2000)}`);
		});
		ended.catch(() => {});
		await Promise.race([readyAt(urls[n]!), ended]);
	};
	const end = async (n: number, signal: NodeJS.Signals = 'SIGKILL'): Promise<number | null> => {
		const child = children[n];
		if (child === undefined) return null;
		children[n] = undefined;
		const ended = once(child, 'exit');
		child.kill(signal);
		if (signal === 'SIGKILL') child.kill('SIGCONT');
		return (await ended)[0] as number | null;
	};
	const set: ReplicaSet = {
		urls,
		start,
		end,
		freeze: n => void children[n]?.kill('SIGSTOP'),
		thaw: n => void children[n]?.kill('SIGCONT'),
		pid: n => children[n]?.pid,
		stderr: () => stderr,
		async close() {
			await Promise.all(children.map((_, n) => end(n)));
			rmSync(home, {recursive: true, force: true, maxRetries: 5});
		},
	};
	try {
		await Promise.all(urls.map((_, n) => start(n)));
	} catch (error) {
		await set.close();
		throw error;
	}
	return set;
}

/** The arguments and the environment that name a database. */
function storeOf(storeUrl: string): {readonly args: readonly string[]; readonly env: NodeJS.ProcessEnv} {
	const url = new URL(storeUrl);
	const {password} = url;
	url.password = '';
	return {args: ['--store', url.href], env: {PULSETOP_STORE_PASSWORD: decodeURIComponent(password)}};
}

/** Waits until a replica says that it is ready. */
async function readyAt(url: string): Promise<void> {
	const untilMs = performance.now() + PATIENCE_MS;
	for (;;) {
		const status = await fetch(`${url}/health/ready`).then(
			answer => answer.body?.cancel().then(() => answer.status),
			() => undefined,
		);
		if (status === 200) return;
		if (performance.now() > untilMs) throw new Error(`${url} was not ready in time: ${status ?? 'no answer'}`);
		await pause(20);
	}
}
