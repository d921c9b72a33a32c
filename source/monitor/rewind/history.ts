import {steadyNow} from '../../steady-clock.ts';
import type {Store} from '../../store.ts';
import type {Column} from '../columns/column.ts';
import type {MonitorState} from '../state.ts';
import {byView, type ViewName} from '../views.ts';
import type {Moment} from './moment.ts';
import {PackedMoment} from './packed-moment.ts';

/** The time between two moments, ms, and how many are kept: ten minutes, 3 to 6 MB (measured; 1.9 MB a moment with whole entries). */
export const MOMENT_EVERY_MS = 5000;
const MAX_MOMENTS = 120;

/** The last minutes of the columns, for REWIND. */
export interface History {
	/** The oldest first. */
	moments(): readonly Moment[];
	stop(): void;
}

/**
 * Records the columns until stopped. All screens of a process are recorded at the same times, so that they share the packed rows.
 * @param everyMs time between two moments @param maxMoments how many are kept, the newest
 */
export function recordHistory(
	store: Store<MonitorState>,
	{everyMs = MOMENT_EVERY_MS, maxMoments = MAX_MOMENTS} = {},
): History {
	let moments: readonly PackedMoment[] = [];
	let last: MonitorState['columns'] | undefined;
	let timer: NodeJS.Timeout;
	function record(): void {
		waitForNext();
		const {columns, skewMs} = store.get();
		if (last === columns) return;
		last = columns;
		moments = [...moments, new PackedMoment(steadyNow(), skewMs, columns, moments.at(-1))].slice(-maxMoments);
	}
	/** A timer that is a little early or late must not shift the times, or give two moments for one. */
	function waitForNext(): void {
		const passedMs = (steadyNow() + everyMs / 2) % everyMs;
		timer = setTimeout(record, 1.5 * everyMs - passedMs).unref();
	}
	waitForNext();
	return {moments: () => moments, stop: () => clearTimeout(timer)};
}

const NONE_MOVED: MonitorState['moved'] = new Map();

/**
 * The state with the columns and the clock of a moment, for drawing only. The columns have no cursor and start at their
 * top; connection, notices and windows stay those of the present.
 */
export function rewoundTo(state: MonitorState, {columns, atMs, skewMs}: Omit<Moment, 'priceOf'>): MonitorState {
	const still = (view: ViewName): Column => {
		const {cursor: _, ...column} = columns[view];
		return {...column, top: 0};
	};
	return {
		...state,
		nowMs: atMs,
		skewMs,
		columns: byView(still),
		promotions: state.promotions.filter(promotion => promotion.atMs <= atMs),
		moved: NONE_MOVED,
	};
}
