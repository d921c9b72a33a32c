import type {FieldWord} from './field-words.ts';

/** A place in the typed line, in UTF-16 units, without `end`. */
export interface Span {
	readonly start: number;
	readonly end: number;
}

/** A mistake in the line, and its correction. */
export interface FilterError extends Span {
	readonly message: string;
	/** Text to put in the place of `start` to `end`. */
	readonly suggestion?: string;
}

/** A mistake in words, with its correction. @param line the line, where the place must be named, too */
export function mistakeText({message, suggestion, start, end}: FilterError, line = ''): string {
	const place = line.slice(start, end);
	const placed = message.includes(place) ? message : `${place}: ${message}`;
	// A mistyped word may contain the right one: “mcapp”.
	const words = message.replaceAll(/“[^”]*”/g, '');
	return suggestion === undefined || words.includes(suggestion) ? placed : `${placed}; perhaps ${suggestion}`;
}

export type ComparisonOp = 'equals' | 'in' | 'gt' | 'gte' | 'lt' | 'lte' | 'contains' | 'startsWith' | 'endsWith';

export type Plain = string | number | boolean;

/** One operator with its value as the API takes it. */
export interface Comparison {
	readonly op: ComparisonOp;
	/** null: unknown. */
	readonly value: Plain | null | readonly Plain[];
	/** Letter case is ignored. */
	readonly insensitive?: boolean;
}

/** One clause of the line: `mcap>50k`, `-kw:elon`, `has:twitter`. */
export interface FilterClause extends Span {
	readonly text: string;
	readonly word: FieldWord;
	/** Written with `-`, `!` or `!=`: the opposite. An unknown value still fails, unless `passesUnknown`. */
	readonly negated: boolean;
	/** Written with `?` after the field: an unknown value passes. */
	readonly passesUnknown: boolean;
	/** All must hold. Empty only for `has`. */
	readonly comparisons: readonly Comparison[];
	/** The fields of `has`: one of them must be known. */
	readonly known: readonly FieldWord[];
}

/** The line as a tree; an `all` of nothing keeps everything. */
export type FilterNode =
	| {readonly kind: 'all' | 'any'; readonly of: readonly FilterNode[]; readonly span: Span}
	| {readonly kind: 'clause'; readonly clause: FilterClause};

export type TokenKind = 'field' | 'operator' | 'value' | 'error' | 'bool';

/** One coloured piece of the line. */
export interface FilterToken extends Span {
	readonly kind: TokenKind;
}

/** The words of the socials that `socials` counts. */
export const SOCIAL_FIELDS = ['twitter', 'website', 'telegram'] as const;

/** How many socials (0 to 3) a clause on `socials` accepts. */
export function acceptedCounts({comparisons, negated}: FilterClause): readonly number[] {
	return [0, 1, 2, 3].filter(count => comparisons.every(c => holds(c, count)) !== negated);
}

function holds({op, value}: Comparison, count: number): boolean {
	if (Array.isArray(value)) return value.includes(count);
	const limit = Number(value);
	if (op === 'gt') return count > limit;
	if (op === 'gte') return count >= limit;
	if (op === 'lt') return count < limit;
	return op === 'lte' ? count <= limit : count === limit;
}
