import {expect, test} from 'vitest';
import {WINDOWS_8} from '../../source/contract/windows.ts';
import type {ModeKind} from '../../source/monitor/mode.ts';
import {boundKeys} from '../../source/ui/keymap/bound-keys.ts';
import {CLASSIC_KEYS} from '../../source/ui/keymap/classic-keys.ts';
import {readKeyName} from '../../source/ui/keymap/key-names.ts';
import {keymap} from '../../source/ui/keymap/keymap.ts';
import {rebind} from '../../source/ui/keymap/rebinding.ts';
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

test('a pause names the key that ends it, whichever that is', () => {
	const usual = openTestMonitor();
	usual.press('p');
	expect(usual.frame()).toContain('Paused: every column stands still. p goes on.');
	const rebound = openTestMonitor({keys: {'feed.pause': ['B']}});
	rebound.press('B');
	expect(rebound.frame()).toContain('B goes on.');
	rebound.press('B');
	expect(rebound.store.get().paused).toBe(false);
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
	expect(monitor.frame()).toContain('z changes or removes it');
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

test.each([
	['read-only mode', {readOnly: true}, 'not in read-only mode'],
	['a recording', {readOnly: true, service: {label: 'x', embedded: true, recording: true}}, 'not in a recording'],
])('the palette says in the words of the key why %s has no bridge', (_, options, words) => {
	const monitor = openTestMonitor(options as Parameters<typeof openTestMonitor>[0]);
	monitor.press(':', 'bridge');
	expect(monitor.frame()).toContain(words);
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
	monitor.press('\u001b[200~text\u001b[201~');
	expect(monitor.frame()).toContain('F4 opens the filter and F6 the search: paste there.');
	monitor.press('\u001bOQ');
	expect(monitor.frame()).toContain('Saved views (1-9 loads one, w saves what is on screen)');
	monitor.press('w', 'n', '\u001b[19~');
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

test('w goes round the time windows, and its key of version 0.2 goes back', () => {
	const monitor = openTestMonitor({size: {columns: 120, rows: 30}, keys: CLASSIC_KEYS});
	const windowNow = () => monitor.store.get().columns[monitor.store.get().focus].window;
	const first = WINDOWS_8.indexOf(windowNow());
	const round = WINDOWS_8.map((_, at) => WINDOWS_8[(first + at + 1) % WINDOWS_8.length]);
	for (const window of round) {
		monitor.press('w');
		expect(windowNow()).toBe(window);
	}
	for (const window of [...round.toReversed().slice(1), round.at(-1)]) {
		monitor.press('W');
		expect(windowNow()).toBe(window);
	}
});

test('at most forty keys work in the columns', () => {
	const bound = keymap.filter(({modes, keys}) => modes.includes('list') && keys.length > 0);
	expect(bound.length).toBeLessThanOrEqual(40);
});

test('the keys of version 0.2 do what they did when the configuration asks for them', () => {
	const {problems, bindings} = rebind(keymap, CLASSIC_KEYS);
	expect(problems).toEqual([]);
	const done = (mode: ModeKind, key: string) =>
		bindings.find(({modes, keys}) => modes.includes(mode) && keys.includes(key))?.id;
	for (const [id, keys] of Object.entries(CLASSIC_KEYS)) {
		const [mode] = keymap.find(binding => binding.id === id)!.modes;
		for (const key of keys) expect({key, id: done(mode!, readKeyName(key)!)}).toEqual({key, id});
	}
	const monitor = openTestMonitor({size: {columns: 120, rows: 30}, keys: CLASSIC_KEYS});
	monitor.press('v');
	expect(monitor.store.get().density).not.toBe('auto');
	monitor.press('Z');
	expect(monitor.frame()).toContain('TRENDING');
});

test('a key that left the columns says where its action is now', () => {
	const monitor = openTestMonitor({size: {columns: 160, rows: 30}});
	for (const [key, words] of [
		['Z', 'Z has moved: v o is columns now.'],
		['H', 'H has moved: M w is webhooks now.'],
		['F', 'F has moved: f with an empty line does that.'],
		['S', 'S has moved: s, then Enter reverses the order.'],
	]) {
		monitor.press(key!);
		expect(monitor.frame()).toContain(words);
		expect(monitor.frame()).toContain('keys = "classic"');
	}
	monitor.press('&');
	expect(monitor.frame()).toContain('& does nothing here.');
});

test('every key that left the columns says where to go, in one line of 80 columns', () => {
	const monitor = openTestMonitor({size: {columns: 80, rows: 24}});
	const usual = boundKeys({keys: {}});
	for (const [id, keys] of Object.entries(CLASSIC_KEYS)) {
		if (!keymap.some(binding => binding.id === id && binding.modes.includes('list'))) continue;
		for (const key of keys.filter(each => each.length === 1 && usual.find('list', each) === undefined)) {
			monitor.press(key);
			expect({key, text: monitor.store.get().notice?.text}).toEqual({
				key,
				text: expect.stringContaining(' has moved: '),
			});
			expect({key, frame: monitor.frame()}).toEqual({
				key,
				frame: expect.stringContaining(' ui.keys = "classic": as before.'),
			});
		}
	}
});

test.each([
	{keys: {'feed.pause': ['v']}, pressed: 'v'},
	{keys: {'list.feed.pause': ['ctrl+d'], 'half.down': []}, pressed: '\u0004'},
])('a configuration of version 0.2 keeps its key, and the action that has it now yields: %j', ({keys, pressed}) => {
	expect(rebind(keymap, keys).problems).toEqual([]);
	const monitor = openTestMonitor({size: {columns: 120, rows: 30}, keys});
	monitor.press(pressed);
	expect(monitor.store.get().paused).toBe(true);
});

test('a window of actions says what is chosen, why something can not be done, and Enter does the marked line', () => {
	const monitor = openTestMonitor({size: {columns: 100, rows: 30}});
	monitor.press('v');
	expect(monitor.frame()).toMatch(/c {2}Choose chains +all/);
	expect(monitor.frame()).toMatch(/o {2}Columns +new, bonding, bonded/);
	monitor.press('j', 'j', '\r');
	expect(monitor.store.get().modes.at(-1)?.kind).toBe('columns');
	monitor.press('\u001b', 'M', 's');
	expect(monitor.frame()).toContain('The service has one address, and nothing was missed.');
	monitor.press('M', 'q');
	expect(monitor.store.get().modes).toEqual([{kind: 'list'}]);
});
