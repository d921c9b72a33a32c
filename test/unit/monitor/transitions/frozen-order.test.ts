import {expect, test} from 'vitest';
import type {ViewChanges} from '../../../../source/client/feed/feed-buffer.ts';
import {shownKeys} from '../../../../source/monitor/columns/shown-keys.ts';
import {initialState} from '../../../../source/monitor/initial-state.ts';
import type {MonitorState} from '../../../../source/monitor/state.ts';
import {cursorPlaced, released} from '../../../../source/monitor/transitions/column.ts';
import {viewChangesArrived} from '../../../../source/monitor/transitions/feed.ts';
import {columnChanged, laidOut, resized, ticked} from '../../../../source/monitor/transitions/screen.ts';
import {VIEWS} from '../../../../source/monitor/views.ts';
import {entryOf} from '../../../helpers/entries.ts';
import {fc} from '../../../helpers/properties.ts';

const START_MS = 1_800_000_000_000;
const TOKENS = 16;
const START = initialState({
	size: {columns: 160, rows: 45},
	nowMs: START_MS,
	service: {label: 'test', embedded: true},
	theme: 'dark',
});

interface Figures {
	readonly token: number;
	readonly cap: number;
	readonly price: number;
	readonly ageS: number;
	readonly bonded: boolean;
}

type Step =
	| {
			readonly do: 'arrive';
			readonly view: (typeof VIEWS)[number];
			readonly upserts: readonly Figures[];
			readonly removed: readonly number[];
			readonly isSnapshot: boolean;
			readonly waitMs: number;
	  }
	| {readonly do: 'time'; readonly ms: number}
	| {readonly do: 'resize'; readonly columns: number; readonly rows: number; readonly pageRows: number};

const figures = fc.record({
	token: fc.nat(TOKENS - 1),
	cap: fc.integer({min: 1, max: 1e6}),
	price: fc.double({min: 1e-9, max: 10, noNaN: true}),
	ageS: fc.nat(7200),
	bonded: fc.boolean(),
});
const arrive = fc.record({
	do: fc.constant('arrive' as const),
	view: fc.constantFrom(...VIEWS),
	upserts: fc.array(figures, {maxLength: 8}),
	removed: fc.array(fc.nat(TOKENS - 1), {maxLength: 4}),
	isSnapshot: fc.boolean(),
	waitMs: fc.nat(5000),
});
const step: fc.Arbitrary<Step> = fc.oneof(
	{weight: 6, arbitrary: arrive},
	{weight: 2, arbitrary: fc.record({do: fc.constant('time' as const), ms: fc.nat(600_000)})},
	{
		weight: 1,
		arbitrary: fc.record({
			do: fc.constant('resize' as const),
			columns: fc.integer({min: 20, max: 300}),
			rows: fc.integer({min: 5, max: 90}),
			pageRows: fc.integer({min: 1, max: 80}),
		}),
	},
);

const addressOf = (token: number): string => `0x${(token + 1).toString(16).padStart(40, '0')}`;
const entry = ({token, cap, price, ageS, bonded}: Figures) =>
	entryOf(addressOf(token), {
		market_cap: cap,
		latest_price: price,
		created_at: START_MS - ageS * 1000,
		bonded,
	});

function done(state: MonitorState, one: Step): MonitorState {
	if (one.do === 'time') return ticked(state, state.nowMs + one.ms);
	if (one.do === 'resize') return laidOut(resized(state, {columns: one.columns, rows: one.rows}), one.pageRows);
	const entries = one.upserts.map(entry);
	const changes: ViewChanges = {
		...(one.isSnapshot && {snapshot: entries}),
		changes: one.isSnapshot
			? []
			: [{upserts: entries, removed: one.removed.map(token => entryOf(addressOf(token)).key)}],
		atMs: state.nowMs + one.waitMs,
	};
	return viewChangesArrived(state, new Map([[one.view, changes]]));
}

test('under a cursor no arrival, no time and no resize changes which rows are shown, or their order', () => {
	let moved = 0;
	const property = fc.property(
		fc.array(figures, {minLength: 3, maxLength: TOKENS}),
		fc.constantFrom(...VIEWS),
		fc.nat(TOKENS),
		fc.array(step, {minLength: 1, maxLength: 20}),
		(first, view, at, steps) => {
			const begun = VIEWS.reduce(
				(state, each) =>
					done(state, {do: 'arrive', view: each, upserts: first, removed: [], isSnapshot: true, waitMs: 0}),
				START,
			);
			const shown = shownKeys(begun, view);
			fc.pre(shown.length > 0);
			const key = shown[at % shown.length]!;
			let state = columnChanged(begun, view, column => cursorPlaced(column, key));
			const order = state.columns[view].order;
			const before = shownKeys(state, view);
			for (const one of steps) {
				state = done(state, one);
				expect(state.columns[view].order).toEqual(order);
				expect(shownKeys(state, view)).toEqual(before);
				expect(state.columns[view].cursor).toBe(key);
			}
			if (shownKeys(columnChanged(state, view, released), view).join() !== before.join()) moved++;
		},
	);
	fc.assert(property, {numRuns: 300});
	// Without the cursor the same steps do move rows.
	expect(moved).toBeGreaterThan(50);
});
