import {expect, test} from 'vitest';
import {entryOf} from '../helpers/entries.ts';
import {NOW_MS, openTestMonitor} from '../helpers/monitor-app.tsx';

const token = (symbol: string) =>
	entryOf(`${symbol}address`, {symbol, created_at: NOW_MS, market_cap: 12_345, holders_count: 77, buyers_5min: 41});
const open = (start: Parameters<typeof openTestMonitor>[0] = {}) => {
	const monitor = openTestMonitor({size: {columns: 90, rows: 29}, ...start});
	monitor.arrive('new', [token('AAA')]);
	const heading = () => monitor.frame().split('\n')[2]?.slice(0, 45).trim().replace(/ +/g, ' ');
	return {...monitor, heading, fields: () => monitor.store.get().columns.new.fields};
};

test('the rows show the figures of the configuration, in their order', () => {
	const monitor = open({columns: {new: {fields: ['buyers5m', 'mcap', 'age']}}});
	expect(monitor.heading()).toBe('SYMBOL ON BUYERS5M MCAP AGE');
	expect(monitor.frame()).toMatch(/AAA +SOL +41 +12\.3K +0s/);
});

test('the chooser takes a figure out, moves one, and the rows follow at once', () => {
	const monitor = open();
	expect(monitor.heading()).toBe('SYMBOL ON AGE MCAP CHG RISK');
	monitor.press('v', 'f', ' ');
	expect(monitor.fields().slice(0, 3)).toEqual(['age', 'change', 'risk']);
	monitor.press('J');
	expect(monitor.fields().slice(0, 3)).toEqual(['change', 'age', 'risk']);
	expect(monitor.frame()).toMatch(/▌✓Age/);
	monitor.press('\r');
	expect(monitor.heading()).toBe('SYMBOL ON CHG AGE RISK FULL');
});

test('Esc in the chooser restores the previous fields, r the default ones', () => {
	const monitor = open({columns: {new: {fields: ['mcap', 'age']}}});
	monitor.press('v', 'f', 'x', '\u001b');
	expect(monitor.fields()).toEqual(['mcap', 'age']);
	monitor.press('v', 'f', 'x', 'x');
	expect(monitor.fields()).toEqual(['age']);
	expect(monitor.frame()).toContain('at least one figure');
	monitor.press('r', '\r');
	expect(monitor.heading()).toBe('SYMBOL ON AGE MCAP CHG RISK');
});

test('a typed list takes any field, is completed, and an unknown name stays open with the nearest one', () => {
	const monitor = open();
	monitor.press(':fields mcap,hol');
	expect(monitor.frame()).toContain('fields mcap,holders');
	monitor.press('drs');
	expect(monitor.frame()).toContain('holdrs is no field; the nearest is holders');
	monitor.press('\r');
	expect(monitor.fields()).toEqual([]);
	monitor.press('\u0015fields holders,buyers5m', '\r');
	expect(monitor.heading()).toBe('SYMBOL ON HOLD BUYERS5M');
});

test('a view keeps the figures: saved, changed, loaded', () => {
	const monitor = open({columns: {new: {fields: ['mcap', 'age']}}});
	monitor.press("'", 's', 'Slim\r', '\u001b');
	monitor.press(':fields holders', '\r');
	expect(monitor.heading()).toBe('SYMBOL ON HOLD');
	monitor.press("'1");
	expect(monitor.heading()).toBe('SYMBOL ON MCAP AGE');
	expect(monitor.frame()).toContain('1 Slim');
});

test('a click on the heading of a chosen figure sorts by it', () => {
	const monitor = open({columns: {new: {fields: ['mcap', 'buyers5m']}}});
	const x = monitor.frame().split('\n')[2]!.indexOf('BUYERS5M') + 3;
	monitor.press(`\u001b[<0;${x};3M`);
	expect(monitor.store.get().columns.new.sortBy).toBe('buyers_5min');
});
