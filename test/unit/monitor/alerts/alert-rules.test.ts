import {expect, test} from 'vitest';
import type {Entry} from '../../../../source/contract/entry.ts';
import {isQuiet, readAlertRule, readQuietHours, ruleText} from '../../../../source/monitor/alerts/alert-rules.ts';
import {
	alertsMuted,
	alertsRaised,
	alertsSeen,
	alertsUnmuted,
	anyOf,
	configuredRulesSet,
	ruleAdded,
	ruleRemoved,
	ruleToggled,
} from '../../../../source/monitor/alerts/alert-transitions.ts';
import {tokenHide} from '../../../../source/monitor/hides/hides.ts';
import {type MonitorState, topMode} from '../../../../source/monitor/state.ts';
import {
	changesArrived,
	filterChanged,
	snapshotArrived,
	viewFailed,
} from '../../../../source/monitor/transitions/column.ts';
import {hidesAdded} from '../../../../source/monitor/transitions/hides.ts';
import {columnChanged, modeEntered} from '../../../../source/monitor/transitions/screen.ts';
import type {ViewName} from '../../../../source/monitor/views.ts';
import {entryOf} from '../../../helpers/entries.ts';
import {startState} from '../../../helpers/start-state.ts';

const NOW = 1_700_000_000_000;
const token = (address: string, market_cap: number): Entry => entryOf(address, {symbol: address, market_cap});

const empty = startState({nowMs: NOW});

function withRule(state: MonitorState, text: string): MonitorState {
	const read = readAlertRule(text);
	if (!read.ok) throw new Error(read.problem);
	return ruleAdded(state, read.rule, NOW);
}
const snapshot = (state: MonitorState, view: ViewName, ...entries: readonly Entry[]): MonitorState =>
	alertsRaised(
		state,
		columnChanged(state, view, c => snapshotArrived(c, entries, NOW)),
		NOW,
	);
const change = (state: MonitorState, view: ViewName, ...entries: readonly Entry[]): MonitorState =>
	alertsRaised(
		state,
		columnChanged(state, view, c => changesArrived(c, entries, [], NOW)),
		NOW,
	);
const symbols = (state: MonitorState): string[] => state.alerts.recent.map(alert => alert.symbol);

test('a token that comes to match rings, says the rule, and rings once', () => {
	const ready = snapshot(withRule(empty, 'mcap>50k'), 'new', token('a', 100));
	const crossed = change(ready, 'new', token('a', 60_000));
	expect(crossed.alerts.recent).toMatchObject([{symbol: 'a', view: 'new', rule: 'mcap>50k', atMs: NOW}]);
	expect(crossed.notice?.text).toContain('Alert: a (NEW) matches mcap>50k');
	const again = change(change(crossed, 'new', token('a', 100)), 'new', token('a', 70_000));
	expect(symbols(again)).toEqual(['a']);
});

test('what a column begins with does not ring, neither at once nor when it changes', () => {
	const ready = snapshot(withRule(empty, 'mcap>50k'), 'new', token('a', 90_000));
	expect(symbols(change(ready, 'new', token('a', 95_000)))).toEqual([]);
});

test('what another filter brings in does not ring, what comes afterwards does', () => {
	const ready = snapshot(withRule(empty, 'mcap>50k'), 'new', token('a', 1));
	const asked = columnChanged(ready, 'new', c => filterChanged(c, {text: 'holders>1'}));
	const answered = snapshot(asked, 'new', token('b', 80_000));
	expect(symbols(answered)).toEqual([]);
	expect(symbols(change(answered, 'new', token('c', 80_000)))).toEqual(['c']);
});

test('the history of an embedded market does not ring, neither then nor later; later tokens do', () => {
	const ready = snapshot(alertsMuted(withRule(empty, 'mcap>50k')), 'new', token('a', 1));
	const told = change(ready, 'new', token('a', 60_000), token('b', 70_000));
	expect(symbols(told)).toEqual([]);
	const freed = alertsUnmuted(told);
	expect(symbols(change(freed, 'new', token('b', 80_000)))).toEqual([]);
	expect(symbols(change(freed, 'new', token('c', 80_000)))).toEqual(['c']);
});

test('where snapshots are all there is (polling), a later one rings', () => {
	const ready = snapshot(withRule(empty, 'mcap>50k'), 'new', token('a', 1));
	expect(symbols(snapshot(ready, 'new', token('a', 1), token('b', 80_000)))).toEqual(['b']);
});

