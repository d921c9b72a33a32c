import fc from 'fast-check';
import {expect, test} from 'vitest';
import type {Entry} from '../../../source/contract/entry.ts';
import {rewoundTo} from '../../../source/monitor/history.ts';
import {initialState} from '../../../source/monitor/initial-state.ts';
import {elsewhereIn, shownKeys, standingIn} from '../../../source/monitor/shown-keys.ts';
import {type MonitorState, VIEWS, type ViewName} from '../../../source/monitor/state.ts';
import {released, searchChanged, sortChanged} from '../../../source/monitor/transitions/column.ts';
import {newsArrived} from '../../../source/monitor/transitions/feed.ts';
import {
	columnChanged,
	columnScrolled,
	cursorMoved,
	focusSet,
	pinToggled,
	ticked,
} from '../../../source/monitor/transitions/screen.ts';
import {entryOf} from '../../helpers/entries.ts';

const NOW_MS = Date.UTC(2026, 10, 21, 12, 0, 0);
const start = (): MonitorState =>
	initialState({
		size: {columns: 160, rows: 45},
		nowMs: NOW_MS,
		service: {label: 'simulated market', embedded: true},
		theme: 'dark',
	});
const token = (at: number): Entry =>
	entryOf(`0x${at}`, {symbol: `T${at}`, created_at: NOW_MS - at * 1000, market_cap: at, bonded_at: NOW_MS - at});
const arrived = (state: MonitorState, view: ViewName, tokens: readonly number[], removed: readonly number[] = []) =>
	newsArrived(
		state,
		new Map([
			[
				view,
				{
					upserts: new Map(tokens.map(at => [token(at).key, token(at)])),
					removed: new Set(removed.map(at => token(at).key)),
					atMs: state.nowMs + 600,
				},
			],
		]),
	);
const symbols = (state: MonitorState, view: ViewName) =>
	shownKeys(state, view).map(key => state.columns[view].rows.get(key)!.entry.symbol);

type Step = (state: MonitorState) => MonitorState;
const views = fc.constantFrom(...VIEWS);
const tokens = fc.uniqueArray(fc.nat({max: 9}), {maxLength: 8});
const steps: fc.Arbitrary<Step> = fc.oneof(
	fc.tuple(views, tokens, tokens).map(
		([view, came, went]) =>
			(s: MonitorState) =>
				arrived(s, view, came, went),
	),
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

test('a token stands in one column at most, whatever came, was moved, sorted, searched, pinned or looked back at', () => {
	fc.assert(
		fc.property(fc.array(steps, {maxLength: 25}), taken => {
			const state = taken.reduce((s, step) => step(s), start());
			const moment = {atMs: state.nowMs, skewMs: 0, columns: state.columns};
			for (const shown of [state, rewoundTo(state, moment)]) {
				const standing = VIEWS.flatMap(view => [...standingIn(shown, view)]);
				expect(new Set(standing).size).toBe(standing.length);
				for (const view of VIEWS) {
					const {rows, frozen} = shown.columns[view];
					for (const key of shownKeys(shown, view)) {
						// What is on screen stands here, or is a row that left and is kept under a held order.
						const isKept = frozen && (rows.get(key)!.gone !== undefined || elsewhereIn(shown, view).has(key));
						expect(isKept || standingIn(shown, view).has(key)).toBe(true);
					}
				}
			}
		}),
		{numRuns: 300},
	);
});

test('nothing moves under the cursor when a token of the column comes to stand in another one', () => {
	const state = cursorMoved(arrived(start(), 'new', [1, 2, 3]), 2);
	const before = symbols(state, 'new');
	const after = arrived(state, 'bonding', [1, 3]);
	expect(symbols(after, 'new')).toEqual(before);
	expect([...standingIn(after, 'new')]).toEqual([token(2).key]);
	expect(symbols(columnChanged(after, 'new', released), 'new')).toEqual(['T2']);
});

test('what stood in another column does not come in when the cursor freezes the order', () => {
	const state = arrived(arrived(start(), 'new', [1, 2, 3]), 'bonding', [1]);
	expect(symbols(state, 'new')).toEqual(['T2', 'T3']);
	expect(symbols(cursorMoved(state, 1), 'new')).toEqual(['T2', 'T3']);
});

test('a token that falls out of BONDING for a moment is not taken back by NEW at once', () => {
	const state = arrived(arrived(start(), 'new', [1, 2]), 'bonding', [1, 5]);
	const out = arrived(state, 'bonding', [], [1]);
	expect(symbols(out, 'new')).toEqual(['T2']);
	const later = arrived(ticked(out, out.nowMs + 16_000), 'new', [2]);
	expect(symbols(later, 'new')).toEqual(['T1', 'T2']);
});

test('a pinned token stands where it was pinned', () => {
	const state = pinToggled(arrived(arrived(start(), 'new', [1, 2]), 'bonding', [1, 5]), token(1), 'new', NOW_MS);
	expect(symbols(state, 'new')).toContain('T1');
	expect(symbols(state, 'bonding')).toEqual(['T5']);
});
