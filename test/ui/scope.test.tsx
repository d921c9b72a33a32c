import {expect, test} from 'vitest';
import {entryOf} from '../helpers/entries.ts';
import {openTestMonitor} from '../helpers/monitor-app.tsx';

const sol = entryOf('So1aaa', {symbol: 'SOLTOK', source: 'pumpfun'});
const base = entryOf('0xbase', {symbol: 'BASETOK', source: 'basememe'}, 'evm:8453');

function open(size = {columns: 120, rows: 24}) {
	const monitor = openTestMonitor({size});
	monitor.arrive('new', [sol, base]);
	monitor.arrive('bonding', [sol]);
	return monitor;
}

test('C lists the chains with a key each; one key narrows all columns, the header says so, and the same key undoes it', () => {
	const monitor = open();
	monitor.press('v', 'c');
	expect(monitor.frame()).toMatch(/a {2}all chains/);
	expect(monitor.frame()).toMatch(/1 {2}SOL {3}Solana +1 token here/);
	expect(monitor.frame()).toMatch(/2 {2}BASE {2}Base +1 token here/);
	monitor.press('2');
	const {columns, scope} = monitor.store.get();
	expect(scope.chains).toEqual(['evm:8453']);
	for (const column of Object.values(columns)) expect(column.scope).toBe(scope);
	expect(monitor.frame()).toContain('only base');
	monitor.press('2');
	expect(monitor.frame()).not.toContain('only base');
});

test('Enter keeps what is chosen, Esc goes back to what was chosen before, a chooses all', () => {
	const monitor = open();
	monitor.press('v', 'c', '1', '\r');
	expect(monitor.frame()).toContain('All columns show only solana.');
	monitor.press('v', 'c', '2', '\u001b');
	expect(monitor.store.get().scope.chains).toEqual(['solana:solana']);
	monitor.press('v', 'c', 'a', '\r');
	expect(monitor.store.get().scope.chains).toEqual([]);
});

test('N narrows to launchpads, and the marked line is toggled by the space bar', () => {
	const monitor = open();
	monitor.press('v', 'l', '\u001b[B', ' ', '\r');
	expect(monitor.store.get().scope).toEqual({chains: [], launchpads: ['pumpfun']});
	expect(monitor.frame()).toContain('only pumpfun');
});

test('an empty column says which toggle leaves everything out, with its key', () => {
	const monitor = open();
	monitor.press('v', 'c', '1', '\r');
	monitor.arrive('new', []);
	expect(monitor.frame()).toMatch(/The service has no token of solana/);
	expect(monitor.frame()).toContain('v c chooses chains');
	monitor.press('f', 'chain:base', '\r');
	expect(monitor.frame()).toContain('All columns are narrowed to');
});
