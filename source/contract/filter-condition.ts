import type {Field} from './fields.ts';
import {allOf, anyOf, type EVERYTHING, type Filter, type Leaf} from './filter.ts';
import {type Fold, foldText, type Op, type Scalar, type Test} from './filter-test.ts';
import type {SecurityFlag} from './security-flags.ts';
import {InvalidRequest, pathOf, quoteForMessage} from './wire-error.ts';

/** The subject of a condition. `names` gives the addresses of a factory by its name. */
export type Target =
	| {readonly kind: 'compare'; readonly field: Field; readonly names?: ReadonlyMap<string, readonly string[]>}
	| {readonly kind: 'age'; readonly field: Field}
	| {readonly kind: 'security'; readonly flag: SecurityFlag};

/** A scalar (equals) or an object of operators, as it came: not checked yet. */
export type Condition = unknown;

type ValueKind = 'number' | 'date' | 'boolean' | 'text' | 'figure';

/** The operator that is true exactly when this one is false, for a known value. */
const OPPOSITE = {
	equals: 'not',
	not: 'equals',
	in: 'notIn',
	notIn: 'in',
	gt: 'lte',
	lte: 'gt',
	gte: 'lt',
	lt: 'gte',
} as const;

const OPERATORS: ReadonlySet<string> = new Set([
	...Object.keys(OPPOSITE),
	'contains',
	'startsWith',
	'endsWith',
	'isNull',
	'isNotNull',
	'mode',
]);

const ADDRESSES: ReadonlySet<string> = new Set([
	'address',
	'pool_address',
	'factory',
	'source_factory',
	'pre_bonding_factory',
	'bonding_curve_address',
	'deployer',
]);

/** Pool types differ in letter case on the wire (contract gaps 7). */
const POOL_TYPES: ReadonlySet<string> = new Set(['type', 'source']);

const MAX_NESTING = 16;
const MAX_LIST = 1000;

/**
 * The filter of one member of a filter object, and how many clauses it holds.
 * A nested `not: {...}` is turned into the opposite operators, so that like `not: v` it drops rows whose value is unknown.
 * @throws InvalidRequest at `path`
 */
export function conditionOf(
	target: Target,
	condition: Condition,
	path: string,
	depth: number,
): {filter: Filter; leaves: number} {
	const leaves = {count: 0};
	const filter = read(target, condition, path, {negated: false, insensitive: false, depth, leaves});
	return {filter, leaves: leaves.count};
}

interface Context {
	readonly negated: boolean;
	readonly insensitive: boolean;
	readonly depth: number;
	readonly leaves: {count: number};
}

function read(target: Target, condition: Condition, path: string, context: Context): Filter {
	if (typeof condition !== 'object' || condition === null) return leafOf(target, 'equals', condition, path, context);
	if (Array.isArray(condition)) {
		throw new InvalidRequest(path, 'must be a value or an object of operators', 'for a list write {"in": [...]}');
	}
	if (context.depth > MAX_NESTING) {
		throw new InvalidRequest(path, 'is nested too deep', `at most ${MAX_NESTING} levels are allowed`);
	}
	const entries = Object.entries(condition).filter(([, value]) => value !== undefined);
	const unknown = entries.find(([op]) => !OPERATORS.has(op));
	if (unknown) {
		throw new InvalidRequest(
			pathOf(path, unknown[0]),
			'is not an operator',
			`the operators are ${[...OPERATORS].join(', ')}`,
		);
	}
	const inner = {
		...context,
		insensitive: isInsensitive(condition, path) || context.insensitive,
		depth: context.depth + 1,
	};
	const parts = entries
		.filter(([op]) => op !== 'mode')
		.map(([op, value]) => operator(target, op, value, pathOf(path, op), inner));
	if (parts.length === 0 && context.negated) {
		throw new InvalidRequest(path, 'must have an operator', 'there is nothing to negate');
	}
	return context.negated ? anyOf(parts) : allOf(parts);
}

function operator(target: Target, op: string, value: unknown, path: string, context: Context): Filter {
	if (op === 'isNull' || op === 'isNotNull') {
		if (typeof value !== 'boolean')
			throw new InvalidRequest(path, 'must be true or false', `got ${quoteForMessage(value)}`);
		return leafOf(target, value === (op === 'isNull') ? 'equals' : 'not', null, path, context);
	}
	if (op === 'not' && typeof value === 'object' && value !== null && !Array.isArray(value)) {
		return read(target, value, path, {...context, negated: !context.negated});
	}
	return leafOf(target, op as Op, value, path, context);
}

function isInsensitive(condition: object, path: string): boolean {
	if (!('mode' in condition) || condition.mode === undefined || condition.mode === 'default') return false;
	if (condition.mode === 'insensitive') return true;
	throw new InvalidRequest(
		pathOf(path, 'mode'),
		'must be "insensitive" or "default"',
		`got ${quoteForMessage(condition.mode)}`,
	);
}

function leafOf(target: Target, op: Op, raw: unknown, path: string, context: Context): Filter {
	context.leaves.count++;
	const fold = foldOf(target, context.insensitive);
	const {negated} = context;
	if (op === 'contains' || op === 'startsWith' || op === 'endsWith') {
		const test: Test = {op, value: foldText(textOf(target, raw, path), fold), fold};
		const clause = leaf(target, test);
		// The negation of these has no operator of its own; an unknown text must not pass it.
		return negated
			? allOf([Object.freeze({kind: 'not', of: clause}), leaf(target, {op: 'not', value: null, fold})])
			: clause;
	}
	const meant = negated ? OPPOSITE[op] : op;
	switch (meant) {
		case 'equals':
		case 'not':
			return equality(target, meant, raw, path, fold);
		case 'in':
		case 'notIn':
			return membership(target, meant, raw, path, fold);
		default:
			return leaf(target, {op: meant, value: figureOf(target, raw, path), fold});
	}
}

