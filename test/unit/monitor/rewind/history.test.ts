import {afterEach, beforeEach, expect, test, vi} from 'vitest';
import {FIELDS} from '../../../../source/contract/fields.ts';
import {WINDOWS_8} from '../../../../source/contract/windows.ts';
import type {Row} from '../../../../source/monitor/columns/column.ts';
import {initialState} from '../../../../source/monitor/initial-state.ts';
import {MOMENT_EVERY_MS, recordHistory, rewoundTo} from '../../../../source/monitor/rewind/history.ts';
import type {PackedMoment} from '../../../../source/monitor/rewind/packed-moment.ts';
import type {MonitorState} from '../../../../source/monitor/state.ts';
import {
	changesArrived,
	cursorPlaced,
	snapshotArrived,
	windowChanged,
} from '../../../../source/monitor/transitions/column.ts';
import {columnChanged} from '../../../../source/monitor/transitions/screen.ts';
import {createStore} from '../../../../source/store.ts';
import {CELLS} from '../../../../source/ui/cell-specs.ts';
import {cellSpans} from '../../../helpers/drawn-rows.tsx';
import {entryOf} from '../../../helpers/entries.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const initial = initialState({
	size: {columns: 80, rows: 24},
	nowMs: 0,
	service: {label: 'test', embedded: true},
	theme: 'dark',
});
const arrived = (state: MonitorState, address: string): MonitorState =>
	columnChanged(state, 'new', c => snapshotArrived(c, [entryOf(address)], 0));

test('a moment is kept every five seconds in which something changed, the last ten minutes of them', () => {
	const store = createStore(initial);
	const history = recordHistory(store);
	for (let at = 0; at < 200; at++) {
		store.apply(state => arrived(state, `a${at}`));
		vi.advanceTimersByTime(MOMENT_EVERY_MS);
	}
	expect(history.moments()).toHaveLength(600_000 / MOMENT_EVERY_MS);
	vi.advanceTimersByTime(60_000);
	const [first, last] = [history.moments()[0]!, history.moments().at(-1)!];
	expect(last.atMs - first.atMs).toBe(600_000 - MOMENT_EVERY_MS);
	expect([...last.columns.new.rows.values()].map(row => row.entry.address)).toEqual(['a199']);
	history.stop();
	store.apply(state => arrived(state, 'later'));
	vi.advanceTimersByTime(60_000);
	expect(history.moments().at(-1)).toBe(last);
});

test('screens that opened at different times keep moments at the same times, and share their packed rows', () => {
	const [entry, still] = [entryOf('a'), entryOf('b')];
	const open = () => {
		const store = createStore(columnChanged(initial, 'new', c => snapshotArrived(c, [entry, still], 0)));
		return {store, history: recordHistory(store)};
	};
	const first = open();
	vi.advanceTimersByTime(1700);
	const screens = [first, open()];
	for (const price of [1, 2, 3, 2]) {
		vi.advanceTimersByTime(MOMENT_EVERY_MS);
		const moved = {...entry, latest_price: price};
		// A move reaches the second screen a little later.
		for (const [at, {store}] of screens.entries())
			store.apply(state => columnChanged(state, 'new', c => changesArrived(c, [moved], [], Date.now() + at * 150)));
	}
	vi.advanceTimersByTime(MOMENT_EVERY_MS);
	const [ones, others] = screens.map(({history}) =>
		history
			.moments()
			.slice(-4)
			.map(moment => moment as PackedMoment),
	);
	expect(ones!.map(({atMs}) => atMs)).toEqual(others!.map(({atMs}) => atMs));
	for (const [at, {packed, columns}] of ones!.entries()) {
		for (const [index, row] of packed.new.rows.entries()) expect(others![at]!.packed.new.rows[index]).toBe(row);
		const {entry: kept, move} = columns.new.rows.get(entry.key)!;
		expect([kept.latest_price, move?.up]).toEqual(
			[
				[1, undefined],
				[2, true],
				[3, true],
				[2, false],
			][at],
		);
	}
	for (const {history} of screens) history.stop();
});

