import {describe, expect, test} from 'vitest';
import {topMode} from '../../source/monitor/state.ts';
import {modeSpec} from '../../source/ui/features.ts';
import {entryOf} from '../helpers/entries.ts';
import {NOW_MS, openTestMonitor} from '../helpers/monitor-app.tsx';

const ESC = '\u001b';
const open = (start: Parameters<typeof openTestMonitor>[0] = {}) => {
	const monitor = openTestMonitor({size: {columns: 100, rows: 34}, ...start});
	monitor.arrive('new', [entryOf('address', {symbol: 'AAA', created_at: NOW_MS})]);
	return {
		...monitor,
		fields: () => monitor.store.get().columns.new.fields,
		kind: () => topMode(monitor.store.get()).kind,
	};
};

describe('the menu of row fields', () => {
	const start = {columns: {new: {fields: ['mcap', 'age']}}};

	test('letters are typed after /, and are keys again after Enter, on the lines that are left', () => {
		const monitor = open(start);
		monitor.press('v', 'f', '/', 'HOLD ers');
		expect(monitor.frame()).toContain('> HOLD ers');
		expect(monitor.frame()).toMatch(/▌ .*Holders .*holders \(off\)/);
		expect(monitor.frame()).not.toContain('Market cap');
		// x and J are letters here.
		expect(monitor.fields()).toEqual(['mcap', 'age']);

		monitor.press('\r');
		expect(monitor.kind()).toBe('fields');
		expect(monitor.frame()).toContain('/ HOLD ers');
		monitor.press('x');
		expect(monitor.fields()).toEqual(['mcap', 'age', 'holders']);
		expect(monitor.frame()).toMatch(/▌✓Holders/);
	});

	test('a field of a narrowed list moves by one in the row, not in the list', () => {
		const monitor = open({columns: {new: {fields: ['mcap', 'age', 'holders']}}});
		monitor.press('v', 'f', '/', 'holders', '\r', 'K');
		expect(monitor.fields()).toEqual(['mcap', 'holders', 'age']);
		expect(monitor.frame()).toMatch(/▌✓Holders/);
		monitor.press('K', 'K', 'K');
		expect(monitor.fields()).toEqual(['holders', 'mcap', 'age']);
		monitor.press('J');
		expect(monitor.fields()).toEqual(['mcap', 'holders', 'age']);
	});

	test('Esc ends the narrowing first, with the same line marked, then the menu, which brings back what was shown', () => {
		const monitor = open(start);
		monitor.press('v', 'f', '/', 'holders', '\r', 'x', ESC);
		expect(monitor.kind()).toBe('fields');
		expect(monitor.frame()).toMatch(/✓Market cap/);
		expect(monitor.frame()).toMatch(/▌✓Holders/);
		expect(monitor.fields()).toEqual(['mcap', 'age', 'holders']);
		monitor.press(ESC);
		expect(monitor.kind()).toBe('list');
		expect(monitor.fields()).toEqual(['mcap', 'age']);
	});

	test('Esc while typing shows all lines again; so does Enter on nothing typed', () => {
		const monitor = open(start);
		monitor.press('v', 'f', '/', 'holders', ESC);
		expect(monitor.kind()).toBe('fields');
		expect(monitor.frame()).toMatch(/✓Market cap/);
		expect(monitor.frame()).toMatch(/▌ Holders/);
		monitor.press('/', '\r');
		expect(monitor.frame()).not.toContain('│ / ');
		expect(monitor.frame()).toMatch(/▌ Holders/);
	});

	test('a text that no line contains says so, and Enter does nothing', () => {
		const monitor = open(start);
		monitor.press('v', 'f', '/', 'nosuchfield');
		expect(monitor.frame()).toContain('Nothing by that name.');
		monitor.press('\r');
		expect(monitor.frame()).toContain('Esc shows all.');
		monitor.press('x', 'J', 'j');
		expect(monitor.fields()).toEqual(['mcap', 'age']);
		monitor.press('/', '\u0015', 'age', '\r', 'x');
		expect(monitor.fields()).toEqual(['mcap']);
	});
});

