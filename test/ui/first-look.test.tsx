import {expect, test} from 'vitest';
import {FIRST_LINK} from '../../source/client/feed/feed-events.ts';
import {columnChanged, noticed} from '../../source/monitor/transitions/screen.ts';
import {entryOf} from '../helpers/entries.ts';
import {NOW_MS, openTestMonitor} from '../helpers/monitor-app.tsx';

/* What a person reads who starts the program for the first time. */

const pepe = entryOf('pepeaddress', {symbol: 'PEPE', name: 'PEPE coin', created_at: NOW_MS - 5000, market_cap: 12_345});

/** What the open detail pane shows, from its first line to its last, page by page. */
function wholePane(monitor: ReturnType<typeof openTestMonitor>): string {
	const pages = Array.from({length: 8}, () => {
		const frame = monitor.frame();
		monitor.press('\u001b[6~');
		return frame;
	});
	return pages.join('\n');
}

const lastLine = (frame: string) => frame.trimEnd().split('\n').at(-1);

test.each([60, 80, 100, 120, 200])(
	'the way to all keys and the way out are hints of a screen %i cells wide',
	columns => {
		const monitor = openTestMonitor({size: {columns, rows: 24}});
		monitor.arrive('new', [pepe]);
		expect(lastLine(monitor.frame())).toMatch(/ q quit {2}\? help/);
		monitor.press('j');
		expect(lastLine(monitor.frame())).toMatch(/ q quit {2}\? help/);
		monitor.press('\u001b');
		monitor.press('j', '\r');
		expect(lastLine(monitor.frame())).toContain('? help');
	},
);

test('the sort menu says of an age which end comes first, and of a figure too', () => {
	const monitor = openTestMonitor({size: {columns: 100, rows: 30}});
	monitor.press('s');
	expect(monitor.frame()).toMatch(/age +age, newest first/);
	monitor.press('\r', 's');
	expect(monitor.frame()).toMatch(/age +age, oldest first/);
	monitor.press('mcap', '\r', 's');
	expect(monitor.frame()).toMatch(/mcap, (largest|smallest) first/);
});

test('a refusal goes when another window opens: it was about the last key', () => {
	const monitor = openTestMonitor({size: {columns: 100, rows: 24}});
	monitor.press('\r');
	expect(monitor.frame()).toContain('There is no token here to open');
	monitor.press('?');
	expect(monitor.frame()).not.toContain('There is no token here to open');
	expect(lastLine(monitor.frame())).toContain('Esc close');
});

test('a notice goes when another window opens; an alert stays counted in the first line', () => {
	const monitor = openTestMonitor({size: {columns: 100, rows: 24}});
	monitor.store.apply(state =>
		noticed(
			{...state, alerts: {...state.alerts, unseen: 1}},
			{text: 'Alert: PEPE (NEW) matches mcap>1k', tone: 'warn', atMs: NOW_MS, isEvent: true},
		),
	);
	monitor.press('?');
	expect(lastLine(monitor.frame())).not.toContain('Alert: PEPE');
	expect(monitor.frame().split('\n')[0]).toContain('1 alert');
});

test('a list of alerts without rules says how to make one', () => {
	const monitor = openTestMonitor({size: {columns: 100, rows: 24}});
	monitor.press('A');
	expect(monitor.frame()).toContain('No rule yet: n adds one, such as mcap>100k dev<5%');
});

test('each figure of a contract is marked and worded as good or bad', () => {
	const monitor = openTestMonitor({size: {columns: 120, rows: 60}});
	const flags = {
		renounced: false,
		noMintAuthority: false,
		isMintable: false,
		transferPausable: true,
		balanceMutable: false,
		isNotOpenSource: false,
		modifyableTax: false,
	};
	monitor.arrive('new', [{...pepe, security: flags, snipers_count: 1, snipers_holdings_percentage: 2}]);
	monitor.press('j', '\r');
	const frame = wholePane(monitor);
	for (const words of [
		'✗ ownership kept',
		'✗ mint authority kept',
		'✓ not mintable',
		'✗ transfers pausable',
		'✓ balances fixed',
		'✓ open source',
		'✓ tax is fixed',
	])
		expect(frame).toContain(words);
	expect(frame).toMatch(/snipers +2\.0%.* 1 wallet\s/);
});

