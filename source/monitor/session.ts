import type {Client} from '../client/client.ts';
import {FeedBuffer} from '../client/feed/feed-buffer.ts';
import type {Feed, FeedEvent, ViewRequest} from '../client/feed/feed-events.ts';
import {addressOfKey} from '../contract/entry.ts';
import {explain} from '../errors.ts';
import {steadyNow} from '../steady-clock.ts';
import type {Store} from '../store.ts';
import {NO_ALERTS} from './alerts/alert-rules.ts';
import {alertsRaised} from './alerts/alert-transitions.ts';
import {createAlertViews} from './alerts/alert-views.ts';
import type {Column} from './columns/column.ts';
import {isFollowed} from './columns/followed-views.ts';
import {scopedRequest} from './columns/scope.ts';
import {wordOf} from './filter/field-words.ts';
import {explainEmptyColumns} from './requests/empty-clauses.ts';
import {createPageViews} from './requests/page-views.ts';
import {lossEnded} from './resumed.ts';
import {headOf} from './select.ts';
import type {MonitorState} from './state.ts';
import {columnCleared, freshened, stalenessArrived, totalArrived, viewFailed} from './transitions/column.ts';
import {viewChangesArrived} from './transitions/feed.ts';
import {columnChanged, firstRowsChanged, noticed} from './transitions/screen.ts';
import {PHASES, VIEWS, type ViewName} from './views.ts';

/** The feed of the columns while it is open. */
export interface Session {
	pause(): void;
	resume(): void;
	/** Connects now and requests every view again. */
	retry(): void;
	close(): void;
}

