import type {ViewChanges} from '../../client/feed/feed-buffer.ts';
import type {Entry} from '../../contract/entry.ts';
import type {FieldName} from '../../contract/fields.ts';
import type {SortOrder} from '../../contract/sort.ts';
import type {Window8} from '../../contract/windows.ts';
import type {Explanation} from '../../errors.ts';
import {REORDER_MS} from '../../pacing.ts';
import {type Column, READY, type Row} from '../columns/column.ts';
import {departureReason} from '../columns/departure.ts';
import {DEFAULT_FIELDS} from '../columns/row-fields.ts';
import {FULL_SCOPE, isExcluded, isSameScope, type Scope} from '../columns/scope.ts';
import {firstRows, orderOf, presentIn, type Rows, refreshed, rowsAfter, withDeparted} from '../columns/shared-rows.ts';
import type {ColumnFilter} from '../filter/column-filter.ts';
import type {ViewName} from '../views.ts';

const NONE_LEFT_OUT: Column['leftOut'] = new Set();

/** The most rows that a view can have (spec 8). */
export const MAX_LIMIT = 100;

/** A column before its first rows. */
export function newColumn(
	view: ViewName,
	{
		sortBy,
		sortOrder,
		window,
		filter,
		limit,
		chains = [],
		scope = FULL_SCOPE,
		fields = DEFAULT_FIELDS,
	}: Pick<Column, 'sortBy' | 'sortOrder' | 'window' | 'filter' | 'limit'> &
		Partial<Pick<Column, 'chains' | 'scope' | 'fields'>>,
): Column {
	return emptiedIfExcluded({
		view,
		status: {kind: 'loading'},
		rows: new Map(),
		order: [],
		frozen: false,
		leftOut: NONE_LEFT_OUT,
		waiting: 0,
		orderedAtMs: 0,
		changedAtMs: 0,
		top: 0,
		sortBy,
		sortOrder,
		window,
		filter,
		fields,
		search: '',
		limit,
		chains,
		scope,
		pinned: new Set(),
	});
}

/** The column is no longer read: its rows are dropped, its settings and pins stay. */
export function columnCleared(column: Column): Column {
	return {...newColumn(column.view, column), pinned: column.pinned};
}

/** The whole view arrived and replaces the rows. Under a frozen order new rows wait and departed ones stay, marked. */
export function snapshotArrived(column: Column, entries: readonly Entry[], atMs: number): Column {
	const rows = new Map<string, Row>();
	for (const entry of entries) rows.set(entry.key, refreshed(column.rows.get(entry.key), entry, atMs));
	return settled(column, rows, atMs);
}

/** Some rows are new or changed, some left. @param removed keys */
export function changesArrived(
	column: Column,
	upserts: readonly Entry[],
	removed: readonly string[],
	atMs: number,
): Column {
	return viewArrived(column, {changes: [{upserts, removed}], atMs});
}

/** All that arrived for the view in one tick. */
export function viewArrived(column: Column, {snapshot, changes, atMs}: ViewChanges): Column {
	const replaced = snapshot ? snapshotArrived(column, snapshot, atMs) : column;
	if (changes.length === 0) return replaced;
	const present = changes.reduce((rows, change) => rowsAfter(rows, change, atMs), presentIn(replaced.rows));
	return settled(replaced, present, atMs);
}

/**
 * The column with the present rows of its view, in order unless the order is frozen or changed a moment ago.
 * @param arrived without departed rows; a frozen order keeps some beside them
 */
function settled(column: Column, arrived: Rows, atMs: number): Column {
	const present = firstRows(arrived, column);
	const base = {...column, status: READY, dataAtMs: atMs, changedAtMs: atMs};
	if (!column.frozen && atMs - column.orderedAtMs >= REORDER_MS) return ordered(base, atMs, present);
	// The first rows of a filter that was just typed: the tokens that it excludes have not left.
	if (column.orderedAtMs === 0) return reordered({...base, rows: present}, atMs);
	const departed = new Map<string, Row>();
	for (const key of column.order) {
		if (present.has(key)) continue;
		const last = column.rows.get(key)!;
		departed.set(
			key,
			last.departed ? last : {...last, departed: {atMs, reason: departureReason(column, last.entry, atMs)}},
		);
	}
	const rows = withDeparted(present, departed);
	// A change that was long on its way may be older than the order that it follows, and waits for the next order all the same.
	const changedAtMs = Math.max(atMs, column.orderedAtMs + 1);
	return {...base, rows, changedAtMs, waiting: rows.size - column.order.length};
}