test('the rules between columns have the colours of the theme, also of one chosen just now', () => {
	const monitor = openTestMonitor({size: {columns: 120, rows: 24}, theme: 'light'});
	const rules = (): string[] => monitor.rawFrame().match(/\u001b\[38;5;\d+m│/g) ?? [];
	const inTheme = (entry: number): string => `\u001b[38;5;${entry}m│`;
	expect(new Set(rules())).toEqual(new Set([inTheme(247)]));
	monitor.press('v', 't', '\u001b[A', '\r');
	expect(new Set(rules())).toEqual(new Set([inTheme(240)]));
});

test('a menu opens with what is in force marked, and the mark does not hide that it is', () => {
	const monitor = openTestMonitor({size: {columns: 100, rows: 30}, theme: 'light'});
	monitor.press('v', 't');
	expect(monitor.frame()).toContain('▌✓Light');
	monitor.press('\u001b[B');
	expect(monitor.frame()).toMatch(/ ✓Light .*\n.*▌ Colour-blind/);
	monitor.press('\u001b', '\t', 's');
	expect(monitor.frame()).toMatch(/▌✓market cap +mcap, largest first/);
});

test('nothing of the columns shows beside a window that takes nearly the whole width, or touches the border of another', () => {
	const monitor = openTestMonitor({size: {columns: 80, rows: 24}});
	monitor.arrive(
		'new',
		Array.from({length: 30}, (_, at) => entryOf(`address${at}`, {symbol: `A${at}`})),
	);
	monitor.press('j', '?');
	const lines = (): string[] => monitor.frame().split('\n').slice(1, -1);
	for (const line of lines()) expect(line).toMatch(/^ [│╭╰].*[│╮╯] ?$/);
	monitor.press('\u001b', 's');
	const framed = lines().filter(line => /[╭╰]|> +│|mcap/.test(line));
	expect(framed.length).toBeGreaterThan(3);
	for (const line of framed) expect(line).toMatch(/ [│╭╰][ ─].*[ ─][│╮╯]( |$)/);
});

test('the help begins with what the columns are, and that nothing in practice is real', () => {
	const monitor = openTestMonitor({size: {columns: 80, rows: 24}});
	monitor.press('?');
	expect(monitor.frame()).toMatch(/NEW BONDING +Just launched/);
	expect(monitor.frame()).toMatch(/PRACTICE +A simulated market and test money: nothing is real/);
});

test('what is normal is not said: rates, a short delay, the age of fresh data', () => {
	const monitor = openTestMonitor({size: {columns: 200, rows: 24}});
	monitor.arrive('new', [pepe]);
	const header = (latencyMs: number) => {
		monitor.store.apply(state => ({...state, link: {...FIRST_LINK, phase: 'live', latencyMs}}));
		return monitor.frame().split('\n')[0];
	};
	expect(header(30)).toMatch(/● live simulated market +\d\d:\d\d:\d\d/);
	expect(header(999)).not.toMatch(/slow|ms/);
	expect(header(1400)).toContain('slow: 1.4 s');
	expect(monitor.frame().split('\n')[1]).not.toContain('data');
});

test('a pause and marks leave room for what a column is sorted by and for where the data comes from', () => {
	const monitor = openTestMonitor({size: {columns: 80, rows: 24}});
	monitor.store.apply(state => ({
		...state,
		link: {
			phase: 'live',
			attempt: 0,
			reconnects: 0,
			framesIn: 1,
			bytesIn: 1,
			framesPerSecond: 12,
			bytesPerSecond: 512_000,
			badFrames: 0,
			lateFrames: 0,
			droppedEntries: 0,
		},
		paused: true,
		alerts: {...state.alerts, unseen: 12},
	}));
	monitor.arrive('bonding', [pepe]);
	monitor.store.apply(state => columnChanged(state, 'bonding', column => ({...column, total: 1532})));
	const [header, titles] = monitor.frame().split('\n');
	expect(header).toMatch(/PAUSED.*12 alerts.*simulated market +\d\d:\d\d:\d\d/);
	expect(header).not.toContain('…');
	expect(titles).toContain('▼mcap');
});

test('with ASCII alone no glyph is a letter that reads as part of a word', () => {
	const monitor = openTestMonitor({size: {columns: 100, rows: 30}, ascii: true});
	expect(monitor.frame()).toContain('NEW - v created');
	monitor.press('v', 't');
	expect(monitor.frame()).toContain('>+Dark');
});

test('a narrow title leaves out how many match, not what is sorted and frozen', () => {
	const monitor = openTestMonitor({size: {columns: 80, rows: 24}});
	monitor.arrive('new', [pepe]);
	monitor.store.apply(state =>
		columnChanged(state, 'new', column => ({...column, total: 140_931, frozen: true, waiting: 12, search: 'pepe'})),
	);
	expect(monitor.frame().split('\n')[1]).toMatch(/NEW 1\/140,931 ▼created \+12 new \/pepe /);
	monitor.store.apply(state => columnChanged(state, 'new', column => ({...column, search: 'pepe of all'})));
	expect(monitor.frame().split('\n')[1]).toMatch(/NEW 0 ▼created \+12 new \/pepe of all /);
	monitor.store.apply(state => columnChanged(state, 'new', column => ({...column, search: ''})));
	expect(monitor.frame().split('\n')[1]).toMatch(/NEW 1 ▼created · 5m \+12 new /);
});

test('an order that was frozen for minutes says so at every width, with the key that ends it', () => {
	for (const columns of [40, 80, 120, 160, 200]) {
		const monitor = openTestMonitor({size: {columns, rows: 45}});
		monitor.arrive('new', [pepe]);
		monitor.press('j');
		const title = () => monitor.frame().split('\n')[1]!;
		expect(title()).not.toMatch(/live/);
		monitor.store.apply(state =>
			columnChanged({...state, nowMs: state.nowMs + 190_000}, 'new', column => ({...column, waiting: 94})),
		);
		expect(title()).toMatch(/■ 3m old, Esc: live/);
		monitor.press('\u001b');
		expect(title()).not.toMatch(/old|frozen/);
	}
});

test('the origin of a token is shown in full on the smallest screen, and an unknown share is a dash alone', () => {
	const monitor = openTestMonitor({size: {columns: 40, rows: 24}});
	monitor.arrive('new', [{...pepe, blockchain: 'BNB Smart Chain (BEP20)', source: 'fourmeme'}]);
	monitor.press('j', '\r');
	expect(monitor.frame()).toContain('fourmeme');
	expect(monitor.frame()).toContain('5s old');
	const frame = wholePane(monitor);
	expect(frame).toMatch(/snipers +–\s/);
	expect(frame).not.toContain('–?');
});

test('a service that says its tokens are invented is marked in the first line, also where that is narrow', () => {
	for (const columns of [50, 100]) {
		const monitor = openTestMonitor({
			size: {columns, rows: 24},
			service: {label: '127.0.0.1:4010', embedded: false, market: 'simulated'},
		});
		expect(monitor.frame().split('\n')[0]).toContain('SIMULATED');
	}
	const monitor = openTestMonitor({service: {label: 'api.example.com', embedded: false}});
	expect(monitor.frame().split('\n')[0]).not.toContain('SIMULATED');
});
