import {type ChildProcess, spawn} from 'node:child_process';
import {mkdtemp, rm} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {PATIENCE_MS} from './patience.ts';
import {isolatedEnvironment} from './pty.ts';

/** The built program. */
export const CLI = new URL('../../dist/cli.js', import.meta.url).pathname;

/** What a program that was run without a terminal left. */
export interface Outcome {
	readonly code: number | null;
	readonly signal: NodeJS.Signals | null;
	readonly stdout: string;
	readonly stderr: string;
}

export interface RunOptions {
	readonly env?: Readonly<Record<string, string>>;
	/** Ends it after this long. Default 15,000. */
	readonly timeoutMs?: number;
	/** Called with everything on stdout so far, whenever there is more; `stop` ends the program with SIGTERM. */
	readonly onStdout?: (soFar: string, program: {readonly stop: () => void}) => void;
}

/** Runs `pulsetop` with pipes, in a home directory of its own that is gone afterwards. */
export async function runCli(args: readonly string[], options: RunOptions = {}): Promise<Outcome> {
	return runProgram(process.execPath, [CLI, ...args], options);
}

/** Runs a shell line in which `pulsetop` is the program. */
export async function runShell(line: string, options: RunOptions = {}): Promise<Outcome> {
	return runProgram(
		'bash',
		['-c', `set -o pipefail; pulsetop() { '${process.execPath}' '${CLI}' "$@"; }; ${line}`],
		options,
	);
}

/** A service that runs until it is stopped. */
export interface RunningServe {
	readonly url: string;
	/** Everything it printed so far. */
	stdout(): string;
	stderr(): string;
	/** Ends it with a signal and gives its exit code. */
	stop(signal?: NodeJS.Signals): Promise<number | null>;
}

/** The market of a story that asks for no other: a quiet one, which starts with less than half of the CPU. */
const QUIET = ['--rate', '0.2'];

/** Starts `pulsetop serve` on a free port, and waits for the line that says where it listens. */
export async function startServe(
	args: readonly string[] = [],
	env: Readonly<Record<string, string>> = {},
): Promise<RunningServe> {
	const home = await mkdtemp(join(tmpdir(), 'pulsetop-'));
	const child = spawn(
		process.execPath,
		[CLI, 'serve', '--port', '0', ...(args.includes('--rate') ? [] : QUIET), ...args],
		{
			stdio: ['ignore', 'pipe', 'pipe'],
			env: {...isolatedEnvironment(home), ...env},
			detached: true,
		},
	);
	let stdout = '';
	let stderr = '';
	child.stderr.setEncoding('utf8').on('data', (text: string) => {
		stderr += text;
	});
	const ended = new Promise<number | null>(resolve => child.on('close', resolve));
	const url = await new Promise<string>((resolve, reject) => {
		child.stdout.setEncoding('utf8').on('data', (text: string) => {
			stdout += text;
			const [, found] = /^listening on (http:\/\/\S+)$/m.exec(stdout) ?? [];
			if (found !== undefined) resolve(found);
		});
		ended.then(code => reject(new Error(`serve ended with code ${code}: ${stderr}`)));
	});
	return {
		url,
		stdout: () => stdout,
		stderr: () => stderr,
		stop: async (signal = 'SIGTERM') => {
			child.kill(signal);
			const code = await ended;
			endGroup(child, 'SIGKILL');
			await rm(home, {recursive: true, force: true});
			return code;
		},
	};
}

async function runProgram(
	command: string,
	args: readonly string[],
	{env = {}, timeoutMs = PATIENCE_MS, onStdout}: RunOptions,
): Promise<Outcome> {
	const home = await mkdtemp(join(tmpdir(), 'pulsetop-'));
	const child = spawn(command, args, {
		stdio: ['ignore', 'pipe', 'pipe'],
		env: {...isolatedEnvironment(home), ...env},
		// A group of its own, so that nothing it started outlives it.
		detached: true,
	});
	const timer = setTimeout(() => endGroup(child, 'SIGKILL'), timeoutMs);
	let stdout = '';
	let stderr = '';
	let isAsked = false;
	// Once only: a second signal ends a program that is about to end by itself.
	const stop = () => {
		if (!isAsked) child.kill('SIGTERM');
		isAsked = true;
	};
	child.stdout.setEncoding('utf8').on('data', (text: string) => {
		stdout += text;
		onStdout?.(stdout, {stop});
	});
	child.stderr.setEncoding('utf8').on('data', (text: string) => {
		stderr += text;
	});
	try {
		return await new Promise((resolve, reject) => {
			child.on('error', reject);
			child.on('close', (code, signal) => resolve({code, signal, stdout, stderr}));
		});
	} finally {
		clearTimeout(timer);
		endGroup(child, 'SIGKILL');
		await rm(home, {recursive: true, force: true});
	}
}

function endGroup(child: ChildProcess, signal: NodeJS.Signals): void {
	if (child.pid === undefined) return;
	try {
		process.kill(-child.pid, signal);
	} catch {
		// All of its processes have ended.
	}
}