test('a row of a screen that saw another move, or saw the token leave, is its own', () => {
	const [low, high] = [1, 2].map(latest_price => ({...entryOf('a'), latest_price}));
	const histories = [[low!, high!], [{...high!, latest_price: 3}, high!], [high!]].map(entries => {
		const column = entries.reduce((c, entry, at) => changesArrived(c, [entry], [], at), initial.columns.new);
		const store = createStore({...initial, columns: {...initial.columns, new: column}});
		return recordHistory(store);
	});
	const held = cursorPlaced(snapshotArrived(initial.columns.new, [high!], 1), high!.key);
	const gone = {...initial, columns: {...initial.columns, new: changesArrived(held, [], [high!.key], 2)}};
	histories.push(recordHistory(createStore(gone)));
	vi.advanceTimersByTime(2 * MOMENT_EVERY_MS);
	const rows = histories.map(history => history.moments()[0]!.columns.new.rows.get(high!.key)!);
	expect(rows.map(({move, departed}) => [move?.up, departed !== undefined])).toEqual([
		[true, false],
		[false, false],
		[undefined, false],
		[undefined, true],
	]);
	for (const history of histories) history.stop();
});

test('a rewound moment is drawn with its own clock and without a cursor, and the live state stays unchanged', () => {
	const past = columnChanged(arrived(initial, 'a'), 'new', c => cursorPlaced(c, entryOf('a').key));
	const present = {...arrived(past, 'b'), nowMs: 90_000};
	const shown = rewoundTo(present, {atMs: 30_000, skewMs: 5, columns: past.columns});
	expect(shown).toMatchObject({nowMs: 30_000, skewMs: 5});
	expect([...shown.columns.new.rows.keys()]).toEqual([entryOf('a').key]);
	expect(shown.columns.new.cursor).toBeUndefined();
	expect([...present.columns.new.rows.keys()]).toContain(entryOf('b').key);
});

test('a moment keeps all that any cell of a row shows, in every window, and little else', () => {
	const full = Object.fromEntries(
		FIELDS.map(field => [field.name, field.kind === 'text' ? field.name : field.kind === 'boolean' ? false : 12]),
	);
	const details = {security: {isMintable: true, transferPausable: false}, priceIsAverage: true, holders: []} as const;
	const entry = {...full, ...entryOf('a'), ...details};
	for (const window of WINDOWS_8) {
		const column = windowChanged(snapshotArrived(initial.columns.new, [entry], 0), window);
		const store = createStore({...initial, columns: {...initial.columns, new: column}});
		const history = recordHistory(store);
		vi.advanceTimersByTime(MOMENT_EVERY_MS);
		const [kept] = history.moments()[0]!.columns.new.rows.values();
		history.stop();
		const drawn = (cell: (typeof CELLS)[number], row: Row) => cellSpans([{cell, width: cell.width}], row, {window});
		for (const cell of CELLS) expect(drawn(cell, kept!), cell.id).toEqual(drawn(cell, [...column.rows.values()][0]!));
		expect(Object.keys(kept!.entry).length).toBeLessThan(Object.keys(entry).length / 4);
	}
});

test('the price of a token is read from a moment as its columns had it, and not that of a row that had left', () => {
	const priced = (address: string, latest_price?: number) => ({
		...entryOf(address),
		...(latest_price === undefined ? {} : {latest_price}),
	});
	const entries = [priced('a', 0.5), priced('b'), priced('c', 2)];
	const shown = columnChanged(initial, 'new', c => snapshotArrived(c, entries, 0));
	const held = columnChanged(shown, 'new', c => cursorPlaced(c, entryOf('a').key));
	const left = columnChanged(held, 'new', c => snapshotArrived(c, entries.slice(1), 1));
	const store = createStore(columnChanged(shown, 'bonded', c => snapshotArrived(c, [priced('d', 4)], 0)));
	const history = recordHistory(store);
	vi.advanceTimersByTime(MOMENT_EVERY_MS);
	store.apply(() => left);
	vi.advanceTimersByTime(MOMENT_EVERY_MS);
	history.stop();
	const pricesOf = (at: number) =>
		['a', 'b', 'c', 'd', 'e'].map(name => history.moments()[at]!.priceOf(entryOf(name).key));
	expect(pricesOf(0)).toEqual([0.5, undefined, 2, 4, undefined]);
	expect(pricesOf(1)).toEqual([undefined, undefined, 2, undefined, undefined]);
});
