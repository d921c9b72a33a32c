import type {Column} from '../monitor/columns/column.ts';
import {isStale, newestDataMs} from '../monitor/select.ts';
import type {MonitorState} from '../monitor/state.ts';
import {VIEWS} from '../monitor/views.ts';
import type {ViewModel} from './view-model.ts';

/** The parts of the state and of a column that move with every update of the feed. */
const MOVING: ReadonlySet<string> = new Set<keyof MonitorState | keyof Column>([
	...(['nowMs', 'columns'] as const),
	...(['rows', 'order', 'orderedAtMs', 'changedAtMs', 'dataAtMs', 'waiting', 'total', 'top'] as const),
]);

/**
 * Whether the lines of words around the columns, header and footer, show the same in two states. Within a second these lines
 * depend on what the user does, on the connection and on the token under the cursor, not on other figures.
 */
export function hasSameWords(a: ViewModel, b: ViewModel): boolean {
	return (
		a.display === b.display &&
		a.layout === b.layout &&
		secondOf(a) === secondOf(b) &&
		hasOldData(a.state) === hasOldData(b.state) &&
		isStill(a.state, b.state) &&
		VIEWS.every(view => hasSameColumn(a.state.columns[view], b.state.columns[view]))
	);
}

/** The second of the clock in the header: times in words tick with it, in REWIND with the present. */
function secondOf({liveMs, state: {skewMs}}: ViewModel): number {
	return Math.floor((liveMs + skewMs) / 1000);
}

function hasOldData(state: MonitorState): boolean {
	return isStale(newestDataMs(state), state.nowMs);
}

function hasSameColumn(a: Column, b: Column): boolean {
	return (
		isStill(a, b) &&
		(a.order.length === 0) === (b.order.length === 0) &&
		(a.dataAtMs === undefined) === (b.dataAtMs === undefined) &&
		(a.cursor === undefined || a.rows.get(a.cursor) === b.rows.get(a.cursor))
	);
}

/** Whether all parts but moving ones are the same. */
function isStill<T extends object>(a: T, b: T): boolean {
	if (a === b) return true;
	for (const name in b) if (!MOVING.has(name) && a[name] !== b[name]) return false;
	for (const name in a) if (!(name in b)) return false;
	return true;
}
