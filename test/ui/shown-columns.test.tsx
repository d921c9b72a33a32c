import {expect, test} from 'vitest';
import {ViewNotServed} from '../../source/client/feed/view-refusal.ts';
import {explain} from '../../source/errors.ts';
import {formatSavedView} from '../../source/monitor/saved-views/saved-view-text.ts';
import {savedViewOf} from '../../source/monitor/saved-views/saved-view-transitions.ts';
import {viewFailed} from '../../source/monitor/transitions/column.ts';
import {columnChanged} from '../../source/monitor/transitions/screen.ts';
import {entryOf} from '../helpers/entries.ts';
import {NOW_MS, openTestMonitor} from '../helpers/monitor-app.tsx';

const token = (symbol: string) => entryOf(`${symbol}address`, {symbol, created_at: NOW_MS - 5000, market_cap: 12_345});
const titlesOf = (monitor: ReturnType<typeof openTestMonitor>) =>
	monitor
		.frame()
		.split('\n')[1]!
		.match(/NEW|BONDING|BONDED|TRENDING/g);

test('v o chooses the columns and their order, the screen follows, and Esc brings the old ones back', () => {
	const monitor = openTestMonitor({size: {columns: 160, rows: 40}});
	expect(titlesOf(monitor)).toEqual(['NEW', 'BONDING', 'BONDED']);
	monitor.press('v', 'o', 'j', ' ');
	expect(monitor.store.get().shownViews).toEqual(['new', 'bonded']);
	monitor.press('\u001b');
	expect(titlesOf(monitor)).toEqual(['NEW', 'BONDING', 'BONDED']);
	monitor.press('v', 'o', 'J', '\r');
	expect(titlesOf(monitor)).toEqual(['BONDING', 'NEW', 'BONDED']);
	monitor.press('v', 'o', 'r', '\r');
	expect(titlesOf(monitor)).toEqual(['NEW', 'BONDING', 'BONDED']);
});

test('one column alone has the whole screen, shows everything in a line, and takes no token from another', () => {
	const monitor = openTestMonitor({size: {columns: 160, rows: 40}});
	monitor.arrive('new', [token('AAA'), token('BBB')]);
	monitor.arrive('bonding', [token('BBB')]);
	expect(monitor.frame().match(/BBB/g)).toHaveLength(1);
	monitor.press('v', 'o', 'o', '\r');
	expect(titlesOf(monitor)).toEqual(['NEW']);
	const [headings, first, second] = monitor.frame().split('\n').slice(2);
	for (const name of ['ON', 'NAME', 'AGE', 'BUY/SELL', 'FULL', 'DEV TOP SNI INS BUN', 'LAUNCHPAD', 'FEES'])
		expect(headings).toContain(name);
	expect([first, second].join('\n')).toMatch(/AAA[\s\S]*BBB/);
	monitor.press('\t');
	expect(monitor.store.get().focus).toBe('new');
});

test('the last column stays, and going to a column that is left out shows it', () => {
	const monitor = openTestMonitor({size: {columns: 160, rows: 40}});
	monitor.press('v', 'o', 'o', ' ');
	expect(monitor.frame()).toContain('One column is always shown.');
	monitor.press('\r', ':column bonded', '\r');
	expect(monitor.store.get().shownViews).toEqual(['new', 'bonded']);
	expect(monitor.store.get().focus).toBe('bonded');
});

test('a saved view keeps the columns, and its line says them', () => {
	const monitor = openTestMonitor({size: {columns: 160, rows: 40}});
	monitor.press('v', 'o', 'j', 'o', '\r', "'", 's', 'Curves\r', '\u001b', 'v', 'o', 'r', '\r');
	expect(monitor.store.get().shownViews).toHaveLength(3);
	monitor.press("'1");
	expect(monitor.store.get().shownViews).toEqual(['bonding']);
	expect(formatSavedView(savedViewOf(monitor.store.get(), 'x'))).toContain('columns=bonding');
});

test('launches stand in NEW until 30 % of their curve, and a column that is left empty says by which rule', () => {
	const monitor = openTestMonitor({size: {columns: 160, rows: 40}});
	const launches = ['AAA', 'BBB'].map(symbol => ({...token(symbol), bonding_percentage: 29.9}));
	monitor.arrive('new', launches);
	monitor.arrive('bonding', launches);
	const frame = monitor.frame();
	expect(frame.split('\n')[1]).toMatch(/NEW 2 .*BONDING 0 .*2 in NEW/);
	expect(frame).toContain('Every token of this view stands in NEW now.');
	expect(frame).toMatch(/shown in one column only: in NEW until[\s\S]*30 % of its bonding curve/);
	monitor.arrive('bonding', [{...launches[0]!, bonding_percentage: 30}]);
	expect(monitor.frame().split('\n')[1]).toMatch(/NEW 1 .*1 in BONDING.*BONDING 1 /);
});

