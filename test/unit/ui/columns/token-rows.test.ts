import {expect, test} from 'vitest';
import {DEFAULT_DISPLAY} from '../../../../source/monitor/display.ts';
import {initialState} from '../../../../source/monitor/initial-state.ts';
import type {MonitorState} from '../../../../source/monitor/state.ts';
import {changesArrived, cursorPlaced, snapshotArrived} from '../../../../source/monitor/transitions/column.ts';
import {columnChanged, laidOut} from '../../../../source/monitor/transitions/screen.ts';
import {glyphsFor} from '../../../../source/ui/glyphs.ts';
import {createLines} from '../../../../source/ui/live/lines.tsx';
import {createScreenModel} from '../../../../source/ui/screen-model.ts';
import {THEMES} from '../../../../source/ui/theme.ts';
import {spansWidth} from '../../../../source/ui/view-model.ts';
import {columnRows} from '../../../helpers/drawn-rows.tsx';
import {entryOf} from '../../../helpers/entries.ts';

const NOW_MS = Date.UTC(2026, 10, 21, 12, 0, 0);
const screen = createScreenModel({glyphs: glyphsFor(false)});
const kept = createLines();

/** A second, an hour less a second, three hours old; the last of them has just moved. */
function stateOf(): MonitorState {
	const ages = [1000, 3_599_000, 10_800_000];
	const entries = ages.map((ageMs, at) =>
		entryOf(`0x${at}`, {
			symbol: `T${at}`,
			name: `Token ${at}`,
			created_at: NOW_MS - 2 * ageMs,
			bonded_at: NOW_MS - ageMs,
			market_cap: 5000,
			latest_price: 5,
		}),
	);
	const empty = initialState({
		size: {columns: 160, rows: 20},
		nowMs: NOW_MS,
		service: {label: 'simulated market', embedded: true},
		theme: 'dark',
	});
	const filled = columnChanged(laidOut(empty, 16), 'bonded', column => snapshotArrived(column, entries, NOW_MS));
	const state = columnChanged(filled, 'bonded', column =>
		changesArrived(column, [{...entries[2]!, market_cap: 6000, latest_price: 6}], [], NOW_MS),
	);
	const promotions = [{key: entries[0]!.key, symbol: 'T0', from: 'bonding', to: 'bonded', atMs: NOW_MS}] as const;
	return {...state, promotions};
}

/** The rows of a screen that drew the earlier states too. */
const rowsOf = (state: MonitorState) => columnRows(screen, state, 'bonded', kept);
const freshRowsOf = (state: MonitorState) => columnRows(screen, unpainted(state), 'bonded');

/** The same with rows that were never painted. */
function unpainted(state: MonitorState): MonitorState {
	return columnChanged(state, 'bonded', column => ({
		...column,
		rows: new Map([...column.rows].map(([key, row]) => [key, {...row}])),
	}));
}

test('what is kept of a painted row is never older than what it would show now', () => {
	const state = stateOf();
	expect(
		rowsOf(state)
			.flat()
			.some(({text}) => text.includes('6.00K')),
	).toBe(true);
	for (let afterMs = 0; afterMs <= 65_000; afterMs += 100) {
		const later = columnChanged({...state, nowMs: NOW_MS + afterMs}, 'bonded', column => ({
			...column,
			dataAtMs: NOW_MS + afterMs,
		}));
		expect(rowsOf(later), `after ${afterMs} ms`).toEqual(freshRowsOf(later));
	}
});

test('a row of which nothing changed is the same object, so that it is not written again', () => {
	const state = stateOf();
	const before = rowsOf(state);
	const moved = {...state.columns.bonded.rows.get(entryOf('0x0').key)!.entry, market_cap: 7000};
	const after = rowsOf(columnChanged(state, 'bonded', column => changesArrived(column, [moved], [], NOW_MS)));
	expect(after.map((row, at) => row === before[at])).toEqual([false, true, true]);
});

test('other thresholds, colors or marks of the configuration reach rows that were painted before', () => {
	const state = stateOf();
	rowsOf(state);
	const thresholds = {...DEFAULT_DISPLAY.thresholds, dev: {warn: 0, bad: 1}};
	const displays = [{thresholds}, {colors: {dim: '#123456', up: '#234567'}}, {isStill: true}];
	for (const changed of displays) {
		const other = {...state, display: {...DEFAULT_DISPLAY, ...changed}};
		expect(rowsOf(other)).toEqual(freshRowsOf(other));
	}
	expect(rowsOf({...state, display: {...DEFAULT_DISPLAY, colors: {dim: '#123456'}}})).not.toEqual(rowsOf(state));
});

test('without motion a newcomer has no background of its own, and no mark shows a move', () => {
	const lines = (isStill: boolean) => freshRowsOf({...stateOf(), display: {...DEFAULT_DISPLAY, isStill}}).flat();
	const isLoud = (spans: ReturnType<typeof lines>) => ({
		background: spans.some(({style}) => style?.backgroundColor !== undefined),
		mark: spans.some(({text}) => text.includes('▲')),
	});
	expect(isLoud(lines(false))).toEqual({background: true, mark: true});
	expect(isLoud(lines(true))).toEqual({background: false, mark: false});
});

