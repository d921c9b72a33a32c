import {type ChildProcess, spawn} from 'node:child_process';
import {randomBytes} from 'node:crypto';
import {once} from 'node:events';
import {accessSync, constants} from 'node:fs';
import {readFile} from 'node:fs/promises';
import {join} from 'node:path';
import {setTimeout as sleep} from 'node:timers/promises';
import {createJsonRpc} from '../../rpc/json-rpc.ts';
import {ChainUnavailable} from './driver.ts';
import {awaitEarlierRun, noteRun} from './earlier-run.ts';
import {findListenAddress} from './listen-address.ts';
import type {StateFiles} from './state-file.ts';
import {bareEnvironment, letParentEnd, type Watchdog} from './watchdog.ts';

/** Options of a practice chain's node. */
export interface AnvilOptions {
	readonly chainId: number;
	/** The program, see findAnvil. */
	readonly binary: string;
	readonly watchdog: Watchdog;
	/** Folder of the chain between runs; without it the chain ends with the process. */
	readonly directory?: string | undefined;
	/** Receives lines of interest to a person. */
	readonly log?: ((line: string) => void) | undefined;
}

const START_TIMEOUT_MS = 15_000;
const STOP_TIMEOUT_MS = 2000;

/** A running node. */
export interface AnvilProcess {
	readonly child: ChildProcess;
	readonly pid: number;
	readonly url: string;
}

/**
 * Starts the process from the newest state that loads; states that do not load are set aside.
 * @throws ChainUnavailable
 */
export async function launchAnvil(options: AnvilOptions, files: StateFiles | undefined): Promise<AnvilProcess> {
	const {directory, chainId} = options;
	if (directory !== undefined) await awaitEarlierRun(directory, chainId);
	for (const state of files?.candidates() ?? []) {
		try {
			return await spawnNode(options, files, state);
		} catch (error) {
			if (!(error instanceof ChainUnavailable) || !/state|json/i.test(error.why)) throw error;
			const kept = files?.setAside(state);
			options.log?.(`evm:${chainId}: its saved state cannot be read and was kept as ${kept}`);
		}
	}
	return spawnNode(options, files);
}

async function spawnNode(
	{chainId, binary, watchdog, directory}: AnvilOptions,
	files: StateFiles | undefined,
	state?: string,
): Promise<AnvilProcess> {
	const listen = await findListenAddress();
	const socket = join(watchdog.directory, `${chainId}-${randomBytes(6).toString('hex')}`);
	// By default anvil writes old states into the home directory and leaves them there.
	const history = ['--prune-history', '256'];
	const network = [
		'--host',
		listen.host,
		'--port',
		'0',
		'--no-cors',
		...(listen.kind === 'closed' ? ['--ipc', socket] : []),
	];
	const args = [...network, '--chain-id', String(chainId), '--accounts', '0', ...history];
	if (state !== undefined) args.push('--load-state', state);
	if (files) args.push('--dump-state', files.onExit);
	assertExecutable(binary, chainId);
	const [program, words] = privately(binary, args);
	const child = spawn(program, words, {
		stdio: ['ignore', 'pipe', 'pipe', watchdog.input ?? 'ignore'],
		// A process group of its own: Ctrl-C must not end the chain while the service still works. Windows would open a
		// console.
		detached: process.platform !== 'win32',
		env: bareEnvironment(),
	});
	letParentEnd(child);
	if (child.pid !== undefined) {
		watchdog.add(child.pid);
		if (directory !== undefined) noteRun(directory, chainId, child.pid);
	}
	try {
		const port = await listeningPort(child, chainId);
		const url = listen.kind === 'closed' ? `ipc:${socket}` : `http://${listen.host}:${port}`;
		const rpc = createJsonRpc(() => url);
		await rpc.call('anvil_setLoggingEnabled', [false]);
		await rpc.close();
		if (files) await catchesTerm(child.pid!);
		return {child, pid: child.pid!, url};
	} catch (error) {
		if (child.pid !== undefined) watchdog.drop(child.pid);
		child.kill('SIGKILL');
		throw error;
	}
}

