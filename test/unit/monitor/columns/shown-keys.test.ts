import {expect, test} from 'vitest';
import type {Entry} from '../../../../source/contract/entry.ts';
import type {Column} from '../../../../source/monitor/columns/column.ts';
import {countsElsewhere, elsewhereIn, shownKeys, standingIn} from '../../../../source/monitor/columns/shown-keys.ts';
import {initialState} from '../../../../source/monitor/initial-state.ts';
import {rewoundTo} from '../../../../source/monitor/rewind/history.ts';
import type {MonitorState} from '../../../../source/monitor/state.ts';
import {released, searchChanged, sortChanged} from '../../../../source/monitor/transitions/column.ts';
import {viewChangesArrived} from '../../../../source/monitor/transitions/feed.ts';
import {
	columnChanged,
	columnScrolled,
	cursorMoved,
	focusSet,
	pinToggled,
	ticked,
	viewsShown,
} from '../../../../source/monitor/transitions/screen.ts';
import {PHASES, VIEWS, type ViewName} from '../../../../source/monitor/views.ts';
import {entryOf} from '../../../helpers/entries.ts';
import {fc} from '../../../helpers/properties.ts';

const NOW_MS = Date.UTC(2026, 10, 21, 12, 0, 0);
const start = (): MonitorState =>
	initialState({
		size: {columns: 160, rows: 45},
		nowMs: NOW_MS,
		service: {label: 'simulated market', embedded: true},
		theme: 'dark',
		shownViews: VIEWS,
	});
/** @param percent of its bonding curve; undefined is not known. Without one, well along. */
const token = (at: number, percent: number | undefined = 50): Entry =>
	entryOf(`0x${at}`, {
		symbol: `T${at}`,
		created_at: NOW_MS - at * 1000,
		market_cap: at,
		bonded_at: NOW_MS - at,
		bonding_percentage: percent,
	});
const unknown = (at: number): Entry => {
	const {bonding_percentage: _, ...entry} = token(at);
	return entry;
};
const brought = (state: MonitorState, view: ViewName, entries: readonly Entry[], removed: readonly number[] = []) =>
	viewChangesArrived(
		state,
		new Map([
			[
				view,
				{
					changes: [{upserts: entries, removed: removed.map(at => token(at).key)}],
					atMs: state.nowMs + 600,
				},
			],
		]),
	);
const arrived = (state: MonitorState, view: ViewName, tokens: readonly number[], removed: readonly number[] = []) =>
	brought(
		state,
		view,
		tokens.map(at => token(at)),
		removed,
	);
const symbols = (state: MonitorState, view: ViewName) =>
	shownKeys(state, view).map(key => state.columns[view].rows.get(key)!.entry.symbol);

type Step = (state: MonitorState) => MonitorState;
const views = fc.constantFrom(...VIEWS);
const tokens = fc.uniqueArray(fc.nat({max: 9}), {maxLength: 8});
const entries = fc.uniqueArray(
	fc
		.tuple(fc.nat({max: 9}), fc.constantFrom(0, 12, 29.9, 30, 31, 90, undefined))
		.map(([at, percent]) => (percent === undefined ? unknown(at) : token(at, percent))),
	{maxLength: 8, selector: ({key}) => key},
);
const steps: fc.Arbitrary<Step> = fc.oneof(
	fc.tuple(views, entries, tokens).map(
		([view, came, went]) =>
			(s: MonitorState) =>
				brought(s, view, came, went),
	),
	fc.subarray([...VIEWS], {minLength: 1}).map(shown => (s: MonitorState) => viewsShown(s, shown)),
	views.map(view => (s: MonitorState) => focusSet(s, view)),
	fc.integer({min: -3, max: 3}).map(by => (s: MonitorState) => cursorMoved(s, by)),
	fc.tuple(views, fc.integer({min: -3, max: 3})).map(
		([view, by]) =>
			(s: MonitorState) =>
				columnScrolled(s, view, by),
	),
	views.map(view => (s: MonitorState) => columnChanged(s, view, released)),
	fc.tuple(views, fc.constantFrom('market_cap' as const, 'created_at' as const)).map(
		([view, by]) =>
			(s: MonitorState) =>
				columnChanged(s, view, c => sortChanged(c, by, 'desc')),
	),
	fc.tuple(views, fc.constantFrom('', 't1', '3')).map(
		([view, text]) =>
			(s: MonitorState) =>
				columnChanged(s, view, c => searchChanged(c, text)),
	),
	fc.tuple(fc.nat({max: 9}), views).map(
		([at, view]) =>
			(s: MonitorState) =>
				pinToggled(s, token(at), view, s.nowMs),
	),
	fc.nat({max: 20_000}).map(ms => (s: MonitorState) => ticked(s, s.nowMs + ms)),
);

