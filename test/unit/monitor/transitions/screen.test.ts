import {describe, expect, test} from 'vitest';
import {shownKeys} from '../../../../source/monitor/columns/shown-keys.ts';
import type {Mode} from '../../../../source/monitor/mode.ts';
import type {MonitorState, Notice} from '../../../../source/monitor/state.ts';
import {cursorPlaced, snapshotArrived} from '../../../../source/monitor/transitions/column.ts';
import {
	backgroundAnswered,
	chartAfter,
	chartTimeChanged,
	columnChanged,
	columnScrolled,
	countCleared,
	cursorMoved,
	cursorSetAt,
	detailChanged,
	detailClosed,
	detailOpened,
	digitTyped,
	focusMoved,
	focusSet,
	laidOut,
	limitFor,
	modeChanged,
	modeEntered,
	modeLeft,
	noticeDropped,
	noticed,
	pinsSet,
	pinToggled,
	resized,
	scopeSet,
	scrolled,
	ticked,
	timeFrameMs,
	viewsShown,
} from '../../../../source/monitor/transitions/screen.ts';
import {entryOf} from '../../../helpers/entries.ts';
import {startState} from '../../../helpers/start-state.ts';

const START_MS = 1_800_000_000_000;
const HOUR_MS = 3_600_000;
const START = startState({nowMs: START_MS});

const key = (address: string) => entryOf(address).key;
const token = (address: string, market_cap: number) => entryOf(address, {market_cap, bonding_percentage: 50});

/** BONDING with a, b, c, d, e from the top, three rows of a page, and the focus. */
const FIVE: MonitorState = (() => {
	const rows = ['a', 'b', 'c', 'd', 'e'].map((name, at) => token(name, 50 - at));
	const focused = {...START, focus: 'bonding' as const, pageRows: 3};
	return columnChanged(focused, 'bonding', c => snapshotArrived(c, rows, START_MS));
})();

const cursorOf = ({columns: {bonding}}: MonitorState) => bonding.cursor?.split('|')[1];
const topOf = ({columns: {bonding}}: MonitorState) => bonding.top;

test('the terminal’s background chooses the theme, unless the user chose one', () => {
	expect(backgroundAnswered(START, 'light').theme).toBe('light');
	expect(backgroundAnswered(START, 'dark')).toBe(START);
	const chosen = {...START, chosenTheme: 'contrast'};
	expect(backgroundAnswered(chosen, 'light')).toBe(chosen);
});

describe('the cursor', () => {
	test('comes in at the top row on screen with a move in either direction', () => {
		expect(shownKeys(FIVE, 'bonding')).toHaveLength(5);
		expect(cursorOf(cursorMoved(FIVE, 1))).toBe('a');
		expect(cursorOf(cursorMoved(FIVE, -1))).toBe('a');
		const scrolledDown = columnScrolled(FIVE, 'bonding', 2);
		expect(cursorOf(cursorMoved(scrolledDown, 1))).toBe('c');
		expect(cursorOf(cursorMoved(scrolledDown, -1))).toBe('b');
	});

	test.each([
		['c', 1, 'd'],
		['c', -1, 'b'],
		['c', 99, 'e'],
		['c', -99, 'a'],
		['a', -1, 'a'],
		['a', 1, 'b'],
		['e', 1, 'e'],
	])('on %j moves by %i to %j, and stops at the ends', (from, by, to) => {
		const placed = columnChanged(FIVE, 'bonding', c => cursorPlaced(c, key(from)));
		expect(cursorOf(cursorMoved(placed, by))).toBe(to);
	});

	test('keeps its row on screen', () => {
		expect([0, 2, 3, 4].map(index => topOf(cursorSetAt(FIVE, index)))).toEqual([0, 0, 1, 2]);
		expect(topOf(cursorSetAt(cursorSetAt(FIVE, 4), 2))).toBe(2);
		expect(topOf(cursorSetAt(cursorSetAt(FIVE, 4), 1))).toBe(1);
		expect(cursorSetAt(START, 0)).toBe(START);
		expect(cursorMoved(START, 1)).toBe(START);
	});
});

