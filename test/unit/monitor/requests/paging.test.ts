import {mkdtemp, rm} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {expect, onTestFinished, test, vi} from 'vitest';
import type {ViewRequest} from '../../../../source/client/feed/feed-events.ts';
import {RateLimited} from '../../../../source/client/http/service-errors.ts';
import type {ViewPage} from '../../../../source/client/lookups/page.ts';
import type {Entry} from '../../../../source/contract/entry.ts';
import {readAlertRule} from '../../../../source/monitor/alerts/alert-rules.ts';
import {alertsRaised, ruleAdded} from '../../../../source/monitor/alerts/alert-transitions.ts';
import type {Column} from '../../../../source/monitor/columns/column.ts';
import {whyOf} from '../../../../source/monitor/columns/why.ts';
import {columnFilterOf} from '../../../../source/monitor/filter/column-filter.ts';
import {initialState} from '../../../../source/monitor/initial-state.ts';
import {loadLastRows, saveLastRows} from '../../../../source/monitor/last-rows.ts';
import {createPaging, pageAbove, pageBelow} from '../../../../source/monitor/requests/paging.ts';
import {headOf} from '../../../../source/monitor/select.ts';
import type {MonitorState} from '../../../../source/monitor/state.ts';
import {filterChanged, snapshotArrived, sortChanged} from '../../../../source/monitor/transitions/column.ts';
import {pageChangesArrived, viewChangesArrived} from '../../../../source/monitor/transitions/feed.ts';
import {pageShown} from '../../../../source/monitor/transitions/page.ts';
import {columnChanged, cursorSetAt, pinToggled} from '../../../../source/monitor/transitions/screen.ts';
import {createStore} from '../../../../source/store.ts';
import {entryOf} from '../../../helpers/entries.ts';

const NOW_MS = Date.UTC(2026, 10, 21, 12, 0, 0);

/** T1 is the newest. */
const token = (at: number, figures: Partial<Entry> = {}): Entry =>
	entryOf(`t${at}`, {
		symbol: `T${at}`,
		source: 'pumpfun',
		bonded: false,
		created_at: NOW_MS - at * 1000,
		market_cap: 100_000 - at,
		...figures,
	});
const tokens = (from: number, to: number) => Array.from({length: to - from + 1}, (_, at) => token(from + at));
const symbolsOf = ({order, rows}: Column) => order.map(key => rows.get(key)!.entry.symbol);

/** NEW with its first fifty rows, the cursor on the last. */
function start(change: (column: Column) => Column = c => c): MonitorState {
	const state = initialState({
		size: {columns: 160, rows: 45},
		nowMs: NOW_MS,
		service: {label: 'test', embedded: true},
		theme: 'dark',
	});
	const filled = columnChanged(state, 'new', c => snapshotArrived(change(c), tokens(1, 50), NOW_MS));
	return cursorSetAt({...filled, pageRows: 20}, 49);
}

/** The second page of NEW, as if it had been read. */
function paged(state = start()): MonitorState {
	const place = pageBelow(state.columns.new)!;
	const look = {turning: 'down', atMs: NOW_MS, pageRows: 20, elsewhere: new Map()} as const;
	return columnChanged(state, 'new', c => pageShown(c, place, {entries: tokens(51, 100), size: 60}, look));
}

function opened(fetchPage: (request: ViewRequest) => Promise<ViewPage>, state = start()) {
	const store = createStore(state);
	const told: string[] = [];
	const paging = createPaging(store, {
		client: () => ({fetchPage}),
		notify: text => void told.push(text),
		nowMs: () => NOW_MS,
		onShown: () => {},
	});
	const settled = () => vi.waitFor(() => expect(store.get().columns.new.turning).toBeUndefined());
	return {store, told, paging, settled, column: () => store.get().columns.new};
}

test('a page has the order of the service, and the order of the column where the service does not sort', () => {
	const entries = tokens(51, 100).toReversed();
	const page = (state: MonitorState) => {
		const look = {turning: 'down', atMs: NOW_MS, pageRows: 20, elsewhere: new Map()} as const;
		return pageShown(state.columns.new, pageBelow(state.columns.new)!, {entries, size: 60}, look).order;
	};
	expect(page(start())).toEqual(entries.map(({key}) => key));
	expect(page(start(c => ({...c, isUnsorted: true})))).toEqual(entries.toReversed().map(({key}) => key));
});

