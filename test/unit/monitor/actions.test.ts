import {describe, expect, test} from 'vitest';
import {WINDOWS_8} from '../../../source/contract/windows.ts';
import {createMonitorActions, type Effects, type PageOutcome} from '../../../source/monitor/actions.ts';
import type {Alert} from '../../../source/monitor/alerts/alert-rules.ts';
import {type MonitorState, topMode} from '../../../source/monitor/state.ts';
import {snapshotArrived} from '../../../source/monitor/transitions/column.ts';
import {columnChanged} from '../../../source/monitor/transitions/screen.ts';
import type {ProgramEnd, UserCommand} from '../../../source/monitor/user-commands.ts';
import {createStore} from '../../../source/store.ts';
import {entryOf} from '../../helpers/entries.ts';
import {startState} from '../../helpers/start-state.ts';

const START_MS = 1_800_000_000_000;
const NAMES = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'];
const token = (name: string, at = 0) => entryOf(name, {symbol: name.toUpperCase(), created_at: START_MS - at * 1000});

/** The monitor with eight tokens in NEW, five rows on screen, and what it asked the world for. */
function openMonitor(effects: Partial<Effects> = {}) {
	const start = startState({nowMs: START_MS});
	const filled = columnChanged(start, 'new', c => snapshotArrived(c, NAMES.map(token), START_MS));
	const store = createStore<MonitorState>({...filled, pageRows: 5});
	const saved: MonitorState[] = [];
	const done: string[] = [];
	const actions = createMonitorActions(store, {
		client: () => undefined,
		session: () => ({
			pause: () => void done.push('pause'),
			resume: () => void done.push('resume'),
			retry: () => void done.push('retry'),
		}),
		copy: async (text: string) => `copied ${text}`,
		saveChoices: (state: MonitorState) => void saved.push(state),
		nowMs: () => START_MS,
		...effects,
	} as Effects);
	return {
		actions,
		store,
		saved,
		done,
		column: () => store.get().columns.new,
		cursor: () => store.get().columns.new.cursor?.split('|')[1],
		notice: () => store.get().notice?.text,
	};
}

describe('the cursor', () => {
	test('moves by rows, by pages that keep a row, and by half pages', () => {
		const {actions, cursor} = openMonitor();
		const go = (...moves: (() => void)[]) =>
			moves.map(move => {
				move();
				return cursor();
			});
		expect(
			go(
				() => actions.moveCursor(1),
				() => actions.moveCursor(2),
				() => actions.moveCursor(-1),
			),
		).toEqual(['a', 'c', 'b']);
		expect(
			go(
				() => actions.movePage(1),
				() => actions.movePage(-1),
			),
		).toEqual(['f', 'b']);
		expect(
			go(
				() => actions.moveHalfPage(1),
				() => actions.moveHalfPage(-1),
			),
		).toEqual(['d', 'b']);
		expect(
			go(
				() => actions.moveLast(1),
				() => actions.moveFirst(),
				() => actions.moveLast(3),
			),
		).toEqual(['h', 'a', 'c']);
	});

	test('on a screen of one row moves by one', () => {
		const {actions, store, cursor} = openMonitor();
		store.apply(state => ({...state, pageRows: 1}));
		actions.moveCursor(1);
		actions.movePage(1);
		actions.moveHalfPage(1);
		expect(cursor()).toBe('c');
	});

	test('at the end asks for the rows beyond, and not before', () => {
		const {actions, store, notice} = openMonitor();
		store.apply(state => columnChanged(state, 'new', c => ({...c, limit: 8})));
		actions.selectRow('new', 6);
		actions.moveCursor(1);
		expect(notice()).toBeUndefined();
		actions.moveCursor(0);
		expect(notice()).toBeUndefined();
		actions.moveCursor(1);
		expect(notice()).toBe('More tokens can’t be read: the service is not there yet.');
	});

	test('clears the typed count', () => {
		const {actions, store} = openMonitor();
		actions.typeDigit('3');
		expect(store.get().count).toBe('3');
		actions.moveCursor(3);
		expect(store.get().count).toBe('');
	});
});