describe('the wheel', () => {
	test('scrolls up to the last row on screen, freezes the order below the top, and releases it at the top', () => {
		const one = columnScrolled(FIVE, 'bonding', 1);
		expect([topOf(one), one.columns.bonding.frozen]).toEqual([1, true]);
		expect(topOf(columnScrolled(FIVE, 'bonding', 99))).toBe(2);
		const back = columnScrolled(one, 'bonding', -1);
		expect([topOf(back), back.columns.bonding.frozen]).toEqual([0, false]);
		expect(columnScrolled(FIVE, 'bonding', -1)).toBe(FIVE);
		const end = columnScrolled(FIVE, 'bonding', 2);
		expect(columnScrolled(end, 'bonding', 1)).toBe(end);
	});

	test('at the top a column with a cursor stays frozen', () => {
		const marked = cursorSetAt(FIVE, 4);
		const top = columnScrolled(marked, 'bonding', -99);
		expect([topOf(top), top.columns.bonding.frozen, cursorOf(top)]).toEqual([0, true, 'e']);
		expect(columnScrolled(top, 'bonding', -1)).toBe(top);
	});
});

test('the focus goes round, to a column that was hidden too', () => {
	expect(START.shownViews).toEqual(['new', 'bonding', 'bonded']);
	expect(focusMoved(START, 1).focus).toBe('bonding');
	expect(focusMoved(START, -1).focus).toBe('bonded');
	expect(focusMoved({...START, focus: 'bonded'}, 1).focus).toBe('new');
	expect(focusSet(START, 'new')).toBe(START);
	expect(focusSet(START, 'trending')).toMatchObject({
		focus: 'trending',
		shownViews: ['new', 'bonding', 'bonded', 'trending'],
	});
	expect(viewsShown(START, ['bonded', 'new'])).toMatchObject({focus: 'new', shownViews: ['bonded', 'new']});
	expect(viewsShown(START, ['bonded', 'bonding'])).toMatchObject({focus: 'bonded'});
	expect(viewsShown(START, ['new', 'bonding', 'bonded'])).toBe(START);
});

test('a size that stays is no change, in cells and in rows of a page', () => {
	expect(resized(START, {columns: 160, rows: 45})).toBe(START);
	expect(resized(START, {columns: 161, rows: 45}).size).toEqual({columns: 161, rows: 45});
	expect(resized(START, {columns: 160, rows: 44}).size).toEqual({columns: 160, rows: 44});
	expect(laidOut(FIVE, 3)).toBe(FIVE);
	expect(topOf(laidOut(cursorSetAt(FIVE, 4), 1))).toBe(4);
});

test.each([
	[50, 49, 50],
	[50, 50, 50],
	[50, 51, 61],
	[50, 95, 100],
])('of a limit of %i rows and a page of %i the service is asked for %i', (limit, pageRows, asked) => {
	expect(limitFor(limit, pageRows)).toBe(asked);
	expect(laidOut(START, pageRows).columns.new.limit).toBe(limitFor(START.columns.new.limit, pageRows));
});

const HELP = {kind: 'help', scroll: 0} as Mode;
const BRIEF: Notice = {text: 'Copied.', tone: 'info', atMs: START_MS};
const STAYING: Notice = {...BRIEF, stays: true};

