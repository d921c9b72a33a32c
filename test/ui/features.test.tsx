import {expect, test} from 'vitest';
import type {Entry} from '../../source/contract/entry.ts';
import {alertsRaised} from '../../source/monitor/alerts/alert-transitions.ts';
import {topMode} from '../../source/monitor/state.ts';
import {viewChangesArrived} from '../../source/monitor/transitions/feed.ts';
import {ticked} from '../../source/monitor/transitions/screen.ts';
import {entryOf} from '../helpers/entries.ts';
import {NOW_MS, openTestMonitor} from '../helpers/monitor-app.tsx';

const token = (symbol: string, ageS: number, figures = {}) =>
	entryOf(`${symbol}address`, {
		symbol,
		name: `${symbol} coin`,
		created_at: NOW_MS - ageS * 1000,
		market_cap: 12_345,
		bonded: false,
		bonding_percentage: 10,
		volume_1h: 100,
		...figures,
	});

const SIZE = {columns: 100, rows: 30};

test('the explanation of a token names each column and each clause with its value', () => {
	const monitor = openTestMonitor({size: SIZE, columns: {bonding: {filter: 'mcap>50k holders>=10'}}});
	monitor.arrive('new', [token('PEPE', 20)]);
	monitor.press('j', 'e');
	const frame = monitor.frame();
	expect(frame).toContain('Which columns show PEPE, and why');
	expect(frame).toMatch(/NEW {2}✓ here: #1 of 1/);
	expect(frame).toMatch(/✗ S mcap>50k\s+mcap 12\.3k ≤ 50k/);
	expect(frame).toMatch(/✗ S holders>=10\s+holders is not known/);
	expect(frame).toMatch(/✗ S it has bonded\s+not bonded/);
	expect(frame).not.toContain('page down');
	monitor.press('\u001b');
	expect(monitor.frame()).not.toContain('Why PEPE');
});

test('an explanation longer than its window scrolls to its end and not beyond: one key up shows the line above', () => {
	const monitor = openTestMonitor({size: {columns: 40, rows: 12}});
	monitor.arrive('new', [token('PEPE', 20)]);
	monitor.press('j', 'e');
	const first = monitor.frame();
	expect(first).toContain('PgDn page down');
	monitor.press('G');
	const end = monitor.frame();
	expect(end).toContain('it has bonded');
	monitor.press('j', 'j', 'j', ' ');
	expect(monitor.frame()).toBe(end);
	monitor.press('k');
	expect(monitor.frame()).not.toBe(end);
	monitor.press('g');
	expect(monitor.frame()).toBe(first);
});

test('on the smallest screen the explanation scrolls to its last line', () => {
	const monitor = openTestMonitor({size: {columns: 40, rows: 12}});
	monitor.arrive('new', [token('PEPE', 20)]);
	monitor.press('j', 'e');
	expect(monitor.frame()).not.toContain('it has bonded');
	expect(monitor.frame()).toContain('PgDn page down');
	monitor.press('j'.repeat(12));
	expect(monitor.frame()).toContain('it has bonded');
});

test('a typed command sorts the column, the way it says', () => {
	const monitor = openTestMonitor({size: SIZE});
	monitor.press(':', 'sort mcap asc', '\r');
	expect(monitor.store.get().columns.new).toMatchObject({sortBy: 'market_cap', sortOrder: 'asc'});
	expect(monitor.store.get().modes).toHaveLength(1);
});

test('a command that can not be understood stays open, says what is wrong, and does nothing', () => {
	const monitor = openTestMonitor({size: SIZE});
	monitor.press(':', 'filter mcap>5q', '\r');
	expect(monitor.frame()).toContain('“5q” is not a number');
	expect(monitor.store.get().columns.new.filter.text).toBe('');
	monitor.press('\u0017', 'mcap>5k', '\r');
	expect(monitor.store.get().columns.new.filter.text).toBe('mcap>5k');
});

test('Tab takes a completion over, and Enter on one runs the line it stands for', () => {
	const monitor = openTestMonitor({size: SIZE});
	monitor.press(':', 'theme li', '\t');
	expect(monitor.frame()).toContain('> theme light');
	monitor.press('\r');
	expect(monitor.store.get().theme).toBe('light');
});

test('a command found by its name waits for its arguments', () => {
	const monitor = openTestMonitor({size: SIZE});
	monitor.press(':', 'keeps a token out', '\r');
	expect(monitor.frame()).toContain('> why ');
	expect(monitor.frame()).toContain('why ADDRESS [CHAIN]');
});

test('why and go take a token of the screen by its symbol', async () => {
	const address = '4Nd1mBQtrMJVYVfKf2PJy9NZUZdTAsp7D4xWLs4gDB4T';
	const pepe = entryOf(address, {symbol: 'PEPE', name: 'Pepe'});
	const monitor = openTestMonitor({size: {columns: 120, rows: 40}});
	monitor.arrive('bonded', [pepe, token('WIF', 3)]);
	monitor.press(':', 'go pep', '\r');
	await expect.poll(() => monitor.store.get().detail?.key).toBe(pepe.key);
	expect(monitor.frame()).toContain('4Nd1 mBQt');
});

test('an unknown address is reported with the reason', async () => {
	const monitor = openTestMonitor({size: SIZE});
	monitor.press(':', 'why 4Nd1mBQtrMJVYVfKf2PJy9NZUZdTAsp7D4xWLs4gDB4T', '\r');
	await expect.poll(() => monitor.frame()).toContain('The token cannot be looked up');
});

test('a view is saved under a number, loaded by its digit in the list, and the way back is one key more', () => {
	const monitor = openTestMonitor({size: SIZE});
	monitor.press('s', 'holders', '\r', "'", 's', 'Holders first', '\r', '\u001b');
	expect(monitor.frame()).toContain('1 Holders first');
	monitor.press('s', 'liquidity', '\r');
	expect(monitor.frame()).not.toContain('1 Holders first');
	monitor.press("'");
	expect(monitor.frame()).toMatch(/Saved views[\s\S]*Holders first/);
	monitor.press('1');
	expect(monitor.store.get().columns.new.sortBy).toBe('holders_count');
	monitor.press("''");
	expect(monitor.store.get().columns.new.sortBy).toBe('liquidity');
});

test('a view without a name of its own stands in the header by its number, once', () => {
	const monitor = openTestMonitor({size: SIZE});
	monitor.press('s', 'holders', '\r', "'", 's', '\u0015', '\r', '\u001b');
	const [header] = monitor.frame().split('\n');
	expect(header).toContain('  View 1');
	expect(header).not.toContain('1 View 1');
});

test('a digit alone stays a count, with saved views too', () => {
	const monitor = openTestMonitor({size: SIZE});
	monitor.press("'", 's', 'x', '\r', '\u001b');
	monitor.arrive(
		'new',
		['A1', 'B2', 'C3', 'D4'].map((name, at) => token(name, at)),
	);
	monitor.press('3j');
	expect(monitor.store.get().columns.new.cursor).toBe(token('C3', 0).key);
});

test('a view is copied as one line, and that line, pasted into another list, shows what it changes before it does', () => {
	const sender = openTestMonitor({size: SIZE, columns: {bonded: {filter: 'mcap>9k -kw:elon'}}});
	sender.press("'", 'y');
	const [line = ''] = sender.copied;
	expect(line).not.toContain('\n');
	const reader = openTestMonitor({size: SIZE});
	reader.press(`\u001b[200~${line}\u001b[201~`);
	expect(reader.frame()).toMatch(/BONDED\s+filter\s+no filter\s+→ mcap>9k -kw:elon/);
	expect(reader.store.get().columns.bonded.filter.text).toBe('');
	reader.press('\r');
	expect(reader.store.get().columns.bonded.filter.text).toBe('mcap>9k -kw:elon');
	expect(reader.store.get().modes).toHaveLength(1);
});

test('an imported line with a mistake changes nothing and says where it is', () => {
	const monitor = openTestMonitor({size: SIZE});
	monitor.press("'", 'i', 'pulsetop-view/1 new.sort=mcapp', '\r');
	expect(monitor.frame()).toContain("new.sort: a column can't be sorted by mcapp");
	expect(monitor.frame()).toContain('paste a view: pulsetop-view/1 new.sort=mcapp');
	monitor.press('\u0017', 'new.sort=mcap', '\r', '4');
	expect(monitor.store.get().savedViews.get(4)?.columns.new.sortBy).toBe('market_cap');
	expect(monitor.store.get().columns.new.sortBy).toBe('market_cap');
});

test('views are renamed and removed, and an empty number does nothing', () => {
	const monitor = openTestMonitor({size: SIZE});
	monitor.press("''");
	expect(monitor.frame()).toContain('No view was loaded yet.');
	monitor.press('j', '\r', 'Old', '\r');
	monitor.press("'", 'n', '\u0015', 'Whales', '\r', '\u001b');
	expect(monitor.store.get().savedViews.get(2)?.name ?? monitor.store.get().savedViews.get(1)?.name).toBe('Whales');
	monitor.press("'", '7');
	expect(monitor.frame()).toContain('View 7 is empty');
	monitor.press("'", 'x');
	expect(monitor.store.get().savedViews.size).toBe(0);
});

const news = (upserts: readonly Entry[], removed: readonly string[] = []) => ({
	changes: [{upserts, removed}],
	atMs: NOW_MS + 1000,
});

test.each([
	['one', {columns: 100, rows: 24}],
	['two', {columns: 160, rows: 40}],
])('a token that bonded is marked in its new column for thirty seconds, with rows of %s line', (_, size) => {
	const monitor = openTestMonitor({size, nowMs: NOW_MS});
	const [pepe, other] = [token('PEPE', 100), token('OTHER', 5, {bonded: true})];
	monitor.arrive('bonding', [pepe]);
	monitor.arrive('bonded', [other]);
	monitor.press('\t\t');
	monitor.store.apply(state =>
		viewChangesArrived(
			state,
			new Map([
				['bonding' as const, news([], [pepe.key])],
				['bonded' as const, news([{...pepe, bonded: true}])],
			]),
		),
	);
	monitor.store.apply(state => ticked(state, NOW_MS + 5000));
	expect(monitor.frame()).toMatch(/ →PEPE/);
	expect(monitor.frame()).toContain('PEPE bonding → bonded 4s ago');
	if (size.columns >= 160) expect(monitor.frame()).toMatch(/→PEPE .*4s ago/);
	monitor.store.apply(state => ticked(state, NOW_MS + 32_000));
	expect(monitor.frame()).toMatch(/ {2}PEPE/);
	monitor.press('jj', '\r');
	expect(monitor.frame()).toContain('came from bonding 31s ago');
});

test('without motion nothing comes and goes: no marks of moves, no seconds that count, no background for newcomers', () => {
	const monitor = openTestMonitor({size: {columns: 120, rows: 40}, isStill: true});
	const [pepe, other] = [token('PEPE', 100), token('OTHER', 5, {bonded: true})];
	monitor.arrive('new', [token('MOVER', 10)]);
	monitor.arrive('bonding', [pepe]);
	monitor.arrive('bonded', [other]);
	const rises = new Map([
		['new' as const, news([{...token('MOVER', 10), market_cap: 99_000}])],
		['bonding' as const, news([], [pepe.key])],
		['bonded' as const, news([{...pepe, bonded: true}])],
	]);
	monitor.store.apply(state => viewChangesArrived(state, rises));
	const frame = monitor.frame();
	expect(frame).toMatch(/MOVER +SOL +11s +99\.0K/);
	expect(frame).toMatch(/→PEPE/);
	expect(frame).toContain('PEPE bonding → bonded');
	monitor.store.apply(state => ticked(state, NOW_MS + 1000));
	expect(monitor.frame()).not.toMatch(/\d+s ago/);
});

test('a token with the symbol of known money in foreign letters is marked, and the pane says which letters and which address', () => {
	const monitor = openTestMonitor({size: {columns: 160, rows: 40}});
	const fake = entryOf('0x1111111111111111111111111111111111111111', {symbol: 'USD\u0421', bonded: false}, 'evm:8453');
	monitor.arrive('new', [fake]);
	expect(monitor.frame()).toContain('!USD\u0421');
	monitor.press('j', '\r');
	expect(monitor.frame()).toContain('U+0421');
	expect(monitor.frame()).toContain('0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913');
});

test('a copy is marked and names the address of the one that was there before', () => {
	const monitor = openTestMonitor({size: {columns: 160, rows: 40}, ascii: true});
	const [first, copy] = [token('PEPE', 90), {...token('PEPE2', 3), symbol: 'pepe'}];
	monitor.arrive('new', [first, copy]);
	expect(monitor.frame()).toMatch(/~pepe/);
	expect(monitor.frame()).toMatch(/ {2}PEPE/);
	monitor.press('j', '\r');
	expect(monitor.frame()).toMatch(/[&~] same symbol as PEPE .*1m older/);
	expect(monitor.frame()).toContain('PEPEaddress');
});

test('a rule is typed, checked, and rings for what comes to match: in the first line, the last line and the list', () => {
	const monitor = openTestMonitor({size: {columns: 120, rows: 30}});
	monitor.arrive('new', [token('OLD', 10)]);
	monitor.press('A', 'n', 'mcap>abc', '\r');
	expect(monitor.frame()).toContain('“abc” is not a number');
	monitor.press('\u0017', 'mcap>50k', '\u001b[B', '\r', '\u001b');
	expect(monitor.store.get().alerts.rules).toMatchObject([{where: 'new', line: 'mcap>50k', isOff: false}]);
	const rich = token('RICH', 2, {market_cap: 90_000});
	monitor.store.apply(state =>
		alertsRaised(state, viewChangesArrived(state, new Map([['new' as const, news([rich])]])), NOW_MS),
	);
	expect(monitor.frame()).toContain('1 alert');
	expect(monitor.frame()).toContain('Alert: RICH (NEW) matches @new mcap>50k');
	monitor.press('A');
	expect(monitor.frame()).toMatch(/rule {2}@new mcap>50k/);
	expect(monitor.frame()).toMatch(/RICH in new\s+@new mcap>50k/);
	expect(monitor.frame()).not.toContain('1 alert ');
});

test('Enter switches a rule off and on, x removes it', () => {
	const monitor = openTestMonitor({size: SIZE});
	monitor.press(':', 'alert @bonded mcap>50k', '\r', 'A', '\r');
	expect(monitor.store.get().alerts.rules[0]?.isOff).toBe(true);
	monitor.press('\r');
	expect(monitor.store.get().alerts.rules[0]?.isOff).toBe(false);
	monitor.press('x');
	expect(monitor.store.get().alerts.rules).toEqual([]);
	expect(monitor.frame()).toContain('No rule yet');
});

/** What a terminal sends for the mouse (SGR), cells from 0. */
const mouse = {
	click: (x: number, y: number) => `\u001b[<0;${x + 1};${y + 1}M\u001b[<0;${x + 1};${y + 1}m`,
	wheelDown: (x: number, y: number) => `\u001b[<65;${x + 1};${y + 1}M`,
	wheelUp: (x: number, y: number) => `\u001b[<64;${x + 1};${y + 1}M`,
};
/** Where a text stands on the screen. */
const placeOf = (frame: string, text: string): readonly [number, number] => {
	const lines = frame.split('\n');
	const y = lines.findIndex(line => line.includes(text));
	return [lines[y]!.indexOf(text), y];
};

test.each([
	['one', {columns: 80, rows: 24}],
	['two', {columns: 160, rows: 40}],
])('a click puts the cursor on what was clicked, a second one opens it, with rows of %s line', (_, size) => {
	const monitor = openTestMonitor({size});
	monitor.arrive('new', [token('AAA', 10)]);
	monitor.arrive('bonding', [token('BBB', 10, {market_cap: 9000}), token('CCC', 20, {market_cap: 8000})]);
	const at = placeOf(monitor.frame(), 'CCC');
	monitor.press(mouse.click(...at));
	expect(monitor.store.get().focus).toBe('bonding');
	expect(monitor.store.get().columns.bonding.cursor).toBe(token('CCC', 0).key);
	expect(monitor.store.get().modes).toHaveLength(1);
	monitor.press(mouse.click(...at));
	expect(monitor.store.get().detail?.key).toBe(token('CCC', 0).key);
});

test('a click on a heading sorts that column by it, again turns the order around', () => {
	const monitor = openTestMonitor({size: {columns: 80, rows: 24}});
	monitor.arrive('bonding', [token('BBB', 10)]);
	const [x, y] = [monitor.frame().split('\n')[2]!.lastIndexOf('AGE'), 2];
	monitor.press(mouse.click(x, y));
	expect(monitor.store.get().columns.bonding).toMatchObject({sortBy: 'created_at', sortOrder: 'desc'});
	monitor.press(mouse.click(x, y));
	expect(monitor.store.get().columns.bonding.sortOrder).toBe('asc');
	expect(monitor.store.get().columns.new).toMatchObject({sortBy: 'created_at', sortOrder: 'desc'});
});

test('the wheel scrolls the column under it without a cursor, holds its order, and lets it go at the top', () => {
	const monitor = openTestMonitor({size: {columns: 80, rows: 24}});
	monitor.arrive(
		'new',
		Array.from({length: 50}, (_, at) => token(`T${at}`, at)),
	);
	monitor.press(mouse.wheelDown(5, 10));
	expect(monitor.frame()).not.toMatch(/ T2 /);
	expect(monitor.frame()).toMatch(/ T3 /);
	expect(monitor.store.get().columns.new).toMatchObject({frozen: true, top: 3});
	expect(monitor.store.get().columns.new.cursor).toBeUndefined();
	monitor.press(mouse.wheelUp(5, 10));
	expect(monitor.store.get().columns.new).toMatchObject({frozen: false, top: 0});
});

test('clicks reach nothing below a menu, a prompt or a money window', () => {
	const monitor = openTestMonitor({size: {columns: 80, rows: 24}});
	monitor.arrive('new', [token('AAA', 10), token('BBB', 20)]);
	for (const enter of [{kind: 'bridge'}, {kind: 'perp'}, {kind: 'themes', index: 0, before: 'dark'}] as const) {
		monitor.actions.enterMode(enter);
		const before = monitor.store.get();
		monitor.press(mouse.click(4, 3), mouse.click(4, 3));
		expect(monitor.store.get().columns).toBe(before.columns);
		expect(monitor.store.get().modes).toBe(before.modes);
		if (enter.kind !== 'themes') {
			monitor.press(mouse.wheelDown(4, 4));
			expect(monitor.store.get().columns).toBe(before.columns);
			expect(monitor.store.get().modes).toBe(before.modes);
		}
		monitor.actions.leaveMode();
	}
});

test('a click on one of two columns leaves both where they are', () => {
	const monitor = openTestMonitor({size: {columns: 80, rows: 24}});
	monitor.arrive('bonding', [token('BBB', 10)]);
	monitor.press('\t\t');
	monitor.frame();
	const at = placeOf(monitor.frame(), 'BBB');
	monitor.press(mouse.click(...at));
	expect(placeOf(monitor.frame(), 'BBB')).toEqual(at);
	monitor.press(mouse.click(...at));
	expect(monitor.store.get().detail?.key).toBe(token('BBB', 0).key);
});

test('rewind shows what the columns held, says so, and allows no action', () => {
	const monitor = openTestMonitor({size: {columns: 100, rows: 24}});
	const remember = (atMs: number) =>
		monitor.moments.push({atMs, skewMs: 0, columns: monitor.store.get().columns, priceOf: () => undefined});
	monitor.arrive('new', [token('OLDEST', 10)]);
	remember(NOW_MS - 120_000);
	monitor.change('new', [token('NEWER', 5)], [token('OLDEST', 0).key]);
	remember(NOW_MS - 60_000);
	monitor.press('<');
	expect(monitor.frame().split('\n')[0]).toContain('REWIND');
	expect(monitor.frame()).toMatch(/NEWER[\s\S]*rewind .* 1m 00s ago/);
	monitor.press('<');
	expect(monitor.frame()).toMatch(/OLDEST[\s\S]*2m 00s ago/);
	expect(monitor.frame()).not.toContain('NEWER');
	const before = monitor.store.get();
	monitor.press('x', 'P', 'y', 'b', 'o', 'f');
	expect(monitor.store.get().columns).toBe(before.columns);
	expect(monitor.store.get().modes).toBe(before.modes);
	monitor.press('>', '\u001b');
	expect(monitor.frame()).toContain('NEWER');
	expect(monitor.frame()).not.toContain('REWIND');
});

test('rewind goes by moments, by minutes, to the ends and by the wheel', () => {
	const monitor = openTestMonitor({size: {columns: 100, rows: 24}});
	const agoS = Array.from({length: 61}, (_, at) => 5 * (60 - at));
	for (const s of agoS)
		monitor.moments.push({
			atMs: NOW_MS - 1000 * s,
			skewMs: 0,
			columns: monitor.store.get().columns,
			priceOf: () => undefined,
		});
	const after = (...keys: readonly string[]): number => {
		monitor.press(...keys);
		const mode = topMode(monitor.store.get());
		return mode.kind === 'rewind' ? agoS[mode.at]! : Number.NaN;
	};
	const [up, down, pageUp, wheelUp, wheelDown] = [
		'\u001b[A',
		'\u001b[B',
		'\u001b[5~',
		'\u001b[<64;10;10M',
		'\u001b[<65;10;10M',
	];
	expect([after('<'), after('<'), after('3', 'h'), after('l')]).toEqual([0, 5, 20, 15]);
	expect([after('k'), after(up), after('2', 'j'), after(down)]).toEqual([75, 135, 15, 0]);
	expect([after(pageUp), after('g'), after(' '), after('G')]).toEqual([60, 300, 240, 0]);
	expect([after(wheelUp), after(wheelUp), after(wheelDown)]).toEqual([15, 30, 15]);
});

test('without any history rewind says so', () => {
	const monitor = openTestMonitor({size: SIZE});
	monitor.press('<');
	expect(monitor.frame()).toContain('No history yet');
});
