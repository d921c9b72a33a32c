import {readdirSync, readFileSync} from 'node:fs';

/** A process that runs. */
export interface FoundProcess {
	readonly pid: number;
	/** Its program and arguments, as it was called. */
	readonly line: string;
}

/**
 * Every process of this machine that was started with this home directory, by any parent and in any group: what a program
 * started cannot hide from it by leaving the program's group.
 */
export function processesAtHome(home: string): FoundProcess[] {
	return processesWith(environment => environment.includes(`HOME=${home}`));
}

/** Every process of this machine that was started with a directory anywhere in its environment. */
export function processesUnder(directory: string): FoundProcess[] {
	return processesWith(environment => environment.some(variable => variable.includes(directory)));
}

function processesWith(fits: (environment: readonly string[]) => boolean): FoundProcess[] {
	return readdirSync('/proc').flatMap(name => {
		const pid = Number(name);
		if (!Number.isInteger(pid)) return [];
		try {
			if (!fits(readFileSync(`/proc/${pid}/environ`, 'latin1').split('\0'))) return [];
			return [{pid, line: readFileSync(`/proc/${pid}/cmdline`, 'latin1').replaceAll('\0', ' ').trim()}];
		} catch {
			// It has ended meanwhile, or belongs to another user.
			return [];
		}
	});
}
