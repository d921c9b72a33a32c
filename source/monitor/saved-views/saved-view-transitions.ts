import type {MonitorState} from '../state.ts';
import {type SavedView, savedViewApplied, savedViewOf} from './saved-view.ts';

/** The columns were changed to what a saved view says; what they showed before is remembered. */
export function savedViewLoaded(state: MonitorState, savedView: SavedView): MonitorState {
	return {...savedViewApplied(state, savedView), viewBefore: savedViewOf(state, 'before')};
}

/** A view was saved under a number, or the number was emptied. */
export function savedViewKept(state: MonitorState, slot: number, savedView: SavedView | undefined): MonitorState {
	const kept = new Map(state.savedViews);
	if (savedView) kept.set(slot, savedView);
	else kept.delete(slot);
	return {...state, savedViews: new Map([...kept].sort(([a], [b]) => a - b))};
}
