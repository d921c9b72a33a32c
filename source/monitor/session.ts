import type {Client} from '../client/client.ts';
import {FeedBuffer} from '../client/feed/feed-buffer.ts';
import type {Feed, FeedEvent, ViewRequest} from '../client/feed/feed-events.ts';
import {explain} from '../errors.ts';
import type {Store} from '../store.ts';
import {NO_ALERTS} from './alerts/alert-rules.ts';
import {alertsRaised} from './alerts/alert-transitions.ts';
import {createAlertViews} from './alerts/alert-views.ts';
import {isFollowed} from './columns/followed-views.ts';
import {createPageViews} from './columns/page-views.ts';
import {scopedRequest} from './columns/scope.ts';
import {explainEmptyColumns} from './filter/empty-clauses.ts';
import {headOf} from './select.ts';
import {type Column, type MonitorState, PHASES, VIEWS, type ViewName} from './state.ts';
import {columnCleared, freshened, totalArrived, viewFailed} from './transitions/column.ts';
import {viewChangesArrived} from './transitions/feed.ts';
import {columnChanged, firstRowsChanged, noticed} from './transitions/screen.ts';

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
		a.chains === b.chains &&
		a.scope === b.scope &&
		a.pinned === b.pinned
	);
}

/** What decides which columns are read, and what they ask for. */
const ASKED = ['columns', 'shownViews', 'alerts'] as const;
type Asked = Pick<MonitorState, (typeof ASKED)[number]>;

/**
 * Opens the feed of the columns and keeps the store current until closed. A column that comes to ask for something else
 * (sort, filter, limit, pins) is asked for anew by itself; TRENDING is asked for while it is followed, and forgotten after.
 */
export function openSession(store: Store<MonitorState>, client: Client): Session {
	const buffer = new FeedBuffer<ViewName>();
	const views = Object.fromEntries(
		// What not every service has is asked for by itself, so that a refusal does not delay the others.
		PHASES.flatMap(view => {
			const request = viewRequest(store.get().columns[view]);
			return request === undefined ? [] : [[view, request]];
		}),
	);
	const feed: Feed = client.openFeed({request: {assetMode: true, views}, onEvent});

	/** The filters of which was told that the service does not know them. */
	const warnedFilters = new Set<Column['filter']>();
	const alertViews = createAlertViews(store, feed, viewRequest);
	alertViews.follow();
	const pageViews = createPageViews(store, feed);
	const stopExplaining = explainEmptyColumns(store, client, viewRequest);
	let asked: Asked = {...store.get(), shownViews: [], alerts: NO_ALERTS};
	const unsubscribe = store.subscribe(follow);
	follow();

	/** Asks for what the columns want now, where that is something else than before. */
	function follow(): void {
		alertViews.follow();
		pageViews.follow();
		const state = store.get();
		const before = asked;
		if (ASKED.every(part => state[part] === before[part])) return;
		asked = state;
		for (const view of VIEWS) {
			const isRead = isFollowed(state, view);
			const wasRead = isFollowed(before, view);
			if (wasRead === isRead && asksTheSame(headOf(before.columns[view]), headOf(state.columns[view]))) continue;
			const request = isRead ? viewRequest(headOf(state.columns[view])) : undefined;
			if (request !== undefined) feed.setView(view, request);
			else if (wasRead) feed.removeView(view);
			if (wasRead && !isRead) store.apply(now => columnChanged(now, view, columnCleared));
		}
	}

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
		if (alertViews.take(event) || pageViews.take(event)) return;
		switch (event.type) {
			case 'snapshot':
			case 'change':
				if (!isView(event.view)) return;
				if (buffer.isEmpty)
					store.later(state =>
						alertsRaised(
							state,
							viewChangesArrived({...state, skewMs: client.clock.skewMs}, buffer.drain()),
							Date.now(),
						),
					);
				buffer.add(event.view, event);
				if (event.type === 'snapshot') {
					noteUnfiltered(event.view);
					askHistory();
				}
				// The first rows of a column are waited for: they don't wait for the next tick.
				if (event.type === 'snapshot' && store.get().columns[event.view].dataAtMs === undefined)
					setImmediate(() => store.flush());
				break;
			case 'total':
				askHistory();
				if (isView(event.view))
					store.later(state => firstRowsChanged(state, event.view as ViewName, c => totalArrived(c, event.total)));
				break;
			case 'link':
				// Its figures also move with answers that bring no rows, but the service's time.
				store.later(state => heard({...state, link: event.link, skewMs: client.clock.skewMs}));
				break;
			case 'problem': {
				const problem = explain(event.error);
				const {view} = event;
				if (view !== undefined && isView(view)) {
					store.apply(state => firstRowsChanged(state, view, c => viewFailed(c, problem)));
					// The column may be one that there is no room for.
					if (problem.code === 'view-not-served')
						store.apply(state => noticed(state, {text: `${problem.what}.`, tone: 'warn', atMs: state.nowMs}));
				} else
					store.apply(state => {
						const failed = failedEverywhere(state, problem);
						if (isInEveryColumn(failed, problem)) return failed;
						return noticed(failed, {text: `${problem.what}: ${problem.why}`, tone: 'bad', atMs: state.nowMs});
					});
			}
		}
	}

	/** What the service left undone is known with each full view. */
	function noteUnfiltered(view: ViewName): void {
		const isLocal = feed.view(view)?.isUnfiltered === true;
		if ((headOf(store.get().columns[view]).isLocal ?? false) !== isLocal)
			store.apply(state => firstRowsChanged(state, view, c => ({...c, isLocal})));
		warnUnfiltered(view);
	}

	/** Said once a filter: what is shown fits it, but there may be more of it at the service. */
	function warnUnfiltered(view: ViewName): void {
		const {filter} = store.get().columns[view];
		if (warnedFilters.has(filter) || !feed.view(view)?.isUnfiltered) return;
		warnedFilters.add(filter);
		const text = `The service does not filter ${view}: the filter is applied here, to the rows loaded, not to all tokens.`;
		store.apply(state => noticed(state, {text, tone: 'warn', atMs: state.nowMs}));
	}

	/** Also a quiet view is up to date as long as the feed says so. */
	function heard(state: MonitorState): MonitorState {
		return VIEWS.reduce((next, view) => {
			const atMs = feed.view(view)?.lastDataAtMs;
			return atMs === undefined ? next : firstRowsChanged(next, view, c => freshened(c, atMs));
		}, pageViews.freshened(state));
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
	return VIEWS.filter(view => isFollowed(state, view)).reduce(
		(next, view) =>
			columnChanged(next, view, c => (c.rows.size === 0 && c.dataAtMs === undefined ? viewFailed(c, problem) : c)),
		state,
	);
}

/** Whether every column on screen shows the problem in the place of rows: it need not be said once more. */
function isInEveryColumn({columns, shownViews}: MonitorState, {what, why}: ReturnType<typeof explain>): boolean {
	return shownViews.every(view => {
		const {status, rows} = columns[view];
		return rows.size === 0 && status.kind === 'failed' && status.problem.what === what && status.problem.why === why;
	});
}

function isView(name: string): name is ViewName {
	return (VIEWS as readonly string[]).includes(name);
}
