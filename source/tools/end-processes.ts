import {execFileSync} from 'node:child_process';

interface Listed {
	readonly pid: number;
	readonly parent: number;
	/** Program, arguments and, where the system shows it, the environment. */
	readonly line: string;
}

/**
 * Ends (SIGKILL) every process that descends from one of `roots`, and every process that was started with a directory: in its
 * arguments or, on Linux, in its environment. So programs that left their group or lost their parent are found, too.
 * @param roots process ids of children
 * @param directory a directory that no other run has
 */
export function endProcesses(roots: readonly number[], directory: string): void {
	// One that is started while the list is read is in the next list.
	for (let left = MAX_LISTS, of = roots; left > 0 && endListed(of, directory) > 0; left--) of = [];
}

/** How often processes are listed at most. */
const MAX_LISTS = 20;

/** @returns how many processes were found */
function endListed(roots: readonly number[], directory: string): number {
	const listed = listProcesses();
	const found = new Set(roots);
	for (const {pid, line} of listed) if (line.includes(directory)) found.add(pid);
	// A parent can stand below its child in the list: look until no process is added.
	for (let before = 0; before < found.size; ) {
		before = found.size;
		for (const {pid, parent} of listed) if (found.has(parent)) found.add(pid);
	}
	found.delete(process.pid);
	for (const pid of found) {
		try {
			process.kill(pid, 'SIGKILL');
		} catch {
			// It has ended already.
		}
	}
	return found.size;
}

/** None where there is no `ps`: the roots are ended all the same. */
function listProcesses(): readonly Listed[] {
	try {
		const text = execFileSync('ps', ['axeww', '-o', 'pid=,ppid=,command='], {
			encoding: 'utf8',
			maxBuffer: 1 << 28,
			stdio: ['ignore', 'pipe', 'ignore'],
		});
		return text.split('\n').flatMap(row => {
			const [, pid, parent, line] = /^\s*(\d+)\s+(\d+)\s+(.*)$/.exec(row) ?? [];
			return line === undefined ? [] : [{pid: Number(pid), parent: Number(parent), line}];
		});
	} catch {
		return [];
	}
}
