import type {Entry} from '../contract/entry.ts';
import {readEntry} from '../contract/entry-reader.ts';
import {findField} from '../contract/fields.ts';
import {type ClauseResult, explain, type Filter} from '../contract/filter.ts';
import {parseFilters} from '../contract/filter-parse.ts';
import {wordOf} from './field-words.ts';
import {printAge, printDate, printNumber} from './filter-values.ts';
import type {Column} from './state.ts';

/**
 * Why a token is no longer in a view, as well as we can know: the service only says that it left.
 * @param entry what was last known of it
 * @returns a few words: `mcap 4.9k < 5k`, `bonded`
 */
export function departureReason(column: Column, entry: Entry, nowMs: number): string {
	if (column.view !== 'bonded' && entry.bonded === true) return 'bonded';
	const {filters} = column.filter;
	if (filters !== undefined) {
		const failed = explain(parsed(filters), readEntry(entry), nowMs).find(clause => clause.decisive);
		return failed ? clauseWords(failed) : 'no longer matches the filter';
	}
	return column.order.length >= column.limit ? `no longer among the first ${column.limit}` : 'left this view';
}

const FILTERS = new WeakMap<object, Filter>();

function parsed(filters: Readonly<Record<string, unknown>>): Filter {
	const known = FILTERS.get(filters) ?? parseFilters(filters, {mode: 'asset'});
	FILTERS.set(filters, known);
	return known;
}

/** What holds where a comparison fails. */
const OPPOSITE: Readonly<Record<string, string>> = {gt: '≤', gte: '<', lt: '≥', lte: '>', equals: '≠', not: '='};

/** A clause that a token does not pass: what it has, and how that misses what is wanted. */
function clauseWords({name, op, wanted, actual, negated}: ClauseResult): string {
	const word = name === 'created_at_offset' ? 'age' : (findField(name) && wordOf(findField(name)!.name)) || name;
	if (actual === null) return `${word} is not known`;
	const sign = OPPOSITE[op];
	if (sign === undefined || negated || typeof wanted !== 'number' || typeof actual !== 'number')
		return `${word} is ${actual}`;
	const print = (value: number): string => printed(name, value);
	// Rounded for reading, but never so far that it would look as if it passed.
	const short = print(Number(actual.toPrecision(3)));
	return `${word} ${short === print(wanted) ? print(actual) : short} ${sign} ${print(wanted)}`;
}

function printed(name: string, value: number): string {
	if (name === 'created_at_offset') return printAge(Math.round(value));
	const kind = findField(name)?.kind ?? 'number';
	if (kind === 'date') return printDate(value);
	return printNumber(value, kind === 'text' || kind === 'boolean' ? 'number' : kind);
}