/** What a column could show by itself: what left is not among it, nor what waits behind a frozen order or a quick search. */
function showable({rows, order, frozen, leftOut}: Column): readonly string[] {
	const keys = frozen ? order.filter(key => !leftOut.has(key)) : [...rows.keys()];
	return keys.filter(key => rows.get(key)!.departed === undefined);
}

test('a token stands in exactly one of the phases’ columns that can show it, whatever came, was moved, sorted, pinned or left out', () => {
	fc.assert(
		fc.property(fc.array(steps, {maxLength: 25}), taken => {
			const state = taken.reduce((s, step) => step(s), start());
			const moment = {atMs: state.nowMs, skewMs: 0, columns: state.columns};
			for (const shown of [state, rewoundTo(state, moment)]) {
				const {columns} = shown;
				const phases = shown.shownViews.filter(view => PHASES.some(phase => phase === view));
				const able = new Set(phases.flatMap(view => showable(columns[view])));
				for (const key of able) {
					const places = phases.filter(
						view => showable(columns[view]).includes(key) && !elsewhereIn(shown, view).has(key),
					);
					expect(places).toHaveLength(1);
				}
				const standing = phases.flatMap(view => standingIn(shown, view));
				expect(new Set(standing).size).toBe(standing.length);
				expect(elsewhereIn(shown, 'trending').size).toBe(0);
				for (const view of shown.shownViews) {
					const {rows, frozen} = columns[view];
					const seen = [...elsewhereIn(shown, view)].filter(([key, place]) => standingIn(shown, place).includes(key));
					const counts = countsElsewhere(shown, view);
					for (const place of PHASES)
						expect(counts.get(place) ?? 0).toBe(seen.filter(([, other]) => other === place).length);
					for (const key of shownKeys(shown, view)) {
						// What is on screen stands here, or is a row that left and is kept under a frozen order.
						const isKept = frozen && (rows.get(key)!.departed !== undefined || elsewhereIn(shown, view).has(key));
						expect(isKept || standingIn(shown, view).includes(key)).toBe(true);
					}
				}
			}
		}),
		{numRuns: 500},
	);
});

test('NEW keeps its launches until 30 % of their curve, BONDING has those beyond and what NEW does not list', () => {
	const few = brought(start(), 'new', [token(1, 3), token(2, 29.9), token(3, 30), token(4, 80)]);
	const all = brought(few, 'bonding', [token(1, 3), token(2, 29.9), token(3, 30), token(4, 80), token(5, 2)]);
	expect(symbols(all, 'new')).toEqual(['T1', 'T2']);
	expect(symbols(all, 'bonding')).toEqual(['T5', 'T4', 'T3']);
});

test('a token of which no progress is known stays in NEW, and stands in BONDING only where NEW does not list it', () => {
	const both = brought(brought(start(), 'new', [unknown(1)]), 'bonding', [unknown(1), unknown(2)]);
	expect([symbols(both, 'new'), symbols(both, 'bonding')]).toEqual([['T1'], ['T2']]);
});

test('what goes up and down around 30 % does not go to and fro between the columns', () => {
	const has = (state: MonitorState, percent: number) =>
		brought(brought(state, 'new', [token(1, percent)]), 'bonding', [token(1, percent)]);
	const below = has(has(start(), 30.5), 29.5);
	expect([symbols(below, 'new'), symbols(below, 'bonding')]).toEqual([[], ['T1']]);
	const later = has(ticked(below, below.nowMs + 16_000), 29);
	expect([symbols(later, 'new'), symbols(later, 'bonding')]).toEqual([['T1'], []]);
});

test('without NEW on screen BONDING has all of its tokens, and NEW all without BONDING', () => {
	const state = brought(brought(start(), 'new', [token(1, 3), token(2, 80)]), 'bonding', [token(1, 3), token(2, 80)]);
	expect(symbols(viewsShown(state, ['bonding', 'bonded']), 'bonding')).toEqual(['T2', 'T1']);
	expect(symbols(viewsShown(state, ['new', 'bonded']), 'new')).toEqual(['T1', 'T2']);
});

test('a quick search in one column moves no token of another', () => {
	const state = brought(brought(start(), 'new', [token(1, 3), token(2, 80)]), 'bonding', [token(1, 3), token(2, 80)]);
	const searched = columnChanged(state, 'new', c => searchChanged(c, 't2'));
	expect([symbols(searched, 'new'), symbols(searched, 'bonding')]).toEqual([[], ['T2']]);
});

