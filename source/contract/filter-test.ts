/** One comparison of a filter with one value, and its one meaning (contract gaps 3.4). */

export type Scalar = number | string | boolean;

/** The value of a row: null is "not known". Readers may also give undefined or NaN for it, and 0 or 1 for a boolean. */
export type Value = Scalar | null | undefined;

export type OrderOp = 'gt' | 'gte' | 'lt' | 'lte';
export type TextOp = 'contains' | 'startsWith' | 'endsWith';

/** Which difference in spelling a text comparison overlooks: none, letter case, or the case of an EVM address only. */
export type Fold = 'exact' | 'lower' | 'address';

/** The expected value is already folded; dates are Unix ms. */
export type Test =
	| {readonly op: 'equals' | 'not'; readonly value: Scalar | null; readonly fold: Fold}
	| {readonly op: 'in' | 'notIn'; readonly value: readonly Scalar[]; readonly fold: Fold}
	| {readonly op: OrderOp; readonly value: number; readonly fold: Fold}
	| {readonly op: TextOp; readonly value: string; readonly fold: Fold};

export type Op = Test['op'];

export function foldText(text: string, fold: Fold): string {
	if (fold === 'exact') return text;
	return fold === 'lower' || isEvm(text) ? text.toLowerCase() : text;
}

function isEvm(address: string): boolean {
	return address.startsWith('0x') || address.startsWith('0X');
}

/**
 * The comparison as a function of a row's value. Two-valued: with an unknown value every comparison is false, `not` and
 * `notIn` too; only `equals: null` and `not: null` test for the absence itself.
 */
export function predicate(test: Test): (value: Value) => boolean {
	const {op} = test;
	switch (op) {
		case 'equals':
		case 'not':
			return equality(test.value, op === 'not', test.fold);
		case 'in':
		case 'notIn':
			return membership(test.value, op === 'notIn', test.fold);
		case 'gt':
			return ordered(test.value, (a, b) => a > b);
		case 'gte':
			return ordered(test.value, (a, b) => a >= b);
		case 'lt':
			return ordered(test.value, (a, b) => a < b);
		case 'lte':
			return ordered(test.value, (a, b) => a <= b);
		case 'contains':
			return textual(test.value, test.fold, (a, b) => a.includes(b));
		case 'startsWith':
			return textual(test.value, test.fold, (a, b) => a.startsWith(b));
		case 'endsWith':
			return textual(test.value, test.fold, (a, b) => a.endsWith(b));
	}
}

/** Null, undefined and NaN are all "not known". */
export function isUnknown(value: Value): value is null | undefined {
	return value === null || value === undefined || Number.isNaN(value);
}

function equality(expected: Scalar | null, negated: boolean, fold: Fold): (value: Value) => boolean {
	if (expected === null) return negated ? value => !isUnknown(value) : value => isUnknown(value);
	const same = sameAs(expected, fold);
	return negated ? value => !isUnknown(value) && !same(value) : value => !isUnknown(value) && same(value);
}

function sameAs(expected: Scalar, fold: Fold): (value: Scalar) => boolean {
	if (typeof expected === 'number') return value => number(value) === expected;
	if (typeof expected === 'boolean') return value => truth(value) === expected;
	return value => typeof value === 'string' && foldText(value, fold) === expected;
}

function membership(expected: readonly Scalar[], negated: boolean, fold: Fold): (value: Value) => boolean {
	const any = expected.some(w => typeof w !== 'string') ? undefined : new Set<unknown>(expected);
	const tests = expected.map(w => sameAs(w, fold));
	const isIn = any
		? (value: Scalar) => typeof value === 'string' && any.has(foldText(value, fold))
		: (value: Scalar) => tests.some(test => test(value));
	return negated ? value => !isUnknown(value) && !isIn(value) : value => !isUnknown(value) && isIn(value);
}

function ordered(expected: number, holds: (value: number, expected: number) => boolean): (value: Value) => boolean {
	return value => {
		const figure = typeof value === 'number' ? value : number(value);
		return figure !== undefined && holds(figure, expected);
	};
}

/** Part of an EVM address is looked for without regard to case too, and it need not begin with 0x. */
function textual(expected: string, fold: Fold, holds: (value: string, expected: string) => boolean) {
	const lower = expected.toLowerCase();
	return (value: Value) => {
		if (typeof value !== 'string') return false;
		return fold === 'address' && isEvm(value)
			? holds(value.toLowerCase(), lower)
			: holds(foldText(value, fold), expected);
	};
}

/** Numbers, and the figures that security flags hold as text: `"5"`, `"5%"`. */
function number(value: Value): number | undefined {
	if (typeof value === 'number') return value;
	if (typeof value !== 'string') return undefined;
	const figure = /^\s*([+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?)\s*%?\s*$/i.exec(value)?.[1];
	return figure === undefined ? undefined : Number(figure);
}

/** A table's column holds a boolean as 0 or 1. */
function truth(value: Scalar): boolean | undefined {
	if (typeof value === 'boolean') return value;
	return value === 1 ? true : value === 0 ? false : undefined;
}
