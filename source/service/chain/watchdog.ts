import {type ChildProcess, type ChildProcessByStdio, spawn} from 'node:child_process';
import {mkdtempSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import type {Writable} from 'node:stream';

/** Ends processes when this one ends, however it ends. */
export interface Watchdog {
	/** A directory that only this user can open, for what the processes need while they run: it goes with the watchdog. */
	readonly directory: string;
	add(pid: number): void;
	/** To be called when the process is gone: its number may soon be another's. */
	drop(pid: number): void;
	close(): void;
}

/**
 * Reads `add PID` and `drop PID`. Its input ends with the death of the process that holds the other end: then it asks
 * the rest to stop, and after five seconds makes them. Its arguments are the directory, which it removes, and the processes
 * that it begins with.
 */
const SCRIPT = `directory=$1
shift
pids="$*"
trap 'rm -rf "$directory"' EXIT
while read -r op pid; do
	if [ "$op" = add ]; then pids="$pids $pid"; continue; fi
	left=
	for p in $pids; do [ "$p" = "$pid" ] || left="$left $p"; done
	pids=$left
done
[ -n "$pids" ] || exit 0
kill -TERM $pids 2>/dev/null
for i in 1 2 3 4 5; do
	sleep 1
	left=
	for p in $pids; do kill -0 "$p" 2>/dev/null && left="$left $p"; done
	[ -n "$left" ] || exit 0
	pids=$left
done
kill -KILL $pids 2>/dev/null`;

/** A watchdog that was killed is started again; one that cannot live is not tried for ever. */
const REVIVE_MS = {first: 10, most: 60_000};

/** Of the environment only what programs need to run: the rest holds keys and other secrets of the user. */
export function bareEnvironment(env: NodeJS.ProcessEnv = process.env): Record<string, string> {
	const names = [
		'PATH',
		'HOME',
		'TMPDIR',
		...(process.platform === 'win32' ? ['SystemRoot', 'TEMP', 'USERPROFILE'] : []),
	];
	return Object.fromEntries(names.flatMap(name => (env[name] === undefined ? [] : [[name, env[name]]])));
}

/**
 * Starts one watchdog for any number of children. On Windows there is none to start: there a process's children go with it.
 */
export function startWatchdog(): Watchdog {
	const directory = mkdtempSync(join(shortTmpdir(), 'pulsetop-run-'));
	const clear = () => rmSync(directory, {recursive: true, force: true});
	if (process.platform === 'win32') return {directory, add: () => {}, drop: () => {}, close: clear};
	const pids = new Set<number>();
	let child: ChildProcessByStdio<Writable, null, null>;
	let closed = false;
	let delayMs = REVIVE_MS.first;

	const say = (line: string) => {
		if (child.stdin.writable) child.stdin.write(`${line}\n`);
	};
	const begin = () => {
		child = spawn('/bin/sh', ['-c', SCRIPT, 'sh', directory, ...[...pids].map(String)], {
			stdio: ['pipe', 'ignore', 'ignore'],
			detached: true,
			env: bareEnvironment(),
		});
		// A watchdog that could not start must not take the service with it.
		child.on('error', () => {});
		child.stdin.on('error', () => {});
		child.once('exit', () => {
			if (closed) return;
			// Killed, so it has removed nothing and stopped nobody.
			setTimeout(() => !closed && begin(), delayMs).unref();
			delayMs = Math.min(delayMs * 2, REVIVE_MS.most);
		});
		letParentEnd(child);
	};
	begin();
	return {
		directory,
		add(pid) {
			pids.add(pid);
			say(`add ${pid}`);
		},
		drop(pid) {
			pids.delete(pid);
			say(`drop ${pid}`);
		},
		close() {
			closed = true;
			child.stdin.end();
			clear();
		},
	};
}

/** The path of a socket may have about a hundred characters, less than some temporary directories have. */
function shortTmpdir(): string {
	const directory = tmpdir();
	return directory.length <= 60 || process.platform === 'win32' ? directory : '/tmp';
}

/** Keeps a child from holding this process's event loop: its pipes hold it as well as itself. */
export function letParentEnd(child: ChildProcess): void {
	child.unref();
	for (const stream of [child.stdin, child.stdout, child.stderr]) {
		// The pipes of a child are sockets, whose unref is missing in the stream's type.
		(stream as unknown as {unref?: () => void} | null)?.unref?.();
	}
}
