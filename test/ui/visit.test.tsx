import {expect, onTestFinished, test, vi} from 'vitest';
import {topMode} from '../../source/monitor/state.ts';
import type {Need} from '../../source/ui/keymap/binding.ts';
import {DEFAULT_KEYS} from '../../source/ui/keymap/bound-keys.ts';
import {entryOf} from '../helpers/entries.ts';
import {openTestMonitor} from '../helpers/monitor-app.tsx';

/** Calls of the file system and of programs while `isGuarded`, which fail. */
const host = vi.hoisted(() => ({isGuarded: false, touched: [] as string[]}));
vi.mock(import('node:fs'), async original => guarded(await original(), 'fs'));
vi.mock(import('node:fs/promises'), async original => guarded(await original(), 'fs/promises'));
vi.mock(import('node:child_process'), async original => guarded(await original(), 'child_process'));

function guarded<M extends object>(module: M, name: string): M {
	const members = Object.entries(module).map(([member, value]) => {
		// Classes and constants do nothing by themselves.
		if (typeof value !== 'function' || /^[A-Z]/.test(member)) return [member, value];
		const guard = (...args: readonly unknown[]) => {
			if (!host.isGuarded) return value(...args);
			host.touched.push(`${name}.${member}(${args[0]})`);
			throw new Error(`${name}.${member} was called for a viewer`);
		};
		return [member, guard];
	});
	return Object.fromEntries([...members, ['default', Object.fromEntries(members)]]) as M;
}

function open(size = {columns: 160, rows: 40}) {
	const monitor = openTestMonitor({size, readOnly: true, visit: {viewers: 12}, isLazy: true});
	monitor.arrive('new', [
		entryOf('0x1', {symbol: 'AAA', deployer: '0xdev', twitter: 'https://x.com/aaa'}, 'evm:8453'),
		entryOf('0x2', {symbol: 'BBB'}, 'evm:8453'),
	]);
	monitor.press('j');
	return monitor;
}

/** What the terminal sends for a key of the table. */
function typed(key: string): string {
	const named: Readonly<Record<string, string>> = {
		enter: '\r',
		esc: '\u001b',
		tab: '\t',
		space: ' ',
		backspace: '\u007f',
		up: '\u001b[A',
		down: '\u001b[B',
		right: '\u001b[C',
		left: '\u001b[D',
		pageUp: '\u001b[5~',
		pageDown: '\u001b[6~',
		home: '\u001b[H',
		end: '\u001b[F',
		delete: '\u001b[3~',
		shiftTab: '\u001b[Z',
	};
	const control = /^ctrl\+([a-z])$/.exec(key)?.[1];
	return control === undefined ? (named[key] ?? key) : String.fromCharCode(control.charCodeAt(0) - 96);
}

test('the header says who looks and how many do', () => {
	expect(open().frame()).toMatch(/PRACTICE +read-only guest, 12 viewers/);
	const named = openTestMonitor({visit: {viewers: 1, name: 'anna'}, readOnly: true});
	expect(named.frame()).toMatch(/read-only anna /);
	expect(named.frame()).toMatch(/\d\d:\d\d:\d\dZ/);
});

const SAID: Readonly<Record<Need, RegExp>> = {
	money: /^Not over this connection; to trade: npm install -g pulsetop\.$/,
	files: /^No files here: y copies the list, a paste imports it\.$/,
	operator: /^Only for the operator of this host\.$/,
	shell: /^There is no shell here; q leaves\.$/,
};

const kept = DEFAULT_KEYS.bindings.filter(({needs}) => needs !== undefined);
test.each(
	kept
		.filter(({modes, keys}) => keys.length > 0 && (modes.includes('list') || modes.includes('hidden')))
		.map(({id, keys, needs, isLine, modes}) => ({
			id,
			key: keys[0]!,
			needs: needs!,
			isLine,
			isHides: modes[0] === 'hidden',
		})),
)('$id does nothing for a viewer and says why', ({key, needs, isHides}) => {
	const monitor = open();
	if (isHides) monitor.press('X');
	const before = topMode(monitor.store.get()).kind;
	monitor.press(typed(key));
	expect(monitor.store.get().notice?.text).toMatch(SAID[needs]);
	expect(topMode(monitor.store.get()).kind).toBe(before);
});

