import {mkdtemp, readFile} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {entryOf} from '../helpers/entries.ts';
import {openTestMonitor} from '../helpers/monitor-app.tsx';

const DEV = '0xAbCdEf0123456789aBcDeF0123456789AbCdEf01';

function open() {
	const monitor = openTestMonitor({size: {columns: 120, rows: 24}});
	monitor.arrive('new', [
		entryOf('0x1', {symbol: 'RUGA', created_at: 3, deployer: DEV}, 'evm:8453'),
		entryOf('0x2', {symbol: 'RUGB', created_at: 2, deployer: DEV}, 'evm:8453'),
		entryOf('0x3', {symbol: 'ELONX', created_at: 1}, 'evm:8453'),
	]);
	monitor.press('j');
	return monitor;
}

test('X d hides the deployer of the token under the cursor, the column counts its tokens, and u undoes it', () => {
	const monitor = open();
	monitor.press('X');
	expect(monitor.frame()).toMatch(/hide the deployer of RUGA .*2 tokens here/);
	monitor.press('d', '\u001b');
	expect(monitor.frame()).toContain('2 hidden');
	expect(monitor.frame()).not.toContain('RUGB');
	monitor.press('u');
	expect(monitor.frame()).toContain('RUGB');
	expect(monitor.frame()).not.toContain('2 hidden');
});

test('X n hides a keyword; the list says what hides and why, and Enter on a line shows it again', () => {
	const monitor = open();
	monitor.press('X', 'n', 'elon', '\r');
	expect(monitor.frame()).toMatch(/keyword “elon” +in symbol, name or description/);
	monitor.press('\u001b');
	expect(monitor.frame()).not.toContain('ELONX');
	monitor.press('X', '\u001b[B', '\u001b[B', '\r');
	expect(monitor.store.get().hidden.size).toBe(0);
	expect(monitor.frame()).toContain('is shown again');
});

test('x in the columns hides the token; in the list, d on it hides its deployer', () => {
	const monitor = open();
	monitor.press('x', 'X', '\u001b[B', '\u001b[B', 'd');
	expect([...monitor.store.get().hidden.values()].map(({kind, reason}) => [kind, reason])).toEqual([
		['token', 'by hand, from new'],
		['deployer', 'deployer of RUGA'],
	]);
});

test('what is hidden is copied as a line, and a pasted line is shown before it hides anything', async () => {
	const monitor = open();
	monitor.press('X', 'n', 'elon', '\r', 'y');
	await expect.poll(() => monitor.copied).toEqual(['pulsetop-hidden/1 keyword="elon"']);
	const other = open();
	other.press(`\u001b[200~${monitor.copied[0]}\u001b[201~`);
	expect(other.store.get().hidden.size).toBe(0);
	other.press('\r');
	expect([...other.store.get().hidden.keys()]).toEqual(['keyword elon']);
	expect(other.frame()).toContain('Imported 1 to hide.');
});

test('it is written to a file and read from one', async () => {
	const path = join(await mkdtemp(join(tmpdir(), 'pulsetop-hides-')), 'list.txt');
	const monitor = open();
	monitor.press('X', 'n', 'elon', '\r', 'w', '\u0015', path, '\r');
	await expect.poll(() => readFile(path, 'utf8').catch(() => '')).toBe('pulsetop-hidden/1\nkeyword="elon"\n');
	const other = open();
	other.press('X', 'i', path, '\r');
	await expect.poll(() => [...other.store.get().hidden.keys()]).toEqual(['keyword elon']);
	other.press('i', `${path}.none`, '\r');
	await expect.poll(() => other.frame()).toContain('there is no such file or directory');
});
