import {type MonitorState, topMode} from '../../../monitor/state.ts';

/** A smaller screen has no line to spare. */
const FROM = {columns: 60, rows: 16} as const;

/** Rows that the tour takes above the hints: one while it goes on and the columns or a token are on top. */
export function tourRowsOf({tour, size, modes}: MonitorState): 0 | 1 {
	const {kind} = topMode({modes} as MonitorState);
	const isOpen = kind === 'list' || kind === 'detail';
	return tour !== undefined && isOpen && size.columns >= FROM.columns && size.rows >= FROM.rows ? 1 : 0;
}
