import {appendFileSync} from 'node:fs';

/*
 * Operators that can be changed while the program runs: `below(7, a, b)` is `a < b`, or `a <= b` while operator 7 is changed. Stands in
 * the source of a worktree of `changed-operators.ts` only, in the tests' process as well as in the built program.
 */

export const MAX_OPERATORS = 50_000;

interface Changes {
	/** The operator that is changed; 0 for none. */
	active: number;
	/** How many more operators may run while one is changed: a loop that no longer ends is a change that was noticed. */
	left: number;
	/** 1 at the ids of operators that ran while none is changed; undefined where that is not of interest. */
	ran?: Uint8Array;
}

const {PULSETOP_TEST_OPERATOR: active = '0', PULSETOP_TEST_OPERATORS_RAN: ranFile} = process.env;
const shared = globalThis as {changedOperators?: Changes};
/** One for all copies of this module. */
export const changes: Changes = shared.changedOperators ?? begin();
shared.changedOperators = changes;

function begin(): Changes {
	if (ranFile === undefined || ranFile === '') return {active: Number(active), left: Number.POSITIVE_INFINITY};
	const ran = new Uint8Array(MAX_OPERATORS);
	process.on('exit', () => appendFileSync(ranFile, `${idsOf(ran).join('\n')}\n`));
	return {active: 0, left: 0, ran};
}

/** The operators that ran. */
export function idsOf(ran: Uint8Array): readonly number[] {
	return Array.from(ran.keys()).filter(id => ran[id] === 1);
}

function isChanged(id: number): boolean {
	if (changes.ran) changes.ran[id] = 1;
	if (changes.active === 0) return false;
	if (--changes.left < 0) throw new Error('a changed operator made this endless');
	return changes.active === id;
}

type Value = never;
export const below = (id: number, a: Value, b: Value) => (isChanged(id) ? a <= b : a < b);
export const upTo = (id: number, a: Value, b: Value) => (isChanged(id) ? a < b : a <= b);
export const above = (id: number, a: Value, b: Value) => (isChanged(id) ? a >= b : a > b);
export const from = (id: number, a: Value, b: Value) => (isChanged(id) ? a > b : a >= b);
export const same = (id: number, a: unknown, b: unknown) => (isChanged(id) ? a !== b : a === b);
export const other = (id: number, a: unknown, b: unknown) => (isChanged(id) ? a === b : a !== b);
export const plus = (id: number, a: number, b: number) => (isChanged(id) ? a - b : a + b);
export const minus = (id: number, a: number, b: number) => (isChanged(id) ? a + b : a - b);
export const and = (id: number, a: unknown, b: () => unknown) => (isChanged(id) ? a || b() : a && b());
export const or = (id: number, a: unknown, b: () => unknown) => (isChanged(id) ? a && b() : a || b());
