import {readdirSync, readFileSync} from 'node:fs';

/*
 * The limits of the system for this process (`ulimit`). Only Linux says them without a shell; elsewhere nothing is known.
 */

/** A soft limit by its name in the list of the system; undefined without one, and where nothing is known. */
function softLimit(name: string): number | undefined {
	try {
		const [, soft] = new RegExp(`^${name} +(\\d+)`, 'm').exec(readFileSync('/proc/self/limits', 'utf8')) ?? [];
		return soft === undefined ? undefined : Number(soft);
	} catch {
		return undefined;
	}
}

/** A connection has a descriptor at each end, and gives back its own when the other end gets none. */
const FEW_DESCRIPTORS = 4;

/** How many more files and connections this process may open (`ulimit -n`); infinite where nothing is known. */
export function freeDescriptors(): number {
	try {
		const max = softLimit('Max open files') ?? Number.POSITIVE_INFINITY;
		// The list of the open ones is open itself while it is read.
		return max - readdirSync('/proc/self/fd').length + 1;
	} catch (error) {
		return (error as NodeJS.ErrnoException).code === 'EMFILE' ? 0 : Number.POSITIVE_INFINITY;
	}
}

/** Whether this process has about as many files and connections open as it may have (`ulimit -n`). */
export const isOutOfDescriptors = (): boolean => freeDescriptors() <= FEW_DESCRIPTORS;

/** Bytes of memory that this process may have addresses for (`ulimit -v`); undefined without a limit. */
export function addressSpace(): number | undefined {
	return softLimit('Max address space');
}
