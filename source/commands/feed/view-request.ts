import type {ViewRequest} from '../../client/feed/feed-events.ts';
import type {Config} from '../../config/config.ts';
import {readScopePart, type ScopePart, scopedRequest} from '../../monitor/columns/scope.ts';
import {mistakeText} from '../../monitor/filter/clause.ts';
import {readColumnSort} from '../../monitor/filter/column-sort.ts';
import {parseFilterLine} from '../../monitor/filter/filter-line.ts';
import {DEFAULT_SAVED_VIEW, type SavedColumn} from '../../monitor/saved-views/saved-view.ts';
import type {ViewName} from '../../monitor/views.ts';
import type {Flags} from '../line/flags.ts';
import {UsageError} from '../line/usage-error.ts';

/**
 * The request for a view: flags override the configuration, which overrides the defaults.
 * @throws UsageError for a filter or a sort that can't be read, with the position and a suggestion
 */
export function requestFor(view: ViewName, {columns}: Pick<Config, 'columns'>, flags: Flags): ViewRequest {
	const configured = columns[view];
	const text = flags.text('filter') ?? configured.filter ?? '';
	const filter = readFilter(text);
	const scope = {chains: readScope('chains', flags), launchpads: readScope('launchpads', flags)};
	const scoped = scopedRequest({
		chains: configured.chains,
		filter: {
			text,
			viewOptions: {...filter},
			...(filter.filters !== undefined && {filters: filter.filters as Record<string, unknown>}),
		},
		scope,
	});
	if (scoped === undefined)
		throw new UsageError('No token can match', `--chains and the configured chains of ${view} have none in common.`);
	const sort = flags.text('sort') ?? configured.sort;
	const {sortBy, sortOrder} = sort === undefined ? DEFAULT_SAVED_VIEW.columns[view] : readSort(sort);
	return {
		model: view,
		sortBy,
		sortOrder,
		limit: flags.wholeNumber('limit', {from: 1, to: 100}) ?? configured.limit,
		...filter,
		...scoped,
	};
}

/**
 * Reads a filter line into the members of a request.
 * @throws UsageError with the position and a suggestion
 */
function readFilter(text: string): Pick<ViewRequest, 'filters'> {
	const line = parseFilterLine(text);
	if (line.ok) return {...(Object.keys(line.filters).length > 0 && {filters: line.filters}), ...line.viewOptions};
	const mistake = line.errors[0]!;
	const {start, end} = mistake;
	throw new UsageError(
		'The filter is not understood',
		`At ${start + 1}, "${text.slice(start, end)}": ${mistakeText(mistake)}.`,
	);
}

/** @throws UsageError for an unknown chain or launchpad */
function readScope(part: ScopePart, flags: Flags): readonly string[] {
	const read = readScopePart(flags.text(part) ?? 'all', part);
	if (read.ok) return read.listed;
	throw new UsageError(`--${part} is not understood`, `${read.problem}.`);
}

/** @throws UsageError with the nearest name */
function readSort(text: string): Pick<SavedColumn, 'sortBy' | 'sortOrder'> {
	const {ok, ...read} = readColumnSort(text);
	if ('what' in read) throw new UsageError(read.what, read.why);
	return read;
}
