import {expect, test} from 'vitest';
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
	expect(frame).toContain('Why PEPE is here or not');
	expect(frame).toMatch(/NEW {2}✓ here: no\. 1 of 1/);
	expect(frame).toMatch(/✗ mcap>50k\s+mcap 12\.3k ≤ 50k/);
	expect(frame).toMatch(/✗ holders>=10\s+holders is not known/);
	expect(frame).toMatch(/✗ it has bonded\s+not bonded/);
	monitor.press('\u001b');
	expect(monitor.frame()).not.toContain('Why PEPE');
});

test('on the smallest screen the explanation scrolls to its last line', () => {
	const monitor = openTestMonitor({size: {columns: 40, rows: 12}});
	monitor.arrive('new', [token('PEPE', 20)]);
	monitor.press('j', 'e');
	expect(monitor.frame()).not.toContain('it has bonded');
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

test('an address that nobody knows is said, with the reason', async () => {
	const monitor = openTestMonitor({size: SIZE});
	monitor.press(':', 'why 4Nd1mBQtrMJVYVfKf2PJy9NZUZdTAsp7D4xWLs4gDB4T', '\r');
	await expect.poll(() => monitor.frame()).toContain('The token cannot be looked up');
});

test('a view is saved under a number, loaded with the prefix, and the way back is one key more', () => {
	const monitor = openTestMonitor({size: SIZE});
	monitor.press('s', 'holders', '\r', 'V', 's', 'Holders first', '\r', '\u001b');
	expect(monitor.frame()).toContain('1 Holders first');
	monitor.press('s', 'liquidity', '\r');
	expect(monitor.frame()).not.toContain('1 Holders first');
	monitor.press("'");
	expect(monitor.frame()).toMatch(/view: {2}1 Holders first/);
	monitor.press('1');
	expect(monitor.store.get().columns.new.sortBy).toBe('holders_count');
	monitor.press("''");
	expect(monitor.store.get().columns.new.sortBy).toBe('liquidity');
});

test('a digit alone stays a count, with saved views too', () => {
	const monitor = openTestMonitor({size: SIZE});
	monitor.press('V', 's', 'x', '\r', '\u001b');
	monitor.arrive(
		'new',
		['A1', 'B2', 'C3', 'D4'].map((name, at) => token(name, at)),
	);
	monitor.press('3j');
	expect(monitor.store.get().columns.new.cursor).toBe(token('C3', 0).key);
});

test('a view is copied as one line, and that line, pasted into another list, shows what it changes before it does', () => {
	const sender = openTestMonitor({size: SIZE, columns: {bonded: {filter: 'mcap>9k -kw:elon'}}});
	sender.press('V', 'y');
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
	monitor.press('V', 'i', 'pulsetop-view/1 new.sort=mcapp', '\r');
	expect(monitor.frame()).toContain("new.sort: a column can't be sorted by mcapp");
	expect(monitor.frame()).toContain('view, as a line: pulsetop-view/1 new.sort=mcapp');
	monitor.press('\u0017', 'new.sort=mcap', '\r', '4');
	expect(monitor.store.get().presets.get(4)?.columns.new.sortBy).toBe('market_cap');
	expect(monitor.store.get().columns.new.sortBy).toBe('market_cap');
});

test('views are renamed and removed, and an empty number does nothing', () => {
	const monitor = openTestMonitor({size: SIZE});
	monitor.press("'");
	expect(monitor.frame()).toContain('no view is saved yet');
	monitor.press('V', 'j', '\r', 'Old', '\r');
	monitor.press('V', 'n', '\u0015', 'Whales', '\r', '\u001b');
	expect(monitor.store.get().presets.get(2)?.name ?? monitor.store.get().presets.get(1)?.name).toBe('Whales');
	monitor.press("'", '7');
	expect(monitor.frame()).toContain('View 7 is empty');
	monitor.press('V', 'x');
	expect(monitor.store.get().presets.size).toBe(0);
});
