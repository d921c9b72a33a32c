import {nearest} from '../nearest.ts';

/** Problem of an argument that should be one of some names; undefined when it is one. */
export function nameProblem(argument: string, names: readonly string[]): string | undefined {
	const name = argument.trim();
	if (names.includes(name)) return undefined;
	if (names.length === 0) return 'none yet';
	const near = nearest(name, names);
	return near === undefined ? `write one of ${names.join(', ')}` : `there is no ${name}; the nearest is ${near}`;
}