test('the next rows are requested with the request of the column, by offset, up to the newest launch shown', () => {
	const state = start(c => filterChanged(c, columnFilterOf('mcap>5k')!));
	expect(pageBelow(state.columns.new)).toEqual({
		from: 51,
		offset: 40,
		until: NOW_MS - 1000,
		request: {
			model: 'new',
			sortBy: 'created_at',
			sortOrder: 'desc',
			limit: 60,
			offset: 40,
			filters: {
				AND: [{created_at: {lte: new Date(NOW_MS - 1000).toISOString()}}, state.columns.new.filter.filters],
			},
		},
	});
	const byCap = columnChanged(start(), 'new', c => ({...sortChanged(c, 'market_cap', 'desc'), rows: c.rows}));
	expect(pageBelow(byCap.columns.new)!.request.filters).toBeUndefined();
});

test('the page after a page goes on where that one ended, the one before it ends where it began', () => {
	const {columns} = paged();
	expect(pageBelow(columns.new)).toMatchObject({from: 101, offset: 90, until: NOW_MS - 1000});
	expect(pageAbove(columns.new)).toBeUndefined();
	const third = {...columns.new, page: {...columns.new.page!, from: 101}};
	expect(pageAbove(third)).toMatchObject({from: 51, offset: 50, request: {limit: 50, offset: 50}});
});

test('a pinned token is no row of its view by its place', () => {
	const state = pinToggled(start(), token(900), 'new', NOW_MS);
	const withPin = columnChanged(state, 'new', c => ({
		...c,
		order: [token(900).key, ...c.order],
		rows: new Map([...c.rows, [token(900).key, {entry: token(900)}]]),
	}));
	const place = pageBelow(withPin.columns.new)!;
	expect(place).toMatchObject({from: 51, offset: 40, until: NOW_MS - 1000});
	expect(place.request).not.toHaveProperty('includeTokens');
});

test('rows that were read once more are not shown twice', async () => {
	const {paging, settled, column} = opened(async ({offset = 0, limit = 0}) => {
		const entries = tokens(offset + 1, offset + limit);
		return {entries, size: entries.length};
	});
	paging.turn('down');
	expect(column().turning).toBe('down');
	await settled();
	expect(symbolsOf(column())).toEqual(tokens(51, 100).map(({symbol}) => symbol));
	expect(column().cursor).toBe(token(51).key);
});

test('a service that ignores the offset is detected, and nothing is lost', async () => {
	const {paging, told, settled, column} = opened(async ({limit = 0}) => ({entries: tokens(1, limit), size: limit}));
	paging.turn('down');
	await settled();
	expect(told).toEqual(['The service sent the same tokens again: it shows no more than these.']);
	expect(column().page).toBeUndefined();
	expect(column().cursor).toBe(token(50).key);
});

test.each([
	['half of a page that is known already', 24, 'The service sent the same tokens again: it shows no more than these.'],
	['less than half of it', 25, undefined],
])('%s is no new page', async (_, fresh, said) => {
	const {paging, told, settled, column} = opened(async () => ({
		entries: [...tokens(1, 50 - fresh), ...tokens(51, 50 + fresh)].slice(0, 50),
		size: fresh === 24 ? 52 : 53,
	}));
	paging.turn('down');
	await settled();
	expect(told).toEqual(said === undefined ? [] : [said]);
	expect(column().page !== undefined).toBe(said === undefined);
});

test.each([
	[0, 'These are the last tokens of this column.'],
	[60, 'The service sent no more tokens that match.'],
])('a page of %i rows without a new one says why', async (size, said) => {
	const {paging, told, settled} = opened(async () => ({entries: [], size}));
	paging.turn('down');
	await settled();
	expect(told).toEqual([said]);
});

test('the next rows begin at their first, and at their last on the way to the end', async () => {
	const page = async ({offset = 0, limit = 0}: ViewRequest) => {
		const entries = tokens(offset + 1, offset + limit);
		return {entries, size: entries.length};
	};
	const further = opened(page);
	further.paging.turn('down');
	await further.settled();
	expect(further.column().cursor).toBe(token(51).key);
	const toEnd = opened(page);
	toEnd.paging.turn('down', true);
	await toEnd.settled();
	expect(toEnd.column().cursor).toBe(toEnd.column().order.at(-1));
});