/** A new order under a cursor. The cursor stays on its token; without the token the order is released. */
function reordered(column: Column, atMs: number): Column {
	const sorted = ordered(column, atMs);
	return sorted.cursor !== undefined && sorted.rows.has(sorted.cursor) ? sorted : released(sorted);
}

/** Sorts the rows: departed ones go, waiting ones come in. */
function ordered(column: Column, atMs: number, rows: Rows = presentIn(column.rows)): Column {
	const order = orderOf(rows, column);
	return {
		...column,
		rows,
		order,
		orderedAtMs: atMs,
		waiting: 0,
		top: Math.min(column.top, Math.max(order.length - 1, 0)),
	};
}

/** Time passed: a live order that waited for REORDER_MS is sorted. */
export function orderSettled(column: Column, atMs: number): Column {
	if (column.frozen || column.changedAtMs <= column.orderedAtMs) return column;
	return atMs - column.orderedAtMs >= REORDER_MS ? ordered(column, atMs) : column;
}

/** The service reported that nothing changed: the rows are up to date. */
export function freshened(column: Column, atMs: number): Column {
	return column.dataAtMs === undefined || atMs - column.dataAtMs < 1000 ? column : {...column, dataAtMs: atMs};
}

/** The service says how old its market is: the rows are no younger. Undefined once the market is up to date. */
export function stalenessArrived(column: Column, sinceMs: number | undefined): Column {
	if (column.staleSinceMs === sinceMs) return column;
	const {staleSinceMs: _, ...rest} = column;
	if (sinceMs === undefined) return rest;
	const {dataAtMs} = column;
	return {...rest, staleSinceMs: sinceMs, ...(dataAtMs !== undefined && {dataAtMs: Math.min(dataAtMs, sinceMs)})};
}

/** The service refused or could not answer. Old rows stay and show their age. */
export function viewFailed(column: Column, problem: Explanation): Column {
	const {status} = column;
	const wasReady = status.kind === 'ready' || (status.kind === 'failed' && status.wasReady);
	return {...column, status: {kind: 'failed', problem, ...(wasReady && {wasReady})}};
}

/** The service counted the tokens that match. */
export function totalArrived(column: Column, total: number): Column {
	return column.total === total ? column : {...column, total};
}

/** The column without its page, its order frozen as before; fields, window and search stay as they are now. */
export function headShown(column: Column): Column {
	if (column.page === undefined) return column;
	const {fields, window, search} = column;
	return {...column.page.head, fields, window, search};
}

/** Releases a frozen order: departed rows go, waiting ones come in, cursor and page are dropped. */
export function released(paged: Column): Column {
	const column = headShown(paged);
	if (!column.frozen) return column;
	const {cursor: _, ...rest} = column;
	return ordered({...rest, frozen: false, leftOut: NONE_LEFT_OUT, top: 0}, column.orderedAtMs);
}

/** Puts the cursor on a token and freezes the order, so that no row moves under the cursor. */
export function cursorPlaced(column: Column, key: string, elsewhere?: ReadonlyMap<string, unknown>): Column {
	return column.cursor === key && column.frozen ? column : {...orderFrozen(column, elsewhere), cursor: key};
}

/**
 * Freezes the order.
 * @param elsewhere tokens shown in another column now, which must not come in under the cursor
 */
export function orderFrozen(column: Column, elsewhere: ReadonlyMap<string, unknown> = new Map()): Column {
	return column.frozen ? column : {...column, frozen: true, leftOut: new Set(elsewhere.keys())};
}

