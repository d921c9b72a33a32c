import {hidingOf} from './hides.ts';
import {answersSearch} from './select.ts';
import {type Column, type MonitorState, type Row, VIEWS, type ViewName} from './state.ts';

/*
 * What each column shows. The service's views overlap (NEW is every token that has not bonded, so all of BONDING is in it),
 * the columns don't: a token stands in the last of the columns that show it, or in the one that it is pinned in. A column
 * whose order is frozen keeps its row, as one that moved on, since nothing may move under a cursor.
 */

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

/** Remembered per column, since keys, layout and rows all ask within one frame. */
function shownIn(state: ShownState, view: ViewName): Shown {
	const column = state.columns[view];
	const later = laterViews(state, view).map(other => state.columns[other]);
	// A token may be pinned in an earlier column.
	const others = state.pins.size === 0 ? later : VIEWS.map(other => state.columns[other]);
	const madeFrom = [state.hidden, state.pins, state.moved, state.shownViews, ...others];
	const known = remembered.get(column);
	if (known?.madeFrom.every((part, at) => part === madeFrom[at])) return known.shown;
	const made = showIn(state, column);
	remembered.set(column, {madeFrom, shown: made});
	return made;
}
const remembered = new WeakMap<Column, {readonly madeFrom: readonly unknown[]; readonly shown: Shown}>();

function showIn(state: ShownState, column: Column): Shown {
	const {rows, search, frozen} = column;
	const elsewhere = elsewhereOf(state, column);
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
	const standing = new Set(keys.filter(key => rows.get(key)?.gone === undefined && !elsewhere.has(key)));
	return {keys, elsewhere, standing};
}

function elsewhereOf(state: ShownState, {view, rows}: Column): ReadonlyMap<string, ViewName> {
	const found = new Map<string, ViewName>();
	if (view === 'new' && state.shownViews.includes('bonding'))
		for (const key of state.moved.keys()) if (rows.has(key)) found.set(key, 'bonding');
	for (const other of laterViews(state, view)) {
		const {standing} = shownIn(state, other);
		for (const key of standing) if (rows.has(key)) found.set(key, other);
	}
	for (const [key, {view: pinned}] of state.pins) {
		if (pinned === view) found.delete(key);
		else if (state.shownViews.includes(pinned)) {
			const row = state.columns[pinned].rows.get(key);
			if (row !== undefined && row.gone === undefined && rows.has(key)) found.set(key, pinned);
		}
	}
	return found;
}

/** The columns after one that are shown: what nobody sees takes no token from a column. */
function laterViews({shownViews}: ShownState, view: ViewName): readonly ViewName[] {
	return VIEWS.slice(VIEWS.indexOf(view) + 1).filter(other => shownViews.includes(other));
}
