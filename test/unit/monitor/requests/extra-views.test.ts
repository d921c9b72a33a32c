import {expect, test} from 'vitest';
import type {FeedEvent, ViewRequest} from '../../../../source/client/feed/feed-events.ts';
import {readAlertRule} from '../../../../source/monitor/alerts/alert-rules.ts';
import {ruleAdded} from '../../../../source/monitor/alerts/alert-transitions.ts';
import {createAlertViews} from '../../../../source/monitor/alerts/alert-views.ts';
import {watchAlerts} from '../../../../source/monitor/alerts/watch-alerts.ts';
import {columnFilterOf} from '../../../../source/monitor/filter/column-filter.ts';
import {createPageViews} from '../../../../source/monitor/requests/page-views.ts';
import {viewRequest} from '../../../../source/monitor/session.ts';
import type {MonitorState} from '../../../../source/monitor/state.ts';
import {
	filterChanged,
	limitChanged,
	released,
	snapshotArrived,
	sortChanged,
} from '../../../../source/monitor/transitions/column.ts';
import {pageShown} from '../../../../source/monitor/transitions/page.ts';
import {columnChanged, scopeSet} from '../../../../source/monitor/transitions/screen.ts';
import {createStore} from '../../../../source/store.ts';
import {entryOf} from '../../../helpers/entries.ts';
import {startState} from '../../../helpers/start-state.ts';

/* Views of the feed beside those of the columns: for rows of pages, and for alerts while the screen is limited. */

const START_MS = 1_800_000_000_000;
const START = startState({nowMs: START_MS});
const token = (address: string, market_cap = 1) => entryOf(address, {symbol: address.toUpperCase(), market_cap});

/** A feed that notes what is set and removed. */
function openFeed() {
	const set: (readonly [name: string, request: ViewRequest])[] = [];
	const removed: string[] = [];
	const lastDataAtMs = new Map<string, number>();
	return {
		set,
		removed,
		lastDataAtMs,
		feed: {
			setView: (name: string, request: ViewRequest) => void set.push([name, request]),
			removeView: (name: string) => void removed.push(name),
			view: (name: string) => ({lastDataAtMs: lastDataAtMs.get(name)}) as never,
		},
		takeNames: () => set.splice(0).map(([name]) => name),
	};
}

const change = (view: string, upserts: readonly ReturnType<typeof token>[]): FeedEvent => ({
	type: 'change',
	view,
	upserts,
	removed: [],
	atMs: START_MS + 10,
});

/** NEW with a page of these tokens. */
function withPage(state: MonitorState, ...names: readonly string[]): MonitorState {
	const filled = columnChanged(state, 'new', c => snapshotArrived(c, [token('first')], START_MS));
	const look = {turning: 'down', atMs: START_MS, pageRows: 20, elsewhere: new Map()} as const;
	const page = {entries: names.map(name => token(name)), size: names.length};
	return columnChanged(filled, 'new', c => pageShown(c, {from: 51, offset: 40}, page, look));
}

test('the tokens of a page are one view of the feed, requested once for the same tokens and removed with the page', () => {
	const store = createStore(withPage(START, 'a', 'b'));
	const {feed, set, removed, takeNames} = openFeed();
	const views = createPageViews(store, feed);
	views.follow();
	expect(set.map(([name, {includeTokens}]) => [name, includeTokens])).toEqual([['page.new', ['a', 'b']]]);
	store.apply(state => ({...state, nowMs: START_MS + 1}));
	views.follow();
	expect(takeNames()).toEqual(['page.new']);
	store.apply(state => withPage(columnChanged(state, 'new', released), 'c'));
	views.follow();
	expect(takeNames()).toEqual(['page.new']);
	store.apply(state => columnChanged(state, 'new', released));
	views.follow();
	views.follow();
	expect([takeNames(), removed]).toEqual([[], ['page.new']]);
});

test('figures for the rows of a page come into them; events of other views are not taken', () => {
	const store = createStore(withPage(START, 'a', 'b'));
	const views = createPageViews(store, openFeed().feed);
	expect(views.take(change('new', [token('a', 5)]))).toBe(false);
	expect(views.take({type: 'link', link: {} as never})).toBe(false);
	expect(views.take(change('page.new', [token('a', 5)]))).toBe(true);
	expect(views.take(change('page.new', [token('b', 6)]))).toBe(true);
	expect(views.take({type: 'total', view: 'page.new', total: 3, atMs: START_MS})).toBe(true);
	expect(views.take(change('page.other', [token('a', 9)]))).toBe(true);
	store.flush();
	const {rows} = store.get().columns.new;
	expect(['a', 'b'].map(name => rows.get(token(name).key)?.entry.market_cap)).toEqual([5, 6]);
});

