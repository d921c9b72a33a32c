import {FeedBuffer} from '../../client/feed/feed-buffer.ts';
import type {Feed, FeedEvent, ViewRequest} from '../../client/feed/feed-events.ts';
import {steadyNow} from '../../steady-clock.ts';
import type {Store} from '../../store.ts';
import type {Column} from '../columns/column.ts';
import {isFollowed} from '../columns/followed-views.ts';
import {FULL_SCOPE, isSameScope} from '../columns/scope.ts';
import {headOf} from '../select.ts';
import type {MonitorState} from '../state.ts';
import {newColumn, viewArrived} from '../transitions/column.ts';
import {VIEWS, type ViewName} from '../views.ts';
import {alertsRaised} from './alert-transitions.ts';

/** Names of the views in the feed. */
const PREFIX = 'alerts.';

/**
 * Views for alerts only: while the columns are limited to chains or launchpads and a rule is on, the same views without
 * that limit are read too, so that limiting the screen never silences a rule.
 */
export interface AlertViews {
	/** Requests the views that the changed state needs. */
	follow(): void;
	/** Takes an event. @returns whether the event was of these views */
	take(event: FeedEvent): boolean;
}

/** @param feed the open feed of the columns @param requestOf the request of a column */
export function createAlertViews(
	store: Store<MonitorState>,
	feed: Pick<Feed, 'setView' | 'removeView'>,
	requestOf: (column: Column) => ViewRequest | undefined,
): AlertViews {
	const buffer = new FeedBuffer<ViewName>();
	/** The content of each view that is read. */
	const columns = new Map<ViewName, Column>();
	/** The column of the screen that each view was requested for. */
	const requested = new Map<ViewName, Column>();

	function follow(): void {
		const state = store.get();
		const isWatching = !isSameScope(state.scope, FULL_SCOPE) && state.alerts.rules.some(rule => !rule.isOff);
		for (const view of VIEWS) {
			if (!isWatching || !isFollowed(state, view)) stop(view);
			else watch(view, headOf(state.columns[view]));
		}
	}

	function stop(view: ViewName): void {
		if (!columns.delete(view)) return;
		requested.delete(view);
		feed.removeView(PREFIX + view);
	}

	function watch(view: ViewName, column: Column): void {
		const before = requested.get(view);
		if (before && isSameRequest(before, column)) return;
		requested.set(view, column);
		const {sortBy, sortOrder, window, filter, limit, chains} = column;
		const whole = newColumn(view, {sortBy, sortOrder, window, filter, limit, chains, scope: FULL_SCOPE});
		columns.set(view, whole);
		const request = requestOf(whole);
		if (request !== undefined) feed.setView(PREFIX + view, request);
	}

	function arrived(state: MonitorState): MonitorState {
		const before = {...state.columns};
		const after = {...state.columns};
		const changes = buffer.drain();
		for (const [view, arrived] of changes) {
			const column = columns.get(view);
			if (!column) continue;
			const changed = viewArrived(column, arrived);
			before[view] = column;
			after[view] = changed;
			columns.set(view, changed);
		}
		const {alerts, modes, notice} = alertsRaised(
			{...state, columns: before},
			{...state, columns: after},
			steadyNow(),
			changes,
		);
		if (alerts === state.alerts) return state;
		return {...state, alerts, modes, ...(notice && {notice})};
	}

	return {
		follow,
		take(event) {
			const name = 'view' in event ? event.view : undefined;
			if (!name?.startsWith(PREFIX)) return false;
			const view = VIEWS.find(known => known === name.slice(PREFIX.length));
			if (view !== undefined && (event.type === 'snapshot' || event.type === 'change')) {
				if (buffer.isEmpty) store.later(arrived);
				buffer.add(view, event);
			}
			return true;
		},
	};
}

function isSameRequest(a: Column, b: Column): boolean {
	return a.sortBy === b.sortBy && a.sortOrder === b.sortOrder && a.limit === b.limit && a.filter === b.filter;
}
