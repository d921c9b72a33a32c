import {expect, test} from 'vitest';
import {entryOf} from '../helpers/entries.ts';
import {NOW_MS, openTestMonitor} from '../helpers/monitor-app.tsx';

const token = (symbol: string) => entryOf(`${symbol}address`, {symbol, created_at: NOW_MS, market_cap: 12_345});
const hints = (monitor: ReturnType<typeof openTestMonitor>): string => monitor.frame().split('\n').at(-1)!.trim();

test('the hints leave out what would do nothing: going live where all is live, lines of a menu that has none', () => {
	const monitor = openTestMonitor({size: {columns: 120, rows: 24}});
	monitor.arrive('new', [token('AAA')]);
	expect(hints(monitor)).not.toContain('Esc');
	monitor.press('p');
	expect(hints(monitor)).toContain('p resume');
	monitor.press('p', '/A\r');
	expect(hints(monitor)).toContain('Esc end search');
	monitor.press('\u001b', 'j');
	expect(hints(monitor)).toContain('Esc go live');
	monitor.press('A');
	expect(hints(monitor)).toBe('n new rule  Esc cancel  ? help');
	monitor.press('n');
	expect(hints(monitor)).toMatch(/^Enter add it {2}↓ column {2}Tab complete {2}Esc cancel/);
	monitor.press('\u001b', 'q', "'");
	expect(hints(monitor)).not.toMatch(/rename|remove/);
	monitor.press('s', 'x', '\r');
	// The notice that it was saved goes with the next key.
	monitor.press('\u001b[B', '\u001b[A');
	monitor.store.apply(({notice: _, ...state}) => state);
	expect(hints(monitor)).toMatch(/rename.*remove/);
});

test('a word of a filter that can still become one is completed, not called wrong', () => {
	const monitor = openTestMonitor({size: {columns: 120, rows: 24}});
	monitor.press('f', 'mca');
	expect(monitor.frame()).toContain('Tab: mcap');
	expect(monitor.frame()).not.toContain('there is no field');
	monitor.press('x');
	expect(monitor.frame()).toContain('there is no field “mcax”');
	monitor.press('\u007f', ' ');
	expect(monitor.frame()).toContain('there is no field “mca”');
});

test('no key is cut in the help, and no sentence of a menu without lines', () => {
	const monitor = openTestMonitor({size: {columns: 60, rows: 200}});
	monitor.press('?');
	expect(monitor.frame()).toMatch(/PgDn Space\s+Scroll the detail pane down\./);
	expect(monitor.frame()).toMatch(/│ Ctrl\+D J /);
	const narrow = openTestMonitor({size: {columns: 40, rows: 12}});
	narrow.press('A');
	expect(narrow.frame()).toMatch(/such as +│\n +│ mcap>100k dev<5%/);
});

test('a narrow explanation goes on in a next line', () => {
	const monitor = openTestMonitor({size: {columns: 44, rows: 24}});
	monitor.arrive('new', [{...token('AAA'), bonded: false, bonding_percentage: 50, volume_1h: 100}]);
	monitor.arrive('bonding', []);
	monitor.press('j', 'e');
	const words = monitor.frame().replace(/[│\n]/g, ' ').replace(/ +/g, ' ');
	expect(words).toContain('nothing keeps it out; the service does not list it');
});

test('a title names its sort whole before it names the columns that have no room', () => {
	const monitor = openTestMonitor({size: {columns: 80, rows: 24}});
	monitor.arrive('new', [token('AAA')]);
	monitor.arrive('bonding', [token('BBB')]);
	expect(monitor.frame()).toMatch(/BONDING 1 ▼mcap · 1h +Tab: BONDED/);
	monitor.store.apply(state => ({
		...state,
		columns: {...state.columns, bonding: {...state.columns.bonding, search: 'bbb', total: 123_456}},
	}));
	expect(monitor.frame()).toMatch(/BONDING 1\/123,456 ▼mcap \/bbb +Tab: \+1 /);
});

test('a hidden token is listed with both ends of its address', () => {
	const monitor = openTestMonitor({size: {columns: 120, rows: 24}});
	monitor.arrive('new', [{...token('AAA'), key: 'solana:solana|ABCDEFGHabcdefghijklmnopqrstuvwxyz12345678WXYZ'}]);
	monitor.press('j', 'x', 'X');
	expect(monitor.frame()).toMatch(/AAA +ABCDEFGH\w*…\w*WXYZ/);
});

test('a narrow window of an imported view says what it leaves out, and shows all of its keys', () => {
	const monitor = openTestMonitor({size: {columns: 60, rows: 14}});
	const filter = 'mcap>1m or holders>5000 or (liq>100k and dev<1% and top10<20%) or (age<10m and snipers<5%)';
	const views = ['new', 'bonding', 'bonded'].map(view => `${view}.filter="${filter}"`).join(' ');
	monitor.press(`\u001b[200~pulsetop-view/1 name="x" ${views}\u001b[201~`);
	expect(monitor.frame()).toMatch(/↓ \d+ more lines/);
	expect(monitor.frame().replace(/[│\s]+/g, ' ')).toContain('Esc discard');
});
