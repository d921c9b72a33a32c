import {activeSlot} from './saved-views/saved-view-transitions.ts';
import type {MonitorState} from './state.ts';

/** The last line on the terminal after the monitor ends: `pulsetop: 12 min, 3 alerts, view Fresh`. @param ranMs run time, ms */
export function leaveLine(state: Pick<MonitorState, 'alerts'> & MonitorState, ranMs: number): string {
	const {rung} = state.alerts;
	const slot = activeSlot(state);
	const parts = [
		duration(ranMs),
		...(rung > 0 ? [`${rung} alert${rung === 1 ? '' : 's'}`] : []),
		...(slot === undefined ? [] : [`view ${state.savedViews.get(slot)!.name}`]),
	];
	return `pulsetop: ${parts.join(', ')}`;
}

function duration(ms: number): string {
	const seconds = Math.floor(ms / 1000);
	if (seconds < 60) return `${seconds} s`;
	const minutes = Math.floor(seconds / 60);
	if (minutes < 60) return `${minutes} min`;
	return minutes % 60 === 0 ? `${minutes / 60} h` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}