const trending = (symbol: string, score: number) => ({...token(symbol), trending_score_24h: score});

test('TRENDING is a fourth column: its tokens stand in the column of their phase, too', () => {
	const monitor = openTestMonitor({size: {columns: 160, rows: 45}});
	expect(titlesOf(monitor)).not.toContain('TRENDING');
	monitor.press('v', 'o', 'jjj', ' ', '\r');
	expect(titlesOf(monitor)).toEqual(['NEW', 'BONDING', 'BONDED', 'TRENDING']);
	monitor.arrive('new', [token('AAA'), token('BBB')]);
	monitor.arrive('trending', [trending('AAA', 5), trending('BBB', 9), {...trending('CCC', 7), bonded: true}]);
	const rows = monitor.frame().split('\n');
	expect(rows[1]).toMatch(/TRENDING 3 \S+score24h/);
	const trends = rows.flatMap(row => row.slice(120).match(/AAA|BBB|CCC/) ?? []);
	expect(trends).toEqual(['BBB', 'CCC', 'AAA']);
	expect(monitor.frame().match(/AAA/g)).toHaveLength(2);
	expect(monitor.frame()).toMatch(/CCC[\s\S]*bonded/);
});

test('TRENDING is sorted, filtered, searched, pinned, opened and looked back at as the others', () => {
	const monitor = openTestMonitor({size: {columns: 160, rows: 45}, shownViews: ['new', 'trending']});
	monitor.arrive('new', [token('AAA')]);
	monitor.arrive('trending', [trending('AAA', 5), trending('BBB', 9)]);
	monitor.moments.push({
		atMs: NOW_MS - 5000,
		skewMs: 0,
		columns: monitor.store.get().columns,
		priceOf: () => undefined,
	});
	monitor.press('\t', 'j', 'j');
	expect(monitor.store.get()).toMatchObject({focus: 'trending', columns: {trending: {frozen: true}}});
	monitor.press('*');
	expect([...monitor.store.get().pins.values()]).toMatchObject([{view: 'trending', symbol: 'AAA'}]);
	monitor.press('\u001b', '/', 'bbb', '\r');
	expect(monitor.frame()).toMatch(/TRENDING 1 /);
	monitor.press('\u001b', 'f', 'mcap>1k', '\r');
	expect(monitor.store.get().columns.trending.filter.text).toBe('mcap>1k');
	monitor.press(':sort mcap', '\r');
	expect(monitor.store.get().columns.trending.sortBy).toBe('market_cap');
	monitor.press('<');
	expect(monitor.frame()).toMatch(/REWIND[\s\S]*TRENDING 2/);
});

test('a moment in which TRENDING was not shown holds nothing of it, and says so', () => {
	const monitor = openTestMonitor({size: {columns: 160, rows: 45}});
	monitor.arrive('new', [token('AAA')]);
	monitor.moments.push({
		atMs: NOW_MS - 5000,
		skewMs: 0,
		columns: monitor.store.get().columns,
		priceOf: () => undefined,
	});
	monitor.press('v', 'o', 'jjj', ' ', '\r');
	monitor.arrive('trending', [trending('BBB', 9)]);
	monitor.press('<');
	expect(monitor.frame()).toContain('No data of that time.');
	expect(monitor.frame()).not.toContain('BBB');
});

test('a service without it: the column says so and offers the way out, and the choice stays', () => {
	const monitor = openTestMonitor({size: {columns: 160, rows: 45}, shownViews: ['new', 'trending']});
	const problem = explain(new ViewNotServed('trending', 'status 400 (bad request); it said: no such model'));
	monitor.arrive('new', [token('AAA')]);
	monitor.store.apply(state => columnChanged(state, 'trending', c => viewFailed(c, problem)));
	for (const words of [
		'This service has no trending view.',
		'it said: no such model',
		'v o chooses columns',
		'not served',
	])
		expect(monitor.frame()).toContain(words);
	expect(monitor.frame()).toContain('AAA');
	expect(monitor.store.get().shownViews).toEqual(['new', 'trending']);
});

test('where four columns have no room the choice says how wide all of them are, and how to get to the fourth', () => {
	const monitor = openTestMonitor({size: {columns: 120, rows: 40}});
	monitor.press('v', 'o', 'jjj', ' ');
	expect(monitor.frame()).toMatch(/shows 3 of 4 columns at a time: all of them need 159 cells\./);
	monitor.press('\r');
	expect(titlesOf(monitor)).toEqual(['NEW', 'BONDING', 'BONDED']);
	expect(monitor.frame().split('\n')[1]).toContain('Tab: +1');
	monitor.press('\u001b[Z');
	expect(titlesOf(monitor)).toEqual(['BONDING', 'BONDED', 'TRENDING']);
});
