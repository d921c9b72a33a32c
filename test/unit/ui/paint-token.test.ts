import {expect, test} from 'vitest';
import {initialState} from '../../../source/monitor/initial-state.ts';
import {DEFAULT_RISK_THRESHOLDS} from '../../../source/monitor/risk.ts';
import type {MonitorState} from '../../../source/monitor/state.ts';
import {changesArrived, snapshotArrived} from '../../../source/monitor/transitions/column.ts';
import {columnChanged, laidOut} from '../../../source/monitor/transitions/screen.ts';
import {createScenes, REGION} from '../../../source/ui/scenes.ts';
import {signsFor} from '../../../source/ui/signs.ts';
import {entryOf} from '../../helpers/entries.ts';

const NOW_MS = Date.UTC(2026, 10, 21, 12, 0, 0);
const scenes = createScenes({signs: signsFor(false), thresholds: DEFAULT_RISK_THRESHOLDS});

/** A second, an hour less a second, three hours old; the last of them has just moved. */
function stateOf(): MonitorState {
	const ages = [1000, 3_599_000, 10_800_000];
	const entries = ages.map((ageMs, at) =>
		entryOf(`0x${at}`, {
			symbol: `T${at}`,
			name: `Token ${at}`,
			created_at: NOW_MS - ageMs,
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
	const filled = columnChanged(laidOut(empty, 16), 'new', column => snapshotArrived(column, entries, NOW_MS));
	const state = columnChanged(filled, 'new', column =>
		changesArrived(column, [{...entries[2]!, market_cap: 6000, latest_price: 6}], [], NOW_MS),
	);
	const passages = [{key: entries[0]!.key, symbol: 'T0', from: 'bonding', to: 'new', atMs: NOW_MS}] as const;
	return {...state, passages};
}

const rowsOf = (state: MonitorState) => scenes.lines(state, REGION.rows('new'));

/** The same with rows that were never painted. */
function unpainted(state: MonitorState): MonitorState {
	return columnChanged(state, 'new', column => ({
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
		const later = columnChanged({...state, nowMs: NOW_MS + afterMs}, 'new', column => ({
			...column,
			dataAtMs: NOW_MS + afterMs,
		}));
		expect(rowsOf(later), `after ${afterMs} ms`).toEqual(rowsOf(unpainted(later)));
	}
});

test('without motion a newcomer has no background of its own, and no mark tells a move', () => {
	const still = createScenes({signs: signsFor(false), thresholds: DEFAULT_RISK_THRESHOLDS, isStill: true});
	const lines = (scene: typeof still) => scene.lines(unpainted(stateOf()), REGION.rows('new')).flat();
	const isLoud = (spans: ReturnType<typeof lines>) => ({
		background: spans.some(({style}) => style?.backgroundColor !== undefined),
		mark: spans.some(({text}) => text.includes('▲')),
	});
	expect(isLoud(lines(scenes))).toEqual({background: true, mark: true});
	expect(isLoud(lines(still))).toEqual({background: false, mark: false});
});