test('a rule for one column ignores the others, a rule for all rings once for a token in two', () => {
	const rules = withRule(withRule(empty, '@bonded mcap>50k'), 'mcap>40k');
	const ready = snapshot(snapshot(rules, 'new'), 'bonding');
	const both = change(change(ready, 'new', token('a', 60_000)), 'bonding', token('a', 60_000));
	expect(both.alerts.recent.map(({rule}) => rule)).toEqual(['mcap>40k']);
});

test('a new rule is silent about what matches it already', () => {
	const ready = withRule(snapshot(empty, 'new', token('a', 60_000)), 'mcap>50k');
	expect(symbols(change(ready, 'new', token('a', 61_000), token('b', 61_000)))).toEqual(['b']);
});

test('a rule that is off is silent, and hidden tokens never ring', () => {
	const ready = snapshot(withRule(empty, 'mcap>50k'), 'new');
	expect(symbols(change(ruleToggled(ready, 'mcap>50k', NOW), 'new', token('a', 60_000)))).toEqual([]);
	expect(symbols(change(hidesAdded(ready, [tokenHide(token('a', 0), 'NEW')]), 'new', token('a', 60_000)))).toEqual([]);
});

test('several at once are one notice', () => {
	const ready = snapshot(withRule(empty, 'mcap>50k'), 'new');
	const raised = change(ready, 'new', token('a', 60_000), token('b', 60_000), token('c', 60_000));
	expect(raised.notice?.text).toMatch(/and 2 more \(NEW\)/);
	expect(raised.alerts.unseen).toBe(3);
});

test('while the list is open alerts are in it: they are seen, nothing is said beside it, and the mark stays on its line', () => {
	const ready = snapshot(withRule(empty, 'mcap>50k'), 'new');
	const one = change(ready, 'new', token('a', 60_000));
	const open = modeEntered({...one, alerts: {...one.alerts, unseen: 0}}, {kind: 'alerts', index: 1});
	const two = change(open, 'new', token('b', 60_000));
	expect(symbols(two)).toEqual(['b', 'a']);
	expect(topMode(two)).toMatchObject({index: 2});
	expect(two.notice).toBeUndefined();
	expect(two.alerts).toMatchObject({unseen: 0, rung: 2});
	const onRule = change(modeEntered(one, {kind: 'alerts', index: 0}), 'new', token('b', 60_000));
	expect(topMode(onRule)).toMatchObject({index: 0});
});

test('the mark stays on the last line of a full list, whose oldest alert leaves', () => {
	const newcomer = (at: number) => entryOf(`t${at}`, {symbol: `t${at}`, market_cap: 60_000, created_at: NOW + at});
	let full = snapshot(withRule(empty, 'mcap>50k'), 'new');
	for (let at = 0; at < 300; at++) full = change(full, 'new', newcomer(at));
	const {length} = full.alerts.recent;
	expect(length).toBeLessThan(300);
	// One rule stands above the alerts.
	const next = change(modeEntered(full, {kind: 'alerts', index: length}), 'new', newcomer(300));
	expect(symbols(next).slice(0, 2)).toEqual(['t300', 't299']);
	expect(symbols(next)).toHaveLength(length);
	expect(topMode(next)).toMatchObject({index: length});
});

test.each([
	['mcap>50k', 'mcap>50k'],
	['@bonded  mcap>50k age<1h ', '@bonded mcap>50k age<1h'],
	['@all kw:elon', 'kw:elon'],
])('the rule %s is kept as %s', (typed, kept) => {
	const read = readAlertRule(typed);
	expect(read.ok && ruleText(read.rule)).toBe(kept);
});

test.each([
	['@later mcap>1', '@later is no column: write @new, @bonding, @bonded, @trending or @all'],
	['', 'a filter is needed: mcap>50k age<10m'],
	['@new', 'a filter is needed: mcap>50k age<10m'],
	['mcap>abc', '“abc” is not a number; write 50, 50k, 1.5m or 2b'],
])('the rule “%s” is refused: %s', (typed, problem) => {
	expect(readAlertRule(typed)).toMatchObject({ok: false, problem});
});

test('quiet hours may go over midnight, and end when they say', () => {
	const hours = readQuietHours('23:00-07:00');
	const at = (h: number, m: number) => isQuiet(hours, new Date(2026, 0, 1, h, m));
	expect([at(22, 59), at(23, 0), at(3, 0), at(6, 59), at(7, 0)]).toEqual([false, true, true, true, false]);
	expect(isQuiet(readQuietHours('12:00-13:00'), new Date(2026, 0, 1, 12, 30))).toBe(true);
	const lunch = readQuietHours('12:30-13:15');
	const minutes = [12 * 60 + 29, 12 * 60 + 30, 13 * 60 + 14, 13 * 60 + 15];
	expect(minutes.map(minute => isQuiet(lunch, new Date(2026, 0, 1, 0, minute)))).toEqual([false, true, true, false]);
	expect(isQuiet(readQuietHours('08:00-08:00'), new Date(2026, 0, 1, 8, 0))).toBe(false);
	expect(readQuietHours('25:00-07:00')).toBeUndefined();
	expect(isQuiet(undefined, new Date())).toBe(false);
});

