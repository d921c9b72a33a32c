import type {MonitorState} from '../state.ts';
import {type SavedView, savedViewApplied, savedViewOf} from './saved-view.ts';

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
