import type {Client} from '../client/client.ts';
import {FeedBuffer} from '../client/feed-buffer.ts';
import type {Feed, FeedEvent, ViewRequest} from '../client/feed-events.ts';
import {explain} from '../errors.ts';
import type {Store} from '../store.ts';
import {createAlertViews} from './alert-views.ts';
import {explainEmptyColumns} from './empty-clauses.ts';
import {scopedRequest} from './scope.ts';
import type {Column, MonitorState, ViewName} from './state.ts';
import {VIEWS} from './state.ts';
import {alertsRaised} from './transitions/alerts.ts';
import {freshened, totalArrived, viewFailed} from './transitions/column.ts';
import {newsArrived} from './transitions/feed.ts';
import {columnChanged, noticed} from './transitions/screen.ts';

/** The running connection between the feed and the store. */
export interface Session {
	pause(): void;
	resume(): void;
	/** Tries the connection and asks for everything anew. */
	retry(): void;
	close(): void;
}

/** What a column asks of the service (spec 4.1, view object); undefined where no token can be in it. */
export function viewRequest(column: Column): ViewRequest | undefined {
	const scoped = scopedRequest(column);
	if (scoped === undefined) return undefined;
	const pinned = [...column.pinned].map(key => key.slice(key.indexOf('|') + 1));
	return {
		model: column.view,
		sortBy: column.sortBy,
		sortOrder: column.sortOrder,
		limit: column.limit,
		...column.filter.viewOptions,
		...scoped,
		...(pinned.length > 0 && {includeTokens: pinned}),
	};
}

/** Whether two states of a column ask the service for the same. */
function asksTheSame(a: Column, b: Column): boolean {
	return (
		a.sortBy === b.sortBy &&
		a.sortOrder === b.sortOrder &&
		a.limit === b.limit &&
		a.filter === b.filter &&
		a.scope === b.scope &&
		a.pinned === b.pinned
	);
}

/**
 * Opens the feed of the three columns and keeps the store current until closed. A column that comes to ask for something
 * else (sort, filter, limit, pins) is asked for anew by itself.
 */
export function openSession(store: Store<MonitorState>, client: Client): Session {
	const buffer = new FeedBuffer<ViewName>();
	const views = Object.fromEntries(
		VIEWS.flatMap(view => {
			const request = viewRequest(store.get().columns[view]);
			return request === undefined ? [] : [[view, request]];
		}),
	);
	const feed: Feed = client.openFeed({request: {assetMode: true, views}, onEvent});

	/** The filters of which was told that the service does not know them. */
	const toldUnknown = new Set<Column['filter']>();
	const alertViews = createAlertViews(store, feed, viewRequest);
	alertViews.follow();
	const stopExplaining = explainEmptyColumns(store, client, viewRequest);
	let asked = store.get().columns;
	const unsubscribe = store.subscribe(() => {
		alertViews.follow();
		const {columns} = store.get();
		if (columns === asked) return;
		const before = asked;
		asked = columns;
		for (const view of VIEWS) {
			if (asksTheSame(before[view], columns[view])) continue;
			const request = viewRequest(columns[view]);
			if (request === undefined) feed.removeView(view);
			else feed.setView(view, request);
		}
	});

	/**
	 * While the service reads its past its totals grow: asked with the first rows, and again with every total until they are
	 * whole. One that says nothing is asked once.
	 */
	let isAskingFacts = false;
	let hasAskedFacts = false;
	let isClosed = false;
	function askHistory(): void {
		if (isAskingFacts || (hasAskedFacts && store.get().history !== 'loading')) return;
		isAskingFacts = true;
		hasAskedFacts = true;
		client
			.facts()
			.then(
				({history}) => {
					if (history !== undefined && !isClosed) store.later(state => ({...state, history}));
				},
				// What it is, is not worth a word: the feed says whether the service is well.
				() => undefined,
			)
			.finally(() => {
				isAskingFacts = false;
			});
	}

	function onEvent(event: FeedEvent): void {
		if (alertViews.take(event)) return;
		switch (event.type) {
			case 'snapshot':
			case 'change':
				if (!isView(event.view)) return;
				if (buffer.isEmpty)
					store.later(state =>
						alertsRaised(state, newsArrived({...state, skewMs: client.clock.skewMs}, buffer.drain()), Date.now()),
					);
				buffer.add(event.view, event);
				if (event.type === 'snapshot') {
					noteUnfiltered(event.view);
					askHistory();
				}
				// The first rows of a column are waited for: they don't wait for the next beat.
				if (event.type === 'snapshot' && store.get().columns[event.view].dataAtMs === undefined)
					setImmediate(() => store.flush());
				break;
			case 'total':
				askHistory();
				if (isView(event.view))
					store.later(state => columnChanged(state, event.view as ViewName, c => totalArrived(c, event.total)));
				break;
			case 'link':
				// Its figures also move with answers that bring no rows, but the service's time.
				store.later(state => heard({...state, link: event.link, skewMs: client.clock.skewMs}));
				break;
			case 'problem': {
				const problem = explain(event.error);
				const {view} = event;
				if (view !== undefined && isView(view))
					store.apply(state => columnChanged(state, view, c => viewFailed(c, problem)));
				else
					store.apply(state =>
						failedEverywhere(
							noticed(state, {text: `${problem.what}: ${problem.why}`, tone: 'bad', atMs: state.nowMs}),
							problem,
						),
					);
			}
		}
	}

	/** What the service left undone is known with each full view. */
	function noteUnfiltered(view: ViewName): void {
		const isLocal = feed.view(view)?.isUnfiltered === true;
		if ((store.get().columns[view].isLocal ?? false) !== isLocal)
			store.apply(state => columnChanged(state, view, c => ({...c, isLocal})));
		tellUnfiltered(view);
	}

	/** Said once a filter: what is shown fits it, but there may be more of it at the service. */
	function tellUnfiltered(view: ViewName): void {
		const {filter} = store.get().columns[view];
		if (toldUnknown.has(filter) || !feed.view(view)?.isUnfiltered) return;
		toldUnknown.add(filter);
		const text = `The service does not filter ${view}: the filter is applied here, to the rows loaded, not to all tokens.`;
		store.apply(state => noticed(state, {text, tone: 'warn', atMs: state.nowMs}));
	}

	/** Also a quiet view is up to date as long as the feed says so. */
	function heard(state: MonitorState): MonitorState {
		return VIEWS.reduce((next, view) => {
			const atMs = feed.view(view)?.lastDataAtMs;
			return atMs === undefined ? next : columnChanged(next, view, c => freshened(c, atMs));
		}, state);
	}

	return {
		pause: () => feed.pause(),
		resume: () => feed.resume(),
		retry: () => feed.retryNow(),
		close: () => {
			isClosed = true;
			unsubscribe();
			stopExplaining();
			feed.close();
		},
	};
}

/** A problem of the whole feed is the state of every column that still waits for its first rows. */
function failedEverywhere(state: MonitorState, problem: ReturnType<typeof explain>): MonitorState {
	return VIEWS.reduce(
		(next, view) =>
			columnChanged(next, view, c => (c.rows.size === 0 && c.dataAtMs === undefined ? viewFailed(c, problem) : c)),
		state,
	);
}

function isView(name: string): name is ViewName {
	return (VIEWS as readonly string[]).includes(name);
}
