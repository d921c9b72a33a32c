import type {Store} from '../store.ts';
import type {Column, MonitorState, ViewName} from './state.ts';

/** What the columns held at a moment. */
export interface Moment {
	/** Local Unix ms. */
	readonly atMs: number;
	readonly skewMs: number;
	readonly columns: MonitorState['columns'];
}

/** How far apart moments are, and how many are kept: ten minutes. Entries that did not change are shared between them. */
export const MOMENT_EVERY_MS = 5000;
const MOST_MOMENTS = 120;

/** Remembers what the columns held, for looking back. */
export interface History {
	/** The oldest first. */
	moments(): readonly Moment[];
	stop(): void;
}

/** @param everyMs how far apart moments are */
export function keepHistory(store: Store<MonitorState>, {everyMs = MOMENT_EVERY_MS} = {}): History {
	let moments: readonly Moment[] = [];
	const timer = setInterval(() => {
		const {columns, skewMs} = store.get();
		const last = moments.at(-1);
		if (last?.columns === columns) return;
		moments = [...moments, {atMs: Date.now(), skewMs, columns}].slice(-MOST_MOMENTS);
	}, everyMs);
	timer.unref();
	return {moments: () => moments, stop: () => clearInterval(timer)};
}

/**
 * The state as it was at a moment, for drawing alone: columns without cursor and from their top, the clock of that time.
 * What belongs to the present (connection, notices, windows) stays.
 */
export function rewoundTo(state: MonitorState, {columns, atMs, skewMs}: Moment): MonitorState {
	const still = (view: ViewName): Column => {
		const {cursor: _, ...column} = columns[view];
		return {...column, top: 0};
	};
	return {
		...state,
		nowMs: atMs,
		skewMs,
		columns: {new: still('new'), bonding: still('bonding'), bonded: still('bonded')},
		passages: state.passages.filter(passage => passage.atMs <= atMs),
	};
}
