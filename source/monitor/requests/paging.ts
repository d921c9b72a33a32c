import type {Client} from '../../client/client.ts';
import type {ViewRequest} from '../../client/feed/feed-events.ts';
import type {ViewPage} from '../../client/lookups/page.ts';
import type {Entry} from '../../contract/entry.ts';
import {explain} from '../../errors.ts';
import type {Store} from '../../store.ts';
import type {Column} from '../columns/column.ts';
import {elsewhereIn} from '../columns/shown-keys.ts';
import {headOf} from '../select.ts';
import {viewRequest} from '../session.ts';
import type {MonitorState, Notice} from '../state.ts';
import {headReached, type PagePlace, pageRequested, pageSettled, pageShown} from '../transitions/page.ts';
import {columnChanged} from '../transitions/screen.ts';
import type {ViewName} from '../views.ts';

/*
 * Rows after the first ones of a view (spec 4.3): at the end of a column the next rows are read over REST, by their place,
 * and shown instead. The stream keeps the first rows live behind them, for alerts and the other columns.
 */

/** Rows of one page, and how many rows before it are read again, so that rows that moved up meanwhile are not missed. */
const PAGE_ROWS = 50;
const OVERLAP = 10;

/** Place and request of the page below the rows shown; undefined when there are no more rows. */
export function pageBelow(column: Column): (PagePlace & {readonly request: ViewRequest}) | undefined {
	const {page} = column;
	if (page === undefined && column.rows.size < column.limit) return undefined;
	const shown = page ? column.order.length : headRows(column).length;
	const end = page?.end ?? shown;
	const from = (page?.from ?? 1) + shown;
	const until = page ? page.until : firstLaunch(column);
	return placed(column, {from, offset: Math.max(end - OVERLAP, 0), until}, PAGE_ROWS + OVERLAP);
}

/** Place and request of the page above a page; undefined when the first rows of the view come next. */
export function pageAbove(column: Column): (PagePlace & {readonly request: ViewRequest}) | undefined {
	const {page} = column;
	if (page === undefined) return undefined;
	const from = page.from - PAGE_ROWS;
	if (from <= headRows(page.head).length) return undefined;
	return placed(column, {from, offset: from - 1, until: page.until}, PAGE_ROWS);
}

function placed(
	column: Column,
	{from, offset, until}: {readonly from: number; readonly offset: number; readonly until: number | undefined},
	limit: number,
): (PagePlace & {readonly request: ViewRequest}) | undefined {
	const whole = viewRequest(headOf(column));
	if (whole === undefined) return undefined;
	const {includeTokens: _, filters: own, ...request} = whole;
	const bound = until === undefined ? [] : [{created_at: {lte: new Date(until).toISOString()}}];
	const filters = bound.length === 0 ? own : own === undefined ? bound[0] : {AND: [...bound, own]};
	return {
		from,
		offset,
		...(until !== undefined && {until}),
		request: {...request, limit, offset, ...(filters !== undefined && {filters})},
	};
}

/** Keys of rows that are in the column by their place in the view, not by a pin. */
function headRows({order, pinned}: Column): readonly string[] {
	return pinned.size === 0 ? order : order.filter(key => !pinned.has(key));
}

/** Time of the newest launch, Unix ms, in a column sorted by launch: later launches would shift every place. */
function firstLaunch(column: Column): number | undefined {
	if (column.sortBy !== 'created_at' || column.sortOrder !== 'desc') return undefined;
	const [first] = headRows(column);
	return first === undefined ? undefined : column.rows.get(first)?.entry.created_at;
}

/** Reads more rows of the focused column when the cursor is at an end. */
export interface Paging {
	/** @param turning where the cursor goes on @param isToEnd whether it goes to the far end of the page */
	turn(turning: 'down' | 'up', isToEnd?: boolean): void;
}

/** @param notify shows a notice @param onShown called when another page is shown */
export function createPaging(
	store: Store<MonitorState>,
	{
		client,
		notify,
		nowMs,
		onShown,
	}: {
		readonly client: () => Pick<Client, 'fetchPage'> | undefined;
		readonly notify: (text: string, tone: Notice['tone'], hint?: string) => void;
		readonly nowMs: () => number;
		readonly onShown: () => void;
	},
): Paging {
	const {get, apply} = store;
	const change = (view: ViewName, how: (column: Column) => Column) => apply(state => columnChanged(state, view, how));

	async function read(view: ViewName, turning: 'down' | 'up', isToEnd: boolean): Promise<void> {
		const before = get().columns[view];
		const next = turning === 'down' ? pageBelow(before) : pageAbove(before);
		if (next === undefined) return;
		const from = client();
		if (from === undefined) return notify('More tokens can’t be read: the service is not there yet.', 'warn');
		change(view, c => pageRequested(c, turning));
		try {
			const page = await from.fetchPage(next.request);
			const now = get().columns[view];
			// The user moved on meanwhile: the page is not shown.
			if (!isSamePlace(before, now)) return;
			const known = turning === 'down' ? before.rows : NONE;
			const entries = page.entries.filter(({key}) => !known.has(key));
			const problem = problemWith(page, entries, next.request);
			if (problem) return notify(problem, 'info');
			const fresh = {entries, size: page.size};
			const toward = isToEnd ? (turning === 'down' ? 'up' : 'down') : turning;
			apply(state => {
				const elsewhere = elsewhereIn(stateWith(state, view, entries), view);
				const look = {turning: toward, atMs: nowMs(), pageRows: state.pageRows, elsewhere} as const;
				return columnChanged(state, view, c => pageShown(c, next, fresh, look));
			});
			onShown();
		} catch (error) {
			const {what, why} = explain(error);
			notify(`More tokens could not be read. ${what}: ${why}`, 'warn');
		} finally {
			if (get().columns[view].turning) change(view, pageSettled);
		}
	}

	return {
		turn(turning, isToEnd = false) {
			const view = get().focus;
			const column = get().columns[view];
			if (column.turning || column.search !== '') return;
			if (turning === 'up' && column.page && pageAbove(column) === undefined) {
				change(view, headReached);
				onShown();
			} else void read(view, turning, isToEnd);
		},
	};
}
const NONE: ReadonlyMap<string, unknown> = new Map();

/** The state as if the column had these rows, to find those that are shown elsewhere. */
function stateWith(state: MonitorState, view: ViewName, entries: readonly Entry[]): MonitorState {
	const rows = new Map(entries.map(entry => [entry.key, {entry}]));
	return columnChanged(state, view, c => ({...c, rows, order: [...rows.keys()], frozen: false}));
}

function isSamePlace(before: Column, now: Column): boolean {
	const [was, is] = [headOf(before), headOf(now)];
	return (
		before.page?.from === now.page?.from &&
		before.cursor === now.cursor &&
		was.filter === is.filter &&
		was.chains === is.chains &&
		was.scope === is.scope &&
		was.sortBy === is.sortBy &&
		was.sortOrder === is.sortOrder
	);
}

/** Why a page can't be shown; undefined when it can. */
function problemWith(
	{size, entries: all}: ViewPage,
	entries: readonly Entry[],
	{limit}: ViewRequest,
): string | undefined {
	const known = all.length - entries.length;
	if (known > OVERLAP && known >= size / 2)
		return 'The service sent the same tokens again: it shows no more than these.';
	if (entries.length > 0) return undefined;
	return size < limit! ? 'These are the last tokens of this column.' : 'The service sent no more tokens that match.';
}