test('a rate limit is reported, and the same key tries again', async () => {
	const fetchPage = vi
		.fn<(request: ViewRequest) => Promise<ViewPage>>()
		.mockRejectedValueOnce(new RateLimited(3000))
		.mockResolvedValueOnce({entries: tokens(51, 100), size: 50});
	const {paging, told, settled, column} = opened(fetchPage);
	paging.turn('down');
	await settled();
	expect(told).toEqual(['More tokens could not be read. The service asks for fewer requests: status 429, for 3 s']);
	paging.turn('down');
	await settled();
	expect(column().page?.from).toBe(51);
});

test('one page is read at a time, and a page that arrives after the cursor moved on is not shown', async () => {
	let response: (page: ViewPage) => void = () => {};
	const fetchPage = vi.fn(() => new Promise<ViewPage>(resolve => (response = resolve)));
	const {paging, store, settled, column} = opened(fetchPage);
	paging.turn('down');
	paging.turn('down');
	expect(fetchPage).toHaveBeenCalledTimes(1);
	store.apply(state => cursorSetAt(state, 3));
	response({entries: tokens(51, 100), size: 60});
	await settled();
	expect(column().page).toBeUndefined();
	expect(column().cursor).toBe(token(4).key);
});

test('live figures come to the rows of a page, and none come in or go', () => {
	const news = new Map([
		[
			'new',
			{
				changes: [{upserts: [60, 5].map(at => token(at, {market_cap: 7})), removed: [token(61).key]}],
				atMs: NOW_MS + 500,
			},
		],
	] as const);
	const {columns} = pageChangesArrived(paged(), news);
	expect(columns.new.rows.get(token(60).key)!.entry.market_cap).toBe(7);
	expect(symbolsOf(columns.new)).toEqual(tokens(51, 100).map(({symbol}) => symbol));
	expect(columns.new.dataAtMs).toBe(NOW_MS + 500);
	expect(columns.new.page!.isLive).toBe(true);
});

test('where the service sends nothing of its rows a page keeps them, and their age', () => {
	const {columns} = pageChangesArrived(
		paged(),
		new Map([['new', {snapshot: [], changes: [], atMs: NOW_MS + 9000}]] as const),
	);
	expect(columns.new.order).toHaveLength(50);
	expect(columns.new.dataAtMs).toBe(NOW_MS);
	expect(columns.new.page!.isLive).toBe(false);
});

test('behind a page the first rows go on: alerts ring for them and not for the page, and they are what is kept', async () => {
	const read = readAlertRule('mcap<99960');
	if (!read.ok) throw new Error(read.problem);
	const before = ruleAdded(start(), read.rule, NOW_MS);
	const away = paged(before);
	expect(alertsRaised(before, away, NOW_MS).alerts.rung).toBe(0);
	const news = {
		changes: [{upserts: [token(0, {market_cap: 5})], removed: []}],
		atMs: NOW_MS + 900,
	};
	const after = alertsRaised(away, viewChangesArrived(away, new Map([['new', news]])), NOW_MS + 900);
	expect(after.alerts.rung).toBe(1);
	expect(headOf(after.columns.new).waiting).toBe(1);
	expect(symbolsOf(after.columns.new)[0]).toBe('T51');

	const dir = await mkdtemp(join(tmpdir(), 'pulsetop-paging-'));
	onTestFinished(() => rm(dir, {recursive: true, force: true}));
	await saveLastRows(dir, 'http://127.0.0.1:1', after.columns, NOW_MS + 1000);
	const kept = await loadLastRows(dir, 'http://127.0.0.1:1');
	expect(kept!.columns[0]!.entries[0]!.symbol).toBe('T1');
});

test('why a token is not shown says which rows are', () => {
	const state = paged();
	const wordsOf = (entry: Entry) => whyOf(state, entry, NOW_MS)[0]!.text;
	expect(wordsOf(token(53))).toBe('#53 in the order of the column');
	expect(wordsOf(token(2))).toBe('not among the rows shown, 51 to 100');
});