/** Keeps the cursor's row on screen. @param shown keys in the order shown @param pageRows rows on screen */
export function scrolledToCursor(column: Column, shown: readonly string[], pageRows: number): Column {
	const at = column.cursor === undefined ? -1 : shown.indexOf(column.cursor);
	const last = Math.max(shown.length - pageRows, 0);
	let top = Math.min(column.top, last);
	if (at >= 0 && at < top) top = at;
	if (at >= top + pageRows) top = at - pageRows + 1;
	return top === column.top ? column : {...column, top};
}

/** Another sort was chosen. The rows are sorted at once, the service's rows follow. */
export function sortChanged(column: Column, sortBy: FieldName, sortOrder: SortOrder): Column {
	if (column.sortBy === sortBy && column.sortOrder === sortOrder) return column;
	const {total: _, ...thawed} = released(column);
	const changed = {...thawed, sortBy, sortOrder, status: {kind: 'loading'} as const};
	return {...changed, order: orderOf(changed.rows, changed)};
}

/** Another filter was set. Old rows stay, dimmed, until the new ones come. */
export function filterChanged(column: Column, filter: ColumnFilter): Column {
	const {total: _, ...thawed} = released(column);
	return emptiedIfExcluded({...thawed, filter, orderedAtMs: 0, status: {kind: 'loading'}});
}

/** All columns were narrowed to other chains and launchpads. Old rows stay until the new ones come. */
export function scopeChanged(column: Column, scope: Scope): Column {
	if (isSameScope(column.scope, scope)) return column;
	const {total: _, ...thawed} = released(column);
	return emptiedIfExcluded({...thawed, scope, orderedAtMs: 0, status: {kind: 'loading'}});
}

/** The configuration limits the column to other chains. Old rows stay until the new ones come. */
export function chainsChanged(column: Column, chains: readonly string[]): Column {
	const isSame = chains.length === column.chains.length && chains.every(id => column.chains.includes(id));
	if (isSame) return column;
	const {total: _, ...thawed} = released(column);
	return emptiedIfExcluded({...thawed, chains, orderedAtMs: 0, status: {kind: 'loading'}});
}

/** A column whose chains have none in common with the chosen ones is empty at once and makes no request. */
function emptiedIfExcluded(column: Column): Column {
	if (!isExcluded(column)) return column;
	const {dataAtMs: _, ...rest} = column;
	return {...rest, rows: new Map(), order: [], top: 0, status: READY};
}

/** Changes the first rows of the view, also behind a page. */
export function headChanged(column: Column, change: (head: Column) => Column): Column {
	const {page} = column;
	if (page === undefined) return change(column);
	const head = change(page.head);
	return head === page.head ? column : {...column, page: {...page, head}};
}

/** The column requests another number of rows. */
export function limitChanged(column: Column, limit: number): Column {
	return column.limit === limit ? column : headChanged({...column, limit}, head => ({...head, limit}));
}

/** Another quick search was typed; '' shows all rows. */
export function searchChanged(column: Column, search: string): Column {
	return column.search === search ? column : {...column, search, top: 0};
}

/** A search was cancelled: search and cursor are those from before. */
export function searchAbandoned(column: Column, before: {readonly search: string; readonly cursor?: string}): Column {
	const {cursor: _, ...rest} = column;
	return {...rest, search: before.search, ...(before.cursor !== undefined && {cursor: before.cursor})};
}

/** The pins of this column changed; unless the order is frozen they move to the top. @param pinned keys */
export function pinsChanged(column: Column, pinned: ReadonlySet<string>): Column {
	const changed = headChanged({...column, pinned}, head => ({...head, pinned}));
	return column.frozen ? changed : {...changed, order: orderOf(changed.rows, changed)};
}

/** The rows show other fields (row-fields.ts). */
export function fieldsChanged(column: Column, fields: readonly string[]): Column {
	const isSame = fields.length === column.fields.length && fields.every((name, at) => name === column.fields[at]);
	return isSame ? column : {...column, fields};
}

/** Volume, counts and change have another time window. */
export function windowChanged(column: Column, window: Window8): Column {
	return column.window === window ? column : {...column, window};
}