describe('modes', () => {
	test('open over the columns and leave one by one; a count and a brief notice go with each', () => {
		const busy = noticed({...START, count: '12'}, BRIEF);
		const open = modeEntered(busy, HELP);
		expect(open.modes.map(({kind}) => kind)).toEqual([START.modes[0]!.kind, 'help']);
		expect([open.count, open.notice]).toEqual(['', undefined]);
		const closed = modeLeft(noticed({...open, count: '3'}, BRIEF));
		expect([closed.modes, closed.count, closed.notice]).toEqual([START.modes, '', undefined]);
		expect(modeLeft(busy)).toBe(busy);
		expect(modeLeft(modeEntered(noticed(START, STAYING), HELP)).notice).toBe(STAYING);
	});

	test('are replaced at the top', () => {
		const open = modeEntered(START, HELP);
		expect(modeChanged(open, HELP)).toBe(open);
		expect(modeChanged(open, {...HELP, scroll: 4} as Mode).modes).toEqual([START.modes[0], {...HELP, scroll: 4}]);
	});
});

test('a count has up to four digits and begins with none of zero', () => {
	expect(digitTyped(START, '0')).toBe(START);
	expect(digitTyped({...START, count: '1'}, '0').count).toBe('10');
	expect(digitTyped({...START, count: '123'}, '4').count).toBe('1234');
	expect(digitTyped({...START, count: '1234'}, '5').count).toBe('1234');
	expect(countCleared(START)).toBe(START);
	expect(countCleared({...START, count: '7'}).count).toBe('');
});

describe('time', () => {
	test.each([
		[BRIEF, 3999, true],
		[BRIEF, 4000, false],
		[STAYING, 400_000, true],
	])('a notice %j is there after %i ms: %s', (notice, ms, isThere) => {
		expect(ticked(noticed(START, notice), START_MS + ms).notice !== undefined).toBe(isThere);
	});

	test('promotions are kept for a minute', () => {
		const promotion = {key: key('a'), symbol: 'A', from: 'new', to: 'bonded', atMs: START_MS} as const;
		const state = {...START, promotions: [promotion]} as unknown as MonitorState;
		expect(ticked(state, START_MS + 59_999).promotions).toBe(state.promotions);
		expect(ticked(state, START_MS + 60_000).promotions).toEqual([]);
	});

	test('a notice that is dropped leaves nothing', () => {
		expect(noticeDropped(START)).toBe(START);
		expect('notice' in noticeDropped(noticed(START, STAYING))).toBe(false);
	});
});