test('a market cap that follows from a trade’s average has a mark before it', () => {
	const shown = (average: object) => {
		const state = columnChanged(stateOf(), 'bonded', column => ({
			...column,
			rows: new Map([...column.rows].map(([key, row]) => [key, {...row, entry: {...row.entry, ...average}}])),
		}));
		return rowsOf(state).map(spans => spans.map(({text}) => text).join(''));
	};
	expect(shown({priceIsAverage: true}).some(line => line.includes('~5.00K'))).toBe(true);
	expect(shown({}).some(line => line.includes(' 5.00K'))).toBe(true);
	expect(shown({}).some(line => line.includes('~'))).toBe(false);
});

/** A column with one token under its cursor, which then leaves. */
function departedRows(size: MonitorState['size'], reason: string): readonly string[] {
	const entry = entryOf('0xa', {
		symbol: 'GONE',
		name: 'A name of some length',
		created_at: NOW_MS - 90_000,
		market_cap: 4900,
		volume_5min: 777,
		holders_count: 55,
	});
	const empty = initialState({
		size,
		nowMs: NOW_MS,
		service: {label: 'simulated market', embedded: true},
		theme: 'dark',
		columns: {new: {filter: reason}},
	});
	const filled = columnChanged(empty, 'new', column =>
		cursorPlaced(snapshotArrived(column, [{...entry, market_cap: 4900}], NOW_MS), entry.key),
	);
	const state = columnChanged(filled, 'new', column => changesArrived(column, [], [entry.key], NOW_MS));
	return columnRows(screen, state, 'new').map(line => line.map(({text}) => text).join(''));
}

test('a row that left keeps its last figures, says why, and leaves no line empty', () => {
	for (const [columns, rows] of [
		[40, 24],
		[80, 24],
		[120, 40],
		[160, 45],
		[200, 60],
		[240, 60],
	] as const) {
		const lines = departedRows({columns, rows}, 'mcap>5k');
		const text = lines.join('\n');
		expect(text, `${columns}x${rows}`).toContain('✗GONE');
		expect(text).toContain('4.90K');
		expect(text).toMatch(columns < 120 ? /mcap 4\.9k ≤/ : /mcap 4\.9k ≤ 5k/);
		if (columns >= 160) expect(text).toContain('55');
		for (const line of lines) expect(line.trim()).not.toBe('');
	}
});

test('a token that bonded says so where it was, and since when', () => {
	const entry = entryOf('0xb', {symbol: 'GONE', name: 'A'});
	const places = (bonded: object) => {
		const empty = initialState({
			size: {columns: 200, rows: 60},
			nowMs: NOW_MS,
			service: {label: 'x', embedded: true},
			theme: 'dark',
		});
		const before = columnChanged(empty, 'bonding', column =>
			cursorPlaced(snapshotArrived(column, [entry], NOW_MS), entry.key),
		);
		const left = columnChanged(before, 'bonding', column => changesArrived(column, [], [entry.key], NOW_MS));
		const state = columnChanged(left, 'bonded', column => snapshotArrived(column, [{...entry, ...bonded}], NOW_MS));
		return columnRows(screen, state, 'bonding')
			.map(line => line.map(({text}) => text).join(''))
			.join('\n');
	};
	expect(places({bonded: true, bonded_at: NOW_MS - 720_000})).toContain('bonded 12m ago');
	expect(places({bonded: true})).toMatch(/bonded\s/);
	expect(places({bonded: true, bonded_at: NOW_MS - 720_000})).not.toContain('no longer');
});

test('a token that bonded is marked, and flashed once, when it was seen to bond', () => {
	const state = stateOf();
	const text = (at: MonitorState) =>
		freshRowsOf(at)
			.flat()
			.map(({text}) => text)
			.join('');
	expect(text(state)).toMatch(/→T0 .* 1s /);
	// The time stands in a cell of its own: the name stays.
	expect(text(state)).not.toContain('ago');
	expect(text(state).match(/→/g)).toHaveLength(1);
	const isFlashed = (at: MonitorState) => freshRowsOf(at)[0]!.some(({style}) => style?.backgroundColor !== undefined);
	expect(isFlashed(state)).toBe(true);
	const later = columnChanged({...state, nowMs: NOW_MS + 4000}, 'bonded', c => ({...c, dataAtMs: NOW_MS + 4000}));
	expect(isFlashed(later)).toBe(false);
	expect(text(later)).toMatch(/→T0 .* 5s /);
	const old = columnChanged({...state, nowMs: NOW_MS + 31_000}, 'bonded', c => ({...c, dataAtMs: NOW_MS + 31_000}));
	expect(text(old)).not.toContain('→');
});

test('every other token of several lines has a shade, over its whole width, and one of a line has none', () => {
	const shaded = createScreenModel({glyphs: glyphsFor(false), hasShades: true});
	const display = {...DEFAULT_DISPLAY, isStill: true};
	const state = {...stateOf(), size: {columns: 160, rows: 45}, promotions: [], display};
	const width = shaded.layout(state).columns[2]!.width;
	const shades = columnRows(shaded, state, 'bonded').map(line => {
		const colours = new Set(line.map(({style}) => style?.backgroundColor));
		expect(colours.size).toBe(1);
		if (!colours.has(undefined)) expect(spansWidth(line)).toBe(width);
		return colours.has(THEMES.dark.stripe);
	});
	expect(shades).toEqual([false, false, true, true, false, false]);
	const low = {...state, size: {columns: 160, rows: 20}};
	for (const line of columnRows(shaded, low, 'bonded'))
		expect(line.every(({style}) => style?.backgroundColor === undefined)).toBe(true);
});
