import {expect, test} from 'vitest';
import type {ViewChange, ViewChanges} from '../../../../source/client/feed/feed-buffer.ts';
import type {Entry} from '../../../../source/contract/entry.ts';
import {initialState} from '../../../../source/monitor/initial-state.ts';
import type {MonitorState} from '../../../../source/monitor/state.ts';
import type {TokenHoldings} from '../../../../source/monitor/tokens/holdings.ts';
import {viewChangesArrived} from '../../../../source/monitor/transitions/feed.ts';
import {
	cursorMoved,
	focusMoved,
	focusReleased,
	laidOut,
	pinToggled,
	ticked,
} from '../../../../source/monitor/transitions/screen.ts';
import {VIEWS, type ViewName} from '../../../../source/monitor/views.ts';
import type {Row} from '../../../../source/terminal/style.ts';
import {glyphsFor} from '../../../../source/ui/glyphs.ts';
import {createLines} from '../../../../source/ui/live/lines.tsx';
import {createScreenModel} from '../../../../source/ui/screen-model.ts';
import {columnRows} from '../../../helpers/drawn-rows.tsx';
import {entryOf} from '../../../helpers/entries.ts';
import {fc} from '../../../helpers/properties.ts';

const START_MS = Date.UTC(2026, 10, 21, 12, 0, 0);
const TOKENS = 6;

/** Two of them have the same name; they are seconds, minutes and hours old. */
function token(at: number, marketCap: number, isBonded: boolean): Entry {
	return entryOf(`0x${at}`, {
		symbol: at < 2 ? 'SAME' : `T${at}`,
		name: `Token ${at}`,
		created_at: START_MS - [1000, 59_500, 3_599_000, 10_800_000][at % 4]!,
		bonded: isBonded,
		bonding_percentage: isBonded ? 100 : at * 15,
		...(isBonded && at % 2 === 0 && {bonded_at: START_MS - at * 500}),
		market_cap: marketCap,
		latest_price: marketCap,
	});
}

const change = fc.record({
	view: fc.constantFrom<ViewName>('new', 'bonding', 'bonded'),
	upserts: fc.uniqueArray(fc.record({at: fc.nat(TOKENS), marketCap: fc.integer({min: 1, max: 50})}), {
		selector: ({at}) => at,
		maxLength: 3,
	}),
	removed: fc.uniqueArray(fc.nat(TOKENS), {maxLength: 1}),
	afterMs: fc.constantFrom(0, 50, 400, 1100, 2500),
});
const DEEDS = {
	nothing: (state: MonitorState) => state,
	down: (state: MonitorState) => cursorMoved(state, 1),
	next: (state: MonitorState) => focusMoved(state, 1),
	leave: focusReleased,
	pin: (state: MonitorState) => {
		const column = state.columns[state.focus];
		const entry = column.cursor === undefined ? undefined : column.rows.get(column.cursor)?.entry;
		return entry ? pinToggled(state, entry, state.focus, state.nowMs) : state;
	},
	hold: (state: MonitorState): MonitorState => ({...state, holdings: HELD}),
};
const HELD: TokenHoldings = new Map([[token(2, 1, false).key, {isHeld: true, isUnderWay: false, words: []}]]);
/** A screen: its size, and its person's deed after each change. Some have not been here from the start. */
const screen = fc.record({
	columns: fc.constantFrom(120, 160),
	from: fc.nat(3),
	deeds: fc.array(fc.constantFrom(...(Object.keys(DEEDS) as (keyof typeof DEEDS)[])), {minLength: 8, maxLength: 8}),
});

/** A screen, and the same screen without anything that it or another one drew before. */
function opened(columns: number) {
	const service = {label: 'simulated market', embedded: true};
	const state = initialState({size: {columns, rows: 45}, nowMs: START_MS, service, theme: 'dark'});
	const model = createScreenModel({glyphs: glyphsFor(false), hasShades: true});
	const forgetful = {
		...model,
		of(state: MonitorState) {
			const made = model.of(state);
			return {...made, display: {...made.display}, drawnRows: new Map()};
		},
	};
	const lines = new Map(VIEWS.map(view => [view, createLines()]));
	const viewsOf = (state: MonitorState) => model.layout(state).columns.map(({view}) => view);
	return {
		state: laidOut(state, 16),
		draw: (state: MonitorState) => viewsOf(state).map(view => columnRows(model, state, view, lines.get(view))),
		drawFresh: (state: MonitorState) => viewsOf(state).map(view => columnRows(forgetful, state, view)),
	};
}

/** The state of a screen that takes a change of a view at its own time. */
function arrived(state: MonitorState, view: ViewName, change: ViewChange, atMs: number): MonitorState {
	const news: ViewChanges = {source: 'init', changes: [change], atMs};
	return viewChangesArrived(ticked(state, atMs), new Map([[view, news]]));
}

test('screens of one process show what each would show alone, and share the rows they have in common', () => {
	let shared = 0;
	fc.assert(
		fc.property(
			fc.array(change, {minLength: 2, maxLength: 8}),
			fc.array(screen, {minLength: 2, maxLength: 4}),
			(changes, screens) => {
				const all = screens.map(({columns}) => opened(columns));
				let nowMs = START_MS;
				for (const [n, {view, upserts, removed, afterMs}] of changes.entries()) {
					nowMs += afterMs;
					const one: ViewChange = {
						upserts: upserts.map(({at, marketCap}) => token(at, marketCap, view === 'bonded')),
						removed: removed.map(at => token(at, 1, false).key),
					};
					const seen = new Set<Row>();
					for (const [at, shown] of all.entries()) {
						const {from, deeds} = screens[at]!;
						if (n < from) continue;
						// Screens do not tick at the same millisecond.
						const here = nowMs + at;
						shown.state = DEEDS[deeds[n]!](arrived(shown.state, view, one, here));
						const columns = shown.draw(shown.state);
						expect(columns).toEqual(shown.drawFresh(shown.state));
						for (const row of columns.flat()) {
							if (seen.has(row)) shared++;
							seen.add(row);
						}
					}
				}
			},
		),
	);
	expect(shared).toBeGreaterThan(0);
});

const texts = (columns: readonly (readonly Row[])[]): string =>
	columns.flatMap(rows => rows.map(row => row.map(({text}) => text).join(''))).join('\n');

test('a screen that saw a token bond says so, and one that came later does not', () => {
	const [early, late] = [opened(160), opened(160)];
	const [bonded, bonding] = [token(3, 9, true), token(5, 9, true)];
	const changes = [bonded, bonding].map(entry => ({upserts: [entry], removed: []}));
	const before = {...bonding, bonded: false, bonding_percentage: 90};
	early.state = arrived(early.state, 'bonding', {upserts: [before], removed: []}, START_MS);
	for (const [at, change] of changes.entries())
		for (const screen of [late, early])
			screen.state = arrived(screen.state, 'bonded', change, START_MS + 1000 * (at + 1));
	expect(texts(late.draw(late.state))).not.toContain('→T5');
	expect(texts(early.draw(early.state))).toContain('→T5');
	expect(texts(late.draw(late.state))).not.toContain('→T5');
});

test('a moment that is looked at again shows the ages of then', () => {
	const {state, draw, drawFresh} = opened(160);
	const then = arrived(state, 'new', {upserts: [token(0, 5, false)], removed: []}, START_MS);
	const now = ticked(then, START_MS + 1200);
	expect(texts(draw(now))).not.toEqual(texts(draw(then)));
	expect(draw(then)).toEqual(drawFresh(then));
});
