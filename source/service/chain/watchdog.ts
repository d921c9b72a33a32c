import {type ChildProcess, spawn} from 'node:child_process';

/** Ends processes when this one ends, however it ends. */
export interface Watchdog {
	add(pid: number): void;
	/** To be called when the process is gone: its number may soon be another's. */
	drop(pid: number): void;
	close(): void;
}

/**
 * Reads `add PID` and `drop PID`. Its input ends with the death of the process that holds the other end: then it asks
 * the rest to stop, and after five seconds makes them.
 */
const SCRIPT = `pids=
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

/**
 * Starts one watchdog for any number of children. On Windows there is none to start: there a process's children go with it.
 */
export function startWatchdog(): Watchdog {
	if (process.platform === 'win32') return {add: () => {}, drop: () => {}, close: () => {}};
	const child = spawn('/bin/sh', ['-c', SCRIPT], {stdio: ['pipe', 'ignore', 'ignore'], detached: true});
	// A watchdog that could not start must not take the service with it.
	child.on('error', () => {});
	child.stdin.on('error', () => {});
	letParentEnd(child);
	const say = (line: string) => {
		if (child.stdin.writable) child.stdin.write(`${line}\n`);
	};
	return {
		add: pid => say(`add ${pid}`),
		drop: pid => say(`drop ${pid}`),
		close: () => child.stdin.end(),
	};
}

/** Keeps a child from holding this process's event loop: its pipes hold it as well as itself. */
export function letParentEnd(child: ChildProcess): void {
	child.unref();
	for (const stream of [child.stdin, child.stdout, child.stderr]) {
		// The pipes of a child are sockets, whose unref is missing in the stream's type.
		(stream as unknown as {unref?: () => void} | null)?.unref?.();
	}
}