test('Esc ends the search first, then lets the order move again', () => {
	const {actions, column} = openMonitor();
	actions.setSearch('a');
	actions.moveCursor(1);
	actions.release();
	expect(column()).toMatchObject({search: '', frozen: true});
	actions.release();
	expect(column()).toMatchObject({frozen: false});
});

describe('the opened token', () => {
	test('is the first one without a cursor, and follows the cursor while it is open', () => {
		const {actions, store} = openMonitor();
		actions.openDetail();
		expect(store.get().detail?.entry.symbol).toBe('A');
		expect(topMode(store.get()).kind).toBe('detail');
		actions.moveCursor(1);
		expect(store.get().detail?.entry.symbol).toBe('B');
		actions.openDetailOf(token('x'));
		expect(
			store
				.get()
				.modes.map(({kind}) => kind)
				.filter(kind => kind === 'detail'),
		).toHaveLength(1);
		actions.closeDetail();
		expect(store.get().detail).toBeUndefined();
		actions.moveCursor(1);
		expect(store.get().detail).toBeUndefined();
	});

	test('of an empty column says so', () => {
		const {actions, store, notice} = openMonitor();
		actions.focusView('bonded');
		actions.openDetail();
		expect(notice()).toBe('There is no token here to open.');
		expect(topMode(store.get()).kind).not.toBe('detail');
	});

	test('has another time, chart and scale by its keys; without one they do nothing', () => {
		const {actions, store} = openMonitor();
		const before = store.get();
		actions.nextTimeFrame(1);
		actions.nextChart();
		expect(store.get()).toBe(before);
		actions.openDetail();
		const {timeFrame} = store.get().detail!;
		actions.nextTimeFrame(1);
		expect(store.get().detail!.timeFrame).not.toBe(timeFrame);
		actions.toggleChartScale();
		expect(store.get().detail!.chart.scale).toBe('mcap');
		actions.toggleChartScale();
		expect(store.get().detail!.chart.scale).toBe('price');
	});
});

test('a sort by the same field turns round, by another it begins with the largest', () => {
	const {actions, column} = openMonitor();
	const sort = () => [column().sortBy, column().sortOrder];
	actions.sort('market_cap');
	expect(sort()).toEqual(['market_cap', 'desc']);
	actions.sort('market_cap');
	expect(sort()).toEqual(['market_cap', 'asc']);
	actions.sort('market_cap');
	expect(sort()).toEqual(['market_cap', 'desc']);
	actions.reverseSort();
	expect(sort()).toEqual(['market_cap', 'asc']);
	actions.reverseSort();
	expect(sort()).toEqual(['market_cap', 'desc']);
	actions.sort('market_cap');
	actions.sort('liquidity');
	expect(sort()).toEqual(['liquidity', 'desc']);
});

test('the time window of a column goes round in both directions', () => {
	const {actions, column} = openMonitor();
	actions.setWindow(WINDOWS_8[0]!);
	actions.nextWindow(-1);
	expect(column().window).toBe(WINDOWS_8.at(-1));
	actions.nextWindow(1);
	actions.nextWindow(1);
	expect(column().window).toBe(WINDOWS_8[1]);
});

test('pinning and unpinning say so, are saved, and need a token', () => {
	const {actions, store, saved, notice} = openMonitor();
	actions.togglePin();
	expect(notice()).toBe('Put the cursor on a token first, then pin it.');
	expect(saved).toEqual([]);
	actions.moveCursor(1);
	actions.togglePin();
	expect(notice()).toBe('Pinned A: it stays in this column whatever the filter says.');
	expect(store.get().notice?.hint).toBe('{watchlist.open} lists all pinned tokens.');
	actions.togglePin();
	expect([notice(), store.get().notice?.hint]).toEqual(['Unpinned A.', undefined]);
	expect(saved.map(({pins}) => pins.size)).toEqual([1, 0]);
});

test('a pause pauses the session, the next one goes on', () => {
	const {actions, store, done} = openMonitor();
	actions.togglePause();
	expect(store.get().paused).toBe(true);
	actions.togglePause();
	actions.retry();
	expect([store.get().paused, ...done]).toEqual([false, 'pause', 'resume', 'retry']);
});

