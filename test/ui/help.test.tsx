import {expect, test} from 'vitest';
import {helpLines, helpPage} from '../../source/ui/features/help/help-lines.ts';
import {SUMMARY} from '../../source/ui/features/help/help-summary.ts';
import {glyphsFor} from '../../source/ui/glyphs.ts';
import {boundKeys, DEFAULT_KEYS} from '../../source/ui/keymap/bound-keys.ts';
import {CLASSIC_KEYS} from '../../source/ui/keymap/classic-keys.ts';
import {helpSections} from '../../source/ui/keymap/help-sections.ts';
import {keymap} from '../../source/ui/keymap/keymap.ts';
import {keysByMode} from '../../source/ui/keymap/keys-by-mode.ts';
import {openTestMonitor} from '../helpers/monitor-app.tsx';

const SIZE = {columns: 100, rows: 40};
const tall = {columns: 100, rows: 400};

/** The lines inside the window of the help, without its border. */
function inside(frame: string): string[] {
	return frame.split('\n').flatMap(line => /│ (.*) │/.exec(line)?.[1]?.trimEnd() ?? []);
}

test('the help begins with the keys of the columns and what the screen shows: columns, letters, marks, colours', () => {
	const monitor = openTestMonitor({size: {columns: 120, rows: 40}});
	monitor.press('?');
	const [title = '', heading, ...lines] = inside(monitor.frame());
	expect(title).toMatch(/^Help +↓ \d+ more lines/);
	expect(heading).toMatch(/^MOVE +j k {2}g G ends/);
	const keys = lines.findIndex(line => line.startsWith('IN THE COLUMNS'));
	expect(keys).toBeGreaterThan(0);
	expect(keys).toBeLessThanOrEqual(20);
	const legend = lines.slice(0, keys).join('\n');
	for (const word of ['BONDING', 'RISK', 'snipers', '≈', '★', '✗', '▲ ▼', 'Green', 'Not reported', '+3 new'])
		expect(legend).toContain(word);
});

test('the first lines of the help name every key of the columns', () => {
	const named = new Set(SUMMARY.flatMap(([, entries]) => entries.flatMap(([ids]) => ids.split(' '))));
	const bound = keymap.filter(({modes, keys}) => modes.includes('list') && keys.length > 0).map(({id}) => id);
	expect([...named].sort()).toEqual(bound.sort());
	const keys = boundKeys({keys: {'cursor.down': ['f9'], 'feed.retry': []}});
	const text = helpLines({columns: 80, glyphs: glyphsFor(false), keys, isReal: false})[0]!.text;
	expect(text).toMatch(/^F9 k {2}g G ends/);
});

test.each([false, true])(
	'the keys and what the screen shows fit on the first page of the smallest common terminal, in ASCII too: %s',
	ascii => {
		const lines = [false, true].map(isReal =>
			helpLines({columns: 80, glyphs: glyphsFor(ascii), keys: DEFAULT_KEYS, isReal}),
		);
		for (const of of lines) expect(of.findIndex(({text}) => text === '')).toBeLessThanOrEqual(helpPage(24));
	},
);

test('every key stands under the name of the place where it is pressed, and no two the same in one place', () => {
	const listed = new Set<string>();
	for (const {title, topics} of helpSections(keymap)) {
		const modes = new Map<string, string>();
		for (const binding of keysByMode(topics.flatMap(topic => topic.bindings))) {
			listed.add(binding.id);
			for (const mode of binding.modes)
				for (const key of binding.keys) {
					const other = modes.get(`${mode} ${key}`);
					expect({title, key, mode, other: other === binding.id ? undefined : other}).toMatchObject({other: undefined});
					modes.set(`${mode} ${key}`, binding.id);
				}
		}
	}
	const moved = Object.keys(CLASSIC_KEYS).filter(id => !listed.has(id));
	expect(listed.size + moved.length).toBe(new Set(keymap.map(({id}) => id)).size);
});

test.each([
	["'", 'SAVED VIEWS'],
	['A', 'ALERTS (A)'],
	['vf', 'IN EVERY LIST'],
	['vo', 'COLUMNS OF THE SCREEN'],
	['Mp', 'PREDICTION (M p)'],
	['vt', 'IN EVERY LIST'],
	['v', 'WHAT I SEE (v)'],
])('? after %s opens the help at %s, and Esc goes back there', (key, title) => {
	const monitor = openTestMonitor({size: SIZE});
	monitor.press(...key);
	const before = monitor.store.get().modes;
	monitor.press('?');
	expect(inside(monitor.frame())[1]).toContain(title);
	monitor.press('\u001b');
	expect(monitor.store.get().modes).toEqual(before);
});

test('where text is typed ? is text, and F1 opens the help', () => {
	const monitor = openTestMonitor({size: SIZE});
	monitor.press('f', '?');
	expect(monitor.frame()).toContain('filter new: ?');
	monitor.press('\u001bOP');
	expect(inside(monitor.frame()).slice(1, 3).join(' ')).toContain('WHILE TYPING A LINE OR A FORM');
	monitor.press('\u001b');
	expect(monitor.frame()).toContain('filter new: ?');
});

test('/ finds words as they are typed, n and N go on around the ends, Esc in the line goes back to where it was', () => {
	const monitor = openTestMonitor({size: SIZE});
	monitor.press('?', '/', 'saved view');
	expect(inside(monitor.frame())[0]).toMatch(/^\/saved view +1 of \d/);
	expect(inside(monitor.frame()).slice(1, 6).join('\n')).toMatch(/saved view/i);
	monitor.press('\r');
	expect(inside(monitor.frame())[0]).toMatch(/^Help {2}\/saved view +1 of (\d)/);
	const count = Number(/1 of (\d+)/.exec(monitor.frame())?.[1]);
	monitor.press('n');
	expect(inside(monitor.frame())[0]).toContain(`2 of ${count}`);
	monitor.press('N', 'N');
	expect(inside(monitor.frame())[0]).toContain(`${count} of ${count}`);
	monitor.press('g', '/', 'webhook', '\u001b');
	expect(inside(monitor.frame())[1]).toMatch(/^MOVE/);
	monitor.press('/', 'xyzzy');
	expect(inside(monitor.frame())[0]).toContain('not found');
});

test('G goes to the last line and g to the first', () => {
	const monitor = openTestMonitor({size: SIZE});
	monitor.press('?', 'G');
	expect(inside(monitor.frame()).at(-1)).toContain('leaves the mouse to the terminal');
	expect(inside(monitor.frame())[0]).toMatch(/end$/);
	monitor.press('g');
	expect(inside(monitor.frame())[1]).toMatch(/^MOVE/);
});

test('no line of the help is wider than its window, in ASCII too', () => {
	for (const columns of [40, 60, 80, 120])
		for (const ascii of [false, true])
			for (const {keys, text} of helpLines({columns, glyphs: glyphsFor(ascii), keys: DEFAULT_KEYS, isReal: false}))
				expect((keys === undefined ? 0 : 1 + Math.max(keys.length, 9)) + text.length).toBeLessThanOrEqual(
					columns - 6 + 8,
				);
	const monitor = openTestMonitor({size: tall});
	monitor.press('?');
	expect(monitor.frame()).not.toContain('…');
});
