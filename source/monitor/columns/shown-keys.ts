import type {Entry} from '../../contract/entry.ts';
import {hidingOf} from '../hides/hides.ts';
import {matchesSearch} from '../select.ts';
import type {MonitorState} from '../state.ts';
import {byView, PHASES, type ViewName} from '../views.ts';
import type {Column, Row} from './column.ts';

/*
 * The rows that each column shows. The service's views overlap (NEW is every token that has not bonded, so it includes BONDING), the
 * columns do not. A token is shown in the column where it is pinned, else in BONDED, else in BONDING from
 * BONDING_FROM_PERCENT of its curve on, else in NEW. If that column is not shown or does not have the token, the next one
 * shows it. A column whose order is frozen keeps the row of a token that moved, marked as departed, since nothing may move
 * under a cursor. TRENDING is no phase: its tokens are shown in the column of their phase, too.
 */

/**
 * The border of BONDING, in percent of the bonding curve. Without one, BONDING would take every launch of a quiet market
 * from NEW. Four in five of the newest 50 tokens are below it (measured, on all chains and on one alone).
 */
export const BONDING_FROM_PERCENT = 30;

/** Whether a token is past the border of BONDING. A token of unknown progress is not: NEW claims nothing of its progress. */
export function isWellAlong({bonding_percentage: percent}: Entry): boolean {
	return percent !== undefined && percent >= BONDING_FROM_PERCENT;
}

/** The parts of the state that decide which column shows a token. */
export type ShownState = Pick<MonitorState, 'columns' | 'hidden' | 'pins' | 'moved' | 'shownViews'>;

interface Shown {
	readonly keys: readonly string[];
	/** Keys of the column's rows that another column shows, and which column. */
	readonly elsewhere: ReadonlyMap<string, ViewName>;
}

/** Keys of a column in the order shown: without hidden tokens, those that the quick search leaves out, and those shown elsewhere. */
export function shownKeys(state: ShownState, view: ViewName): readonly string[] {
	return shownIn(state, view).keys;
}

/** Keys of a column's rows that another column shows, and which column. */
export function elsewhereIn(state: ShownState, view: ViewName): ReadonlyMap<string, ViewName> {
	return shownIn(state, view).elsewhere;
}

/** Keys that a column shows and that have not departed; a key is in one phase at most. */
export function standingIn(state: ShownState, view: ViewName): readonly string[] {
	const {keys, elsewhere} = shownIn(state, view);
	const {rows} = state.columns[view];
	return keys.filter(key => rows.get(key)?.departed === undefined && !elsewhere.has(key));
}

/** How many tokens of a column another column shows, by that column; hidden ones and those that its search leaves out do not count. */
export function countsElsewhere(state: ShownState, view: ViewName): ReadonlyMap<ViewName, number> {
	const counts = new Map<ViewName, number>();
	for (const [key, place] of elsewhereIn(state, view))
		if (isWanted(state, state.columns[place], key)) counts.set(place, (counts.get(place) ?? 0) + 1);
	return counts;
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

/** Cached, since keys, layout and rows read it in each frame. */
function shownInAll(state: ShownState): ShownInAll {
	const {columns, hidden, pins, moved, shownViews} = state;
	const madeFrom = [hidden, pins, moved, shownViews];
	const known = cache.get(columns);
	if (known?.madeFrom.every((part, at) => part === madeFrom[at])) return known.shown;
	const places = placesOf(state);
	const shown = byView(view => showIn(state, columns[view], places));
	cache.set(columns, {madeFrom, shown});
	return shown;
}
type ShownInAll = Readonly<Record<ViewName, Shown>>;
const cache = new WeakMap<ShownState['columns'], {readonly madeFrom: readonly unknown[]; readonly shown: ShownInAll}>();

function showIn(state: ShownState, column: Column, places: ReadonlyMap<string, ViewName>): Shown {
	const elsewhere = elsewhereOf(column, places);
	const leftOut = column.frozen ? column.leftOut : elsewhere;
	const isWhole = leftOut.size === 0 && state.hidden.size === 0 && column.search === '';
	const {order} = column;
	return {elsewhere, keys: isWhole ? order : order.filter(key => !leftOut.has(key) && isWanted(state, column, key))};
}

/** Whether a column has a token that is neither hidden nor left out by its search. */
function isWanted({hidden}: ShownState, {rows, search}: Column, key: string): boolean {
	const entry = rows.get(key)?.entry;
	return (
		entry !== undefined &&
		!(hidden.size > 0 && hidingOf(entry, hidden)) &&
		(search === '' || matchesSearch(entry, search))
	);
}

function elsewhereOf({view, rows}: Column, places: ReadonlyMap<string, ViewName>): ReadonlyMap<string, ViewName> {
	const found = new Map<string, ViewName>();
	if (view === 'trending' || places.size === 0) return found;
	places.forEach((place, key) => {
		if (place !== view && rows.has(key)) found.set(key, place);
	});
	return found;
}

/**
 * The column of each token that several columns have. Columns that are not shown take no token; a quick search moves none to
 * another column.
 */
function placesOf(state: ShownState): ReadonlyMap<string, ViewName> {
	const {columns, pins, moved, shownViews} = state;
	const places = new Map<string, ViewName>();
	for (const view of PHASES) {
		if (!shownViews.includes(view)) continue;
		const others = PHASES.filter(other => other !== view).map(other => columns[other].rows);
		// Ten times a second on each screen: most tokens are in one column, and an iterator makes an object for each step.
		columns[view].rows.forEach(({entry, departed}, key) => {
			if (departed !== undefined || !others.some(rows => rows.has(key)) || waits(columns[view], key)) return;
			const earlier = places.get(key);
			const pinned = pins.get(key)?.view;
			const stays =
				earlier !== undefined &&
				pinned !== view &&
				(pinned === earlier || (view === 'bonding' && !isWellAlong(entry) && !moved.has(key)));
			if (!stays) places.set(key, view);
		});
	}
	return places;
}

/** Whether a row waits behind a frozen order, or was left out of it. */
function waits({order, frozen, leftOut}: Column, key: string): boolean {
	return frozen && (leftOut.has(key) || !order.includes(key));
}
