import {expect, test} from 'vitest';
import {WINDOWS_8} from '../../../../source/contract/windows.ts';
import {FIELD_WORDS} from '../../../../source/monitor/filter/field-words.ts';
import {
	type SavedView,
	savedViewChanges,
	savedViewSummary,
	slotOf,
} from '../../../../source/monitor/saved-views/saved-view.ts';
import {formatSavedView, readSavedView} from '../../../../source/monitor/saved-views/saved-view-text.ts';
import {
	activeSlot,
	savedViewApplied,
	savedViewOf,
} from '../../../../source/monitor/saved-views/saved-view-transitions.ts';
import {snapshotArrived} from '../../../../source/monitor/transitions/column.ts';
import {columnChanged} from '../../../../source/monitor/transitions/screen.ts';
import {VIEWS} from '../../../../source/monitor/views.ts';
import {entryOf} from '../../../helpers/entries.ts';
import {fc} from '../../../helpers/properties.ts';
import {startState} from '../../../helpers/start-state.ts';

const state = startState();
const base = savedViewOf(state, 'now');

const read = (line: string): SavedView => {
	const result = readSavedView(line, base);
	if (!result.ok) throw new Error(result.problem);
	return result.savedView;
};
const problem = (line: string): string => {
	const result = readSavedView(line, base);
	return result.ok ? '' : result.problem;
};

const column = fc.record({
	sortBy: fc.constantFrom(...FIELD_WORDS.flatMap(({sortBy}) => (sortBy === undefined ? [] : [sortBy]))),
	sortOrder: fc.constantFrom('asc' as const, 'desc' as const),
	window: fc.constantFrom(...WINDOWS_8),
	fields: fc.constantFrom<readonly string[]>([], ['mcap'], ['risk', 'buyers5m', 'name', 'lasttrade']),
	filter: fc.constantFrom('', 'mcap>50k', 'dev<5% age<10m -kw:elon', 'kw:"a \\"b\\" c"', '(mcap>1k | holders>=5)'),
});

test('a view written as a line and read again is the same view', () => {
	const savedView = fc.record({
		name: fc.string({maxLength: 12}).map(text =>
			text
				.replace(/[^ -~]/g, '')
				.trim()
				.replace(/ +/g, ' '),
		),
		columns: fc.record({new: column, bonding: column, bonded: column, trending: column}),
		scope: fc.record({
			chains: fc.uniqueArray(fc.constantFrom('solana:solana', 'evm:8453', 'evm:56', 'evm:999999')),
			launchpads: fc.uniqueArray(fc.constantFrom('pumpfun', 'meteora-dbc')),
		}),
		shownViews: fc.shuffledSubarray([...VIEWS], {minLength: 1}),
	});
	fc.assert(
		fc.property(savedView, view => {
			expect(read(formatSavedView(view))).toEqual(view);
		}),
	);
});

test('a line of an earlier version, which knows no TRENDING, is read; and without TRENDING a line stays as it was', () => {
	const line =
		'pulsetop-view/1 name="Old" new.sort=created:desc new.window=5m new.filter="mcap>1k" new.fields=usual ' +
		'bonding.sort=mcap:desc bonding.window=1h bonding.filter="" bonding.fields=usual ' +
		'bonded.sort=bondedat:desc bonded.window=1h bonded.filter="" bonded.fields=usual columns=bonded,new';
	const view = read(line);
	expect(view.columns.trending).toEqual(base.columns.trending);
	expect(view.shownViews).toEqual(['bonded', 'new']);
	expect(formatSavedView(view)).toBe(line);
	expect(formatSavedView({...view, shownViews: ['trending', 'new']})).toContain('trending.sort=score24h:desc');
	const sorted = {...view, columns: {...view.columns, trending: {...view.columns.trending, filter: 'mcap>5k'}}};
	expect(formatSavedView(sorted)).toContain('trending.filter="mcap>5k"');
});

test('what a line leaves out stays as it is on the screen', () => {
	const view = read('pulsetop-view/1 new.filter="mcap>9k"');
	expect(view.columns.new).toEqual({...base.columns.new, filter: 'mcap>9k'});
	expect(view.columns.bonded).toEqual(base.columns.bonded);
});

test('a line that went through a chat program, with curly quotes and line breaks, is read', () => {
	expect(read('pulsetop-view/1 name=“Two words”\n new.filter=“mcap>5k age<10m” ')).toMatchObject({
		name: 'Two words',
		columns: {new: {filter: 'mcap>5k age<10m'}},
	});
});

