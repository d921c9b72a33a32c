import {expect, test} from 'vitest';
import type {Mode} from '../../source/monitor/mode.ts';
import {modeEntered, noticed} from '../../source/monitor/transitions/screen.ts';
import {boundKeys} from '../../source/ui/keymap/bound-keys.ts';
import {keymap} from '../../source/ui/keymap/keymap.ts';
import {entryOf} from '../helpers/entries.ts';
import {NOW_MS, openTestMonitor} from '../helpers/monitor-app.tsx';

const pepe = entryOf('pepeaddress', {symbol: 'PEPE', created_at: NOW_MS - 5000, market_cap: 12_345});
const long = 'Alert: SOMETHING-LONG and 4 more (BONDING) matches mcap>4k age<1m dev<5% holders>=100 -kw:elon';

/** The last two lines with a notice in one of them, in a mode. */
function linesWith(columns: number, mode: Mode | undefined, hint?: string, isEvent = true): readonly string[] {
	const monitor = openTestMonitor({size: {columns, rows: 24}});
	monitor.arrive('new', [pepe]);
	monitor.press('j');
	monitor.store.apply(state =>
		noticed(mode === undefined ? state : modeEntered(state, mode), {
			text: long,
			tone: 'warn',
			atMs: NOW_MS,
			isEvent,
			...(hint !== undefined && {hint}),
		}),
	);
	return monitor.frame().split('\n').slice(-2);
}

test.each([40, 60, 80, 120, 200])('on a screen %i cells wide a notice covers no key that leads on or out', columns => {
	const monitor = openTestMonitor({size: {columns, rows: 24}});
	monitor.arrive('new', [pepe]);
	monitor.press('j');
	monitor.store.apply(state => noticed(state, {text: long, tone: 'warn', atMs: NOW_MS, isEvent: true}));
	const lines = monitor.frame().split('\n');
	expect(lines).toHaveLength(24);
	expect(lines.at(-1)).toMatch(/Esc .*q .*\? /);
	// Too long to stand beside them, it has a line of its own above.
	expect(lines.at(-2)).toContain('Alert: SOMETHING');
});

test('where there is room beside all hints a notice stands there', () => {
	const [, hints] = linesWith(200, {kind: 'themes', index: 0, before: 'dark'});
	expect(hints).toMatch(/^ Enter choose .* \? help .*-kw:elon/);
});

test.each<[string, number, Mode | undefined]>(
	[80, 120].flatMap((columns): [string, number, Mode | undefined][] => [
		['the columns', columns, undefined],
		['a menu', columns, {kind: 'themes', index: 0, before: 'dark'}],
		['the palette', columns, {kind: 'palette', edit: {text: '', cursor: 0}, index: 0}],
		['the help', columns, {kind: 'help', scroll: 0, search: ''}],
		['saved views', columns, {kind: 'presets', index: 0}],
		['the alerts', columns, {kind: 'alerts', index: 0}],
		['a screen', columns, {kind: 'prediction'}],
		['wallets', columns, {kind: 'labels'}],
		['a money window', columns, {kind: 'bridge'}],
	]),
)('over %s, %i cells wide, a notice covers none of the hints', (_, columns, mode) => {
	const monitor = openTestMonitor({size: {columns, rows: 24}});
	monitor.arrive('new', [pepe]);
	monitor.press('j');
	if (mode) monitor.store.apply(state => modeEntered(state, mode));
	const hints = monitor.frame().split('\n').at(-1)!.trimEnd();
	expect(hints).toMatch(/ Esc /);
	monitor.store.apply(state => noticed(state, {text: long, tone: 'warn', atMs: NOW_MS}));
	const lines = monitor.frame().split('\n');
	expect(lines).toHaveLength(24);
	expect(lines.slice(-2).join('\n')).toContain('Alert: SOMETHING');
	expect(lines.at(-1)!.trimEnd().startsWith(hints)).toBe(true);
});

test.each<[string, Mode]>([
	['a menu', {kind: 'themes', index: 0, before: 'dark'}],
	['a search', {kind: 'search', edit: {text: '', cursor: 0}, before: {search: ''}}],
])('a notice leaves the way out of %s', (_, mode) => {
	expect(linesWith(80, mode).at(-1)).toMatch(/ Esc /);
});

test('a notice leaves the key out of rewind in sight', () => {
	const monitor = openTestMonitor({size: {columns: 80, rows: 24}});
	monitor.arrive('new', [pepe]);
	const {columns} = monitor.store.get();
	monitor.moments.push({atMs: NOW_MS, columns} as never);
	monitor.press('<');
	monitor.store.apply(state => noticed(state, {text: long, tone: 'warn', atMs: NOW_MS, isEvent: true}));
	expect(monitor.frame().split('\n').slice(-3).join('\n')).toMatch(/Alert[\s\S]*\n .*Esc back to live/);
});

test('money windows show no alert: the bell and the count in the first line are enough', () => {
	expect(linesWith(120, {kind: 'bridge'}).join('\n')).not.toContain('Alert');
	expect(linesWith(120, {kind: 'bridge'}, undefined, false).join('\n')).toContain('Alert');
});

test('a hint for a key that does nothing in the window on top is left out', () => {
	const said = (mode: Mode | undefined) => linesWith(200, mode, '{preset.list} goes back.').join('\n');
	expect(said(undefined)).toContain("' goes back.");
	expect(said({kind: 'presets', index: 0})).not.toContain('goes back');
});

test('the reason why something is disabled names only keys that work where it is read', () => {
	const keys = boundKeys({keys: {}});
	const monitor = openTestMonitor();
	const state = monitor.store.get();
	for (const {id: of, modes, disabled} of keymap) {
		for (const mode of modes) {
			const reason = disabled?.({...state, modes: [...state.modes, {kind: mode} as Mode]}) ?? '';
			for (const [, id = ''] of reason.matchAll(/\{([\w.]+)\}/g)) {
				// The second key of a pair works in the window that the first one opens.
				const works = keys.worksIn(id, mode) || reason.includes(`then {${id}}`);
				expect({of, mode, names: id, works}).toMatchObject({works: true});
			}
		}
	}
});

test('a view that was pasted into the list of views closes both when it is applied', () => {
	const monitor = openTestMonitor({size: {columns: 120, rows: 30}});
	monitor.press("'", '\u001b[200~pulsetop-view/1 name="Hot" new.sort=mcap:desc\u001b[201~', '\r');
	expect(monitor.store.get().modes).toEqual([{kind: 'list'}]);
	expect(monitor.frame()).toContain('Showing "Hot". Save it with \' s;');
	monitor.press("''");
	expect(monitor.store.get().columns.new.sortBy).toBe('created_at');
});

test('a token that moved on is said beside the keys of the columns, not in a window or a menu', () => {
	const monitor = openTestMonitor({size: {columns: 120, rows: 30}});
	const coin = {...pepe, bonded: false, bonding_percentage: 90};
	monitor.arrive('bonding', [coin]);
	monitor.arrive('bonded', []);
	monitor.store.apply(state => ({
		...state,
		promotions: [{key: coin.key, symbol: 'PEPE', from: 'bonding', to: 'bonded', atMs: NOW_MS - 4000}],
	}));
	const last = () => monitor.frame().split('\n').at(-1);
	expect(last()).toContain('PEPE bonding → bonded 4s ago');
	for (const key of ['v', '?', 's']) {
		monitor.press(key);
		expect(last(), key).not.toContain('PEPE');
		monitor.press('\u001b');
	}
});
