import type {Entry} from '../../contract/entry.ts';
import {readEntry} from '../../contract/entry-reader.ts';
import {explain, type Filter} from '../../contract/filter.ts';
import {parseFilters} from '../../contract/filter-parse.ts';
import {describeFailure} from '../filter/clause-text.ts';
import type {Column} from './column.ts';

/**
 * Why a token left a view, derived from its values: the service only reports that it left.
 * @param entry its last known values
 * @param nowMs Unix ms
 * @returns to be read after its name: `mcap 4.9k < 5k`, `bonded`
 */
export function departureReason(column: Column, entry: Entry, nowMs: number): string {
	const isPhase = column.view === 'new' || column.view === 'bonding';
	if (isPhase && entry.bonded === true) return 'bonded';
	const {filters} = column.filter;
	if (filters !== undefined) {
		const failed = explain(parsed(filters), readEntry(entry), nowMs).find(clause => clause.decisive);
		return failed ? describeFailure(failed) : 'no longer matches the filter';
	}
	return column.order.length >= column.limit ? `no longer among the first ${column.limit}` : 'left this view';
}

const FILTERS = new WeakMap<object, Filter>();

function parsed(filters: Readonly<Record<string, unknown>>): Filter {
	const known = FILTERS.get(filters) ?? parseFilters(filters, {mode: 'asset'});
	FILTERS.set(filters, known);
	return known;
}
