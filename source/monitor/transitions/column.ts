import type {Entry} from '../../contract/entry.ts';
import type {FieldName} from '../../contract/fields.ts';
import type {SortOrder} from '../../contract/sort.ts';
import type {Window8} from '../../contract/windows.ts';
import type {Explanation} from '../../errors.ts';
import {REORDER_MS} from '../../pacing.ts';
import {departureReason} from '../columns/departure.ts';
import {sortedKeys} from '../columns/order.ts';
import {DEFAULT_FIELDS} from '../columns/row-fields.ts';
import {FULL_SCOPE, isExcluded, isSameScope, type Scope} from '../columns/scope.ts';
import type {Column, ColumnFilter, Row, ViewName} from '../state.ts';

const NONE_LEFT_OUT: Column['leftOut'] = new Set();

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

/** The column is not read any more: nothing is kept of what it held. */
export function columnCleared(column: Column): Column {
	return {...newColumn(column.view, column), pinned: column.pinned};
}

/** The whole view came: it replaces what was known. Behind a frozen order newcomers wait and leavers stay, marked. */
export function snapshotArrived(column: Column, entries: readonly Entry[], atMs: number): Column {
	const rows = new Map<string, Row>();
	for (const entry of entries) rows.set(entry.key, refreshed(column.rows.get(entry.key), entry, atMs));
	return settled(column, rows, atMs);
}

/** Some rows are new or changed, some left. */
export function changesArrived(
	column: Column,
	upserts: readonly Entry[],
	removed: readonly string[],
	atMs: number,
): Column {
	const rows = new Map<string, Row>();
	for (const [key, row] of column.rows) if (row.departed === undefined) rows.set(key, row);
	for (const entry of upserts) rows.set(entry.key, refreshed(rows.get(entry.key), entry, atMs));
	for (const key of removed) rows.delete(key);
	return settled(column, rows, atMs);
}

/** A row with a newer entry. */
export function refreshed(row: Row | undefined, entry: Entry, atMs: number): Row {
	if (row === undefined) return {entry, enteredAtMs: atMs};
	const [before, after] = [row.entry.latest_price, entry.latest_price];
	const moved = before !== undefined && after !== undefined && before !== after;
	const move = moved ? {up: after > before, atMs} : row.move;
	return {entry, enteredAtMs: row.enteredAtMs, ...(move && {move})};
}

/**
 * Puts the rows that the view holds now into the column.
 * @param present the rows of the view, without leavers
 */
function settled(column: Column, present: Map<string, Row>, atMs: number): Column {
	trim(column, present);
	const base = {...column, status: {kind: 'ready'} as const, dataAtMs: atMs, changedAtMs: atMs};
	if (!column.frozen && atMs - column.orderedAtMs >= REORDER_MS) return ordered({...base, rows: present}, atMs);
	for (const key of column.order) {
		if (present.has(key)) continue;
		const last = column.rows.get(key)!;
		present.set(
			key,
			last.departed ? last : {...last, departed: {atMs, reason: departureReason(column, last.entry, atMs)}},
		);
	}
	return {...base, rows: present, waiting: present.size - column.order.length};
}

/** Puts the rows in order: leavers go, newcomers come in. */
function ordered(column: Column, atMs: number): Column {
	const rows = new Map([...column.rows].filter(([, row]) => row.departed === undefined));
	const order = sorted(rows, column);
	return {
		...column,
		rows,
		order,
		orderedAtMs: atMs,
		waiting: 0,
		top: Math.min(column.top, Math.max(order.length - 1, 0)),
	};
}

/** Time passed: a live order that was held back for a moment is put right. */
export function orderSettled(column: Column, atMs: number): Column {
	if (column.frozen || column.changedAtMs <= column.orderedAtMs) return column;
	return atMs - column.orderedAtMs >= REORDER_MS ? ordered(column, atMs) : column;
}

/** A view is its first `limit` rows and its pins: what the stream adds beyond falls off at the end. */
function trim(column: Column, rows: Map<string, Row>): void {
	if (rows.size <= column.limit) return;
	const room = column.limit + column.pinned.size;
	for (const key of sorted(rows, column).slice(room)) rows.delete(key);
}

function sorted(rows: ReadonlyMap<string, Row>, column: Pick<Column, 'sortBy' | 'sortOrder' | 'pinned'>): string[] {
	return sortedKeys(
		rows.values().map(row => row.entry),
		column,
	);
}

