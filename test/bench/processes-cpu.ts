import {readdirSync, readFileSync} from 'node:fs';

/** Ticks of a second in /proc: a constant of Linux for programs. */
const TICKS_A_SECOND = 100;

/** CPU time of this process and all below it, by what they are, in seconds; ended processes count where they were waited for. */
export interface CpuTimes {
	readonly all: number;
	readonly postgres: number;
	readonly nodes: number;
	/** This process itself. */
	readonly own: number;
	/** The others. */
	readonly service: number;
}

/** The CPU time used so far; undefined where there is no /proc. */
export function cpuTimes(): CpuTimes | undefined {
	const processes = readProcesses();
	if (processes === undefined) return undefined;
	const sums = {all: 0, postgres: 0, nodes: 0, own: 0, service: 0};
	const children = Map.groupBy(processes, ({parent}) => parent);
	const add = (one: Process): void => {
		const kind =
			one.pid === process.pid
				? 'own'
				: one.name.startsWith('postgres')
					? 'postgres'
					: one.name === 'anvil'
						? 'nodes'
						: 'service';
		sums[kind] += one.cpuS;
		sums.all += one.cpuS;
		for (const child of children.get(one.pid) ?? []) add(child);
	};
	for (const one of processes) if (one.pid === process.pid) add(one);
	return sums;
}

/** Memory of a process in bytes: all that is in RAM, and of that what is no file; undefined where there is no /proc. */
export function memoryOf(pid: number): {readonly resident: number; readonly own: number} | undefined {
	const status = read(`/proc/${pid}/status`);
	const field = (name: string) => Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(status ?? '')?.[1]) * 1024;
	return status === undefined ? undefined : {resident: field('VmRSS'), own: field('RssAnon')};
}

interface Process {
	readonly pid: number;
	readonly parent: number;
	readonly name: string;
	readonly cpuS: number;
}

function readProcesses(): Process[] | undefined {
	let pids: string[];
	try {
		pids = readdirSync('/proc').filter(name => /^\d+$/.test(name));
	} catch {
		return undefined;
	}
	return pids.flatMap(pid => {
		const stat = read(`/proc/${pid}/stat`);
		if (stat === undefined) return [];
		// The name is in brackets and may have any character.
		const end = stat.lastIndexOf(')');
		const fields = stat.slice(end + 2).split(' ');
		// utime, stime, and both of the ended children.
		const ticks = fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0);
		const name = stat.slice(stat.indexOf('(') + 1, end);
		return [{pid: Number(pid), parent: Number(fields[1]), name, cpuS: ticks / TICKS_A_SECOND}];
	});
}

/** Undefined when the process has ended, or where there is no /proc. */
function read(path: string): string | undefined {
	try {
		return readFileSync(path, 'utf8');
	} catch {
		return undefined;
	}
}