function equality(target: Target, op: 'equals' | 'not', raw: unknown, path: string, fold: Fold): Filter {
	if (raw === null) return leaf(target, {op, value: null, fold});
	const values = named(target, scalarOf(target, raw, path), fold);
	if (values.length === 1) return leaf(target, {op, value: values[0]!, fold});
	return leaf(target, {op: op === 'equals' ? 'in' : 'notIn', value: Object.freeze(values), fold});
}

function membership(target: Target, op: 'in' | 'notIn', raw: unknown, path: string, fold: Fold): Filter {
	if (!Array.isArray(raw)) throw new InvalidRequest(path, 'must be a list', `got ${quoteForMessage(raw)}`);
	if (raw.length > MAX_LIST) throw new InvalidRequest(path, 'is too long', `at most ${MAX_LIST} values are allowed`);
	const value = raw.flatMap((item, i) => named(target, scalarOf(target, item, `${path}[${i}]`), fold));
	return leaf(target, {op, value: Object.freeze(value), fold});
}

function leaf(target: Target, test: Test): Leaf | typeof EVERYTHING {
	if (target.kind === 'security') return Object.freeze({kind: 'security', flag: target.flag, ...test});
	return Object.freeze({kind: target.kind, field: target.field, ...test});
}

/** A factory's name stands for its addresses, and for itself where a row holds the name. */
function named(target: Target, value: Scalar, fold: Fold): Scalar[] {
	if (typeof value !== 'string') return [value];
	const addresses = target.kind === 'compare' ? target.names?.get(value.toLowerCase()) : undefined;
	return [value, ...(addresses ?? [])].map(text => foldText(text, fold));
}

function foldOf(target: Target, insensitive: boolean): Fold {
	if (target.kind !== 'compare') return insensitive ? 'lower' : 'exact';
	if (insensitive || POOL_TYPES.has(target.field.name)) return 'lower';
	return ADDRESSES.has(target.field.name) ? 'address' : 'exact';
}

function kindOf(target: Target): ValueKind {
	if (target.kind === 'age') return 'number';
	if (target.kind === 'security') return target.flag.kind === 'text' ? 'figure' : target.flag.kind;
	const {kind} = target.field;
	return kind === 'date' || kind === 'boolean' || kind === 'text' ? kind : 'number';
}

const EXPECTED: Readonly<Record<ValueKind, string>> = {
	number: 'must be a number',
	date: 'must be a date: Unix milliseconds or ISO 8601',
	boolean: 'must be true or false',
	text: 'must be text',
	figure: 'must be a number or text',
};

function scalarOf(target: Target, raw: unknown, path: string): Scalar {
	const kind = kindOf(target);
	const value = convert(kind, raw);
	if (value === undefined) throw new InvalidRequest(path, EXPECTED[kind], `got ${quoteForMessage(raw)}`);
	return value;
}

function convert(kind: ValueKind, raw: unknown): Scalar | undefined {
	switch (kind) {
		case 'number':
			return numberOf(raw);
		case 'date':
			return numberOf(raw) ?? dateOf(raw);
		case 'boolean':
			return raw === 'true' ? true : raw === 'false' ? false : typeof raw === 'boolean' ? raw : undefined;
		case 'text':
			return typeof raw === 'string' ? raw : undefined;
		case 'figure':
			return typeof raw === 'string' ? raw : numberOf(raw);
	}
}

function textOf(target: Target, raw: unknown, path: string): string {
	const kind = kindOf(target);
	if (kind !== 'text' && kind !== 'figure')
		throw new InvalidRequest(path, 'is an operator for text only', EXPECTED[kind]);
	if (typeof raw === 'string') return raw;
	throw new InvalidRequest(path, 'must be text', `got ${quoteForMessage(raw)}`);
}

function figureOf(target: Target, raw: unknown, path: string): number {
	const kind = kindOf(target);
	if (kind === 'boolean' || kind === 'text') {
		throw new InvalidRequest(path, 'is an operator for numbers and dates only', EXPECTED[kind]);
	}
	const value = convert(kind === 'date' ? 'date' : 'number', raw);
	if (typeof value === 'number') return value;
	throw new InvalidRequest(path, EXPECTED[kind === 'date' ? 'date' : 'number'], `got ${quoteForMessage(raw)}`);
}

/** Numbers may arrive as text (contract gaps, general rules). */
function numberOf(raw: unknown): number | undefined {
	const value =
		typeof raw === 'string' && /^\s*[+-]?(\d+(\.\d*)?|\.\d+)(e[+-]?\d+)?\s*$/i.test(raw) ? Number(raw) : raw;
	return typeof value === 'number' && Number.isFinite(value) ? value : undefined;
}

function dateOf(raw: unknown): number | undefined {
	if (typeof raw !== 'string' || !/^\d{4}-\d\d-\d\d/.test(raw)) return undefined;
	const ms = Date.parse(raw);
	return Number.isNaN(ms) ? undefined : ms;
}