/** The service was heard of and nothing had changed: what is shown is as good as new. */
export function freshened(column: Column, atMs: number): Column {
	return column.dataAtMs === undefined || atMs - column.dataAtMs < 1000 ? column : {...column, dataAtMs: atMs};
}

/** The service refused or could not answer. Old rows stay, their age tells the rest. */
export function viewFailed(column: Column, problem: Explanation): Column {
	return {...column, status: {kind: 'failed', problem}};
}

export function totalArrived(column: Column, total: number): Column {
	return column.total === total ? column : {...column, total};
}

/** The first rows of the view again, their order frozen as it was; what was chosen for the rows meanwhile stays. */
export function headShown(column: Column): Column {
	if (column.page === undefined) return column;
	const {fields, window, search} = column;
	return {...column.page.head, fields, window, search};
}

/** Lets the order move again: leavers go, newcomers come in, the cursor is gone. A page gives way to the first rows. */
export function released(paged: Column): Column {
	const column = headShown(paged);
	if (!column.frozen) return column;
	const {cursor: _, ...rest} = column;
	return ordered({...rest, frozen: false, leftOut: NONE_LEFT_OUT, top: 0}, column.orderedAtMs);
}

/** The cursor goes to a token, and the order freezes so that nothing slides under it. */
export function cursorPlaced(column: Column, key: string, elsewhere?: ReadonlyMap<string, unknown>): Column {
	return column.cursor === key && column.frozen ? column : {...orderFrozen(column, elsewhere), cursor: key};
}

/**
 * The order stands still from now on.
 * @param elsewhere tokens that stand in another column now: they were not shown, and must not come in under the cursor
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

/** Another order was chosen. Rows are sorted at once; the service's answer follows. The selection stays on its token. */
export function sortChanged(column: Column, sortBy: FieldName, sortOrder: SortOrder): Column {
	if (column.sortBy === sortBy && column.sortOrder === sortOrder) return column;
	const {total: _, ...thawed} = released(column);
	const changed = {...thawed, sortBy, sortOrder, status: {kind: 'loading'} as const};
	return {...changed, order: sorted(changed.rows, changed)};
}

/** Another filter was set. Old rows stay, dimmed by their status, until the new ones come, which take their places at once. */
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

/** The column asks for other chains by itself. Old rows stay until the new ones come. */
export function chainsChanged(column: Column, chains: readonly string[]): Column {
	const isSame = chains.length === column.chains.length && chains.every(id => column.chains.includes(id));
	if (isSame) return column;
	const {total: _, ...thawed} = released(column);
	return emptiedIfExcluded({...thawed, chains, orderedAtMs: 0, status: {kind: 'loading'}});
}

/** A column whose chains and the chosen ones have none in common asks for nothing, and is empty at once. */
function emptiedIfExcluded(column: Column): Column {
	if (!isExcluded(column)) return column;
	const {dataAtMs: _, ...rest} = column;
	return {...rest, rows: new Map(), order: [], top: 0, status: {kind: 'ready'}};
}

/** What came for the first rows of the view goes to them, also behind a page. */
export function headChanged(column: Column, change: (head: Column) => Column): Column {
	const {page} = column;
	if (page === undefined) return change(column);
	const head = change(page.head);
	return head === page.head ? column : {...column, page: {...page, head}};
}

export function limitChanged(column: Column, limit: number): Column {
	return column.limit === limit ? column : headChanged({...column, limit}, head => ({...head, limit}));
}

export function searchChanged(column: Column, search: string): Column {
	return column.search === search ? column : {...column, search, top: 0};
}

/** The cursor went back to where it was before a search that was given up. */
export function searchAbandoned(column: Column, before: {readonly search: string; readonly cursor?: string}): Column {
	const {cursor: _, ...rest} = column;
	return {...rest, search: before.search, ...(before.cursor !== undefined && {cursor: before.cursor})};
}

/** The pins of this column changed; unless its order is frozen they move to the top. */
export function pinsChanged(column: Column, pinned: ReadonlySet<string>): Column {
	const changed = headChanged({...column, pinned}, head => ({...head, pinned}));
	return column.frozen ? changed : {...changed, order: sorted(changed.rows, changed)};
}

/** Its rows show other figures; the same ones are no change. */
export function fieldsChanged(column: Column, fields: readonly string[]): Column {
	const isSame = fields.length === column.fields.length && fields.every((name, at) => name === column.fields[at]);
	return isSame ? column : {...column, fields};
}

/** The next time window for volume, counts and change. */
export function windowChanged(column: Column, window: Window8): Column {
	return column.window === window ? column : {...column, window};
}
