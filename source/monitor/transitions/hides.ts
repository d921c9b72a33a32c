import type {Column} from '../columns/column.ts';
import {shownKeys} from '../columns/shown-keys.ts';
import {type Hide, type Hides, hideId} from '../hides/hides.ts';
import type {MonitorState} from '../state.ts';
import {VIEWS} from '../views.ts';
import {scrolledToCursor} from './column.ts';
import {columnChanged} from './screen.ts';

/** Other tokens are hidden now. A cursor on one of them moves to the next row. */
function hidesChanged(state: MonitorState, hidden: Hides): MonitorState {
	const after = {...state, hidden};
	return VIEWS.reduce((next, view) => columnChanged(next, view, c => cursorKept(c, state, after)), after);
}

function cursorKept(column: Column, before: MonitorState, after: MonitorState): Column {
	const {cursor, view} = column;
	if (cursor === undefined) return column;
	const was = shownKeys(before, view);
	const at = was.indexOf(cursor);
	const shown = new Set(shownKeys(after, view));
	if (at < 0 || shown.has(cursor)) return column;
	const next = was.slice(at).find(key => shown.has(key)) ?? was.slice(0, at).findLast(key => shown.has(key));
	const {cursor: _, ...rest} = column;
	return next === undefined ? rest : scrolledToCursor({...rest, cursor: next}, [...shown], after.pageRows);
}

/** Hides were added; one that was there becomes the newest. */
export function hidesAdded(state: MonitorState, added: readonly Hide[]): MonitorState {
	if (added.length === 0) return state;
	const hidden = new Map(state.hidden);
	for (const hide of added) {
		hidden.delete(hideId(hide));
		hidden.set(hideId(hide), hide);
	}
	return hidesChanged(state, hidden);
}

/** A hide was removed. @param id as `hideId` gives it */
export function hideRemoved(state: MonitorState, id: string): MonitorState {
	if (!state.hidden.has(id)) return state;
	const hidden = new Map(state.hidden);
	hidden.delete(id);
	return hidesChanged(state, hidden);
}
