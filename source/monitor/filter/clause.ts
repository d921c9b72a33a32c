import type {FieldWord} from './field-words.ts';

/** A place in the typed line, in UTF-16 units; `end` is the first one behind it. */
export interface Span {
	readonly start: number;
	readonly end: number;
}

/** What is wrong at a place, and what would be right there. */
export interface FilterError extends Span {
	readonly message: string;
	/** Text to put in the place of `start` to `end`. */
	readonly suggestion?: string;
}

export type ComparisonOp = 'equals' | 'in' | 'gt' | 'gte' | 'lt' | 'lte' | 'contains' | 'startsWith' | 'endsWith';

export type Plain = string | number | boolean;

/** One operator with its value as the API takes it. */
export interface Comparison {
	readonly op: ComparisonOp;
	/** null: unknown. */
	readonly value: Plain | null | readonly Plain[];
	/** Letter case is overlooked. */
	readonly insensitive?: boolean;
}

/** One clause of the line: `mcap>50k`, `-kw:elon`, `has:twitter`. */
export interface FilterClause extends Span {
	readonly text: string;
	readonly word: FieldWord;
	/** Written with `-`, `!` or `!=`: it asks for the opposite. An unknown value still fails it, unless `passesUnknown`. */
	readonly negated: boolean;
	/** Written with `?` behind the field: a token whose value is unknown passes. */
	readonly passesUnknown: boolean;
	/** All must hold. Empty only for `has`. */
	readonly comparisons: readonly Comparison[];
	/** The fields that `has` asks about: any of them. */
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
	const wanted = Number(value);
	if (op === 'gt') return count > wanted;
	if (op === 'gte') return count >= wanted;
	if (op === 'lt') return count < wanted;
	return op === 'lte' ? count <= wanted : count === wanted;
}
