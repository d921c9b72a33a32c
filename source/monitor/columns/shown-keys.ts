import type {Entry} from '../../contract/entry.ts';
import {hidingOf} from '../hides/hides.ts';
import {answersSearch} from '../select.ts';
import {byView, type Column, type MonitorState, PHASES, type Row, type ViewName} from '../state.ts';

/*
 * What each column shows. The service's views overlap (NEW is every token that has not bonded, so all of BONDING is in it),
 * the columns don't: a token stands in one of the columns that can show it. That is the one that it is pinned in, else
 * BONDED, else BONDING from BONDING_FROM_PERCENT of its curve on, else NEW. Where a column does not have it or is not shown,
 * the next one takes it, so that no token stands nowhere. A column whose order is frozen keeps its row, as one that moved
 * on, since nothing may move under a cursor. TRENDING is no phase: a token stands in it and in the column of its phase.
 */

/**
 * From this share of its bonding curve on a token stands in BONDING. NEW shows the newest launches, and without a border a
 * quiet market, all of which is in BONDING's rows, would leave it none of them. Of the newest 50 four in five are below it
 * (measured, on all chains and on one alone). What is unknown is not well along: such a token stays in NEW, which claims
 * nothing of its progress.
 */
export const BONDING_FROM_PERCENT = 30;

export function isWellAlong({bonding_percentage: percent}: Entry): boolean {
	return percent !== undefined && percent >= BONDING_FROM_PERCENT;
}

/** What decides where a token stands. */
export type ShownState = Pick<MonitorState, 'columns' | 'hidden' | 'pins' | 'moved' | 'shownViews'>;

interface Shown {
	readonly keys: readonly string[];
	/** Tokens of the column's rows that stand in another column, and in which. */
	readonly elsewhere: ReadonlyMap<string, ViewName>;
	/** Shown, and neither departed nor elsewhere. */
	readonly standing: ReadonlySet<string>;
}

/** Keys of a column in the order shown: without hidden tokens, what the quick search leaves out, and what stands elsewhere. */
export function shownKeys(state: ShownState, view: ViewName): readonly string[] {
	return shownIn(state, view).keys;
}

/** The tokens of a column that stand in another one, and where. */
export function elsewhereIn(state: ShownState, view: ViewName): ReadonlyMap<string, ViewName> {
	return shownIn(state, view).elsewhere;
}

/** The tokens that stand in a column: each token stands in one at most. */
export function standingIn(state: ShownState, view: ViewName): ReadonlySet<string> {
	return shownIn(state, view).standing;
}

/** The rows of a column that are on screen now, from its scroll position on. */
export function rowsOnScreen(state: ShownState, view: ViewName, pageRows: number): readonly Row[] {
	const {top, rows} = state.columns[view];
	return shownKeys(state, view)
		.slice(top, top + pageRows)
		.map(key => rows.get(key)!);
}

function shownIn(state: ShownState, view: ViewName): Shown {
	return shownInAll(state)[view];
}

/** Remembered, since keys, layout and rows all ask within one frame. */
function shownInAll(state: ShownState): ShownInAll {
	const {columns, hidden, pins, moved, shownViews} = state;
	const madeFrom = [hidden, pins, moved, shownViews];
	const known = remembered.get(columns);
	if (known?.madeFrom.every((part, at) => part === madeFrom[at])) return known.shown;
	const places = placesOf(state);
	const shown = byView(view => showIn(state, columns[view], places));
	remembered.set(columns, {madeFrom, shown});
	return shown;
}
type ShownInAll = Readonly<Record<ViewName, Shown>>;
const remembered = new WeakMap<
	ShownState['columns'],
	{readonly madeFrom: readonly unknown[]; readonly shown: ShownInAll}
>();

function showIn(state: ShownState, column: Column, places: ReadonlyMap<string, ViewName>): Shown {
	const {rows, search, frozen} = column;
	const elsewhere = elsewhereOf(column, places);
	const leftOut = frozen ? column.leftOut : elsewhere;
	const isShown = (key: string): boolean => {
		const row = rows.get(key);
		return (
			row !== undefined &&
			!leftOut.has(key) &&
			!(state.hidden.size > 0 && hidingOf(row.entry, state.hidden)) &&
			(search === '' || answersSearch(row.entry, search))
		);
	};
	const isWhole = leftOut.size === 0 && state.hidden.size === 0 && search === '';
	const keys = isWhole ? column.order : column.order.filter(isShown);
	const standing = new Set(keys.filter(key => rows.get(key)?.departed === undefined && !elsewhere.has(key)));
	return {keys, elsewhere, standing};
}

function elsewhereOf({view, rows}: Column, places: ReadonlyMap<string, ViewName>): ReadonlyMap<string, ViewName> {
	const found = new Map<string, ViewName>();
	if (view === 'trending') return found;
	for (const key of rows.keys()) {
		const place = places.get(key);
		if (place !== undefined && place !== view) found.set(key, place);
	}
	return found;
}

/** Where each token stands. What nobody sees takes no token from a column, and no quick search moves one to another. */
function placesOf(state: ShownState): ReadonlyMap<string, ViewName> {
	const {columns, pins, moved, shownViews} = state;
	const places = new Map<string, ViewName>();
	for (const view of PHASES) {
		if (!shownViews.includes(view)) continue;
		for (const [key, {entry}] of showableIn(columns[view])) {
			const earlier = places.get(key);
			const pinned = pins.get(key)?.view;
			const stays =
				earlier !== undefined &&
				pinned !== view &&
				(pinned === earlier || (view === 'bonding' && !isWellAlong(entry) && !moved.has(key)));
			if (!stays) places.set(key, view);
		}
	}
	return places;
}

/** The rows that a column can show: what left is not among them, nor what waits behind a frozen order. */
function showableIn({rows, order, frozen, leftOut}: Column): readonly (readonly [key: string, row: Row])[] {
	const all = frozen ? order.filter(key => !leftOut.has(key)).map(key => [key, rows.get(key)!] as const) : [...rows];
	return all.filter(([, {departed}]) => departed === undefined);
}
