import {expect, test} from 'vitest';
import {FIRST_LINK} from '../../source/client/feed/feed-events.ts';
import type {Link} from '../../source/monitor/state.ts';
import {totalArrived, viewFailed} from '../../source/monitor/transitions/column.ts';
import {columnChanged} from '../../source/monitor/transitions/screen.ts';
import {VIEWS} from '../../source/monitor/views.ts';
import {entryOf} from '../helpers/entries.ts';
import {NOW_MS, openTestMonitor} from '../helpers/monitor-app.tsx';

const token = (symbol: string, ageS: number, figures = {}) =>
	entryOf(`${symbol}address`, {
		symbol,
		name: `${symbol} coin`,
		created_at: NOW_MS - ageS * 1000,
		market_cap: 12_345,
		...figures,
	});

test('loading, empty, filtered to nothing and failed are four different screens, each with what to do', () => {
	const monitor = openTestMonitor();
	expect(monitor.frame()).toContain('Waiting for the first tokens');
	monitor.arrive('new', []);
	expect(monitor.frame()).toContain('The service has no token in this view now');
	monitor.store.apply(state => ({...state, link: {...FIRST_LINK, phase: 'polling', droppedEntries: 1200}}));
	expect(monitor.frame()).toMatch(/no token in this view that can [\s\S]*be read\.[\s\S]*1,200 rows so far had/);
	monitor.press('fmcap>1b\r');
	monitor.arrive('new', []);
	expect(monitor.frame()).toMatch(/No token matches the filter:\s+│?.*\n.*mcap>1b/);
});

test('a row shows symbol, age, market cap and risk', () => {
	const monitor = openTestMonitor();
	monitor.arrive('new', [token('PEPE', 125, {dev_holdings_percentage: 40})]);
	expect(monitor.frame()).toMatch(/PEPE\s+SOL\s+2m\s+12\.3K\s+–\s+–\s+dev ?40!/);
});

test('a market cap that the service did not report is a dash, not 0', () => {
	const monitor = openTestMonitor();
	monitor.arrive('new', [entryOf('a', {symbol: 'DARK', created_at: NOW_MS})]);
	expect(monitor.frame()).toMatch(/DARK\s+SOL\s+0s\s+–/);
});

test('a new token does not move the row under the cursor, and is counted in the title', () => {
	const monitor = openTestMonitor();
	monitor.arrive('new', [token('AAA', 10), token('BBB', 20)]);
	monitor.press('jj');
	const before = monitor
		.frame()
		.split('\n')
		.findIndex(line => line.includes('BBB'));
	monitor.change('new', [token('CCC', 1)]);
	const frame = monitor.frame();
	expect(frame.split('\n').findIndex(line => line.includes('BBB'))).toBe(before);
	expect(frame).toContain('+1 new');
	expect(frame).not.toContain('CCC');
	monitor.press('\u001b');
	expect(monitor.frame()).toMatch(/CCC[\s\S]*AAA[\s\S]*BBB/);
});

test('an action goes to the token it was opened on, even when that has left the view', () => {
	const monitor = openTestMonitor();
	monitor.arrive('new', [token('AAA', 10), token('BBB', 20)]);
	monitor.press('jj');
	monitor.change('new', [], [token('BBB', 20).key]);
	expect(monitor.frame()).toMatch(/✗BBB/);
	monitor.press('y');
	expect(monitor.copied).toEqual(['BBBaddress']);
});

test('a count moves as many rows, and stops at the end', () => {
	const monitor = openTestMonitor();
	monitor.arrive(
		'new',
		['A1', 'B2', 'C3', 'D4'].map((name, at) => token(name, at)),
	);
	monitor.press('3j');
	expect(monitor.store.get().columns.new.cursor).toBe(token('C3', 0).key);
	monitor.press('99j');
	expect(monitor.store.get().columns.new.cursor).toBe(token('D4', 0).key);
	monitor.press('gg');
	expect(monitor.store.get().columns.new.cursor).toBe(token('A1', 0).key);
});

test('sorting requests the view again, with the chosen field', () => {
	const monitor = openTestMonitor();
	monitor.arrive('new', [token('AAA', 10)]);
	monitor.press('s', 'liquidity', '\r');
	expect(monitor.store.get().columns.new.sortBy).toBe('liquidity');
	expect(monitor.store.get().columns.new.status.kind).toBe('loading');
});

test('a filter with a mistake stays open, keeps the typed text, and sends no request', () => {
	const monitor = openTestMonitor({size: {columns: 100, rows: 24}});
	monitor.arrive('new', [token('AAA', 10)]);
	monitor.press('f', 'mcap>1k wrongfield>2', '\r');
	expect(monitor.frame()).toMatch(/filter new: mcap>1k wrongfield>2/);
	expect(monitor.frame()).toMatch(/\^ .*wrongfield/);
	expect(monitor.store.get().columns.new.status.kind).toBe('ready');
	monitor.press('\u001b');
	expect(monitor.store.get().columns.new.filter.text).toBe('');
});

