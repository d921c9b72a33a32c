import {initialState, type Start} from '../../source/monitor/initial-state.ts';
import type {MonitorState} from '../../source/monitor/state.ts';

/** The state of a monitor before the first data of its service. @param start what matters to the test */
export function startState(start: Partial<Start> = {}): MonitorState {
	const service = {label: 'test', embedded: true};
	return initialState({size: {columns: 160, rows: 45}, nowMs: 0, service, theme: 'dark', ...start});
}