test('a launch that waits behind the frozen order of NEW stands in BONDING until it is let in', () => {
	const held = cursorMoved(brought(start(), 'new', [token(1, 3)]), 1);
	const came = brought(brought(held, 'new', [token(2, 5)]), 'bonding', [token(1, 3), token(2, 5)]);
	expect([symbols(came, 'new'), symbols(came, 'bonding')]).toEqual([['T1'], ['T2']]);
	const live = columnChanged(came, 'new', released);
	expect([symbols(live, 'new'), symbols(live, 'bonding')]).toEqual([['T1', 'T2'], []]);
});

test('a column whose tokens are in other columns requests more rows, until its screen is full', () => {
	const launches = Array.from({length: 50}, (_, at) => token(at, 5));
	const quiet = brought(brought({...start(), pageRows: 20}, 'new', launches), 'bonding', launches);
	expect(symbols(quiet, 'new')).toHaveLength(50);
	expect([quiet.columns.new.limit, quiet.columns.bonding.limit]).toEqual([50, 100]);
});

test('nothing moves under the cursor when a token of the column comes to stand in another one', () => {
	const state = cursorMoved(arrived(start(), 'new', [1, 2, 3]), 2);
	const before = symbols(state, 'new');
	const after = arrived(state, 'bonding', [1, 3]);
	expect(symbols(after, 'new')).toEqual(before);
	expect(standingIn(after, 'new')).toEqual([token(2).key]);
	expect(symbols(columnChanged(after, 'new', released), 'new')).toEqual(['T2']);
});

test('what stood in another column does not come in when the cursor freezes the order', () => {
	const state = arrived(arrived(start(), 'new', [1, 2, 3]), 'bonding', [1]);
	expect(symbols(state, 'new')).toEqual(['T2', 'T3']);
	expect(symbols(cursorMoved(state, 1), 'new')).toEqual(['T2', 'T3']);
});

test('a token that leaves BONDING and has not bonded stands in NEW again at once: nowhere is no place', () => {
	const state = arrived(arrived(start(), 'new', [1, 2]), 'bonding', [1, 5]);
	expect(symbols(arrived(state, 'bonding', [], [1]), 'new')).toEqual(['T1', 'T2']);
});

test('a pinned token stands where it was pinned', () => {
	const state = pinToggled(arrived(arrived(start(), 'new', [1, 2]), 'bonding', [1, 5]), token(1), 'new', NOW_MS);
	expect(symbols(state, 'new')).toContain('T1');
	expect(symbols(state, 'bonding')).toEqual(['T5']);
});

test('a trending token stands in TRENDING and in the column of its phase, pinned in the one or the other', () => {
	const come = (['new', 'bonding', 'trending'] as const).reduce((s, view) => arrived(s, view, [1, 2]), start());
	expect(symbols(come, 'trending')).toEqual(expect.arrayContaining(['T1', 'T2']));
	expect([symbols(come, 'new'), symbols(come, 'bonding')]).toEqual([[], ['T2', 'T1']]);
	const pinned = pinToggled(come, token(1), 'trending', NOW_MS);
	expect(symbols(pinned, 'trending')[0]).toBe('T1');
	expect(symbols(pinned, 'bonding')).toEqual(['T2', 'T1']);
	const inNew = pinToggled(come, token(1), 'new', NOW_MS);
	expect([symbols(inNew, 'new'), symbols(inNew, 'bonding')]).toEqual([['T1'], ['T2']]);
	expect(symbols(inNew, 'trending')).toHaveLength(2);
});

test('a pin in TRENDING stays there when its token bonds, one in NEW goes with it', () => {
	const come = arrived(arrived(arrived(start(), 'new', [1, 2]), 'trending', [1, 2]), 'bonded', [9]);
	const pinned = pinToggled(pinToggled(come, token(1), 'trending', NOW_MS), token(2), 'new', NOW_MS);
	const bonded = arrived(pinned, 'bonded', [1, 2]);
	expect(Array.from(bonded.pins.values(), ({view}) => view)).toEqual(['trending', 'bonded']);
	// A token that was seen in TRENDING alone did not move on from there.
	const only = arrived(arrived(arrived(start(), 'bonded', [9]), 'trending', [3]), 'bonded', [3]);
	expect(only.promotions).toEqual([]);
});

test('a search alone leaves rows out, and without one all stand in their order', () => {
	const found = brought(start(), 'trending', [token(1), token(2)]);
	const searched = columnChanged(found, 'trending', c => searchChanged(c, 't2'));
	expect(shownKeys(found, 'trending')).toBe(found.columns.trending.order);
	expect(shownKeys(searched, 'trending')).toEqual([token(2).key]);
});
