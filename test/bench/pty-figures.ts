import {readFileSync} from 'node:fs';
import type {Pty} from '../helpers/pty.ts';

/* What a program in a terminal of 60 rows costs, and how soon a key shows. Linux only: elsewhere the system does not give it. */

/** Processor time so far, ms: of the main thread, or of all threads. */
export function cpuMs({pid}: Pty, of: 'main thread' | 'all threads' = 'main thread'): number {
	const stat = readFileSync(of === 'main thread' ? `/proc/${pid}/task/${pid}/stat` : `/proc/${pid}/stat`, 'utf8');
	const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
	return (Number(fields[11]) + Number(fields[12])) * 10;
}

export function rssMb(pty: Pty): number {
	return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pty.pid}/status`, 'utf8'))?.[1]) / 1024;
}

/** How long after a digit is typed it stands in the hint line. */
export async function keyMs(pty: Pty): Promise<number> {
	const isShown = (): boolean => /^ 1 /.test(pty.row(59));
	const startedAt = performance.now();
	pty.type('1');
	await pty.waitFor(isShown, 5000);
	const ms = performance.now() - startedAt;
	pty.type('\u001b');
	await pty.waitFor(() => !isShown(), 5000);
	return ms;
}

export function percentile(values: readonly number[], share: number): number {
	return values.toSorted((a, b) => a - b)[Math.min(Math.floor(values.length * share), values.length - 1)]!;
}
