import {expect, test} from 'vitest';
import {resized} from '../../source/monitor/transitions/screen.ts';
import {cellWidth} from '../../source/text.ts';
import {entryOf} from '../helpers/entries.ts';
import {NOW_MS, openTestMonitor} from '../helpers/monitor-app.tsx';

const tokens = Array.from({length: 30}, (_, at) =>
	entryOf(`token${at}`, {symbol: `TOKEN${at}`, name: 'A long name', created_at: NOW_MS - at * 1000, market_cap: 5000}),
);

test('below 40 columns the focused column has the screen to itself, with the mark of practice', () => {
	const monitor = openTestMonitor({size: {columns: 30, rows: 10}});
	monitor.arrive('new', tokens);
	monitor.press('j');
	expect(monitor.frame()).toMatch(/PRACTICE/);
	expect(monitor.frame()).toMatch(/TOKEN0 .* 5\.00K/);
	monitor.press('\t');
	expect(monitor.frame()).toContain('BONDING');
});

test('every size from 1x1 up is drawn within its cells, whatever is open', () => {
	for (const keys of ['', 'j\r', '?', 's', ':', 'f', 'A', 'V', '<']) {
		const monitor = openTestMonitor({size: {columns: 80, rows: 24}});
		monitor.arrive('new', tokens);
		monitor.press(keys);
		for (const columns of [1, 5, 19, 20, 27, 39, 45])
			for (const rows of [1, 3, 5, 6, 9, 12]) {
				monitor.store.apply(state => resized(state, {columns, rows}));
				const lines = monitor.frame().split('\n');
				expect({keys, columns, rows, lines: Math.min(lines.length, rows)}).toMatchObject({lines: lines.length});
				for (const line of lines) expect(cellWidth(line)).toBeLessThanOrEqual(columns);
			}
	}
});

test('a money window that has no room says how much it needs', () => {
	const monitor = openTestMonitor({size: {columns: 60, rows: 20}});
	monitor.press('M', 'p');
	monitor.store.apply(state => resized(state, {columns: 34, rows: 10}));
	expect(monitor.frame().replaceAll('\n', '')).toContain('needs 40x12');
});
