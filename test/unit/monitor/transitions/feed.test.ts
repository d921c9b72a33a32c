import {describe, expect, test} from 'vitest';
import type {ViewChanges} from '../../../../source/client/feed/feed-buffer.ts';
import type {Entry} from '../../../../source/contract/entry.ts';
import {shownKeys} from '../../../../source/monitor/columns/shown-keys.ts';
import type {MonitorState} from '../../../../source/monitor/state.ts';
import {detailed, pageChangesArrived, viewChangesArrived} from '../../../../source/monitor/transitions/feed.ts';
import {detailOpened, pinToggled, viewsShown} from '../../../../source/monitor/transitions/screen.ts';
import type {ViewName} from '../../../../source/monitor/views.ts';
import {entryOf} from '../../../helpers/entries.ts';
import {startState} from '../../../helpers/start-state.ts';

const START_MS = 1_800_000_000_000;
const START = startState({nowMs: START_MS});
const key = (address: string) => entryOf(address).key;
const at = (address: string, percent?: number, figures: Partial<Entry> = {}) =>
	entryOf(address, {market_cap: 1000, ...(percent !== undefined && {bonding_percentage: percent}), ...figures});

/** The changes of one view. */
function changes(view: ViewName, atMs: number, parts: Partial<Record<'snapshot' | 'upserts', readonly Entry[]>>) {
	const {snapshot, upserts = []} = parts;
	const change: ViewChanges = {
		...(snapshot && {snapshot, source: 'rest'}),
		changes: upserts.length === 0 ? [] : [{upserts, removed: []}],
		atMs,
	};
	return new Map([[view, change]]);
}

const arrive = (state: MonitorState, view: ViewName, atMs: number, snapshot: readonly Entry[]) =>
	viewChangesArrived(state, changes(view, atMs, {snapshot}));

test('changes alone, removals alone, and a snapshot with changes behind it are applied', () => {
	const first = arrive(START, 'new', START_MS, [at('a'), at('b')]);
	const more = viewChangesArrived(first, changes('new', START_MS, {upserts: [at('c')]}));
	expect([...more.columns.new.rows.keys()]).toEqual([key('a'), key('b'), key('c')]);
	const [[, change]] = [...changes('new', START_MS, {})] as [[ViewName, ViewChanges]];
	const less = viewChangesArrived(
		more,
		new Map([['new' as const, {...change, changes: [{upserts: [], removed: [key('a')]}]}]]),
	);
	// Within half a second of the last order a row that left keeps its place.
	expect(less.columns.new.rows.get(key('a'))?.departed).toMatchObject({atMs: START_MS});
	expect(less.columns.new.rows.get(key('b'))?.departed).toBeUndefined();
	const both = viewChangesArrived(START, changes('new', START_MS, {snapshot: [at('a')], upserts: [at('d')]}));
	expect([...both.columns.new.rows.keys()]).toEqual([key('a'), key('d')]);
	const empty = viewChangesArrived(first, changes('new', START_MS + 9000, {}));
	expect(empty.columns.new).toBe(first.columns.new);
});

describe('a token on both sides of the border of BONDING', () => {
	const both = (state: MonitorState, atMs: number, percent: number) => {
		const snapshot = [at('t', percent)];
		return viewChangesArrived(
			state,
			new Map([...changes('new', atMs, {snapshot}), ...changes('bonding', atMs, {snapshot})]),
		);
	};
	const place = (state: MonitorState) =>
		(['new', 'bonding'] as const).filter(view => shownKeys(state, view).includes(key('t')));

	test('moves to BONDING at 30 %, and back only 15 seconds after it fell below', () => {
		expect(place(both(START, START_MS, 29.9))).toEqual(['new']);
		const there = both(START, START_MS, 30);
		expect(place(there)).toEqual(['bonding']);
		expect(place(both(there, START_MS + 1000, 29.9))).toEqual(['bonding']);
		expect(place(both(there, START_MS + 14_999, 29.9))).toEqual(['bonding']);
		expect(place(both(there, START_MS + 15_000, 29.9))).toEqual(['new']);
	});

	test('the time it was last beyond the border counts, to five seconds', () => {
		const there = both(START, START_MS, 40);
		expect(both(there, START_MS + 4999, 40).moved).toBe(there.moved);
		const later = both(there, START_MS + 5000, 40);
		expect(later.moved.get(key('t'))).toBe(START_MS + 5000);
		expect(place(both(later, START_MS + 19_999, 20))).toEqual(['bonding']);
		expect(place(both(later, START_MS + 20_000, 20))).toEqual(['new']);
	});

	test('long beyond the border it is not forgotten for a moment', () => {
		const there = both(START, START_MS, 40);
		const much = both(there, START_MS + 15_000, 40);
		expect(much.moved.get(key('t'))).toBe(START_MS + 15_000);
	});
});