describe('the menu of saved views', () => {
	const saved = () => {
		const monitor = open();
		monitor.press("'", 's', '\u0015Early birds\r');
		monitor.press("'", 'j', 'j', 's', '\u0015Whales\r');
		monitor.press(ESC);
		return {...monitor, names: () => [...monitor.store.get().savedViews].map(([slot, {name}]) => `${slot} ${name}`)};
	};

	test('keys act on the view that is shown, under its own number', () => {
		const monitor = saved();
		expect(monitor.names()).toEqual(['1 Early birds', '3 Whales']);
		monitor.press("'", '/', 'whal', '\r');
		expect(monitor.frame()).toMatch(/▌.3 {2}Whales/);
		expect(monitor.frame()).not.toContain('1  Early birds');
		monitor.press('n', '\u0015Big whales\r');
		expect(monitor.names()).toEqual(['1 Early birds', '3 Big whales']);
		monitor.press('x');
		expect(monitor.names()).toEqual(['1 Early birds']);
		monitor.press(ESC);
		expect(monitor.kind()).toBe('presets');
		expect(monitor.frame()).toContain('Early birds');
	});

	test('Enter loads the view that is shown', () => {
		const monitor = saved();
		monitor.press("'", '/', 'whal', '\r', '\r');
		expect(monitor.kind()).toBe('list');
		expect(monitor.frame()).toContain('View 3: Whales.');
	});

	test('the arrows and the marked line stay within the lines that are left', () => {
		const monitor = saved();
		monitor.press("'", '/', 'empty', '\u001b[A', '\r');
		expect(monitor.frame()).toMatch(/▌.9 /);
		monitor.press('s', '\u0015Last\r');
		expect(monitor.names()).toContain('9 Last');
		expect(monitor.frame()).toMatch(/▌.8 /);
	});
});

describe('the keys of lists work in every menu', () => {
	const PAGE_DOWN = '\u001b[6~';
	const PAGE_UP = '\u001b[5~';
	const marked = (monitor: ReturnType<typeof open>) =>
		/ ▌ ?(.{12})/.exec(monitor.frame().split('\n').slice(2).join('\n'))?.[1];

	test('pages and ends mark another line, and never go around', () => {
		const monitor = open({size: {columns: 80, rows: 14}});
		monitor.press('v', 'f');
		const first = marked(monitor);
		monitor.press('G');
		const last = marked(monitor);
		expect(last).not.toBe(first);
		monitor.press(PAGE_DOWN);
		expect(marked(monitor)).toBe(last);
		monitor.press(PAGE_UP);
		const aPageUp = marked(monitor);
		expect([first, last]).not.toContain(aPageUp);
		monitor.press(PAGE_DOWN);
		expect(marked(monitor)).toBe(last);
		monitor.press('g');
		expect(marked(monitor)).toBe(first);
		monitor.press(PAGE_UP);
		expect(marked(monitor)).toBe(first);
		// Lines go around, as before.
		monitor.press('k');
		expect(marked(monitor)).toBe(last);
	});

	test('a page is what fits in the window: no line is skipped that was never in sight', () => {
		const monitor = open({size: {columns: 80, rows: 14}});
		monitor.press('v', 'f');
		const inWindow = () => [...monitor.frame().matchAll(/│ [ ▌][ ✓](\w.{12})/g)].map(([, label]) => label);
		const seen = new Set(inWindow());
		for (let page = 0; page < 9; page++) {
			monitor.press(PAGE_DOWN);
			for (const label of inWindow()) seen.add(label);
		}
		const {items} = modeSpec('fields').menu!;
		const all = items(topMode(monitor.store.get()) as never, {state: monitor.store.get()} as never);
		expect(seen.size).toBe(all.length);
	});

	test('where a line is typed, letters are text and PgDn moves', () => {
		const monitor = open();
		monitor.press(':');
		const first = marked(monitor);
		monitor.press(PAGE_DOWN);
		expect(marked(monitor)).not.toBe(first);
		monitor.press('g', 'j');
		expect(monitor.frame()).toContain('> gj');
	});
});
