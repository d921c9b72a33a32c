import type {Column} from '../columns/column.ts';
import {columnFilterOf} from '../filter/column-filter.ts';
import type {MonitorState} from '../state.ts';
import {fieldsChanged, filterChanged, sortChanged, windowChanged} from '../transitions/column.ts';
import {columnChanged, scopeSet, viewsShown} from '../transitions/screen.ts';
import {byView, VIEWS} from '../views.ts';
import {type SavedColumn, type SavedView, savedViewChanges} from './saved-view.ts';

/** The current settings as a saved view. */
export function savedViewOf(
	{columns, scope, shownViews}: Pick<MonitorState, 'columns' | 'scope' | 'shownViews'>,
	name: string,
): SavedView {
	const part = ({sortBy, sortOrder, window, filter, fields}: Column): SavedColumn => ({
		sortBy,
		sortOrder,
		window,
		filter: filter.text,
		fields,
	});
	return {
		name,
		columns: byView(view => part(columns[view])),
		scope,
		shownViews,
	};
}

/** All columns have the settings of the view; a column that had them already keeps its rows and cursor. */
export function savedViewApplied(state: MonitorState, {columns, scope, shownViews}: SavedView): MonitorState {
	return VIEWS.reduce(
		(next, view) => {
			const {sortBy, sortOrder, window, filter, fields} = columns[view];
			return columnChanged(next, view, column => {
				const sorted = fieldsChanged(windowChanged(sortChanged(column, sortBy, sortOrder), window), fields);
				return filter === column.filter.text ? sorted : filterChanged(sorted, columnFilterOf(filter) ?? {text: ''});
			});
		},
		viewsShown(scopeSet(state, scope), shownViews),
	);
}

/** The slot of the saved view that equals the current settings. */
export function activeSlot(
	state: Pick<MonitorState, 'columns' | 'scope' | 'shownViews' | 'savedViews'>,
): number | undefined {
	const now = savedViewOf(state, '');
	for (const [slot, savedView] of state.savedViews) if (savedViewChanges(now, savedView).length === 0) return slot;
	return undefined;
}

/** A saved view was loaded; the settings before are kept in `viewBefore`. */
export function savedViewLoaded(state: MonitorState, savedView: SavedView): MonitorState {
	return {...savedViewApplied(state, savedView), viewBefore: savedViewOf(state, 'before')};
}

/** A view was saved under a number, or removed. @param savedView undefined to remove */
export function savedViewKept(state: MonitorState, slot: number, savedView: SavedView | undefined): MonitorState {
	const kept = new Map(state.savedViews);
	if (savedView) kept.set(slot, savedView);
	else kept.delete(slot);
	return {...state, savedViews: new Map([...kept].sort(([a], [b]) => a - b))};
}
