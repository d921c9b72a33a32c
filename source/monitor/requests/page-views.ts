import {FeedBuffer} from '../../client/feed/feed-buffer.ts';
import type {Feed, FeedEvent} from '../../client/feed/feed-events.ts';
import {viewOfTokens} from '../../client/lookups/token.ts';
import type {Store} from '../../store.ts';
import type {Column} from '../columns/column.ts';
import type {MonitorState} from '../state.ts';
import {freshened} from '../transitions/column.ts';
import {pageChangesArrived} from '../transitions/feed.ts';
import {columnChanged} from '../transitions/screen.ts';
import {VIEWS, type ViewName} from '../views.ts';

/** Names of the views in the feed. */
const PREFIX = 'page.';

/** Live figures for the rows of pages: one view of the feed for each page, which lists its tokens. */
export interface PageViews {
	/** Requests the views that the changed state needs. */
	follow(): void;
	/** Takes an event. @returns whether the event was of these views */
	take(event: FeedEvent): boolean;
	/** The state with the time of the feed's last data in columns whose page is live. */
	freshened(state: MonitorState): MonitorState;
}

/** @param feed the open feed of the columns */
export function createPageViews(
	store: Store<MonitorState>,
	feed: Pick<Feed, 'setView' | 'removeView' | 'view'>,
): PageViews {
	const buffer = new FeedBuffer<ViewName>();
	/** The keys that each view was requested for. */
	const watched = new Map<ViewName, readonly string[]>();

	function watch(view: ViewName, {page, order, rows}: Column): void {
		if (page === undefined) {
			if (watched.delete(view)) feed.removeView(PREFIX + view);
		} else if (watched.get(view) !== order) {
			watched.set(view, order);
			feed.setView(PREFIX + view, viewOfTokens(order.map(key => rows.get(key)!.entry.address)));
		}
	}

	return {
		follow() {
			const {columns} = store.get();
			for (const view of VIEWS) watch(view, columns[view]);
		},
		take(event) {
			const name = 'view' in event ? event.view : undefined;
			if (!name?.startsWith(PREFIX)) return false;
			const view = VIEWS.find(known => known === name.slice(PREFIX.length));
			if (view !== undefined && (event.type === 'snapshot' || event.type === 'change')) {
				if (buffer.isEmpty) store.later(state => pageChangesArrived(state, buffer.drain()));
				buffer.add(view, event);
			}
			return true;
		},
		freshened: state =>
			VIEWS.reduce((next, view) => {
				const atMs = next.columns[view].page?.isLive ? feed.view(PREFIX + view)?.lastDataAtMs : undefined;
				return atMs === undefined ? next : columnChanged(next, view, c => freshened(c, atMs));
			}, state),
	};
}