/** The request of a column (spec 4.1, view object); undefined when no token can match it. */
export function viewRequest(column: Column): ViewRequest | undefined {
	const scoped = scopedRequest(column);
	if (scoped === undefined) return undefined;
	const pinned = [...column.pinned].map(addressOfKey);
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

/** Whether two states of a column make the same request. */
function isSameRequest(a: Column, b: Column): boolean {
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

/** The parts of the state that requests are made from. */
const REQUEST_PARTS = ['columns', 'shownViews', 'alerts'] as const;
type RequestState = Pick<MonitorState, (typeof REQUEST_PARTS)[number]>;

/**
 * Opens the feed of the columns and keeps the store current until closed. A column whose sort, filter, limit or pins change
 * is requested again. TRENDING is requested while it is followed (followed-views.ts).
 */
export function openSession(store: Store<MonitorState>, client: Client): Session {
	const buffer = new FeedBuffer<ViewName>();
	const views = Object.fromEntries(
		// Not every service has TRENDING: its own request follows, so that a refusal does not delay the others.
		PHASES.flatMap(view => {
			const request = viewRequest(store.get().columns[view]);
			return request === undefined ? [] : [[view, request]];
		}),
	);
	const feed: Feed = client.openFeed({request: {assetMode: true, views}, onEvent});

	/** Filters and sorts whose warning was shown. */
	const warned = new Set<Column['filter'] | string>();
	const alertViews = createAlertViews(store, feed, viewRequest);
	alertViews.follow();
	const pageViews = createPageViews(store, feed);
	const stopExplaining = explainEmptyColumns(store, client, viewRequest);
	let requested: RequestState = {...store.get(), shownViews: [], alerts: NO_ALERTS};
	const unsubscribe = store.subscribe(follow);
	follow();

	/** Requests the columns whose request changed. */
	function follow(): void {
		alertViews.follow();
		pageViews.follow();
		const state = store.get();
		const before = requested;
		if (REQUEST_PARTS.every(part => state[part] === before[part])) return;
		requested = state;
		for (const view of VIEWS) {
			const isRead = isFollowed(state, view);
			const wasRead = isFollowed(before, view);
			if (wasRead === isRead && isSameRequest(headOf(before.columns[view]), headOf(state.columns[view]))) continue;
			const request = isRead ? viewRequest(headOf(state.columns[view])) : undefined;
			if (request !== undefined) feed.setView(view, request);
			else if (wasRead) feed.removeView(view);
			if (wasRead && !isRead) store.apply(now => columnChanged(now, view, columnCleared));
		}
	}

	/**
	 * Reads whether the service still loads its history, during which totals grow: with the first rows, and again with every
	 * total until the history is complete. A service that does not report it is read once.
	 */
	let isReadingFacts = false;
	let hasReadFacts = false;
	let isClosed = false;
	function readHistory(): void {
		if (isReadingFacts || (hasReadFacts && store.get().history !== 'loading')) return;
		isReadingFacts = true;
		hasReadFacts = true;
		client
			.facts()
			.then(
				({history}) => {
					if (history !== undefined && !isClosed) store.later(state => ({...state, history}));
				},
				// The feed reports whether the service works.
				() => undefined,
			)
			.finally(() => {
				isReadingFacts = false;
			});
	}

	function onEvent(event: FeedEvent): void {
		if (alertViews.take(event) || pageViews.take(event)) return;
		switch (event.type) {
			case 'snapshot':
			case 'change':
				if (!isView(event.view)) return;
				if (buffer.isEmpty)
					store.later(state => {
						const changes = buffer.drain();
						const changed = viewChangesArrived({...state, skewMs: client.clock.skewMs}, changes);
						return alertsRaised(state, changed, steadyNow(), changes);
					});
				buffer.add(event.view, event);
				if (event.type === 'snapshot') {
					noteLocal(event.view);
					readHistory();
				}
				// The first rows of a column are drawn at once, not with the next tick.
				if (event.type === 'snapshot' && store.get().columns[event.view].dataAtMs === undefined)
					setImmediate(() => store.flush());
				break;
			case 'total':
				readHistory();
				if (!isView(event.view)) return;
				noteLocal(event.view);
				store.later(state => firstRowsChanged(state, event.view as ViewName, c => totalArrived(c, event.total)));
				break;
			case 'link':
				// A response without rows still brings the service's time.
				store.later(state => linkChanged({...state, link: event.link, skewMs: client.clock.skewMs}));
				break;
			case 'resumed':
				store.later(state => lossEnded(state, event));
				break;
			case 'problem': {
				const problem = explain(event.error);
				const {view} = event;
				if (view !== undefined && isView(view)) {
					store.apply(state => firstRowsChanged(state, view, c => viewFailed(c, problem)));
					// The column may be off screen.
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

	/** Each snapshot shows whether the service applied the filter and the sort; a total, whether there are more rows. */
	function noteLocal(view: ViewName): void {
		const {isUnfiltered: isLocal = false, isUnsorted = false} = feed.view(view) ?? {};
		const {filter, sortBy, sortOrder, ...known} = headOf(store.get().columns[view]);
		if ((known.isLocal ?? false) !== isLocal || (known.isUnsorted ?? false) !== isUnsorted)
			store.apply(state => firstRowsChanged(state, view, c => ({...c, isLocal, isUnsorted})));
		if (isLocal) warnOnce(filter, `The service does not filter ${view}: only the rows loaded are filtered.`);
		if (!isUnsorted) return;
		const sort = `${view} by ${wordOf(sortBy)}`;
		warnOnce(`${sort} ${sortOrder}`, `The service does not sort ${sort}: only the rows loaded are sorted.`);
	}

	/** Warns once per filter or sort: the rows are right, but the service may have more that belong here. */
	function warnOnce(of: Column['filter'] | string, text: string): void {
		if (warned.has(of)) return;
		warned.add(of);
		store.apply(state => noticed(state, {text, tone: 'warn', atMs: state.nowMs}));
	}

	/** A view without changes is up to date while the feed says so. */
	function linkChanged(state: MonitorState): MonitorState {
		return VIEWS.reduce((next, view) => {
			const {lastDataAtMs: atMs, staleSinceMs} = feed.view(view) ?? {};
			if (atMs === undefined) return next;
			return firstRowsChanged(next, view, c => freshened(stalenessArrived(c, staleSinceMs), atMs));
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

/** A problem of the whole feed is shown in every column that still waits for its first rows. */
function failedEverywhere(state: MonitorState, problem: ReturnType<typeof explain>): MonitorState {
	return VIEWS.filter(view => isFollowed(state, view)).reduce(
		(next, view) =>
			columnChanged(next, view, c => (c.rows.size === 0 && c.dataAtMs === undefined ? viewFailed(c, problem) : c)),
		state,
	);
}

/** Whether every column on screen shows the problem instead of rows: a notice would repeat it. */
function isInEveryColumn({columns, shownViews}: MonitorState, {what, why}: ReturnType<typeof explain>): boolean {
	return shownViews.every(view => {
		const {status, rows} = columns[view];
		return rows.size === 0 && status.kind === 'failed' && status.problem.what === what && status.problem.why === why;
	});
}

function isView(name: string): name is ViewName {
	return (VIEWS as readonly string[]).includes(name);
}