test('a live page is as fresh as the last data of its view', () => {
	const paged = withPage(START, 'a');
	const {feed, lastDataAtMs} = openFeed();
	const views = createPageViews(createStore(paged), feed);
	const live = columnChanged(paged, 'new', c => ({...c, page: {...c.page!, isLive: true}}));
	expect(views.freshened(live)).toBe(live);
	lastDataAtMs.set('page.new', START_MS + 5000);
	expect(views.freshened(live).columns.new.dataAtMs).toBe(START_MS + 5000);
	expect(views.freshened(paged)).toBe(paged);
	lastDataAtMs.delete('page.new');
	lastDataAtMs.set('new', START_MS + 5000);
	expect(views.freshened(live)).toBe(live);
});

function withRule(state: MonitorState, text: string): MonitorState {
	const read = readAlertRule(text);
	if (!read.ok) throw new Error(read.problem);
	return ruleAdded(state, read.rule, START_MS);
}

const NARROW = {chains: ['evm:8453'], launchpads: []};
const PHASES = ['alerts.new', 'alerts.bonding', 'alerts.bonded'];

test('while the screen is limited, a rule that is on reads the same columns without the limit', () => {
	const store = createStore(withRule(START, 'mcap>5'));
	const {feed, set, removed, takeNames} = openFeed();
	const views = createAlertViews(store, feed, viewRequest);
	views.follow();
	expect(takeNames()).toEqual([]);
	store.apply(state => scopeSet(state, NARROW));
	views.follow();
	expect(set.map(([, request]) => request['chainId'])).toEqual([undefined, undefined, undefined]);
	expect(takeNames()).toEqual(PHASES);
	// The same tokens are requested once.
	store.apply(state => ({...state, nowMs: START_MS + 1}));
	views.follow();
	expect(takeNames()).toEqual([]);
	store.apply(state => ({
		...state,
		alerts: {...state.alerts, rules: state.alerts.rules.map(r => ({...r, isOff: true}))},
	}));
	views.follow();
	views.follow();
	expect(removed).toEqual(PHASES);
});

test.each([
	['another sort', sortChanged, ['liquidity', 'desc']],
	['another direction', sortChanged, ['created_at', 'asc']],
	['another limit', limitChanged, [77]],
	['another filter', filterChanged, [columnFilterOf('mcap>7')]],
] as const)('%s of a column is requested for its alerts, too', (_, how, args) => {
	const store = createStore(scopeSet(withRule(START, 'mcap>5'), NARROW));
	const {feed, takeNames} = openFeed();
	const views = createAlertViews(store, feed, viewRequest);
	views.follow();
	takeNames();
	store.apply(state => columnChanged(state, 'new', c => (how as (...all: unknown[]) => typeof c)(c, ...args)));
	views.follow();
	expect(takeNames()).toEqual(['alerts.new']);
});

test('tokens outside of the limit raise alerts, each once, and the screen does not show them', () => {
	const store = createStore(scopeSet(withRule(START, 'mcap>5'), NARROW));
	const rung: string[][] = [];
	const stop = watchAlerts(store, alerts => void rung.push(alerts.map(({symbol}) => symbol)));
	const views = createAlertViews(store, openFeed().feed, viewRequest);
	views.follow();
	const take = (event: FeedEvent) => {
		expect(views.take(event)).toBe(true);
		store.flush();
	};
	expect(views.take(change('new', []))).toBe(false);
	// The first rows of a view are no news.
	take({type: 'snapshot', view: 'alerts.new', entries: [token('old', 9)], atMs: START_MS, source: 'rest'});
	expect(rung).toEqual([]);
	take(change('alerts.new', [token('old', 10), token('low', 5), token('b', 6), token('a', 7)]));
	take(change('alerts.new', [token('b', 8)]));
	take({type: 'total', view: 'alerts.new', total: 3, atMs: START_MS});
	take(change('alerts.other', [token('x', 99)]));
	expect(rung).toEqual([['B', 'A']]);
	const {notice, columns, alerts} = store.get();
	expect(notice?.text).toContain('A and 1 more (NEW) matches mcap>5');
	expect([columns.new.rows.size, alerts.unseen]).toEqual([0, 2]);
	// A token that leaves and comes back is the same.
	take({type: 'change', view: 'alerts.new', upserts: [], removed: [token('a').key], atMs: START_MS + 20});
	take(change('alerts.new', [token('a', 9)]));
	stop();
	take(change('alerts.new', [token('late', 9)]));
	expect(rung).toHaveLength(1);
	expect(store.get().alerts.unseen).toBe(3);
});
