import {expect, test} from 'vitest';
import type {Column} from '../../../../source/monitor/columns/column.ts';
import * as column from '../../../../source/monitor/transitions/column.ts';
import {REORDER_MS} from '../../../../source/pacing.ts';
import {entryOf} from '../../../helpers/entries.ts';
import {fc} from '../../../helpers/properties.ts';

const fresh = column.newColumn('bonding', {
	sortBy: 'market_cap',
	sortOrder: 'desc',
	window: '1h',
	filter: {text: ''},
	limit: 4,
});
const cap = (address: string, market_cap?: number) => entryOf(address, market_cap === undefined ? {} : {market_cap});
const symbols = (c: Column) => c.order.map(key => key.split('|')[1]);
const filled = column.snapshotArrived(fresh, [cap('a', 30), cap('b', 20), cap('c', 10)], 1000);
const key = (address: string) => entryOf(address).key;

test('a snapshot is shown in the column’s order, unknown figures last', () => {
	const arrived = column.snapshotArrived(fresh, [cap('x'), cap('a', 1), cap('b', 3)], 1000);
	expect(symbols(arrived)).toEqual(['b', 'a', 'x']);
	expect(arrived.status).toEqual({kind: 'ready'});
	expect(arrived.dataAtMs).toBe(1000);
});

test('with nothing selected, a change of the sort figure moves the row', () => {
	expect(symbols(column.changesArrived(filled, [cap('c', 99)], [], 2000))).toEqual(['c', 'a', 'b']);
});

test('with the cursor set, no row moves, while its values stay live', () => {
	const held = column.changesArrived(column.cursorPlaced(filled, key('b')), [cap('c', 99)], [], 2000);
	expect(symbols(held)).toEqual(['a', 'b', 'c']);
	expect(held.rows.get(key('c'))?.entry.market_cap).toBe(99);
});

test('newcomers wait behind a frozen order and are counted', () => {
	const held = column.changesArrived(column.cursorPlaced(filled, key('b')), [cap('d', 50)], [], 2000);
	expect(symbols(held)).toEqual(['a', 'b', 'c']);
	expect(held.waiting).toBe(1);
	const live = column.released(held);
	expect(symbols(live)).toEqual(['d', 'a', 'b', 'c']);
	expect(live.cursor).toBeUndefined();
	expect(live.waiting).toBe(0);
});

test('a token that leaves stays in its place while the order is frozen, marked with the time, and goes on release', () => {
	const held = column.changesArrived(column.cursorPlaced(filled, key('b')), [], [key('b')], 2000);
	expect(symbols(held)).toEqual(['a', 'b', 'c']);
	expect(held.rows.get(key('b'))?.departed?.atMs).toBe(2000);
	expect(symbols(column.released(held))).toEqual(['a', 'c']);
});

test('a token that comes back is no longer marked as departed', () => {
	const held = column.changesArrived(column.cursorPlaced(filled, key('b')), [], [key('b')], 2000);
	expect(column.changesArrived(held, [cap('b', 25)], [], 3000).rows.get(key('b'))?.departed).toBeUndefined();
});

test('more rows than the view’s limit fall off at the end', () => {
	const more = column.changesArrived(filled, [cap('d', 50), cap('e', 5)], [], 2000);
	expect(symbols(more)).toEqual(['d', 'a', 'b', 'c']);
});

test('a pinned token stands first and does not fall off', () => {
	const pinned = column.pinsChanged(filled, new Set([key('c')]));
	expect(symbols(pinned)).toEqual(['c', 'a', 'b']);
	expect(symbols(column.changesArrived(pinned, [cap('d', 50), cap('e', 40), cap('f', 60)], [], 2000))).toContain('c');
});

test('the price’s last move is remembered with its direction', () => {
	const priced = column.snapshotArrived(fresh, [entryOf('a', {latest_price: 1})], 1000);
	const up = column.changesArrived(priced, [entryOf('a', {latest_price: 2})], [], 2000);
	expect(up.rows.get(key('a'))?.move).toEqual({up: true, atMs: 2000});
	const same = column.changesArrived(up, [entryOf('a', {latest_price: 2, holders_count: 5})], [], 3000);
	expect(same.rows.get(key('a'))?.move?.atMs).toBe(2000);
});