test('pasted text never runs a binding', () => {
	const monitor = openTestMonitor();
	monitor.arrive('new', [token('AAA', 10)]);
	monitor.press('\u001b[200~q\u001b[201~');
	expect(monitor.hasQuit()).toBe(false);
	expect(monitor.frame()).toContain('Pasted text does nothing here');
});

test('a paste into the filter is one line, with everything that could act removed', () => {
	const monitor = openTestMonitor();
	monitor.press('f', '\u001b[200~mcap>1k\r\nage<5m\u001b[31m\u001b[201~');
	expect(monitor.frame()).toContain('mcap>1k age<5m[31m');
});

test('what can not be done says why', () => {
	const monitor = openTestMonitor();
	monitor.press('y');
	expect(monitor.frame()).toContain('Put the cursor on a token first (j).');
});

test('search narrows while it is typed, and Esc puts the cursor back where it was', () => {
	const monitor = openTestMonitor();
	monitor.arrive('new', [token('AAA', 10), token('BBB', 20)]);
	monitor.press('j', '/', 'bb');
	expect(monitor.frame()).not.toMatch(/AAA coin|AAA {3}/);
	monitor.press('\u001b');
	expect(monitor.frame()).toContain('AAA');
	expect(monitor.store.get().columns.new.cursor).toBe(token('AAA', 10).key);
});

test('a modal covers what is below it, to its last cell', () => {
	const monitor = openTestMonitor();
	monitor.arrive(
		'new',
		Array.from({length: 20}, (_, at) => token(`COVERED${at}`, at)),
	);
	monitor.press('?');
	const lines = monitor.frame().split('\n');
	const inside = lines.filter(line => /│.*│/.test(line) && !line.includes('NEW'));
	expect(monitor.frame()).toContain('WHAT THE SCREEN SHOWS');
	for (const line of inside.slice(2, -2))
		expect(line.slice(line.indexOf('│'), line.lastIndexOf('│'))).not.toContain('COVERED');
});

test('themes preview while browsing, and Esc brings the old one back', () => {
	const monitor = openTestMonitor();
	monitor.press('v', 't', 'j');
	expect(monitor.store.get().theme).toBe('light');
	expect(monitor.store.get().chosenTheme).toBeUndefined();
	monitor.press('\u001b');
	expect(monitor.store.get().theme).toBe('dark');
	expect(monitor.store.get().chosenTheme).toBeUndefined();
	monitor.press('v', 't', 'j', '\r');
	expect(monitor.store.get().chosenTheme).toBe('light');
});

test('a key without a use says so, and where the keys are', () => {
	const monitor = openTestMonitor();
	monitor.press('\u001b[24~');
	expect(monitor.frame()).toContain('F12 does nothing here. ? shows the keys.');
	monitor.press('A', '\u001b[24~');
	expect(monitor.frame()).toContain('F12 does nothing here.');
});

test('a pasted address opens the token, and runs no binding', async () => {
	const monitor = openTestMonitor({size: {columns: 120, rows: 30}});
	const pepe = entryOf('4Nd1mBQtrMJVYVfKf2PJy9NZUZdTAsp7D4xWLs4gDB4T', {symbol: 'PEPE'});
	monitor.arrive('bonded', [pepe]);
	monitor.press(`\u001b[200~https://pages.example.com/solana/${pepe.address}\u001b[201~`);
	await expect.poll(() => monitor.store.get().detail?.key).toBe(pepe.key);
	expect(monitor.store.get().modes.map(({kind}) => kind)).toEqual(['list', 'detail']);
});

test('a menu narrowed to nothing does not choose', () => {
	const monitor = openTestMonitor();
	monitor.press('s', 'zzzz', '\r');
	expect(monitor.frame()).toContain('Nothing by that name');
	expect(monitor.store.get().columns.new.sortBy).toBe('created_at');
});

test('a hidden token leaves the list and is counted, u brings it back', () => {
	const monitor = openTestMonitor();
	monitor.arrive('new', [token('AAA', 10), token('BBB', 20)]);
	monitor.press('j', 'x');
	const rows = () => monitor.frame().split('\n').slice(2, -2).join('\n');
	expect(rows()).not.toContain('AAA');
	expect(monitor.frame()).toContain('1 hidden');
	monitor.press('u');
	expect(rows()).toContain('AAA');
});

test('the mark of practice is on the screen in every mode and at the smallest size', () => {
	const monitor = openTestMonitor({size: {columns: 40, rows: 12}});
	for (const keys of ['', 's', '\u001b', 'f', '\u001b', '?', '\u001b', ':']) {
		monitor.press(keys);
		expect(monitor.frame().split('\n')[0]).toContain('PRACTICE');
	}
});

