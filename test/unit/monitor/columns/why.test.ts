import {expect, test} from 'vitest';
import type {Entry} from '../../../../source/contract/entry.ts';
import type {Column} from '../../../../source/monitor/columns/column.ts';
import {whyOf} from '../../../../source/monitor/columns/why.ts';
import {parseFilterLine} from '../../../../source/monitor/filter/filter-line.ts';
import {tokenHide} from '../../../../source/monitor/hides/hides.ts';
import type {MonitorState} from '../../../../source/monitor/state.ts';
import {
	cursorPlaced,
	filterChanged,
	limitChanged,
	searchChanged,
	snapshotArrived,
} from '../../../../source/monitor/transitions/column.ts';
import {hidesAdded} from '../../../../source/monitor/transitions/hides.ts';
import {columnChanged, pinToggled, scopeSet} from '../../../../source/monitor/transitions/screen.ts';
import type {ViewName} from '../../../../source/monitor/views.ts';
import {entryOf} from '../../../helpers/entries.ts';
import {startState} from '../../../helpers/start-state.ts';

const NOW = 1_700_000_000_000;

const token = (address: string, figures: Partial<Entry> = {}): Entry =>
	entryOf(address, {
		symbol: address,
		bonded: false,
		bonding_percentage: 20,
		volume_1h: 500,
		market_cap: 6000,
		created_at: NOW - 30_000,
		...figures,
	});

function stateWith(
	view: ViewName,
	entries: readonly Entry[],
	change: (column: Column) => Column = c => c,
): MonitorState {
	const state = startState({nowMs: NOW});
	return columnChanged(state, view, column => snapshotArrived(change(column), entries, NOW));
}

const filtered = (text: string) => (column: Column) => {
	const {filters, viewOptions} = parseFilterLine(text);
	return filterChanged(column, {text, filters, viewOptions: {...viewOptions}});
};

const inColumn = (state: MonitorState, entry: Entry, view: ViewName) =>
	whyOf(state, entry, NOW).find(column => column.view === view)!;

test('the clause that keeps a token out is named as it was typed, with what the token has', () => {
	const state = stateWith('new', [], filtered('mcap>50k age<10m -kw:elon'));
	const why = inColumn(state, token('a'), 'new');
	expect(why.verdict).toBe('out');
	expect(why.clauses.filter(clause => !clause.passed)).toEqual([
		{text: 'mcap>50k', passed: false, actual: 'mcap 6k ≤ 50k'},
	]);
	expect(why.clauses.find(clause => clause.text === 'age<10m')).toEqual({
		text: 'age<10m',
		passed: true,
		actual: 'age 30s',
	});
});

test('a figure that was not reported is said to be unknown, not 0', () => {
	const state = stateWith('new', [], filtered('dev<5%'));
	const failed = inColumn(state, token('a'), 'new').clauses.find(clause => !clause.passed);
	expect(failed).toEqual({text: 'dev<5%', passed: false, actual: 'dev is not known'});
});

test('what the line gives as a view option counts as a clause too', () => {
	const state = stateWith('new', [], filtered('chain:base'));
	expect(inColumn(state, token('a'), 'new').clauses.some(({text, passed}) => text === 'chain:base' && !passed)).toBe(
		true,
	);
});

test('each column has its own stage: a bonded token is kept out of the first two for that', () => {
	const state = stateWith('bonded', []);
	const bonded = token('a', {bonded: true, bonding_percentage: 100});
	expect(inColumn(state, bonded, 'new')).toMatchObject({verdict: 'out'});
	expect(inColumn(state, bonded, 'bonding').clauses[0]).toEqual({
		text: 'it has not bonded yet',
		passed: false,
		actual: 'bonded',
	});
	expect(inColumn(state, bonded, 'bonded').clauses).toEqual([{text: 'it has bonded', passed: true, actual: 'bonded'}]);
});

test('a shown token is reported with its position', () => {
	const [first, second] = [token('a'), token('b', {created_at: NOW - 60_000})];
	const state = stateWith('new', [second, first]);
	expect(inColumn(state, second, 'new')).toMatchObject({verdict: 'shown', text: '#2 of 2'});
});

test('a newcomer behind the frozen order waits, and Esc is what lets it in', () => {
	const [first, second] = [token('a'), token('b')];
	const held = columnChanged(stateWith('new', [first]), 'new', c =>
		snapshotArrived(cursorPlaced(c, first.key), [first, second], NOW),
	);
	expect(inColumn(held, second, 'new')).toMatchObject({
		verdict: 'frozen',
		hint: expect.stringContaining('{order.release}'),
	});
});

test('hides and the quick search are distinguished from filters', () => {
	const entry = token('abc');
	const state = stateWith('new', [entry]);
	expect(inColumn(hidesAdded(state, [tokenHide(entry, 'NEW')]), entry, 'new').text).toContain('hidden by hand');
	const searched = columnChanged(state, 'new', c => searchChanged(c, 'zzz'));
	expect(inColumn(searched, entry, 'new')).toMatchObject({verdict: 'hidden', text: expect.stringContaining('/zzz')});
});

test('a token that passes everything but comes behind the last row of a full column is beyond it', () => {
	const rows = [token('a', {created_at: NOW}), token('b', {created_at: NOW - 1000})];
	const state = stateWith('new', rows, column => limitChanged(column, 2));
	expect(inColumn(state, token('old', {created_at: NOW - 90_000}), 'new').verdict).toBe('beyond');
	expect(inColumn(state, token('newest', {created_at: NOW + 1}), 'new').verdict).toBe('unlisted');
});

