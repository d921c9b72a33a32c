import {type Field, fieldOf} from './fields.ts';
import {isUnknown, predicate, type Scalar, type Test, type Value} from './filter-test.ts';
import type {SecurityFlag} from './security-flags.ts';

/**
 * The filter of a view, as an immutable tree with one spelling for each thing, made by `parseFilters`. This file is its one
 * meaning: service, stream, monitor and alerts all use it (contract gaps 3.4).
 */
export type Filter = AllOf | AnyOf | NoneOf | Leaf;

/** One clause, as `explain` reports it. */
export type Leaf = Compare | Age | Security | Keywords;

export interface AllOf {
	readonly kind: 'and';
	readonly of: readonly Filter[];
}

/** Without members it keeps nothing. */
export interface AnyOf {
	readonly kind: 'or';
	readonly of: readonly Filter[];
}

/** Plain negation: unlike `not` on a field it keeps rows whose value is unknown. */
export interface NoneOf {
	readonly kind: 'not';
	readonly of: Filter;
}

export type Compare = {readonly kind: 'compare'; readonly field: Field} & Test;

/** `created_at_offset`: the age of a token in seconds, so the result changes with time alone. */
export type Age = {readonly kind: 'age'; readonly field: Field} & Test;

/** One flag of the entry's `security` object. */
export type Security = {readonly kind: 'security'; readonly flag: SecurityFlag} & Test;

/** Any (`include`) or none (`exclude`) of the words occurs in name, symbol or description, whatever the letter case. */
export interface Keywords {
	readonly kind: 'keywords';
	readonly mode: 'include' | 'exclude';
	/** In lower case. */
	readonly words: readonly string[];
}

/** The filter that keeps everything. */
export const EVERYTHING: Filter = Object.freeze({kind: 'and', of: Object.freeze([])});

/** The part of a row that a filter reads: a field of the table of fields, or a security flag. */
export type Readable = Field | SecurityFlag;

/** Gives the value of one row: dates in Unix ms, unknown as null, undefined or NaN. */
export type Read = (of: Readable) => Value;

/** All of the filters; drops those that keep everything, so that equal filters look equal. */
export function allOf(filters: readonly Filter[]): Filter {
	const parts = filters.flatMap(f => (f.kind === 'and' ? f.of : [f]));
	return parts.length === 1 ? parts[0]! : Object.freeze({kind: 'and', of: Object.freeze(parts)});
}

/** Any of the filters. */
export function anyOf(filters: readonly Filter[]): Filter {
	return filters.length === 1 ? filters[0]! : Object.freeze({kind: 'or', of: Object.freeze([...filters])});
}

/**
 * Whether a filter keeps a row.
 * @param read the row's values, see Read
 * @param nowMs the clock of the market, for created_at_offset
 */
export function matches(filter: Filter, read: Read, nowMs: number): boolean {
	switch (filter.kind) {
		case 'and':
			return filter.of.every(part => matches(part, read, nowMs));
		case 'or':
			return filter.of.some(part => matches(part, read, nowMs));
		case 'not':
			return !matches(filter.of, read, nowMs);
		case 'compare':
			return testOf(filter)(read(filter.field));
		case 'security':
			return testOf(filter)(read(filter.flag));
		case 'age':
			return testOf(filter)(ageSeconds(read(filter.field), nowMs));
		case 'keywords':
			return matchesKeywords(filter, KEYWORD_FIELDS.map(read));
	}
}

/** The verdict on one clause, for "why is this token not here". */
export interface ClauseResult {
	/** The field's name, `security.<flag>`, `created_at_offset`, `includeKeywords` or `excludeKeywords`. */
	readonly name: string;
	readonly kind: Leaf['kind'];
	readonly op: Test['op'];
	readonly expected: Scalar | null | readonly Scalar[];
	/** As read: dates in Unix ms, ages in seconds; null when unknown. */
	readonly actual: Scalar | null;
	/** It stands under an odd number of NOT groups: the clause must be false. */
	readonly negated: boolean;
	/** Negation included. */
	readonly passed: boolean;
	/** It is one of the reasons why the whole filter drops the row. */
	readonly decisive: boolean;
}

/** Every clause of a filter with its expected value, the value of the row, and whether the clause decides. */
export function explain(filter: Filter, read: Read, nowMs: number): ClauseResult[] {
	const results: ClauseResult[] = [];
	const walk = (part: Filter, negated: boolean, blamed: boolean): void => {
		if (part.kind === 'not') {
			walk(part.of, !negated, blamed);
			return;
		}
		const passed = matches(part, read, nowMs) !== negated;
		if (part.kind === 'and' || part.kind === 'or') {
			for (const child of part.of) walk(child, negated, blamed && !passed);
			return;
		}
		results.push({...clause(part, read, nowMs), negated, passed, decisive: blamed && !passed});
	};
	walk(filter, false, true);
	return results;
}

/** Whether the result for a row can change with time alone. */
export function timeDependent(filter: Filter): boolean {
	return leaves(filter).some(leaf => leaf.kind === 'age');
}

/** The clauses of a filter in the order in which they were written. */
export function leaves(filter: Filter): readonly Leaf[] {
	if (filter.kind === 'not') return leaves(filter.of);
	return filter.kind === 'and' || filter.kind === 'or' ? filter.of.flatMap(leaves) : [filter];
}

/** The texts that keywords are searched in. */
export const KEYWORD_FIELDS: readonly Field[] = [fieldOf('name'), fieldOf('symbol'), fieldOf('description')];

const PREDICATES = new WeakMap<Leaf, (value: Value) => boolean>();

function testOf(leaf: Exclude<Leaf, Keywords>): (value: Value) => boolean {
	const known = PREDICATES.get(leaf);
	if (known) return known;
	const test = predicate(leaf);
	PREDICATES.set(leaf, test);
	return test;
}

function ageSeconds(createdAtMs: Value, nowMs: number): Value {
	return typeof createdAtMs === 'number' ? (nowMs - createdAtMs) / 1000 : null;
}

function matchesKeywords({mode, words}: Keywords, texts: readonly Value[]): boolean {
	const found = texts.some(text => {
		if (typeof text !== 'string') return false;
		const lower = text.toLowerCase();
		return words.some(word => lower.includes(word));
	});
	return found === (mode === 'include');
}

function clause(
	leaf: Leaf,
	read: Read,
	nowMs: number,
): Pick<ClauseResult, 'name' | 'kind' | 'op' | 'expected' | 'actual'> {
	if (leaf.kind === 'keywords') {
		const holder = KEYWORD_FIELDS.map(read).find(text => matchesKeywords({...leaf, mode: 'include'}, [text]));
		return {
			name: `${leaf.mode}Keywords`,
			kind: leaf.kind,
			op: leaf.mode === 'include' ? 'in' : 'notIn',
			expected: leaf.words,
			actual: holder ?? null,
		};
	}
	const {kind, op, value: expected} = leaf;
	if (leaf.kind === 'security') {
		return {name: `security.${leaf.flag.name}`, kind, op, expected, actual: knownOrNull(read(leaf.flag))};
	}
	const value = read(leaf.field);
	return leaf.kind === 'age'
		? {name: 'created_at_offset', kind, op, expected, actual: knownOrNull(ageSeconds(value, nowMs))}
		: {name: leaf.field.name, kind, op, expected, actual: knownOrNull(value)};
}

function knownOrNull(value: Value): Scalar | null {
	return isUnknown(value) ? null : value;
}
