import type * as z from 'zod';
import {isObject, toBoolean, toNumber, toRawAmount} from './wire-value.ts';

/*
 * Answers in other spellings than the contract's (contract gaps, general rules): numbers as text and text as numbers, `null`
 * for what is absent, a list that is left out. The contract stays as strict as it is; what does not fit it is brought into
 * its form here or, where it makes no sense, left out in the smallest part that can be missing.
 */

export interface LenientOptions {
	/** Whether an item of a list that makes no sense may be left out, and a list or object that is missing be empty. */
	readonly mayLackParts: boolean;
}

type Path = readonly PropertyKey[];
type Holder = Record<PropertyKey, unknown>;

/** Each round mends what the round before laid bare; no answer of the contract is nested deeper. */
const MAX_ROUNDS = 12;
/** With more to mend than this an answer is garbage: the largest of the contract has some hundred items of twenty figures. */
export const MAX_ISSUES = 20_000;
/** Depth of `data` or `payload`, where the body itself is 1. */
const ANSWER_DEPTH = 2;
/** Takes the place of an item that is left out until all of its list was looked at, so that paths stay right. */
const LEFT_OUT = Symbol('left out');

/** The answer by its schema, with what can be mended mended; undefined when that is not enough. Never throws. */
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
			if (!mend(root, ['body', ...issue.path], issue, mayLackParts, filled)) return undefined;
		}
		if (!sweep(root)) return undefined;
	}
	return undefined;
}

/** Puts right or takes away what an issue is about. @returns false when nothing can be done */
function mend(root: Holder, path: Path, issue: z.core.$ZodIssue, mayLackParts: boolean, filled: Set<string>): boolean {
	const holder = holderOf(root, path);
	const name = path.at(-1)!;
	// Another issue has taken away what this one is about.
	if (holder === undefined) return true;
	const value = holder[name];
	if (value === LEFT_OUT) return true;
	const other = converted(value, issue);
	if (other !== undefined) {
		holder[name] = other;
		return true;
	}
	const id = JSON.stringify(path);
	// What the answer is about is not made up.
	const isInner = path.length > ANSWER_DEPTH;
	const mayFill = mayLackParts && isInner && (value ?? undefined) === undefined && !filled.has(id);
	const empty = mayFill ? emptyFor(issue) : undefined;
	if (empty !== undefined) {
		filled.add(id);
		holder[name] = empty;
		return true;
	}
	return leaveOut(root, path, mayLackParts);
}

/** Takes away the part, or what it is a part of when it is not there. */
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

/** The value in the form that is wanted; undefined when it has no such form. */
function converted(value: unknown, issue: z.core.$ZodIssue): unknown {
	switch (issue.code) {
		case 'invalid_type':
			return asType(value, issue.expected);
		case 'invalid_format':
			return typeof value === 'string' ? changed(value, toRawAmount(value.trim())) : undefined;
		case 'invalid_union':
			// Text, number, or known words: text is the widest of them.
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
	// Beyond this a number has lost digits: no amount can be read from it.
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

/** Takes what was left out from its lists. @returns false when nothing at all is left of a list that is the answer itself */
function sweep(value: unknown, depth = 0): boolean {
	if (Array.isArray(value)) {
		const hadItems = value.length > 0;
		for (let at = value.length - 1; at >= 0; at--) if (value[at] === LEFT_OUT) value.splice(at, 1);
		const isLost = hadItems && value.length === 0 && depth <= ANSWER_DEPTH;
		return !isLost && value.every(item => sweep(item, depth + 1));
	}
	return !isObject(value) || Object.values(value).every(member => sweep(member, depth + 1));
}