describe('a column whose tokens are shown elsewhere', () => {
	const tokens = (count: number) => Array.from({length: count}, (_, index) => at(`t${index}`, 50));
	const small = (pageRows: number): MonitorState => {
		const columns = {...START.columns, new: {...START.columns.new, limit: 5}};
		return {...START, columns, pageRows};
	};

	test('asks for as many rows more, and ten to spare', () => {
		const filled = arrive(arrive(small(5), 'new', START_MS, tokens(5)), 'bonding', START_MS, tokens(3));
		expect(shownKeys(filled, 'new')).toHaveLength(2);
		expect(filled.columns.new.limit).toBe(5 + 3 + 10);
	});

	test('asks for no more when the screen is full, when the service has no more, or when nothing is elsewhere', () => {
		const limitAfter = (state: MonitorState, count: number, elsewhere: number) =>
			arrive(arrive(state, 'new', START_MS, tokens(count)), 'bonding', START_MS, tokens(elsewhere)).columns.new.limit;
		expect(limitAfter(small(2), 5, 3)).toBe(5);
		expect(limitAfter(small(3), 5, 3)).toBe(18);
		expect(limitAfter(small(5), 4, 3)).toBe(5);
		expect(limitAfter(small(9), 5, 0)).toBe(5);
		const most = {...START, columns: {...START.columns, new: {...START.columns.new, limit: 100}}, pageRows: 99};
		expect(limitAfter(most, 100, 3)).toBe(100);
		const many = {...START, columns: {...START.columns, new: {...START.columns.new, limit: 95}}, pageRows: 99};
		expect(limitAfter(many, 95, 3)).toBe(100);
	});
});

describe('a token that comes into BONDED', () => {
	const before = arrive(arrive(START, 'new', START_MS, [at('n', undefined, {symbol: 'NEW'})]), 'bonded', START_MS, [
		at('old'),
	]);

	test('from NEW or BONDING is a promotion, unless no column showed it before', () => {
		const after = viewChangesArrived(before, changes('bonded', START_MS + 100, {upserts: [at('n'), at('other')]}));
		expect(after.promotions).toEqual([{key: key('n'), symbol: 'n', from: 'new', to: 'bonded', atMs: START_MS + 100}]);
		// Nor is a first row of the column.
		const first = arrive(START, 'new', START_MS, [at('n')]);
		expect(arrive(first, 'bonded', START_MS, [at('n')]).promotions).toEqual([]);
	});

	test('takes its pin along', () => {
		const pinned = pinToggled(before, at('n'), 'new', START_MS);
		const after = viewChangesArrived(pinned, changes('bonded', START_MS + 100, {upserts: [at('n')]}));
		expect(after.pins.get(key('n'))?.view).toBe('bonded');
		expect([...after.columns.bonded.pinned]).toEqual([key('n')]);
		const inTrending = pinToggled(before, at('n'), 'trending', START_MS);
		const stays = viewChangesArrived(inTrending, changes('bonded', START_MS + 100, {upserts: [at('n')]}));
		expect(stays.pins.get(key('n'))?.view).toBe('trending');
		expect(viewChangesArrived(before, changes('bonded', START_MS + 100, {upserts: [at('n')]})).pins).toBe(before.pins);
	});
});

test('the opened token takes figures from a change, a snapshot and a page, and keeps its holders', () => {
	const holders = [{address: 'h', percentage: 1}] as unknown as NonNullable<Entry['holders']>;
	const open = detailOpened(START, at('a', 5, {holders}));
	const entry = (state: MonitorState) => [state.detail?.entry.market_cap, state.detail?.entry.holders];
	const upserts = [at('b'), at('a', 5, {market_cap: 2000})];
	expect(entry(viewChangesArrived(open, changes('new', START_MS + 5, {upserts})))).toEqual([2000, holders]);
	const snapshot = arrive(open, 'new', START_MS + 5, [at('b'), at('a', 5, {market_cap: 3000})]);
	expect(entry(snapshot)).toEqual([3000, holders]);
	expect(snapshot.detail?.entryAtMs).toBe(START_MS + 5);
	expect(entry(pageChangesArrived(open, changes('new', START_MS + 5, {upserts})))).toEqual([2000, holders]);
	expect(arrive(open, 'new', START_MS + 5, [at('b')]).detail).toBe(open.detail);
});

test('an empty list of holders is no report, another one is', () => {
	const holders = [{address: 'h', percentage: 1}] as unknown as NonNullable<Entry['holders']>;
	const others = [{address: 'i', percentage: 2}] as unknown as NonNullable<Entry['holders']>;
	const known = at('a', 5, {holders});
	expect(detailed(at('a'), known).holders).toBe(holders);
	expect(detailed(at('a', 5, {holders: []}), known).holders).toBe(holders);
	expect(detailed(at('a', 5, {holders: others}), known).holders).toBe(others);
	const fresh = at('a', 5, {holders: []});
	expect(detailed(fresh, at('a'))).toBe(fresh);
	expect(detailed(fresh, at('a', 5, {holders: []}))).toBe(fresh);
});

test('rows that come for a column that is not read change nothing', () => {
	expect(arrive(START, 'trending', START_MS, [at('a')]).columns.trending).toBe(START.columns.trending);
	const shown = viewsShown(START, ['trending']);
	expect(arrive(shown, 'trending', START_MS, [at('a')]).columns.trending.rows.size).toBe(1);
});