describe('the opened token', () => {
	test.each([
		[undefined, 0, '24h'],
		[HOUR_MS, 0, '1h'],
		[HOUR_MS + 1, 0, '6h'],
		[6 * HOUR_MS, 0, '6h'],
		[6 * HOUR_MS + 1, 0, '24h'],
		[24 * HOUR_MS, 0, '24h'],
		[24 * HOUR_MS + 1, 0, '7d'],
		[400 * 24 * HOUR_MS, 0, '7d'],
		// The service's clock is an hour ahead: the token is older than this machine's clock says.
		[HOUR_MS, HOUR_MS, '6h'],
		[HOUR_MS, -HOUR_MS, '1h'],
		[7 * HOUR_MS, -HOUR_MS, '6h'],
	])('of the age %s ms, with a clock that is %i ms off, has the time frame %s', (ageMs, skewMs, frame) => {
		const entry = entryOf('a', ageMs === undefined ? {} : {created_at: START_MS - ageMs});
		expect(detailOpened({...START, skewMs}, entry).detail?.timeFrame).toBe(frame);
	});

	test('a chosen time frame and chart stay with the next token, look-ups do not', () => {
		const first = detailOpened(START, entryOf('a'));
		expect(detailOpened(first, entryOf('a', {market_cap: 1}))).toBe(first);
		const chosen = detailChanged(first, key('a'), detail => ({
			...chartTimeChanged(detail, 1),
			scroll: 3,
			labels: {kind: 'loading'},
		}));
		expect(chosen.detail).toMatchObject({timeFrame: '7d', isTimeFrameChosen: true});
		const next = detailOpened(chosen, entryOf('b', {created_at: START_MS}));
		expect(next.detail).toMatchObject({key: key('b'), timeFrame: '7d', scroll: 0, labels: {kind: 'idle'}});
		expect(detailOpened(first, entryOf('b', {created_at: START_MS})).detail?.timeFrame).toBe('1h');
	});

	test('time frames, and lengths of candles, go round', () => {
		const {detail} = detailOpened(START, entryOf('a', {created_at: START_MS}));
		expect([1, 2, 3, 4, -1].map(by => chartTimeChanged(detail!, by).timeFrame)).toEqual([
			'6h',
			'24h',
			'7d',
			'1h',
			'7d',
		]);
		const candles = {...detail!, chart: {kind: 'candles', scale: 'price', stepMs: 5000} as const};
		const longer = chartTimeChanged(candles, 1);
		expect(longer.chart.stepMs).toBeGreaterThan(5000);
		expect(chartTimeChanged(longer, -1)).toEqual(candles);
		expect(longer.isTimeFrameChosen).toBeUndefined();
		expect(['1h', '6h', '24h', '7d'].map(frame => timeFrameMs(frame as '1h') / HOUR_MS)).toEqual([1, 6, 24, 168]);
	});

	test('its chart is a line of the price, of the market cap, candles, and the price again', () => {
		const line = {kind: 'line', scale: 'price', stepMs: 5000} as const;
		const mcap = chartAfter(line);
		const candles = chartAfter(mcap);
		expect([mcap, candles, chartAfter(candles)]).toEqual([{...line, scale: 'mcap'}, {...line, kind: 'candles'}, line]);
	});

	test('scrolls between its ends, and what does not move is no change', () => {
		const open = detailOpened(START, entryOf('a'));
		expect(scrolled(open, 5, 3).detail?.scroll).toBe(3);
		expect(scrolled(scrolled(open, 3, 3), -1, 3).detail?.scroll).toBe(2);
		expect(scrolled(scrolled(open, 1, 3), -5, 3).detail?.scroll).toBe(0);
		expect(scrolled(open, -1, 3)).toBe(open);
		expect(scrolled(open, 1, -2)).toBe(open);
		expect(scrolled(START, 1, 3)).toBe(START);
		expect(detailChanged(open, key('b'), detail => ({...detail, scroll: 1}))).toBe(open);
		expect(detailChanged(open, key('a'), detail => detail)).toBe(open);
	});

	test('closes with its mode, and the modes of others stay', () => {
		const open = modeEntered(modeEntered(detailOpened(START, entryOf('a')), {kind: 'detail'} as Mode), HELP);
		const closed = detailClosed(open);
		expect(closed.modes.map(({kind}) => kind)).toEqual([START.modes[0]!.kind, 'help']);
		expect('detail' in closed).toBe(false);
	});
});

test('a scope that stays is no change', () => {
	const scope = {chains: ['evm:8453'], launchpads: []};
	const narrow = scopeSet(START, scope);
	expect(narrow.columns.trending.scope).toEqual(scope);
	expect(scopeSet(narrow, {chains: ['evm:8453'], launchpads: []})).toBe(narrow);
	expect(scopeSet(START, {chains: [], launchpads: []})).toBe(START);
});

test('a pin belongs to one column, and the other columns stay as they are', () => {
	const pinned = pinToggled(FIVE, token('c', 48), 'bonding', START_MS);
	expect([...pinned.columns.bonding.pinned]).toEqual([key('c')]);
	expect(pinned.columns.bonding.order[0]).toBe(key('c'));
	expect(pinned.columns.new).toBe(FIVE.columns.new);
	expect(pinned.pins.get(key('c'))).toEqual({view: 'bonding', atMs: START_MS});
	// As many pins, and another one.
	const other = pinsSet(pinned, new Map([[key('d'), {view: 'bonding'}]]));
	expect([...other.columns.bonding.pinned]).toEqual([key('d')]);
	expect(pinsSet(pinned, new Map(pinned.pins)).columns.bonding).toBe(pinned.columns.bonding);
	expect(pinToggled(pinned, token('c', 48), 'new', START_MS).columns.bonding.pinned.size).toBe(0);
});