/** The columns after a reconnect: what they show now, and what came and went meanwhile. */
const back = (state: MonitorState, view: ViewName, entries: readonly Entry[], missed: readonly Entry[]): MonitorState =>
	alertsRaised(
		state,
		columnChanged(state, view, c => snapshotArrived(c, entries, NOW)),
		NOW,
		new Map([[view, {missed}]]),
	);

test('after a cut what came meanwhile rings once, also what is gone again; what was there before does not', () => {
	const ready = snapshot(withRule(empty, 'mcap>50k'), 'new', token('a', 90_000), token('quiet', 1));
	const after = back(
		ready,
		'new',
		[token('a', 95_000), token('quiet', 2), token('b', 60_000)],
		[token('c', 70_000), token('d', 5)],
	);
	expect(symbols(after)).toEqual(['b', 'c']);
	expect(after.alerts.recent[1]).toMatchObject({key: token('c', 1).key, view: 'new', entry: {symbol: 'c'}});
	const twice = back(after, 'new', [token('b', 61_000), token('c', 71_000)], [token('a', 95_000), token('c', 70_000)]);
	expect(symbols(twice)).toEqual(['b', 'c']);
});

test('what came and went neither rings while alerts are muted nor when it is hidden, and not later either', () => {
	const ready = snapshot(alertsMuted(withRule(empty, 'mcap>50k')), 'new', token('a', 1));
	const after = alertsUnmuted(back(ready, 'new', [], [token('c', 70_000)]));
	expect(symbols(change(after, 'new', token('c', 70_000)))).toEqual([]);
	const hidden = hidesAdded(snapshot(withRule(empty, 'mcap>50k'), 'new'), [tokenHide(token('c', 70_000), 'NEW')]);
	expect(symbols(back(hidden, 'new', [], [token('c', 70_000)]))).toEqual([]);
});

test('where the filter of a column is nothing but rules, what came and went met one of them, whatever it is now', () => {
	const filtered = (state: MonitorState, text: string) =>
		snapshot(
			columnChanged(state, 'new', c => filterChanged(c, {text})),
			'new',
		);
	const one = back(filtered(withRule(empty, 'mcap>50k'), '(mcap>50k)'), 'new', [], [token('c', 5)]);
	expect(one.alerts.recent).toMatchObject([{symbol: 'c', rule: 'mcap>50k'}]);
	expect(symbols(change(one, 'new', token('c', 60_000)))).toEqual(['c']);
	const both = '(mcap>50k) | (holders>9)';
	const two = filtered(withRule(withRule(empty, 'mcap>50k'), 'holders>9'), both);
	expect(back(two, 'new', [], [token('c', 5)]).alerts.recent).toMatchObject([{symbol: 'c', rule: both}]);
	// Any other filter says nothing of the rules.
	expect(symbols(back(filtered(withRule(empty, 'mcap>50k'), 'mcap>10k'), 'new', [], [token('c', 5)]))).toEqual([]);
});

test('what comes after a failure of its own column rings: rows of the same request had come before', () => {
	const ready = snapshot(withRule(empty, 'mcap>50k'), 'new', token('a', 90_000));
	const problem = {code: 'service-refused', what: 'no', why: 'no', next: 'retry-later', advice: ''} as const;
	const fail = (state: MonitorState) => columnChanged(state, 'new', c => viewFailed(c, problem));
	const after = snapshot(fail(fail(ready)), 'new', token('a', 91_000), token('b', 60_000));
	expect(symbols(after)).toEqual(['b']);
	// The first rows of another filter, after its failure, are no news.
	const asked = fail(columnChanged(after, 'new', c => filterChanged(c, {text: 'holders>1'})));
	expect(symbols(snapshot(asked, 'new', token('e', 80_000)))).toEqual(['b']);
});