const CATCHES_WITHIN_MS = 1000;

/**
 * Waits until the node handles SIGTERM: a node that is ended before writes no state (measured on a busy machine: 3 of 50 nodes that
 * were ended 20 ms after their start). Does not wait where the system gives no signal masks.
 */
async function catchesTerm(pid: number): Promise<void> {
	const SIGTERM = 1n << 14n;
	for (const untilMs = performance.now() + CATCHES_WITHIN_MS; performance.now() < untilMs; await sleep(2)) {
		const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
		const caught = /^SigCgt:\s*([0-9a-f]+)/m.exec(status)?.[1];
		if (caught === undefined || (BigInt(`0x${caught}`) & SIGTERM) !== 0n) return;
	}
}

/** @throws ChainUnavailable */
function assertExecutable(binary: string, chainId: number): void {
	try {
		accessSync(binary, constants.X_OK);
	} catch (cause) {
		throw new ChainUnavailable(chainId, `its node cannot be started: ${(cause as NodeJS.ErrnoException).code}`, cause);
	}
}

/**
 * A command whose files only this user can read, whatever the umask. The program replaces the shell, so the watchdog knows its
 * process id before the program runs. A watchdog that was killed ends the subshell alone.
 */
function privately(binary: string, args: readonly string[]): [program: string, args: string[]] {
	if (process.platform === 'win32') return [binary, [...args]];
	return ['/bin/sh', ['-c', '(echo "add $$" >&3) 2>/dev/null; exec 3>&-; umask 077; exec "$@"', 'sh', binary, ...args]];
}

/** The port is printed on stdout only. Afterwards both pipes are read for good, since a full pipe stops the node. */
async function listeningPort(child: ChildProcess, chainId: number): Promise<string> {
	const {stdout, stderr} = child;
	let out = '';
	let err = '';
	return new Promise<string>((resolve, reject) => {
		const settle = (act: () => void) => {
			clearTimeout(timer);
			stdout?.removeAllListeners('data').resume();
			stderr?.removeAllListeners('data').resume();
			child.removeAllListeners('close');
			act();
		};
		const fail = (why: string, cause?: unknown) => settle(() => reject(new ChainUnavailable(chainId, why, cause)));
		const timer = setTimeout(() => fail(`its node printed nothing for ${START_TIMEOUT_MS / 1000} s`), START_TIMEOUT_MS);
		stdout?.on('data', chunk => {
			out += chunk;
			const port = /Listening on [\d.]+:(\d+)/.exec(out)?.[1];
			if (port !== undefined) settle(() => resolve(port));
		});
		stderr?.on('data', chunk => {
			err += chunk;
		});
		child.on('error', cause => fail(`its node cannot be started: ${(cause as NodeJS.ErrnoException).code}`, cause));
		// `close` comes after the pipes have been read to their end, `exit` may come before.
		child.once('close', (code, signal) => fail(exitReason(code, signal, err)));
	});
}

function exitReason(code: number | null, signal: string | null, err: string): string {
	const words = err
		.split('\n')
		.map(line => line.trim())
		.filter(Boolean)
		.join(' ')
		.slice(0, 300);
	return `its node ended at once (${signal ?? `exit ${code}`})${words && `: ${words}`}`;
}

/** Ends the process, by force after two seconds. */
export async function stopAnvil(child: ChildProcess): Promise<void> {
	if (child.exitCode !== null || child.signalCode !== null) return;
	const exited = once(child, 'exit');
	child.kill('SIGTERM');
	const killer = setTimeout(() => child.kill('SIGKILL'), STOP_TIMEOUT_MS);
	child.ref();
	await exited;
	clearTimeout(killer);
}