test.each<readonly [PageOutcome, string]>([
	['opened', 'Opened example.com in your browser.'],
	['remote', 'Your browser is on another machine (SSH). https://example.com/a: copied https://example.com/a'],
	['no-browser', 'No browser can be reached from here. https://example.com/a: copied https://example.com/a'],
	['failed', 'The browser could not be started. https://example.com/a: copied https://example.com/a'],
])('a page that is %s says: %s', async (outcome, text) => {
	const {actions, notice} = openMonitor({openPage: async () => outcome});
	await actions.openPage({href: 'https://example.com/a', host: 'example.com'});
	expect(notice()).toBe(text);
});

test('an address is copied with its symbol, and only of a token', async () => {
	const {actions, notice} = openMonitor();
	actions.copyAddress();
	expect(notice()).toBe('Put the cursor on a token first, then copy its address.');
	actions.moveCursor(1);
	actions.copyAddress();
	await expect.poll(notice).toBe('A a: copied a');
});

test('a program runs for one token at a time, and its end is a notice', async () => {
	const {promise, resolve} = Promise.withResolvers<ProgramEnd>();
	const ran: string[] = [];
	const command = {name: 'explorer'} as UserCommand;
	const {actions, notice} = openMonitor({
		runProgram: (_, {address}, view) => {
			ran.push(`${address} ${view}`);
			return promise;
		},
	});
	actions.runProgram(command, token('a'));
	expect(notice()).toBe('Running explorer for A.');
	actions.runProgram(command, token('b'));
	expect(notice()).toBe('explorer is still running.');
	resolve({kind: 'ended', code: 0, lastLine: ''});
	await expect.poll(notice).toBe('explorer is done.');
	actions.runProgram(command, token('b'));
	expect(ran).toEqual(['a new', 'b new']);
});

test('what cannot be done here is said', () => {
	const {actions, notice} = openMonitor();
	const said = (act: () => unknown) => {
		act();
		return notice();
	};
	expect([
		said(() => actions.runProgram({name: 'x'} as UserCommand, token('a'))),
		said(actions.reportBug),
		said(actions.reloadConfig),
	]).toEqual([
		'No program can be run here.',
		'There is nowhere to write a report here.',
		'There is no configuration to read here.',
	]);
	expect(actions.tryAlert({} as Alert)).toBeUndefined();
});

test('a theme is only shown, or chosen and saved; row heights go round', () => {
	const {actions, store, saved, notice} = openMonitor();
	const before = store.get();
	actions.previewTheme('dark');
	expect(store.get()).toBe(before);
	actions.previewTheme('light');
	expect([store.get().theme, store.get().chosenTheme, saved.length]).toEqual(['light', undefined, 0]);
	actions.setTheme('contrast');
	expect([store.get().theme, store.get().chosenTheme, saved.length]).toEqual(['contrast', 'contrast', 1]);
	const heights = Array.from({length: 4}, () => {
		actions.nextDensity();
		return notice();
	});
	expect(new Set(heights).size).toBe(4);
	expect(store.get().density).toBe(before.density);
});

test('the tour goes through its steps, ends behind the last, and is seen from its first on', () => {
	const {actions, store, saved} = openMonitor();
	const steps = Array.from({length: 4}, () => {
		actions.nextTour(3);
		return store.get().tour;
	});
	expect(steps).toEqual([0, 1, 2, undefined]);
	expect(saved.map(({tourSeen}) => tourSeen)).toEqual([true, true, true, true]);
});

test('only another time frame is asked for: a longer candle is not', () => {
	const {actions, store} = openMonitor();
	actions.openDetail();
	actions.nextChart();
	actions.nextChart();
	const {timeFrame, chart} = store.get().detail!;
	actions.nextTimeFrame(1);
	expect(store.get().detail).toMatchObject({timeFrame, chart: {kind: 'candles'}});
	expect(store.get().detail!.chart.stepMs).toBeGreaterThan(chart.stepMs);
});
