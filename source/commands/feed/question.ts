import type {ViewRequest} from '../../client/feed-events.ts';
import type {Config} from '../../config.ts';
import {type FieldName, fieldOf} from '../../contract/fields.ts';
import {isSortable, type SortOrder} from '../../contract/sort.ts';
import {findWord} from '../../monitor/field-words.ts';
import {parseFilterLine} from '../../monitor/filter-line.ts';
import type {ViewName} from '../../monitor/state.ts';
import type {Flags} from '../line/flags.ts';
import {UsageError} from '../line/usage-error.ts';

/** What each view is sorted by when nobody says. */
const USUAL_SORT: Readonly<Record<ViewName, string>> = {
	new: 'age asc',
	bonding: 'bonding desc',
	bonded: 'bonded_at desc',
};

/**
 * What to ask of the service for a view: flags before the configuration before the usual.
 * @throws UsageError where the filter or the sort can't be read, with the place and what would be right there
 */
export function viewQuestion(view: ViewName, {columns}: Pick<Config, 'columns'>, flags: Flags): ViewRequest {
	const configured = columns[view];
	const filter = readFilter(flags.text('filter') ?? configured.filter ?? '');
	const sort = readSort(flags.text('sort') ?? configured.sort ?? USUAL_SORT[view]);
	return {
		model: view,
		...sort,
		limit: flags.wholeNumber('limit', {from: 1, to: 100}) ?? configured.limit,
		...(configured.chains.length > 0 && {chainId: configured.chains}),
		...filter,
	};
}

/**
 * Reads a filter line into what goes into a view.
 * @throws UsageError with the place, and what would be right there
 */
export function readFilter(text: string): Pick<ViewRequest, 'filters'> {
	const line = parseFilterLine(text);
	if (line.ok) return {...(Object.keys(line.filters).length > 0 && {filters: line.filters}), ...line.viewOptions};
	const {start, end, message, suggestion} = line.errors[0]!;
	const hint = suggestion === undefined ? '' : `; perhaps ${suggestion}`;
	throw new UsageError(
		'The filter is not understood',
		`At ${start + 1}, "${text.slice(start, end)}": ${message}${hint}.`,
	);
}

/**
 * Reads `volume_1h desc`, `vol5m:asc` or `age`. What grows is shown largest first, ages youngest first.
 * @throws UsageError with the nearest name
 */
export function readSort(text: string): {sortBy: FieldName; sortOrder: SortOrder} {
	const [, name = '', direction] = /^\s*(.+?)(?:[\s:]+(asc|desc))?\s*$/i.exec(text) ?? [];
	const {word, suggestion} = findWord(name);
	if (word?.sortBy === undefined || !isSortable(fieldOf(word.sortBy))) {
		throw new UsageError(
			word ? `Nothing can be sorted by ${word.label}` : `"${name}" is not a field`,
			suggestion === undefined ? 'Name a figure or a date, as in "volume_1h desc".' : `The nearest is "${suggestion}".`,
		);
	}
	const isAge = word.kind === 'age';
	const order = direction?.toLowerCase() ?? (isAge ? 'asc' : 'desc');
	// A greater age is an earlier creation.
	return {sortBy: word.sortBy, sortOrder: (order === 'asc') === isAge ? 'desc' : 'asc'};
}
