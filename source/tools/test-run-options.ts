import {parseArgs} from 'node:util';
import {TEST_CLOCKS} from '../../test/clocks.ts';
import {type TestTargets, testTargets, UnknownTests} from './test-targets.ts';

/** What `npm test -- ARGUMENTS` asks for. */
export interface TestRunOptions extends TestTargets {
	/** Which of the two lists of test/suites.ts run when no test is named. */
	readonly part: 'main' | 'rest' | 'all';
	/** A name of TEST_CLOCKS; undefined: today. */
	readonly clock: string | undefined;
	/** Seed of the properties; undefined: any. */
	readonly seed: number | undefined;
}

const OWN = {
	rest: {type: 'boolean'},
	all: {type: 'boolean'},
	clock: {type: 'string'},
	seed: {type: 'string'},
} as const;

/**
 * Reads the arguments of a run: our own flags first, then tests and flags of vitest (test-targets.ts).
 * @param root the project's directory
 * @throws UnknownTests when a clock, a seed or a name is not known
 */
export function testRunOptions(args: readonly string[], root: string): TestRunOptions {
	const firstOther = args.findIndex((arg, index) => !isOwn(arg) && !takesValue(args[index - 1]));
	const own = firstOther < 0 ? args : args.slice(0, firstOther);
	const values = ownValues(own);
	const {clock, seed} = values;
	if (clock !== undefined && !(clock in TEST_CLOCKS)) {
		throw new UnknownTests(`--clock is one of ${Object.keys(TEST_CLOCKS).join(', ')}`);
	}
	if (seed !== undefined && !/^\d+$/.test(seed)) throw new UnknownTests('--seed is a whole number');
	return {
		...testTargets(args.slice(own.length), root),
		part: values.all ? 'all' : values.rest ? 'rest' : 'main',
		clock,
		seed: seed === undefined ? undefined : Number(seed),
	};
}

const isOwn = (arg: string): boolean => arg.startsWith('--') && arg.slice(2) in OWN;
const takesValue = (arg: string | undefined): boolean => arg === '--clock' || arg === '--seed';

function ownValues(args: readonly string[]) {
	try {
		return parseArgs({args: [...args], options: OWN}).values;
	} catch (error) {
		throw new UnknownTests((error as Error).message);
	}
}