test('the list of more actions gives the reason beside each one that a viewer has not', () => {
	const monitor = open();
	monitor.press('M');
	const frame = monitor.frame();
	expect(frame).toMatch(/Webhooks +not over SSH/);
	expect(frame).toMatch(/Action log +not over SSH/);
	expect(frame).not.toMatch(/Watch list +not over SSH/);
	monitor.press('\u001b', '+');
	expect(monitor.frame()).not.toContain('+ buy');
});

test('the help lists the keys that a viewer has, and no others', () => {
	const monitor = open({columns: 80, rows: 24});
	monitor.press('?');
	expect(monitor.frame()).toMatch(/MOVE +j k/);
	expect(monitor.frame()).not.toMatch(/MONEY/);
	monitor.press('/');
	expect(monitor.frame()).not.toMatch(/MONEY/);
	monitor.press('\u001b');
	let all = '';
	for (let page = 0; page < 40; page++) {
		all += monitor.frame();
		monitor.press(' ');
	}
	expect(all).toMatch(/end/);
	expect(all).not.toMatch(/\+ buy|lock signing|Ctrl\+Z|MONEY WINDOWS|Webhooks|Bridge tokens|Write bug/);
	const own = openTestMonitor({size: {columns: 80, rows: 24}});
	own.press('?');
	expect(own.frame()).toMatch(/\+ buy/);
});

test('money, wallet, webhooks and what belongs to the operator need something that a viewer has not', () => {
	const ids = kept.map(({id}) => id);
	for (const {id, danger} of DEFAULT_KEYS.bindings) if (danger) expect(ids).toContain(id);
	for (const id of ['positions.open', 'log.open', 'webhooks.open', 'feed.addresses', 'program.report', 'config.reload'])
		expect(ids).toContain(id);
	for (const id of ['program.suspend', 'hidden.write', 'hidden.import']) expect(ids).toContain(id);
});

test('no key, three deep, no command and no paste of a viewer reaches a file, a program or another process', async () => {
	host.isGuarded = true;
	onTestFinished(() => {
		host.isGuarded = false;
	});
	const kill = vi.spyOn(process, 'kill').mockImplementation(() => {
		throw new Error('process.kill was called for a viewer');
	});
	onTestFinished(() => kill.mockRestore());
	const keysIn = (kind: string) =>
		DEFAULT_KEYS.bindings.filter(({modes}) => modes.some(mode => mode === kind)).flatMap(({keys}) => keys.map(typed));
	const opened = new Set<string>();
	for (const first of keysIn('list')) {
		const one = open();
		one.press(first);
		const second = topMode(one.store.get()).kind;
		opened.add(second);
		for (const key of second === 'list' ? [] : keysIn(second)) {
			const two = open();
			two.press(first, key);
			opened.add(topMode(two.store.get()).kind);
			two.press('~/.ssh/authorized_keys', '\r', '\u001b[200~/etc/passwd\u001b[201~', '\r', typed('ctrl+z'));
		}
	}
	for (const {id, modes} of DEFAULT_KEYS.bindings) {
		const monitor = open();
		if (modes.some(mode => mode === 'hidden')) monitor.press('X');
		monitor.press(':', id, '\r');
	}
	for (const line of [
		'hide /etc/passwd',
		'view /etc/passwd',
		'alert /etc/passwd',
		'go file:///etc/passwd',
		'theme ../x',
	])
		open().press(':', line, '\r');
	// What was begun in the background has its turn.
	await new Promise(resolve => setTimeout(resolve, 50));
	expect(host.touched).toEqual([]);
	expect(kill).not.toHaveBeenCalled();
	for (const kind of ['detail', 'palette', 'alerts', 'hidden', 'presets', 'prediction', 'watchlist', 'labels', 'help'])
		expect([...opened]).toContain(kind);
	for (const kind of ['trade', 'bridge', 'perp', 'predictionAccount', 'positions', 'webhooks', 'actionLog'])
		expect([...opened]).not.toContain(kind);
});
