import type {Column} from '../../monitor/columns/column.ts';
import {type MonitorState, topMode} from '../../monitor/state.ts';

export const TITLES = {new: 'NEW', bonding: 'BONDING', bonded: 'BONDED', trending: 'TRENDING'} as const;

/** Whether the column was not read at the moment that REWIND shows. */
export function hadNothing(state: MonitorState, {dataAtMs}: Column): boolean {
	return topMode(state).kind === 'rewind' && dataAtMs === undefined;
}

/** The service does not know the view: nothing is wrong with the connection, and waiting does not help. */
export function isNotServed({status}: Column): boolean {
	return status.kind === 'failed' && status.problem.code === 'view-not-served';
}