test.each([
	['something else', 'a saved view is a line that begins with pulsetop-view/1'],
	['pulsetop-view/2 name="x"', 'the line was written by a newer version'],
	['pulsetop-view/1 new.sorts=mcap', 'new.sorts is not known; the nearest is new.sort'],
	['pulsetop-view/1 new.sort=symbol', "new.sort: a column can't be sorted by symbol"],
	['pulsetop-view/1 new.sort=mcap:up', 'new.sort: up is not asc or desc'],
	['pulsetop-view/1 new.window=3m', 'new.window: 3m is no time window'],
	['pulsetop-view/1 new.filter="mcap>abc"', 'new.filter: mcap>abc has a mistake'],
	['pulsetop-view/1 name="x" and more', '“and more” is not name=value'],
	['pulsetop-view/1 name="never closed', '“name="never closed” is not name=value'],
])('%s is refused with the reason', (line, words) => {
	expect(problem(line)).toBe(words);
});

test('what a name holds can not act on the terminal', () => {
	expect(read('pulsetop-view/1 name="\u001b[31mred\u202e"').name).not.toMatch(/[\u001b\u202e]/);
});

test('the changes name each part that differs, before and after, and nothing else', () => {
	const view = read('pulsetop-view/1 new.filter="mcap>9k" bonded.sort=holders:asc');
	expect(savedViewChanges(base, view)).toEqual([
		{view: 'new', part: 'filter', before: '', after: 'mcap>9k'},
		{view: 'bonded', part: 'sort', before: 'bondedat:desc', after: 'holders:asc'},
	]);
});

test('loading a view requests again only the columns that it changes', () => {
	const filled = columnChanged(state, 'bonding', c => snapshotArrived(c, [entryOf('a')], 0));
	const view = read('pulsetop-view/1 new.filter="mcap>9k"');
	const loaded = savedViewApplied(filled, view);
	expect(loaded.columns.bonding).toBe(filled.columns.bonding);
	expect(loaded.columns.new.filter).toMatchObject({text: 'mcap>9k', filters: {market_cap: {gt: 9000}}});
	expect(savedViewChanges(savedViewOf(loaded, ''), view)).toEqual([]);
});

test('the columns are known to show a saved view until one of them is changed', () => {
	const view = read('pulsetop-view/1 new.filter="mcap>9k"');
	const loaded = savedViewApplied({...state, savedViews: new Map([[3, view]])}, view);
	expect(activeSlot(loaded)).toBe(3);
	expect(activeSlot(savedViewApplied(loaded, base))).toBeUndefined();
});

test('what the rows show is a part of a view, and shown before it is applied', () => {
	const view = read('pulsetop-view/1 name="Crowd" new.fields=mcap,BUYERS:5m,risk bonded.fields=usual');
	expect(view.columns.new.fields).toEqual(['mcap', 'buyers5m', 'risk']);
	expect(savedViewChanges(base, view)).toEqual([
		{view: 'new', part: 'fields', before: 'usual', after: 'mcap,buyers5m,risk'},
	]);
	const applied = savedViewApplied(state, view);
	expect(applied.columns.new.fields).toEqual(['mcap', 'buyers5m', 'risk']);
	expect(savedViewApplied(applied, base).columns).toEqual(state.columns);
});

test('a line of the time before rows could be chosen says nothing of them', () => {
	const chosen = {...base, columns: {...base.columns, new: {...base.columns.new, fields: ['mcap']}}};
	const result = readSavedView('pulsetop-view/1 name="Old" new.sort=mcap:asc new.window=5m new.filter=""', chosen);
	expect(result).toMatchObject({
		ok: true,
		savedView: {name: 'Old', columns: {new: {fields: ['mcap'], sortOrder: 'asc'}}},
	});
});

test.each([
	['new.fields=mcap,holdrs', 'new.fields: holdrs is no field; the nearest is holders'],
	['new.fields=mcap,mcap', 'new.fields: mcap is there twice'],
	['new.fields=symbol', 'new.fields: every row begins with it: leave symbol out'],
	['new.fields=deployer', 'new.fields: deployer is no figure'],
	['new.feilds=mcap', 'new.feilds is not known; the nearest is new.fields'],
])('%s is refused: %s', (words, why) => {
	expect(problem(`pulsetop-view/1 ${words}`)).toBe(why);
});

test('a view is named by its number or its name, in any letter case', () => {
	const views = new Map([
		[2, {...base, name: 'Fresh'}],
		[5, {...base, name: '7'}],
	]);
	expect([' 2 ', 'fresh', '5', '7', '', 'old'].map(text => slotOf(text, views))).toEqual([
		2,
		2,
		5,
		5,
		undefined,
		undefined,
	]);
});

test('a view in short has the sorts of its columns and the number of filters', () => {
	const withFilters = (...views: readonly ('new' | 'bonded')[]) => ({
		...base,
		columns: {
			...base.columns,
			...Object.fromEntries(views.map(view => [view, {...base.columns[view], filter: 'mcap>5'}])),
		},
	});
	const sorts = savedViewSummary(base);
	expect(sorts).toBe('created, mcap, bondedat');
	expect(savedViewSummary(withFilters('new'))).toBe(`${sorts}; 1 filter`);
	expect(savedViewSummary(withFilters('new', 'bonded'))).toBe(`${sorts}; 2 filters`);
});