test('every size from 40x12 to 220x70 fills the screen exactly, and no line is longer than the screen', () => {
	for (const [columns, rows] of [
		[40, 12],
		[60, 20],
		[80, 24],
		[100, 30],
		[120, 40],
		[160, 45],
		[220, 70],
	] as const) {
		const monitor = openTestMonitor({size: {columns, rows}});
		monitor.arrive(
			'new',
			Array.from({length: 60}, (_, at) => token(`T${at}`, at)),
		);
		for (const line of monitor.frame().split('\n')) expect(line.length).toBeLessThanOrEqual(columns);
		expect(monitor.frame().split('\n').length).toBe(rows);
	}
});

test('a column without room is named where the shown ones end, with the key that leads to it', () => {
	const titles = (columns: number) =>
		openTestMonitor({size: {columns, rows: 24}})
			.frame()
			.split('\n')[1];
	expect(titles(80)).toContain('Tab: BONDED');
	expect(titles(40)).toContain('Tab: +2');
	expect(titles(120)).not.toContain('Tab:');
});

test('below the first rows of a start stands that more are loading, until the history is there', () => {
	const monitor = openTestMonitor({size: {columns: 120, rows: 24}});
	monitor.store.apply(state => ({...state, history: 'loading'}));
	monitor.arrive('new', [token('AAA', 10), token('BBB', 20)]);
	monitor.arrive('bonded', []);
	const [, , , , below] = monitor.frame().split('\n').slice(1);
	expect(below).toMatch(/More are loading/);
	expect(monitor.frame()).not.toContain('has no token');
	monitor.store.apply(state => ({...state, history: 'complete'}));
	expect(monitor.frame()).not.toContain('More are loading');
	expect(monitor.frame()).toMatch(/has no token in this\s/);
});

test('beside a filter a total that still grows says so, and what a column counts as shown stands in it', () => {
	const columns = {new: {filter: 'age<9h'}};
	const monitor = openTestMonitor({size: {columns: 200, rows: 24}, columns});
	const title = () => monitor.frame().split('\n')[1];
	const late = token('BBB', 20, {bonding_percentage: 40});
	monitor.arrive('new', [token('AAA', 10), late, token('CCC', 30)]);
	monitor.arrive('bonding', [late]);
	monitor.store.apply(state => ({...state, history: 'loading'}));
	expect(title()).toMatch(/NEW 2\/… ▼created · 5m age<9h 1 in BONDING .*BONDING 1 ▼/);
	monitor.store.apply(state => columnChanged(state, 'new', c => totalArrived(c, 840)));
	expect(title()).toContain('NEW 2/840+ ');
	monitor.store.apply(state => ({...state, history: 'complete'}));
	expect(title()).toContain('NEW 2/840 ');
	monitor.press('j');
	monitor.change('new', [], [token('AAA', 10).key]);
	expect(title()).toMatch(/NEW 1\/840 .* 1 left/);
});

test('where all that is asked for is refused, the first line says that there is no data, and no count is 0', () => {
	const monitor = openTestMonitor({size: {columns: 160, rows: 24}});
	const problem = {
		code: 'service-refused',
		what: 'The service does not know this',
		why: 'status 404',
		next: 'fix-input',
		advice: 'Check the address.',
	} as const;
	monitor.store.apply(state => ({
		...VIEWS.reduce((all, view) => columnChanged(all, view, column => viewFailed(column, problem)), state),
		link: {...FIRST_LINK, phase: 'polling', pollEveryMs: 2000},
	}));
	const [header, titles] = monitor.frame().split('\n');
	expect(header).toContain('✗ no data');
	expect(header).not.toContain('● polling');
	expect(titles).toMatch(/NEW – .*BONDING – .*BONDED – /);
});

test('while polling the first line says how often and what is left of the request budget; a budget that runs short it always says', () => {
	const monitor = openTestMonitor({size: {columns: 160, rows: 24}});
	const header = (link: Partial<Link>) => {
		monitor.store.apply(state => ({...state, link: {...FIRST_LINK, phase: 'live', ...link}}));
		return monitor.frame().split('\n')[0];
	};
	expect(header({phase: 'live', rateLimit: {limit: 120, remaining: 118}})).not.toContain('requests');
	expect(header({phase: 'polling', pollEveryMs: 4000, rateLimit: {limit: 120, remaining: 118}})).toMatch(
		/every 4 s {2}118\/120 requests left/,
	);
	expect(header({phase: 'live', rateLimit: {limit: 120, remaining: 9}})).toContain('9/120 requests left');
	expect(header({phase: 'live', badFrames: 2, droppedEntries: 1})).toContain('3 dropped');
});
