import {expect, test} from 'vitest';
import {NO_CHOICES} from '../../source/monitor/choices.ts';
import {entryOf} from '../helpers/entries.ts';
import {NOW_MS, openTestMonitor} from '../helpers/monitor-app.tsx';

const SIZE = {columns: 100, rows: 24};
const pepe = entryOf('a', {symbol: 'PEPE', created_at: NOW_MS});

const strip = (monitor: ReturnType<typeof openTestMonitor>) => monitor.frame().split('\n').at(-2) ?? '';

test('the first start shows three steps in a line above the hints, the same keys a step', () => {
	const monitor = openTestMonitor({size: SIZE, hasTour: true});
	expect(strip(monitor)).toMatch(/^ 1\/3 {2}j marks a token.* M t next/);
	monitor.press('M', 't');
	expect(strip(monitor)).toMatch(/^ 2\/3 {2}s sorts, f filters.* M t next/);
	monitor.press('M', 't');
	expect(strip(monitor)).toMatch(/^ 3\/3 {2}\? explains.* M t done/);
	monitor.press('M', 't');
	expect(monitor.frame()).not.toMatch(/\d\/3 /);
	expect(monitor.store.get()).toMatchObject({tourSeen: true});
	expect(monitor.frame().split('\n')).toHaveLength(SIZE.rows);
});

test('every other key does what it does without the tour, and a window is not shortened by it', () => {
	const monitor = openTestMonitor({size: SIZE, hasTour: true});
	monitor.arrive('new', [pepe]);
	monitor.press('j');
	expect(monitor.store.get().columns.new.cursor).toBe(pepe.key);
	monitor.press('\r');
	expect(monitor.store.get().detail?.key).toBe(pepe.key);
	monitor.press('\u001b', '?');
	expect(monitor.frame()).not.toContain('1/3');
	monitor.press('\u001b', '\u001b');
	expect(strip(monitor)).toContain('1/3');
});

test('the tour does not start again, except by its action', () => {
	const monitor = openTestMonitor({size: SIZE, hasTour: true, choices: {...NO_CHOICES, tourSeen: true}});
	expect(monitor.frame()).not.toContain('1/3');
	monitor.press(':', 'tour', '\r');
	expect(strip(monitor)).toContain('1/3');
});

test('a small screen has no line to spare for it', () => {
	expect(openTestMonitor({size: {columns: 50, rows: 24}, hasTour: true}).frame()).not.toContain('1/3');
	expect(openTestMonitor({size: {columns: 80, rows: 14}, hasTour: true}).frame()).not.toContain('1/3');
});
