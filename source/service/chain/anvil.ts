import {type ChildProcess, spawn} from 'node:child_process';
import {once} from 'node:events';
import {type ChainDriver, ChainUnavailable} from './driver.ts';
import {awaitFormerRun, noteRun} from './former-run.ts';
import {createJsonRpc} from './json-rpc.ts';
import {type StateFiles, stateFiles} from './state-file.ts';
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

/** A practice chain, and its process for those who watch over it. */
export interface Anvil extends ChainDriver {
	readonly pid: number;
}

const START_TIMEOUT_MS = 15_000;
const STOP_TIMEOUT_MS = 2000;
/** After a change the chain is saved when it has been quiet for this long, … */
const SAVE_QUIET_MS = 500;
/** … but not later than this. */
const SAVE_LATEST_MS = 3000;
/** A transaction that is not in a block so long after it was sent was overlooked by the node, which happens when it is busy. */
const OVERLOOKED_MS = 250;
const RESTART_MS = {first: 100, most: 10_000};

/**
 * Starts a practice chain as a child process on a port of its own, on this machine only. It mines a block for each
 * transaction, has no accounts, and answers no web page. When it dies it is started again from what was saved.
 * @throws ChainUnavailable when it does not start
 */
export async function startAnvil(options: AnvilOptions): Promise<Anvil> {
	const {chainId, directory, log = () => {}, watchdog} = options;
	const files = directory === undefined ? undefined : stateFiles(directory, chainId);
	let running = await launch(options, files);
	let closing = false;
	const listeners: ((reason: string | undefined) => void)[] = [];
	const rpc = createJsonRpc(() => running.url);

	const tell = (reason: string | undefined) => {
		for (const listener of listeners) listener(reason);
	};
	const watch = () => {
		running.child.once('exit', (code, signal) => {
			watchdog.drop(running.pid);
			if (closing) return;
			log(`evm:${chainId}: its node ended (${signal ?? `exit ${code}`}) and is started again`);
			tell('its node ended and is being started again');
			restart(RESTART_MS.first);
		});
	};
	const restart = (delayMs: number) => {
		const timer = setTimeout(async () => {
			if (closing) return;
			try {
				const next = await launch(options, files);
				if (closing) return void stop(next.child);
				running = next;
				watch();
				tell(undefined);
			} catch (error) {
				tell(error instanceof ChainUnavailable ? error.why : String(error));
				restart(Math.min(delayMs * 2, RESTART_MS.most));
			}
		}, delayMs);
		timer.unref();
	};
	watch();

	const saver = createSaver(async () => {
		const dump = await rpc.call<string>('anvil_dumpState');
		await files?.save(dump);
	}, log);

	const mineOverlooked = async (triesLeft: number) => {
		overlooked = undefined;
		const {pending} = await rpc.call<{pending: string}>('txpool_status');
		// What is still there after some tries offers too little for gas, and stays.
		if (Number(pending) === 0 || triesLeft === 0 || closing) return;
		await rpc.call('evm_mine');
		scheduleMining(triesLeft - 1);
	};
	const scheduleMining = (triesLeft = 3) => {
		// The chain may be on its way down or up again: whoever sends next asks anew.
		overlooked ??= setTimeout(() => void mineOverlooked(triesLeft).catch(() => {}), OVERLOOKED_MS);
		overlooked.unref();
	};
	let overlooked: NodeJS.Timeout | undefined;

	return {
		kind: 'embedded',
		chainId,
		get rpcUrl() {
			return running.url;
		},
		get pid() {
			return running.pid;
		},
		touched() {
			if (closing) return;
			scheduleMining();
			if (files) saver.schedule();
		},
		onChange: listener => void listeners.push(listener),
		async close() {
			if (closing) return;
			closing = true;
			clearTimeout(overlooked);
			await saver.finish();
			await rpc.close();
			await stop(running.child);
			watchdog.drop(running.pid);
		},
	};
}

interface Running {
	readonly child: ChildProcess;
	readonly pid: number;
	readonly url: string;
}

/** Starts the process from the newest state that it can load; what it cannot load is kept aside. */
async function launch(options: AnvilOptions, files: StateFiles | undefined): Promise<Running> {
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
): Promise<Running> {
	// Left to itself it writes old states into the home directory and leaves them there.
	const history = ['--prune-history', '256'];
	// What does not fit into a block waits for the next transaction, which may never come.
	const blocks = ['--gas-limit', '300000000'];
	const network = ['--host', '127.0.0.1', '--port', '0', '--no-cors'];
	const args = [...network, '--chain-id', String(chainId), '--accounts', '0', ...history, ...blocks];
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
			child.removeAllListeners('exit');
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

async function stop(child: ChildProcess): Promise<void> {
	if (child.exitCode !== null || child.signalCode !== null) return;
	const gone = once(child, 'exit');
	child.kill('SIGTERM');
	const killer = setTimeout(() => child.kill('SIGKILL'), STOP_TIMEOUT_MS);
	child.ref();
	await gone;
	clearTimeout(killer);
}

/** Saves after changes: not for each one, never twice at once. */
function createSaver(save: () => Promise<void>, log: (line: string) => void) {
	let timer: NodeJS.Timeout | undefined;
	let dueAtMs = 0;
	let saving: Promise<void> = Promise.resolve();

	const run = () => {
		clearTimeout(timer);
		timer = undefined;
		saving = saving.then(save).catch(error => log(`a chain could not be saved: ${String(error)}`));
	};
	return {
		schedule() {
			const nowMs = Date.now();
			if (timer === undefined) dueAtMs = nowMs + SAVE_LATEST_MS;
			clearTimeout(timer);
			timer = setTimeout(run, Math.min(SAVE_QUIET_MS, Math.max(0, dueAtMs - nowMs)));
			timer.unref();
		},
		async finish() {
			if (timer !== undefined) run();
			await saving;
		},
	};
}
