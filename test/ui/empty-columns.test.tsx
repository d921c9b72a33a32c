import {expect, test} from 'vitest';
import {columnFilterOf} from '../../source/monitor/filter/column-filter.ts';
import {columnChanged} from '../../source/monitor/transitions/screen.ts';
import {entryOf} from '../helpers/entries.ts';
import {openTestMonitor, type TestMonitor} from '../helpers/monitor-app.tsx';

function open(): TestMonitor {
	const monitor = openTestMonitor({size: {columns: 150, rows: 30}, columns: {new: {filter: 'mcap>50k dev<5%'}}});
	monitor.arrive('new', []);
	return monitor;
}

function explained(monitor: TestMonitor, ...without: [number, number]): void {
	monitor.store.apply(state =>
		columnChanged(state, 'new', c => ({
			...c,
			emptyReason: {
				filter: c.filter,
				clauses: [
					{text: 'dev<5%', rest: columnFilterOf('mcap>50k')!, without: without[0]},
					{text: 'mcap>50k', rest: columnFilterOf('dev<5%')!, without: without[1]},
				],
			},
		})),
	);
}

test('a column that its filter empties offers the clause that keeps out most, and Enter drops it', () => {
	const monitor = open();
	explained(monitor, 1312, 4);
	expect(monitor.frame()).toContain('without dev<5%: 1,312 tokens');
	expect(monitor.frame()).toContain('without mcap>50k: 4 tokens');
	expect(monitor.frame()).toContain('Enter drops dev<5%');
	monitor.press('\r');
	expect(monitor.store.get().columns.new.filter.text).toBe('mcap>50k');
	expect(monitor.frame()).toContain('Dropped dev<5%.');
});

test('where no single clause is to blame it says so, and offers nothing', () => {
	const monitor = open();
	explained(monitor, 0, 0);
	expect(monitor.frame()).toContain('No single clause empties it');
	expect(monitor.frame()).not.toContain('drops');
	monitor.press('d');
	expect(monitor.store.get().columns.new.filter.text).toBe('mcap>50k dev<5%');
});

test('clauses say where they are applied: S by the service, L here, to the rows loaded', () => {
	const monitor = openTestMonitor({size: {columns: 150, rows: 40}, columns: {new: {filter: 'mcap>1k'}}});
	monitor.arrive('new', [entryOf('a', {symbol: 'AAA', market_cap: 5000})]);
	monitor.press('f');
	expect(monitor.frame()).toMatch(/S mcap>1k +S: applied by the service, to all tokens/);
	monitor.press('\u001b', 'j', 'e');
	expect(monitor.frame()).toMatch(/[✓✔] S mcap>1k/);
	monitor.press('\u001b');
	monitor.store.apply(state => columnChanged(state, 'new', c => ({...c, isLocal: true})));
	expect(monitor.frame()).toContain(' L mcap>1k');
	monitor.press('f');
	expect(monitor.frame()).toMatch(/L mcap>1k +L: applied here, to the 1 rows loaded, not to all tokens/);
	monitor.press('\u001b', 'e');
	expect(monitor.frame()).toMatch(/[✓✔] L mcap>1k/);
	expect(monitor.frame()).toContain('L: here, on the rows loaded only');
});

test('a sort that the service does not apply is marked: L here, to the rows loaded', () => {
	const monitor = openTestMonitor({size: {columns: 150, rows: 40}});
	monitor.arrive('new', [entryOf('a', {symbol: 'AAA', market_cap: 5000, created_at: 1})]);
	expect(monitor.frame()).not.toMatch(/ L /);
	monitor.store.apply(state => columnChanged(state, 'new', c => ({...c, isUnsorted: true})));
	expect(monitor.frame()).toMatch(/NEW 1 ▼created L · 5m/);
});

test('a sort by a figure that no row has is marked ?, whatever is pinned', () => {
	const monitor = openTestMonitor({size: {columns: 150, rows: 40}});
	monitor.arrive('new', [entryOf('a', {symbol: 'AAA', created_at: 1}), entryOf('b', {symbol: 'BBB'})]);
	expect(monitor.frame()).toMatch(/NEW 2 ▼created · 5m/);
	monitor.press('j', 'P', '\u001b');
	expect(monitor.frame()).toMatch(/NEW 2 ▼created \? · 5m/);
	monitor.store.apply(state => columnChanged(state, 'new', c => ({...c, isUnsorted: true})));
	expect(monitor.frame()).toMatch(/NEW 2 ▼created \? · 5m/);
});

test('the menus of sorts and fields name their column, and offer the window that it shows', () => {
	const monitor = openTestMonitor({size: {columns: 150, rows: 40}});
	monitor.press('s');
	expect(monitor.frame()).toContain('Sort NEW by');
	const lines = (): string[] => monitor.frame().split('\n');
	const place = (word: string): number => lines().findIndex(line => line.includes(word));
	expect(place('vol5m')).toBeGreaterThan(-1);
	expect(place('vol5m')).toBeLessThan(place('liquidity'));
	monitor.press('\u001b', '\t', 'v', 'f');
	expect(monitor.frame()).toContain('Row fields of BONDING');
});
