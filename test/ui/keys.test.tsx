import {expect, test} from 'vitest';
import {entryOf} from '../helpers/entries.ts';
import {NOW_MS, openTestMonitor} from '../helpers/monitor-app.tsx';

const token = (symbol: string) => entryOf(`${symbol}address`, {symbol, created_at: NOW_MS, market_cap: 12_345});

test('hints, help and palette show the keys of the configuration', () => {
	const monitor = openTestMonitor({
		size: {columns: 160, rows: 50},
		keys: {'cursor.down': ['n'], 'cursor.up': ['E'], 'sort.menu': ['ctrl+o', 'F6'], 'help.open': ['f2']},
	});
	monitor.arrive('new', [token('AAA')]);
	expect(monitor.frame()).toMatch(/ n\/E move .* Ctrl\+O sort /);
	monitor.press('?');
	expect(monitor.frame()).not.toContain('Help (');
	monitor.press('\u001bOQ');
	expect(monitor.frame()).toMatch(/│ n +Next token; a count moves further/);
	expect(monitor.frame()).toMatch(/│ E +Previous token/);
	monitor.press('q');
	monitor.press(':reverses');
	expect(monitor.frame()).toMatch(/Sort column.* Ctrl\+O F6 /);
});

test('a rebound key works, the default one does nothing, and an action without keys is still in the palette', () => {
	const monitor = openTestMonitor({keys: {'token.copy': ['B'], 'feed.pause': []}});
	monitor.arrive('new', [token('AAA')]);
	monitor.press('j', 'y');
	expect(monitor.copied).toEqual([]);
	monitor.press('B');
	expect(monitor.copied).toEqual(['AAAaddress']);
	monitor.press('p');
	expect(monitor.store.get().paused).toBe(false);
	expect(monitor.frame()).not.toContain(' pause ');
	monitor.press(':pause', '\r');
	expect(monitor.store.get().paused).toBe(true);
});

test('keys of one mode are shown with that mode in the help, and the palette has the action once', () => {
	const monitor = openTestMonitor({size: {columns: 160, rows: 400}, keys: {'detail.token.copy': ['B']}});
	monitor.press('?');
	const lines = () => monitor.frame().match(/│ \S+ +Copy the whole address.*/g) ?? [];
	expect(monitor.frame()).toMatch(/│ y +Copy the whole address/);
	expect(monitor.frame()).toMatch(/│ B +Copy the whole address/);
	monitor.press('q', ':copy the whole');
	expect(lines().length + (monitor.frame().match(/Copy the whole address/g)?.length ?? 0)).toBe(1);
});

test('what can be done where nothing is shown names the keys in force', () => {
	const monitor = openTestMonitor({keys: {'filter.edit': ['z'], 'filter.clear': ['%']}});
	monitor.press('zmcap>1b\r');
	monitor.arrive('new', []);
	expect(monitor.frame()).toContain('z changes it, % removes it');
	monitor.press('%');
	expect(monitor.store.get().columns.new.filter.text).toBe('');
});

test('a screen that is too small is left with the key of the configuration', () => {
	const monitor = openTestMonitor({size: {columns: 18, rows: 12}, keys: {'program.quit': ['%']}});
	expect(monitor.frame().replaceAll('\n', ' ')).toContain('press %');
	monitor.press('q');
	expect(monitor.hasQuit()).toBe(false);
	monitor.press('%');
	expect(monitor.hasQuit()).toBe(true);
});

test('a key that read-only mode has taken away says so', () => {
	const monitor = openTestMonitor({readOnly: true});
	monitor.press('b');
	expect(monitor.frame()).toContain('Not in read-only mode: bridge.');
	monitor.press('y');
	expect(monitor.frame()).toContain('Put the cursor on a token first (j).');
});

test('notices and windows name the keys of the configuration', () => {
	const keys = {
		'token.unhide': ['U'],
		'token.hidden': ['z'],
		'filter.edit': ['f4'],
		'search.open': ['f6'],
		'preset.list': ['f2'],
		'preset.save': ['w'],
		'presets.menu.accept': ['f7'],
		'alerts.open': ['f3'],
		'alerts.new': ['+'],
		'prompt.accept': ['f8'],
		'prompt.complete': ['f9'],
		'why.down': ['f10'],
		'detail.time': ['f11'],
		'order.release': ['f12'],
	};
	const monitor = openTestMonitor({size: {columns: 160, rows: 24}, keys});
	monitor.arrive('new', [token('AAA'), token('BBB')]);
	monitor.press('j', 'x');
	expect(monitor.frame()).toContain('Hid AAA. U brings it back, z hides its deployer or a keyword.');
	monitor.press("'");
	expect(monitor.frame()).toContain('No view is saved yet. F2, then w saves what is on screen.');
	monitor.press('\u001b[200~text\u001b[201~');
	expect(monitor.frame()).toContain('F4 opens the filter and F6 the search: paste there.');
	monitor.press('\u001bOQ');
	expect(monitor.frame()).toContain('Saved views (1-9 loads one, w saves what is on screen)');
	monitor.press('w', 'n', '\r');
	expect(monitor.frame()).toContain('Saved as view 1, n.');
	monitor.press('q', '\u001bOR');
	expect(monitor.frame()).toContain('No rule yet: + adds one');
	monitor.press('q', '\u001bOS', 'mca');
	expect(monitor.frame()).toMatch(/F9: mcap/);
	monitor.press('p>1 ');
	monitor.press('\u001b');
	monitor.press('\r');
	expect(monitor.frame()).toContain('F11: timeframe');
	const tall = openTestMonitor({size: {columns: 160, rows: 300}, keys});
	tall.press('?');
	expect(tall.frame().replace(/[│\s]+/g, ' ')).toContain('The cursor freezes the order, F12 goes live; 3 wait.');
});
