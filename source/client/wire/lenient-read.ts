import type * as z from 'zod';
import {isObject, toBoolean, toNumber, toRawAmount} from './wire-value.ts';

/*
 * Responses in other spellings than the contract's (contract gaps, general rules): numbers as text and text as numbers,
 * `null` for an absent value, a missing list. The contract stays strict; a value that does not fit the schema is converted
 * here or, where no conversion exists, removed with the smallest part that may be absent.
 */

export interface LenientOptions {
	/** Whether a malformed item of a list may be removed, and a missing list or object read as empty. */
	readonly mayLackParts: boolean;
}

type Path = readonly PropertyKey[];
type Holder = Record<PropertyKey, unknown>;

/** A repair may reveal issues one level deeper; no response of the contract is nested deeper than this. */
const MAX_ROUNDS = 12;
/** A response with more issues is garbage: the largest of the contract has some hundred items of twenty figures. */
export const MAX_ISSUES = 20_000;
/** Depth of `data` or `payload`, where the body itself is 1. */
const RESPONSE_DEPTH = 2;
/** Placeholder of a removed item until its whole list has been checked, so that the paths of issues stay valid. */
const LEFT_OUT = Symbol('left out');

/** Parses a body with its schema after repairs; undefined for a body that cannot be repaired. Never throws. */
export function readLeniently<S extends z.ZodType>(
	schema: S,
	body: unknown,
	{mayLackParts}: LenientOptions,
): z.output<S> | undefined {
	const root: Holder = {body: structuredClone(body)};
	const filled = new Set<string>();
	for (let round = 0; round < MAX_ROUNDS; round++) {
		const read = schema.safeParse(root['body'], {reportInput: true});
		if (read.success) return read.data;
		if (read.error.issues.length > MAX_ISSUES) return undefined;
		for (const issue of read.error.issues) {
			if (!repair(root, ['body', ...issue.path], issue, mayLackParts, filled)) return undefined;
		}
		if (!sweep(root)) return undefined;
	}
	return undefined;
}

/** Repairs or removes the value of an issue. @returns false when neither is possible */
function repair(
	root: Holder,
	path: Path,
	issue: z.core.$ZodIssue,
	mayLackParts: boolean,
	filled: Set<string>,
): boolean {
	const holder = holderOf(root, path);
	const name = path.at(-1)!;
	// The value was removed for another issue.
	if (holder === undefined) return true;
	const value = holder[name];
	if (value === LEFT_OUT) return true;
	const other = converted(value, issue);
	if (other !== undefined) {
		holder[name] = other;
		return true;
	}
	const id = JSON.stringify(path);
	// The top level of a response is never filled in.
	const isInner = path.length > RESPONSE_DEPTH;
	const mayFill = mayLackParts && isInner && (value ?? undefined) === undefined && !filled.has(id);
	const empty = mayFill ? emptyFor(issue) : undefined;
	if (empty !== undefined) {
		filled.add(id);
		holder[name] = empty;
		return true;
	}
	return leaveOut(root, path, mayLackParts);
}

/** Removes the value at a path, or the nearest enclosing value that exists. */
function leaveOut(root: Holder, path: Path, mayLackParts: boolean): boolean {
	for (let depth = path.length; depth > 1; depth--) {
		const at = path.slice(0, depth);
		const holder = holderOf(root, at);
		const name = at.at(-1)!;
		if (Array.isArray(holder)) {
			if (!mayLackParts) return false;
			holder[name as number] = LEFT_OUT;
			return true;
		}
		if (holder?.[name] === undefined) continue;
		delete holder[name];
		return true;
	}
	return false;
}

/** The value converted to the form that the schema expects; undefined where no conversion exists. */
function converted(value: unknown, issue: z.core.$ZodIssue): unknown {
	switch (issue.code) {
		case 'invalid_type':
			return asType(value, issue.expected);
		case 'invalid_format':
			return typeof value === 'string' ? changed(value, toRawAmount(value.trim())) : undefined;
		case 'invalid_union':
			// A union of text, number or literals: text is the widest.
			return typeof value === 'number' ? asType(value, 'string') : undefined;
		default:
			return undefined;
	}
}

function asType(value: unknown, expected: string): unknown {
	if (expected === 'number' || expected === 'int') return typeof value === 'string' ? toNumber(value) : undefined;
	if (expected === 'boolean') return toBoolean(value);
	if (expected !== 'string') return undefined;
	if (typeof value !== 'number' || !Number.isFinite(value)) return undefined;
	// A larger number has lost digits, so that no exact amount can be read.
	return Number.isInteger(value) && !Number.isSafeInteger(value) ? undefined : String(value);
}

function changed<T>(before: T, after: T | undefined): T | undefined {
	return after === before ? undefined : after;
}

function emptyFor(issue: z.core.$ZodIssue): unknown {
	if (issue.code !== 'invalid_type') return undefined;
	if (issue.expected === 'array') return [];
	return issue.expected === 'object' ? {} : undefined;
}

function holderOf(root: Holder, path: Path): Holder | undefined {
	let at: unknown = root;
	for (const name of path.slice(0, -1)) {
		if (!isObject(at) && !Array.isArray(at)) return undefined;
		at = (at as unknown as Holder)[name];
	}
	return isObject(at) || Array.isArray(at) ? (at as unknown as Holder) : undefined;
}

/** Removes the placeholders from lists. @returns false when the response's own list had items and has none left */
function sweep(value: unknown, depth = 0): boolean {
	if (Array.isArray(value)) {
		const hadItems = value.length > 0;
		for (let at = value.length - 1; at >= 0; at--) if (value[at] === LEFT_OUT) value.splice(at, 1);
		const isLost = hadItems && value.length === 0 && depth <= RESPONSE_DEPTH;
		return !isLost && value.every(item => sweep(item, depth + 1));
	}
	return !isObject(value) || Object.values(value).every(member => sweep(member, depth + 1));
}
