import {expect, test} from 'vitest';
import {tokenHide} from '../../../source/monitor/hides/hides.ts';
import type {Mode} from '../../../source/monitor/mode.ts';
import {
	findEntry,
	freshness,
	hiddenCount,
	isStale,
	isStarting,
	matchesSearch,
	newestDataMs,
	selected,
	selectedBelow,
	shownMs,
	staleSinceMs,
} from '../../../source/monitor/select.ts';
import {cursorPlaced, snapshotArrived, stalenessArrived} from '../../../source/monitor/transitions/column.ts';
import {columnChanged, detailOpened, modeEntered} from '../../../source/monitor/transitions/screen.ts';
import {entryOf} from '../../helpers/entries.ts';
import {startState} from '../../helpers/start-state.ts';

const START_MS = 1_800_000_000_000;
const START = startState({nowMs: START_MS});
const [a, b] = [entryOf('a', {symbol: 'ALPHA', name: 'First'}), entryOf('b', {symbol: 'BETA'})];
const FILLED = columnChanged(START, 'new', c => snapshotArrived(c, [a, b], START_MS));

test.each([
	[0, 'fresh'],
	[4999, 'fresh'],
	[5000, 'stale'],
	[14_999, 'stale'],
	[15_000, 'unusable'],
] as const)('data that is %i ms old is %s', (ageMs, kind) => {
	expect(freshness(START_MS - ageMs, START_MS)).toBe(kind);
	expect(isStale(START_MS - ageMs, START_MS)).toBe(kind !== 'fresh');
});

test('without data nothing is stale', () => {
	expect(freshness(undefined, START_MS)).toBe('none');
	expect(isStale(undefined, START_MS)).toBe(false);
	expect(newestDataMs(START)).toBeUndefined();
	expect(staleSinceMs(START)).toBeUndefined();
});

test('the newest data of the columns that are shown counts, unless the service says since when its market stands still', () => {
	const later = columnChanged(FILLED, 'bonded', c => snapshotArrived(c, [b], START_MS + 700));
	expect(newestDataMs(later)).toBe(START_MS + 700);
	expect(newestDataMs({...later, shownViews: ['new']})).toBe(START_MS);
	const stopped = columnChanged(later, 'bonded', c => stalenessArrived(c, START_MS - 40_000));
	const both = columnChanged(stopped, 'new', c => stalenessArrived(c, START_MS - 90_000));
	expect([staleSinceMs(stopped), staleSinceMs(both)]).toEqual([START_MS - 40_000, START_MS - 90_000]);
	expect(newestDataMs(both)).toBe(START_MS - 90_000);
});

test('the first connection is being made until it has another state', () => {
	expect(isStarting(undefined)).toBe(true);
	expect(isStarting({phase: 'connecting'} as never)).toBe(true);
	expect(isStarting({phase: 'live'} as never)).toBe(false);
});

test('a search finds symbol, name and address in any letter case', () => {
	expect(['alp', 'FIRST', 'A', 'beta'].map(search => matchesSearch(a, search))).toEqual([true, true, true, false]);
	expect(matchesSearch(entryOf('x'), 'y')).toBe(false);
});

test('keys act on the token under the cursor, and on the opened one while its pane has the keyboard', () => {
	expect(selected(FILLED)).toBeUndefined();
	const marked = columnChanged(FILLED, 'new', c => cursorPlaced(c, b.key));
	expect([selected(marked), selectedBelow(marked)]).toEqual([b, b]);
	const open = detailOpened(marked, a);
	expect([selected(open), selectedBelow(open)]).toEqual([b, a]);
	const inPane = modeEntered(open, {kind: 'detail'} as Mode);
	expect(selected(inPane)).toBe(a);
	expect(selected(modeEntered(marked, {kind: 'detail'} as Mode))).toBe(b);
});

test('a token is found in any column, and hidden ones are counted', () => {
	expect(findEntry(FILLED, b.key)).toEqual({entry: b, view: 'new'});
	expect(findEntry(FILLED, entryOf('z').key)).toBeUndefined();
	expect(hiddenCount(FILLED.columns.new, new Map())).toBe(0);
	expect(hiddenCount(FILLED.columns.new, new Map([['token b', tokenHide(b, 'NEW')]]))).toBe(1);
});

test('a moment of a recording is shown as the recorded time', () => {
	expect(shownMs({service: {...START.service, recording: {phase: 'playing', speed: 1}}, skewMs: -5000}, START_MS)).toBe(
		START_MS - 5000,
	);
	// Of a service it is this machine's time, whatever its own clock says.
	expect(Math.abs(shownMs({service: START.service, skewMs: -5_000_000}, START_MS) - START_MS)).toBeLessThan(1_000_000);
});