test('a token that stands in another column says which, and by which rule', () => {
	const low = token('low', {bonding_percentage: 12});
	const high = token('high', {bonding_percentage: 42});
	const both = columnChanged(stateWith('new', [low, high]), 'bonding', c => snapshotArrived(c, [low, high], NOW));
	expect(inColumn(both, low, 'new').text).toBe('#1 of 1');
	expect(inColumn(both, low, 'bonding')).toMatchObject({
		verdict: 'elsewhere',
		text: 'a token stands in one column: this one in NEW until bonding>=30%',
	});
	expect(inColumn(both, high, 'new').text).toBe(
		'a token stands in one column: this one in BONDING from bonding>=30% on',
	);
	const pinned = pinToggled(both, high, 'new', NOW);
	expect(inColumn(pinned, high, 'bonding').text).toBe(
		'a token stands in one column: this one in NEW, where it is pinned',
	);
	const bonded = token('bonded', {bonding_percentage: 12, bonded: true});
	const inBonded = columnChanged(stateWith('bonded', [bonded]), 'new', c =>
		snapshotArrived(cursorPlaced(snapshotArrived(c, [low], NOW), low.key), [low, bonded], NOW),
	);
	expect(inColumn(inBonded, bonded, 'new')).toMatchObject({
		verdict: 'elsewhere',
		text: 'a token stands in one column: this one in BONDED',
	});
	const held = columnChanged(stateWith('new', [high]), 'new', c => cursorPlaced(c, high.key));
	const waiting = (['new', 'bonding'] as const).reduce(
		(state, view) => columnChanged(state, view, c => snapshotArrived(c, [low, high], NOW)),
		held,
	);
	expect(inColumn(waiting, low, 'new')).toMatchObject({
		verdict: 'frozen',
		text: 'waits behind the frozen order, and is in BONDING until then',
		hint: '{order.release} lets it in',
	});
});

test('ages count by the clock of the service', () => {
	const state = stateWith('new', [], filtered('age<1m'));
	const ageIn = (skewMs: number) =>
		inColumn({...state, skewMs}, token('a'), 'new').clauses.find(({text}) => text === 'age<1m');
	expect(ageIn(0)).toMatchObject({passed: true, actual: 'age 30s'});
	expect(ageIn(60_000)).toMatchObject({passed: false, actual: 'age 90s ≥ 1m'});
	expect(ageIn(-20_000)).toMatchObject({passed: true, actual: 'age 10s'});
});

test('what is filtered here is marked, the clauses of the view itself are the service’s', () => {
	const state = stateWith('new', [], column => ({...filtered('mcap>5k')(column), isLocal: true}));
	const marks = inColumn(state, token('a'), 'new').clauses.map(({text, isLocal}) => [text, isLocal ?? false]);
	expect(marks.at(-1)).toEqual(['mcap>5k', true]);
	expect(marks.slice(0, -1).every(([, isLocal]) => isLocal === false)).toBe(true);
	expect(marks.length).toBeGreaterThan(1);
});

test('a service that does not sort has no last row that others come behind', () => {
	const rows = [token('a', {created_at: NOW}), token('b', {created_at: NOW - 1000})];
	const full = stateWith('new', rows, c => limitChanged({...c, isUnsorted: true}, 2));
	const {verdict, text} = inColumn(full, token('c', {created_at: NOW - 5000}), 'new');
	expect(verdict).toBe('unlisted');
	expect(text).toContain('the service does not sort');
});

test('a scope keeps out tokens of other launchpads, and those whose launchpad is unknown', () => {
	const scoped = scopeSet(stateWith('new', []), {chains: [], launchpads: ['pumpfun']});
	const clause = (source?: string) =>
		inColumn(scoped, token('a', source === undefined ? {} : {source}), 'new').clauses.find(({text}) =>
			text.startsWith('all columns'),
		);
	expect(clause('pumpfun')).toMatchObject({passed: true, actual: 'launchpad pumpfun'});
	expect(clause('boop')).toMatchObject({passed: false, actual: 'launchpad boop'});
	expect(clause()).toMatchObject({passed: false, actual: 'launchpad not known'});
});

test('a pinned token that the filter would keep out says why it is shown; one that passes has its place alone', () => {
	const [small, large] = [token('a', {market_cap: 10}), token('b', {market_cap: 10_000})];
	const state = pinToggled(
		pinToggled(stateWith('new', [small, large], filtered('mcap>5k')), small, 'new', NOW),
		large,
		'new',
		NOW,
	);
	expect(inColumn(state, small, 'new').text).toMatch(/^#\d of 2, only because it is pinned$/);
	expect(inColumn(state, large, 'new').text).toMatch(/^#\d of 2$/);
});

test('a pinned row at the end of a full column is not its last one', () => {
	const rows = [token('a', {created_at: NOW}), token('b', {created_at: NOW - 1000})];
	const pinned = token('old', {created_at: NOW - 90_000});
	const state = pinToggled(
		stateWith('new', rows, c => limitChanged(c, 2)),
		pinned,
		'new',
		NOW,
	);
	const full = columnChanged(state, 'new', c => snapshotArrived(c, [...rows, pinned], NOW));
	expect(inColumn(full, token('c', {created_at: NOW - 5000}), 'new').verdict).toBe('beyond');
	expect(inColumn(full, token('c', {created_at: NOW - 500}), 'new').verdict).toBe('unlisted');
});
