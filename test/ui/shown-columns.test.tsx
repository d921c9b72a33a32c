import {expect, test} from 'vitest';
import {formatPreset, presetOf} from '../../source/monitor/presets.ts';
import {entryOf} from '../helpers/entries.ts';
import {NOW_MS, openTestMonitor} from '../helpers/monitor-app.tsx';

const token = (symbol: string) => entryOf(`${symbol}address`, {symbol, created_at: NOW_MS - 5000, market_cap: 12_345});
const titlesOf = (monitor: ReturnType<typeof openTestMonitor>) =>
	monitor
		.frame()
		.split('\n')[1]!
		.match(/NEW|BONDING|BONDED/g);

test('Z chooses the columns and their order, the screen follows, and Esc brings the old ones back', () => {
	const monitor = openTestMonitor({size: {columns: 160, rows: 40}});
	expect(titlesOf(monitor)).toEqual(['NEW', 'BONDING', 'BONDED']);
	monitor.press('Z', 'j', ' ');
	expect(monitor.store.get().shownViews).toEqual(['new', 'bonded']);
	monitor.press('\u001b');
	expect(titlesOf(monitor)).toEqual(['NEW', 'BONDING', 'BONDED']);
	monitor.press('Z', 'J', '\r');
	expect(titlesOf(monitor)).toEqual(['BONDING', 'NEW', 'BONDED']);
	monitor.press('Z', 'r', '\r');
	expect(titlesOf(monitor)).toEqual(['NEW', 'BONDING', 'BONDED']);
});

test('one column alone has the whole screen, shows everything in a line, and takes no token from another', () => {
	const monitor = openTestMonitor({size: {columns: 160, rows: 40}});
	monitor.arrive('new', [token('AAA'), token('BBB')]);
	monitor.arrive('bonding', [token('BBB')]);
	expect(monitor.frame().match(/BBB/g)).toHaveLength(1);
	monitor.press('Z', 'o', '\r');
	expect(titlesOf(monitor)).toEqual(['NEW']);
	const [headings, first, second] = monitor.frame().split('\n').slice(2);
	for (const name of ['CHAIN', 'NAME', 'AGE', 'B/S', 'BONDING', 'DEV T10 SNI INS BUN', 'SOURCE', 'FEES'])
		expect(headings).toContain(name);
	expect([first, second].join('\n')).toMatch(/AAA[\s\S]*BBB/);
	monitor.press('\t');
	expect(monitor.store.get().focus).toBe('new');
});

test('the last column stays, and going to a column that is left out shows it', () => {
	const monitor = openTestMonitor({size: {columns: 160, rows: 40}});
	monitor.press('Z', 'o', ' ');
	expect(monitor.frame()).toContain('One column is always shown.');
	monitor.press('\r', ':column bonded', '\r');
	expect(monitor.store.get().shownViews).toEqual(['new', 'bonded']);
	expect(monitor.store.get().focus).toBe('bonded');
});

test('a saved view keeps the columns, and its line says them', () => {
	const monitor = openTestMonitor({size: {columns: 160, rows: 40}});
	monitor.press('Z', 'j', 'o', '\r', 'V', 's', 'Curves\r', '\u001b', 'Z', 'r', '\r');
	expect(monitor.store.get().shownViews).toHaveLength(3);
	monitor.press("'1");
	expect(monitor.store.get().shownViews).toEqual(['bonding']);
	expect(formatPreset(presetOf(monitor.store.get(), 'x'))).toContain('columns=bonding');
});
