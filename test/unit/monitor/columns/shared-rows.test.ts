import {expect, test} from 'vitest';
import {conflated, FeedBuffer, type ViewChange} from '../../../../source/client/feed/feed-buffer.ts';
import type {Entry} from '../../../../source/contract/entry.ts';
import type {Column} from '../../../../source/monitor/columns/column.ts';
import {
	cursorPlaced,
	newColumn,
	orderSettled,
	pinsChanged,
	released,
	snapshotArrived,
	viewArrived,
} from '../../../../source/monitor/transitions/column.ts';
import {REORDER_MS} from '../../../../source/pacing.ts';
import {entryOf} from '../../../helpers/entries.ts';
import {fc} from '../../../helpers/properties.ts';

const START_MS = 1_800_000_000_000;
const opened = (limit = 5): Column =>
	newColumn('bonding', {sortBy: 'market_cap', sortOrder: 'desc', window: '1h', filter: {text: ''}, limit});
const token = (at: number, marketCap = at): Entry =>
	entryOf(`t${at}`, {market_cap: marketCap, latest_price: marketCap});
const keyOf = (at: number): string => token(at).key;

/** All that a person sees of a column, and what a later order depends on. Marks of moved prices are apart: a late screen has others. */
const seen = (column: Column) => ({
	order: column.order,
	waiting: column.waiting,
	top: column.top,
	cursor: column.cursor,
	orderedAtMs: column.orderedAtMs,
	rows: [...column.rows].map(([key, {entry, departed}]) => [key, entry, departed] as const).toSorted(byKey),
});
const byKey = ([a]: readonly [string, ...unknown[]], [b]: readonly [string, ...unknown[]]) => (a < b ? -1 : 1);

/** A change that no other screen takes. */
const own = ({upserts, removed}: ViewChange): ViewChange => ({upserts: [...upserts], removed: [...removed]});

const TOKENS = 8;
const change = fc.record({
	upserts: fc
		.uniqueArray(fc.record({at: fc.nat(TOKENS), marketCap: fc.nat(50)}), {selector: ({at}) => at, maxLength: 4})
		.map(list => list.map(({at, marketCap}) => token(at, marketCap))),
	removed: fc.uniqueArray(fc.nat(TOKENS).map(keyOf), {maxLength: 2}),
});
const deed = fc.oneof(
	fc.record({do: fc.constant('cursor' as const), at: fc.nat(20)}),
	fc.record({do: fc.constant('pin' as const), at: fc.nat(TOKENS)}),
	fc.constant({do: 'release' as const, at: 0}),
	fc.constant({do: 'nothing' as const, at: 0}),
);
/** A screen: how many rows it asks for, at which change it comes, how many changes a tick takes, and what its person does at each. */
const screen = fc.record({
	limit: fc.integer({min: 3, max: 6}),
	from: fc.nat(4),
	batch: fc.integer({min: 1, max: 3}),
	deeds: fc.array(deed, {minLength: 12, maxLength: 12}),
});

function done(column: Column, {do: name, at}: {readonly do: string; readonly at: number}): Column {
	if (name === 'cursor' && column.order.length > 0)
		return cursorPlaced(column, column.order[at % column.order.length]!);
	if (name === 'pin') return pinsChanged(column, new Set([keyOf(at)]));
	return name === 'release' ? released(column) : column;
}

test('a screen shows the same beside other screens as alone', () => {
	let shared = 0;
	const property = fc.property(
		fc.array(change, {minLength: 4, maxLength: 12}),
		fc.array(screen, {minLength: 2, maxLength: 4}),
		(changes, screens) => {
			/** All entries of the view before each change. */
			const whole = changes.map(
				(_, at) => conflated([{upserts: [token(1), token(2), token(3)], removed: []}, ...changes.slice(0, at)]).upserts,
			);
			const play = (isAlone: boolean) => {
				const columns = screens.map(({limit}) => opened(limit));
				const pending = screens.map((): ViewChange[] => []);
				for (const [at, change] of changes.entries()) {
					const atMs = START_MS + at * (REORDER_MS / 2);
					for (const [n, {from, batch, deeds}] of screens.entries()) {
						if (at < from) continue;
						if (at === from) columns[n] = snapshotArrived(columns[n]!, whole[at]!, atMs);
						pending[n]!.push(isAlone ? own(change) : change);
						if (pending[n]!.length < batch) continue;
						const arrived = viewArrived(columns[n]!, {changes: pending[n]!, atMs});
						pending[n] = [];
						columns[n] = done(orderSettled(arrived, atMs), deeds[at]!);
					}
				}
				return columns;
			};
			const together = play(false);
			expect(together.map(seen)).toEqual(play(true).map(seen));
			if (new Set(together.map(({rows}) => rows)).size < together.length) shared++;
		},
	);
	fc.assert(property);
	expect(shared).toBeGreaterThan(0);
});

test('screens of one view have the same rows and order, one that came later and one with a cursor included', () => {
	const first = [token(1), token(2), token(3)];
	const changes = [4, 5, 6].map(cap => ({upserts: [token(2, cap)], removed: []}));
	let [early, held] = [opened(), opened()].map(column => snapshotArrived(column, first, START_MS)) as [Column, Column];
	held = cursorPlaced(held, keyOf(1));
	let late: Column | undefined;
	for (const [at, one] of changes.entries()) {
		const atMs = START_MS + (at + 1) * REORDER_MS;
		if (at === 1)
			late = snapshotArrived(opened(), [token(1), ...early.rows.values().map(({entry}) => entry)].slice(1), atMs);
		[early, held] = [early, held].map(column => viewArrived(column, {changes: [one], atMs})) as [Column, Column];
		if (late) late = viewArrived(late, {changes: [one], atMs});
	}
	expect(held.rows).toBe(early.rows);
	expect(late!.rows).toBe(early.rows);
	expect(late!.order).toBe(early.order);
	expect(early.order.map(key => early.rows.get(key)!.entry.market_cap)).toEqual([6, 3, 1]);
});

test('a flood that waits in the buffer is conflated, and gives the rows that its changes give one by one', () => {
	const property = fc.property(fc.array(change, {minLength: 1, maxLength: 40}), changes => {
		const buffer = new FeedBuffer();
		for (const one of changes) buffer.add('v', {type: 'change', view: 'v', ...one, atMs: START_MS});
		const drained = buffer.drain().get('v')!;
		expect(drained.changes.length).toBeLessThanOrEqual(8);
		const entries = (list: readonly ViewChange[]) => {
			const {rows} = viewArrived(opened(100), {changes: list, atMs: START_MS});
			return new Map([...rows].map(([key, {entry}]) => [key, entry]));
		};
		expect(entries(drained.changes)).toEqual(entries(changes));
		expect(buffer.isEmpty).toBe(true);
	});
	fc.assert(property);
});
