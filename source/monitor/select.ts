import type {Entry} from '../contract/entry.ts';
import {dateOf} from '../steady-clock.ts';
import type {Column} from './columns/column.ts';
import {hidingOf} from './hides/hides.ts';
import {type MonitorState, topMode} from './state.ts';
import {VIEWS, type ViewName} from './views.ts';

/** Whether a token matches a quick search: symbol, name or address contains the text in any letter case. */
export function matchesSearch(entry: Entry, search: string): boolean {
	const needle = search.toLowerCase();
	return [entry.symbol, entry.name, entry.address].some(text => text?.toLowerCase().includes(needle));
}

/** The focused column. */
export function focused(state: MonitorState): Column {
	return state.columns[state.focus];
}

/** The token that actions apply to: that of the detail pane when it has the keyboard, else the one under the cursor. */
export function selected(state: MonitorState): Entry | undefined {
	if (topMode(state).kind === 'detail' && state.detail) return state.detail.entry;
	return cursorEntry(focused(state));
}

/** The token of a window above the columns: that of the detail pane below it, else the one under the cursor. */
export function selectedBelow(state: MonitorState): Entry | undefined {
	return state.detail?.entry ?? cursorEntry(focused(state));
}

/** The column with the first rows of its view, also behind a page. */
export function headOf(column: Column): Column {
	return column.page?.head ?? column;
}

/** The token under the cursor of a column. */
export function cursorEntry(column: Column): Entry | undefined {
	return column.cursor === undefined ? undefined : column.rows.get(column.cursor)?.entry;
}

/**
 * A moment as the screen shows it: in a recording the recorded time.
 * @param atMs steady time of this machine, Unix ms
 */
export function shownMs({service, skewMs}: Pick<MonitorState, 'service' | 'skewMs'>, atMs: number): number {
	return service.recording ? atMs + skewMs : dateOf(atMs);
}

/** How many tokens of a column are hidden. */
export function hiddenCount(column: Column, hidden: MonitorState['hidden']): number {
	if (hidden.size === 0) return 0;
	let count = 0;
	for (const key of column.order) {
		const row = column.rows.get(key);
		if (row && hidingOf(row.entry, hidden)) count++;
	}
	return count;
}

/** Data older than this is dimmed (STALE), and older than the second nothing is signed on it (features, "Freshness"), ms. */
const STALE_MS = 5000;
const UNUSABLE_MS = 15_000;

export type Freshness = 'none' | 'fresh' | 'stale' | 'unusable';

/** How old a column's data is, apart from the connection. @param nowMs local Unix ms */
export function freshness(dataAtMs: number | undefined, nowMs: number): Freshness {
	if (dataAtMs === undefined) return 'none';
	const ageMs = nowMs - dataAtMs;
	return ageMs >= UNUSABLE_MS ? 'unusable' : ageMs >= STALE_MS ? 'stale' : 'fresh';
}

/** Whether data is so old that it is dimmed. @param nowMs local Unix ms */
export function isStale(dataAtMs: number | undefined, nowMs: number): boolean {
	return dataAtMs !== undefined && nowMs - dataAtMs >= STALE_MS;
}

/** Whether the first connection to the service is still being made. */
export function isStarting(link: MonitorState['link']): boolean {
	return link === undefined || link.phase === 'connecting';
}

/** Since when the service says that its market has not moved on, local Unix ms; undefined while it is up to date. */
export function staleSinceMs({columns}: Pick<MonitorState, 'columns'>): number | undefined {
	const since = VIEWS.flatMap(view => headOf(columns[view]).staleSinceMs ?? []);
	return since.length === 0 ? undefined : Math.min(...since);
}

/**
 * Since when nothing new has come for the columns, local Unix ms: the market of the service has stopped, or the service is silent.
 * Undefined until the first data.
 */
export function newestDataMs(state: Pick<MonitorState, 'columns' | 'shownViews'>): number | undefined {
	const arrivals = state.shownViews.flatMap(view => headOf(state.columns[view]).dataAtMs ?? []);
	return staleSinceMs(state) ?? (arrivals.length === 0 ? undefined : Math.max(...arrivals));
}

/** The newest known entry of a token in any column. */
export function findEntry(state: MonitorState, key: string): {entry: Entry; view: ViewName} | undefined {
	for (const column of Object.values(state.columns)) {
		const row = column.rows.get(key) ?? column.page?.head.rows.get(key);
		if (row) return {entry: row.entry, view: column.view};
	}
	return undefined;
}
