import type {MonitorState} from '../state.ts';
import {type Preset, presetApplied, presetOf} from './saved-view.ts';

/** The columns were changed to what a saved view says; what they showed before is remembered. */
export function presetLoaded(state: MonitorState, preset: Preset): MonitorState {
	return {...presetApplied(state, preset), presetBefore: presetOf(state, 'before')};
}

/** A view was saved under a number, or the number was emptied. */
export function presetKept(state: MonitorState, slot: number, preset: Preset | undefined): MonitorState {
	const kept = new Map(state.presets);
	if (preset) kept.set(slot, preset);
	else kept.delete(slot);
	return {...state, presets: new Map([...kept].sort(([a], [b]) => a - b))};
}
