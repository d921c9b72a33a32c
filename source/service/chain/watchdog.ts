import {type ChildProcess, type ChildProcessByStdio, spawn} from 'node:child_process';
import {rmSync} from 'node:fs';
import type {Writable} from 'node:stream';
import {makeSocketDirectory} from './socket-directory.ts';

/** Ends child processes when this process ends, for any reason. */
export interface Watchdog {
	/** A directory that only this user can open, for files of the running processes; removed with the watchdog. */
	readonly directory: string;
	/**
	 * The watchdog's input, for the third descriptor of a child that writes `add` and its own process id there before it does
	 * anything else: no moment is left in which this process ends and the child is not known. Undefined while no watchdog runs.
	 */
	readonly input: Writable | undefined;
	add(pid: number): void;
	/** To be called when a process has ended: its id may soon be given to another process. */
	drop(pid: number): void;
	close(): void;
}

/**
 * Reads `add PID` and `drop PID`. Its input closes when the parent dies: then it sends SIGTERM to the remaining
 * processes, and SIGKILL after five seconds. Its arguments are the directory, which it removes, and the first
 * processes.
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

/** A killed watchdog is restarted, with growing delays when it keeps dying. */
const REVIVE_MS = {first: 10, most: 60_000};

/** The part of the environment that programs need to run: the rest holds keys and other secrets of the user. */
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
 * Starts one watchdog for any number of children. Not needed on Windows, where the children of a process end with it.
 * @param dataDir where its directory is made when the temporary directory can't be written
 * @throws Error when no directory can be made
 */
export function startWatchdog(dataDir?: string): Watchdog {
	const directory = makeSocketDirectory(dataDir);
	const clear = () => rmSync(directory, {recursive: true, force: true});
	if (process.platform === 'win32') return {directory, input: undefined, add: () => {}, drop: () => {}, close: clear};
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
		// A watchdog that could not start must not stop the service.
		child.on('error', () => {});
		child.stdin.on('error', () => {});
		child.once('exit', () => {
			if (closed) return;
			// Killed, so the watchdog has removed nothing and stopped no process.
			setTimeout(() => !closed && begin(), delayMs).unref();
			delayMs = Math.min(delayMs * 2, REVIVE_MS.most);
		});
		letParentEnd(child);
	};
	begin();
	return {
		directory,
		get input() {
			return child.stdin.writable && !closed ? child.stdin : undefined;
		},
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

/** Lets this process end before the child: the child and its pipes no longer hold the event loop. */
export function letParentEnd(child: ChildProcess): void {
	child.unref();
	for (const stream of [child.stdin, child.stdout, child.stderr]) {
		// The pipes of a child are sockets, whose unref is missing in the stream's type.
		(stream as unknown as {unref?: () => void} | null)?.unref?.();
	}
}
