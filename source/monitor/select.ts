import type {Entry} from '../contract/entry.ts';
import {hidingOf} from './hides/hides.ts';
import {type Column, type MonitorState, topMode, type ViewName} from './state.ts';

/** Whether a token answers to a quick search: symbol, name or address contains the text, whatever the letter case. */
export function answersSearch(entry: Entry, search: string): boolean {
	const needle = search.toLowerCase();
	return [entry.symbol, entry.name, entry.address].some(text => text?.toLowerCase().includes(needle));
}

export function focused(state: MonitorState): Column {
	return state.columns[state.focus];
}

/** The token that actions are about: that of the open detail, else the one under the cursor. */
export function selected(state: MonitorState): Entry | undefined {
	if (topMode(state).kind === 'detail' && state.detail) return state.detail.entry;
	return cursorEntry(focused(state));
}

/** The token that a window over the columns is about: that of the detail pane below it, else the one under the cursor. */
export function selectedBelow(state: MonitorState): Entry | undefined {
	return state.detail?.entry ?? cursorEntry(focused(state));
}

/** The column with the first rows of its view, which goes on behind a page of later ones. */
export function headOf(column: Column): Column {
	return column.page?.head ?? column;
}

export function cursorEntry(column: Column): Entry | undefined {
	return column.cursor === undefined ? undefined : column.rows.get(column.cursor)?.entry;
}

/**
 * The time that stands for a moment on screen: a recording shows when the moment was recorded, never the present.
 * @param atMs local Unix ms
 */
export function shownMs({service, skewMs}: Pick<MonitorState, 'service' | 'skewMs'>, atMs: number): number {
	return service.recording ? atMs + skewMs : atMs;
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

/** From here on data counts as old: dimmed on screen (STALE) and no ground for signing (features, "Freshness"). */
const STALE_MS = 5000;
const UNUSABLE_MS = 15_000;

export type Freshness = 'none' | 'fresh' | 'stale' | 'unusable';

/** How old a column's data is, apart from the connection. @param nowMs local Unix ms */
export function freshness(dataAtMs: number | undefined, nowMs: number): Freshness {
	if (dataAtMs === undefined) return 'none';
	const ageMs = nowMs - dataAtMs;
	return ageMs >= UNUSABLE_MS ? 'unusable' : ageMs >= STALE_MS ? 'stale' : 'fresh';
}

/** The newest known entry of a token in any column. */
export function findEntry(state: MonitorState, key: string): {entry: Entry; view: ViewName} | undefined {
	for (const column of Object.values(state.columns)) {
		const row = column.rows.get(key) ?? column.page?.head.rows.get(key);
		if (row) return {entry: row.entry, view: column.view};
	}
	return undefined;
}
