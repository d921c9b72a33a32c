import {type ChildProcess, spawn} from 'node:child_process';
import {once} from 'node:events';
import {ChainUnavailable} from './driver.ts';
import {awaitFormerRun, noteRun} from './former-run.ts';
import {createJsonRpc} from './json-rpc.ts';
import type {StateFiles} from './state-file.ts';
import {letParentEnd, type Watchdog} from './watchdog.ts';

/** How a practice chain is run. */
export interface AnvilOptions {
	readonly chainId: number;
	/** The program, see findAnvil. */
	readonly binary: string;
	readonly watchdog: Watchdog;
	/** Where the chain is kept between runs; without it the chain ends with the process. */
	readonly directory?: string | undefined;
	/** One line about something that a person may want to know. */
	readonly log?: ((line: string) => void) | undefined;
}

const START_TIMEOUT_MS = 15_000;
const STOP_TIMEOUT_MS = 2000;

/** A node that answers. */
export interface AnvilProcess {
	readonly child: ChildProcess;
	readonly pid: number;
	readonly url: string;
}

/**
 * Starts the process from the newest state that it can load; what it cannot load is kept aside.
 * @throws ChainUnavailable
 */
export async function launchAnvil(options: AnvilOptions, files: StateFiles | undefined): Promise<AnvilProcess> {
	const {directory, chainId} = options;
	if (directory !== undefined) await awaitFormerRun(directory, chainId);
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
	// Left to itself it writes old states into the home directory and leaves them there.
	const history = ['--prune-history', '256'];
	const network = ['--host', '127.0.0.1', '--port', '0', '--no-cors'];
	const args = [...network, '--chain-id', String(chainId), '--accounts', '0', ...history];
	if (state !== undefined) args.push('--load-state', state);
	if (files) args.push('--dump-state', files.onExit);
	const child = spawn(binary, args, {
		stdio: ['ignore', 'pipe', 'pipe'],
		// Its own group: Ctrl-C must not end the chain while the service is still at work. Windows would open a console.
		detached: process.platform !== 'win32',
	});
	letParentEnd(child);
	if (child.pid !== undefined) {
		watchdog.add(child.pid);
		if (directory !== undefined) noteRun(directory, chainId, child.pid);
	}
	try {
		const port = await listeningPort(child, chainId);
		const url = `http://127.0.0.1:${port}`;
		const rpc = createJsonRpc(() => url);
		await rpc.call('anvil_setLoggingEnabled', [false]);
		await rpc.close();
		return {child, pid: child.pid!, url};
	} catch (error) {
		if (child.pid !== undefined) watchdog.drop(child.pid);
		child.kill('SIGKILL');
		throw error;
	}
}

/** The port is said on stdout only; afterwards both pipes are emptied for ever, since a full one stops the node dead. */
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
		const timer = setTimeout(() => fail(`its node said nothing for ${START_TIMEOUT_MS / 1000} s`), START_TIMEOUT_MS);
		stdout?.on('data', chunk => {
			out += chunk;
			const port = /Listening on 127\.0\.0\.1:(\d+)/.exec(out)?.[1];
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

/** Asks the process to end, and makes it after two seconds. */
export async function stopAnvil(child: ChildProcess): Promise<void> {
	if (child.exitCode !== null || child.signalCode !== null) return;
	const gone = once(child, 'exit');
	child.kill('SIGTERM');
	const killer = setTimeout(() => child.kill('SIGKILL'), STOP_TIMEOUT_MS);
	child.ref();
	await gone;
	clearTimeout(killer);
}