test('a token that stays in its column rings once, however many others have rung since', () => {
	const stays = token('stays', 90_000);
	let state = change(snapshot(withRule(empty, 'mcap>50k'), 'new'), 'new', stays);
	for (let round = 0; round < 150; round++) {
		const others = Array.from({length: 40}, (_, i) => token(`t${round}-${i}`, 90_000));
		state = snapshot(state, 'new', {...stays}, ...others);
	}
	const rung = state.alerts.rung;
	expect(rung).toBe(6001);
	expect(change(state, 'new', {...stays, market_cap: 95_000}).alerts.rung).toBe(rung);
});

test.each([0, 60_000, -60_000])('what matches a new rule is known by the clock of the service, %i ms off', skewMs => {
	const bornMs = NOW + skewMs - 30_000;
	const young = entryOf('a', {symbol: 'a', created_at: bornMs});
	const shown = columnChanged({...empty, skewMs}, 'new', c => snapshotArrived(c, [young], NOW));
	expect([...withRule(shown, 'age<1m').alerts.matched]).toHaveLength(1);
	expect([...withRule(shown, 'age<20s').alerts.matched]).toEqual([]);
});

test('ages of a rule count by the clock of the service, for rows and for what came and went', () => {
	const young = entryOf('a', {symbol: 'a', created_at: NOW - 30_000});
	const at = (skewMs: number) => ({...snapshot(withRule(empty, 'age<1m'), 'new', token('x', 1)), skewMs});
	expect(symbols(change(at(0), 'new', young))).toEqual(['a']);
	expect(symbols(change(at(60_000), 'new', young))).toEqual([]);
	expect(symbols(change(at(-60_000), 'new', young))).toEqual(['a']);
	expect(symbols(back(at(60_000), 'new', [], [young]))).toEqual([]);
	expect(symbols(back(at(-60_000), 'new', [], [young]))).toEqual(['a']);
});

test('in a column that is filtered by its rules alone, what came and went rings though its figures are others now', () => {
	const rules = withRule(withRule(empty, 'mcap>50k'), '@new holders>5');
	const text = anyOf(rules.alerts.rules);
	const filtered = columnChanged(rules, 'new', c => filterChanged(c, {text}));
	const ready = snapshot(filtered, 'new', token('x', 60_000));
	expect(back(ready, 'new', [], [token('c', 5)]).alerts.recent).toMatchObject([{symbol: 'c', rule: text}]);
	// With another filter nobody knows what it met.
	const other = snapshot(
		columnChanged(rules, 'new', c => filterChanged(c, {text: 'mcap>50k'})),
		'new',
		token('x', 60_000),
	);
	expect(symbols(back(other, 'new', [], [token('c', 5)]))).toEqual([]);
	// A rule that is off, or of another column, is no part of the filter.
	const one = withRule(ruleToggled(withRule(empty, 'mcap>50k'), 'mcap>50k', NOW), '@new holders>5');
	const alone = snapshot(
		columnChanged(withRule(one, '@bonded age<1m'), 'new', c => filterChanged(c, {text: '(holders>5)'})),
		'new',
		token('x', 60_000),
	);
	expect(back(alone, 'new', [], [token('c', 5)]).alerts.recent).toMatchObject([{symbol: 'c', rule: '@new holders>5'}]);
});

test('rules of a configuration that was read again: known ones keep their state, own ones stay behind', () => {
	const rule = (text: string, isConfigured = false) => {
		const read = readAlertRule(text, {isConfigured});
		if (!read.ok) throw new Error(read.problem);
		return read.rule;
	};
	const start = ['mcap>1', 'mcap>2'].reduce((state, text) => ruleAdded(state, rule(text, true), NOW), empty);
	const own = ruleToggled(withRule(withRule(start, 'mcap>3'), 'mcap>4'), 'mcap>2', NOW);
	const after = configuredRulesSet(own, [rule('mcap>2', true), rule('mcap>4', true), rule('mcap>5', true)], NOW);
	expect(after.alerts.rules.map(({line, isOff, isConfigured}) => [line, isOff, isConfigured])).toEqual([
		['mcap>2', true, true],
		['mcap>4', false, true],
		['mcap>5', false, true],
		['mcap>3', false, false],
	]);
	expect(ruleRemoved(after, 'mcap>4').alerts.rules.map(({line}) => line)).toEqual(['mcap>2', 'mcap>5', 'mcap>3']);
	expect(ruleToggled(after, 'mcap>9', NOW)).toBe(after);
});

test('an opened list has no unseen alerts, and opening it again is no change', () => {
	const rung = change(snapshot(withRule(empty, 'mcap>50k'), 'new'), 'new', token('a', 60_000));
	const seen = alertsSeen(rung);
	expect([rung.alerts.unseen, seen.alerts.unseen]).toEqual([1, 0]);
	expect(alertsSeen(seen)).toBe(seen);
});
