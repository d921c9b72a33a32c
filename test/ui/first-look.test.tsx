import {expect, test} from 'vitest';
import {noticed} from '../../source/monitor/transitions/screen.ts';
import {entryOf} from '../helpers/entries.ts';
import {NOW_MS, openTestMonitor} from '../helpers/monitor-app.tsx';

/* What somebody who starts the program for the first time reads, and should not have to wonder about. */

const pepe = entryOf('pepeaddress', {symbol: 'PEPE', name: 'PEPE coin', created_at: NOW_MS - 5000, market_cap: 12_345});

const lastLine = (frame: string) => frame.trimEnd().split('\n').at(-1);

test.each([80, 100, 120, 200])('the way to all keys is among the hints of a screen %i cells wide', columns => {
	const monitor = openTestMonitor({size: {columns, rows: 24}});
	monitor.arrive('new', [pepe]);
	expect(lastLine(monitor.frame())).toContain('? help');
	monitor.press('j', '\r');
	expect(lastLine(monitor.frame())).toContain('? help');
});

test('the sort menu says of an age which end comes first, and of a figure too', () => {
	const monitor = openTestMonitor({size: {columns: 100, rows: 30}});
	monitor.press('s');
	expect(monitor.frame()).toMatch(/age +age, newest first/);
	monitor.press('\r', 's');
	expect(monitor.frame()).toMatch(/age +age, oldest first/);
	monitor.press('mcap', '\r', 's');
	expect(monitor.frame()).toMatch(/mcap, (largest|smallest) first/);
});

test('a refusal goes when another window opens: it was about the last key', () => {
	const monitor = openTestMonitor({size: {columns: 100, rows: 24}});
	monitor.press('\r');
	expect(lastLine(monitor.frame())).toContain('There is no token here to open');
	monitor.press('?');
	expect(monitor.frame()).not.toContain('There is no token here to open');
	expect(lastLine(monitor.frame())).toContain('Esc close');
});

test('an alert stays in the last line when another window opens', () => {
	const monitor = openTestMonitor({size: {columns: 100, rows: 24}});
	monitor.store.apply(state =>
		noticed(state, {text: 'Alert: PEPE in new matches mcap>1k', tone: 'warn', atMs: NOW_MS, isNews: true}),
	);
	monitor.press('?');
	expect(lastLine(monitor.frame())).toContain('Alert: PEPE');
});

test('a list of alerts without rules says how to make one', () => {
	const monitor = openTestMonitor({size: {columns: 100, rows: 24}});
	monitor.press('A');
	expect(monitor.frame()).toContain('No rule yet: n adds one, such as mcap>100k dev<5%');
});

test('what is reported of a contract reads as a sentence would, good or bad', () => {
	const monitor = openTestMonitor({size: {columns: 120, rows: 60}});
	const flags = {
		renounced: false,
		noMintAuthority: false,
		isMintable: false,
		transferPausable: true,
		balanceMutable: false,
		isNotOpenSource: false,
		modifyableTax: false,
	};
	monitor.arrive('new', [{...pepe, security: flags, snipers_count: 1, snipers_holdings_percentage: 2}]);
	monitor.press('j', '\r', '\u001b[6~');
	const frame = monitor.frame();
	for (const words of [
		'✗ ownership kept',
		'✗ mint authority kept',
		'✓ not mintable',
		'✗ transfers pausable',
		'✓ balances fixed',
		'✓ open source',
		'✓ tax is fixed',
	])
		expect(frame).toContain(words);
	expect(frame).toMatch(/snipers +2\.0%.? +1 wallet\s/);
});