test('another sort order is shown at once and requested from the service', () => {
	const sorted = column.sortChanged(filled, 'market_cap', 'asc');
	expect(symbols(sorted)).toEqual(['c', 'b', 'a']);
	expect(sorted.status).toEqual({kind: 'loading'});
});

test('a failure keeps the rows that were known', () => {
	const failed = column.viewFailed(filled, {code: 'x', what: 'w', why: 'y', next: 'retry-later', advice: 'z'});
	expect(symbols(failed)).toEqual(['a', 'b', 'c']);
	expect(failed.dataAtMs).toBe(1000);
});

test('with any feed, nothing moves under the cursor and no row is shown twice', () => {
	const change = fc.record({
		upserts: fc.array(fc.tuple(fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f'), fc.nat(100))),
		removed: fc.array(fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f')),
	});
	fc.assert(
		fc.property(fc.array(change, {maxLength: 20}), changes => {
			let held = column.cursorPlaced(filled, key('b'));
			for (const {upserts, removed} of changes) {
				held = column.changesArrived(
					held,
					upserts.map(([a, m]) => cap(a, m)),
					removed.map(key),
					2000,
				);
				expect(symbols(held)).toEqual(['a', 'b', 'c']);
				expect(held.order.every(k => held.rows.has(k))).toBe(true);
				expect(held.waiting).toBe(held.rows.size - held.order.length);
			}
			const live = column.released(held);
			expect(new Set(live.order).size).toBe(live.order.length);
			expect(live.order.length).toBe(live.rows.size);
		}),
	);
});

test('a view without changes is as fresh as the last sign of life of the service, and its order does not change', () => {
	const heard = column.freshened(filled, 9000);
	expect(heard.dataAtMs).toBe(9000);
	expect(heard.order).toBe(filled.order);
	expect(column.freshened(fresh, 9000).dataAtMs).toBeUndefined();
});

test('a live order changes at most twice a second, at once the first time, and then settles', () => {
	const first = column.changesArrived(filled, [cap('c', 99)], [], 2000);
	expect(symbols(first)).toEqual(['c', 'a', 'b']);
	const second = column.changesArrived(first, [cap('b', 200)], [], 2100);
	expect(symbols(second)).toEqual(['c', 'a', 'b']);
	expect(symbols(column.orderSettled(second, 2300))).toEqual(['c', 'a', 'b']);
	expect(symbols(column.orderSettled(second, 2500))).toEqual(['b', 'c', 'a']);
});

test('a change that was older than the last order when it arrived is ordered too, so that rows that left go', () => {
	const first = column.snapshotArrived(fresh, [cap('a', 10), cap('b', 20)], 2000);
	// Read at 1900, and long on its way to the screen.
	const second = column.snapshotArrived(first, [], 1900);
	expect(symbols(second)).toEqual(['b', 'a']);
	expect(symbols(column.orderSettled(second, 2500))).toEqual([]);
});

test('what a filter that was just typed leaves out has not left: no row is struck, and the cursor stays on a row that is there', () => {
	const filtered = column.filterChanged(filled, {text: 'mcap>15', filters: {market_cap: {gt: 15}}});
	for (const [at, cursor] of [
		['b', key('b')],
		['c', undefined],
	] as const) {
		const held = column.cursorPlaced(filtered, key(at));
		const arrived = column.snapshotArrived(held, [cap('a', 30), cap('b', 20)], 3000);
		expect(symbols(arrived)).toEqual(['a', 'b']);
		expect([...arrived.rows.values()].some(({departed}) => departed !== undefined)).toBe(false);
		expect([arrived.cursor, arrived.frozen]).toEqual([cursor, cursor !== undefined]);
	}
	const later = column.snapshotArrived(
		column.snapshotArrived(column.cursorPlaced(filtered, key('b')), [cap('a', 30), cap('b', 20)], 3000),
		[cap('a', 30)],
		4000,
	);
	expect(later.rows.get(key('b'))?.departed?.atMs).toBe(4000);
});

test.each([
	[1, 0.5, {up: false, atMs: 2000}],
	[1, 1, undefined],
	[undefined, 1, undefined],
	[1, undefined, undefined],
])('a price that goes from %s to %s has moved: %j', (before, after, move) => {
	const priced = (price?: number) => entryOf('a', price === undefined ? {} : {latest_price: price});
	const changed = column.changesArrived(
		column.snapshotArrived(fresh, [priced(before)], 1000),
		[priced(after)],
		[],
		2000,
	);
	expect(changed.rows.get(key('a'))?.move).toEqual(move);
});

test('the pins of a column have room beyond its limit', () => {
	const pinned = column.pinsChanged(fresh, new Set([key('p')]));
	const many = [cap('a', 60), cap('b', 50), cap('c', 40), cap('d', 30), cap('e', 20), cap('p', 10)];
	const full = column.changesArrived(column.snapshotArrived(pinned, many, 1000), [cap('f', 5)], [], 2000);
	expect(symbols(full)).toEqual(['p', 'a', 'b', 'c', 'd']);
});

test('a sign of life counts once a second', () => {
	expect([1999, 2000].map(atMs => column.freshened(filled, atMs).dataAtMs)).toEqual([1000, 2000]);
});

test('rows are no younger than the market of their service', () => {
	const stale = column.stalenessArrived(filled, 400);
	expect([stale.staleSinceMs, stale.dataAtMs]).toEqual([400, 400]);
	expect(column.stalenessArrived(stale, 400)).toBe(stale);
	expect(column.stalenessArrived(filled, 5000).dataAtMs).toBe(1000);
	expect(column.stalenessArrived(stale, undefined)).not.toHaveProperty('staleSinceMs');
	expect(column.stalenessArrived(fresh, 400)).not.toHaveProperty('dataAtMs');
});

test('a second failure remembers that rows had come before the first', () => {
	const problem = {code: 'x', what: 'w', why: 'y', next: 'retry-later', advice: 'z'} as const;
	const twice = column.viewFailed(column.viewFailed(filled, problem), problem);
	expect(twice.status).toMatchObject({kind: 'failed', wasReady: true});
	expect(column.viewFailed(column.viewFailed(fresh, problem), problem).status).not.toHaveProperty('wasReady');
});

test('the cursor on the same token of a frozen column changes nothing', () => {
	const placed = column.cursorPlaced(filled, key('a'));
	expect(column.cursorPlaced(placed, key('a'))).toBe(placed);
	expect(column.cursorPlaced({...filled, cursor: key('a')}, key('a')).frozen).toBe(true);
	expect(column.cursorPlaced(placed, key('b')).cursor).toBe(key('b'));
});

test.each([
	['above the screen comes to its top', 1, 3, 1],
	['on the first line stays', 3, 3, 3],
	['on the last line stays', 5, 3, 3],
	['below the screen comes to its bottom', 6, 3, 4],
	['at the end shows the last lines', 9, 0, 7],
	['without a place leaves the lines that there are', -1, 9, 7],
])('a cursor %s', (_, at, top, shownFrom) => {
	const shown = Array.from({length: 10}, (__, row) => `k${row}`);
	const at_ = {...filled, top, ...(at >= 0 && {cursor: shown[at]!})};
	expect(column.scrolledToCursor(at_, shown, 3).top).toBe(shownFrom);
});

test('the same fields are no change', () => {
	const chosen = column.fieldsChanged(filled, ['age', 'mcap']);
	expect(column.fieldsChanged(chosen, ['age', 'mcap'])).toBe(chosen);
	expect(column.fieldsChanged(chosen, ['mcap', 'age']).fields).toEqual(['mcap', 'age']);
	expect(column.fieldsChanged(chosen, ['age', 'mcap', 'vol']).fields).toHaveLength(3);
});

test.each([
	[REORDER_MS - 1, ['a', 'b', 'c']],
	[REORDER_MS, ['c', 'a', 'b']],
])('%i ms after the last order a change gives the order %j, and the rest of the time the same', (afterMs, order) => {
	const changed = column.changesArrived(filled, [cap('c', 99)], [], 1000 + afterMs);
	expect(symbols(changed)).toEqual(order);
	const waited = column.orderSettled(column.changesArrived(filled, [cap('c', 99)], [], 1001), 1000 + afterMs);
	expect(symbols(waited)).toEqual(order);
});

test('time alone orders nothing where nothing changed, or where the order is frozen', () => {
	expect(column.orderSettled(filled, 90_000)).toBe(filled);
	const frozen = column.changesArrived(column.orderFrozen(filled), [cap('c', 99)], [], 2000);
	expect(column.orderSettled(frozen, 90_000)).toBe(frozen);
});

test('a column that became shorter begins with its last row at the latest', () => {
	const scrolled = {...filled, top: 2};
	expect(column.snapshotArrived(scrolled, [cap('a', 1), cap('b', 3)], 90_000).top).toBe(1);
	expect(column.snapshotArrived(scrolled, [], 90_000).top).toBe(0);
});

test.each([
	['a', 2, 0],
	['b', 2, 1],
	['c', 1, 1],
	['c', 0, 1],
	['b', 0, 0],
])('the cursor on %j comes on screen from the top row %i with the top row %i', (name, top, scrolledTop) => {
	const marked = {...column.cursorPlaced(filled, key(name)), top};
	expect(column.scrolledToCursor(marked, filled.order, 2).top).toBe(scrolledTop);
});

test('a total that stays is no change', () => {
	const counted = column.totalArrived(filled, 0);
	expect(counted.total).toBe(0);
	expect(column.totalArrived(counted, 0)).toBe(counted);
	expect(column.totalArrived(counted, 7).total).toBe(7);
});

test('a search that was given up leaves the cursor of before, or none', () => {
	const searching = column.searchChanged(column.cursorPlaced(filled, key('b')), 'x');
	expect(column.searchAbandoned(searching, {search: '', cursor: key('a')})).toMatchObject({
		search: '',
		cursor: key('a'),
	});
	expect('cursor' in column.searchAbandoned(searching, {search: ''})).toBe(false);
});

test('other chains of the configuration are asked for, in any order the same ones are not', () => {
	const both = column.chainsChanged(filled, ['evm:56', 'evm:8453']);
	expect(both).toMatchObject({chains: ['evm:56', 'evm:8453'], status: {kind: 'loading'}});
	expect(column.chainsChanged(both, ['evm:8453', 'evm:56'])).toBe(both);
	expect(column.chainsChanged(both, ['evm:8453']).chains).toEqual(['evm:8453']);
	expect(column.chainsChanged(both, ['evm:8453', 'evm:1']).chains).toEqual(['evm:8453', 'evm:1']);
});

test('a sort that stays is no change; the other direction, and another field, are', () => {
	expect(column.sortChanged(filled, 'market_cap', 'desc')).toBe(filled);
	expect(symbols(column.sortChanged(filled, 'market_cap', 'asc'))).toEqual(['c', 'b', 'a']);
	expect(column.sortChanged(filled, 'liquidity', 'desc').sortBy).toBe('liquidity');
});

test('fields and limit that stay are no change', () => {
	const fields = column.fieldsChanged(filled, ['mcap', 'risk']);
	expect(column.fieldsChanged(fields, ['mcap', 'risk'])).toBe(fields);
	expect(column.fieldsChanged(fields, ['risk', 'mcap']).fields).toEqual(['risk', 'mcap']);
	expect(column.fieldsChanged(fields, ['mcap']).fields).toEqual(['mcap']);
	expect(column.limitChanged(filled, filled.limit)).toBe(filled);
	expect(column.searchChanged(filled, filled.search)).toBe(filled);
});
