import fc from 'fast-check';
import {expect, test} from 'vitest';
import {WINDOWS_8} from '../../../source/contract/windows.ts';
import {FIELD_WORDS} from '../../../source/monitor/field-words.ts';
import {initialState} from '../../../source/monitor/initial-state.ts';
import {
	activeSlot,
	formatPreset,
	type Preset,
	presetApplied,
	presetChanges,
	presetOf,
	readPreset,
} from '../../../source/monitor/presets.ts';
import {snapshotArrived} from '../../../source/monitor/transitions/column.ts';
import {columnChanged} from '../../../source/monitor/transitions/screen.ts';
import {entryOf} from '../../helpers/entries.ts';

const state = initialState({
	size: {columns: 100, rows: 30},
	nowMs: 0,
	service: {label: 'test', embedded: true},
	theme: 'dark',
});
const base = presetOf(state, 'now');

const read = (line: string): Preset => {
	const result = readPreset(line, base);
	if (!result.ok) throw new Error(result.problem);
	return result.preset;
};
const problem = (line: string): string => {
	const result = readPreset(line, base);
	return result.ok ? '' : result.problem;
};

const column = fc.record({
	sortBy: fc.constantFrom(...FIELD_WORDS.flatMap(({sortBy}) => (sortBy === undefined ? [] : [sortBy]))),
	sortOrder: fc.constantFrom('asc' as const, 'desc' as const),
	window: fc.constantFrom(...WINDOWS_8),
	filter: fc.constantFrom('', 'mcap>50k', 'dev<5% age<10m -kw:elon', 'kw:"a \\"b\\" c"', '(mcap>1k | holders>=5)'),
});

test('a view written as a line and read again is the same view', () => {
	const preset = fc.record({
		name: fc.string({maxLength: 12}).map(text =>
			text
				.replace(/[^ -~]/g, '')
				.trim()
				.replace(/ +/g, ' '),
		),
		columns: fc.record({new: column, bonding: column, bonded: column}),
	});
	fc.assert(
		fc.property(preset, view => {
			expect(read(formatPreset(view))).toEqual(view);
		}),
	);
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
	expect(presetChanges(base, view)).toEqual([
		{view: 'new', part: 'filter', before: '', after: 'mcap>9k'},
		{view: 'bonded', part: 'sort', before: 'created:desc', after: 'holders:asc'},
	]);
});

test('loading a view asks anew only in the columns that it changes', () => {
	const filled = columnChanged(state, 'bonding', c => snapshotArrived(c, [entryOf('a')], 0));
	const view = read('pulsetop-view/1 new.filter="mcap>9k"');
	const loaded = presetApplied(filled, view);
	expect(loaded.columns.bonding).toBe(filled.columns.bonding);
	expect(loaded.columns.new.filter).toMatchObject({text: 'mcap>9k', filters: {market_cap: {gt: 9000}}});
	expect(presetChanges(presetOf(loaded, ''), view)).toEqual([]);
});

test('the columns are known to show a saved view until one of them is changed', () => {
	const view = read('pulsetop-view/1 new.filter="mcap>9k"');
	const loaded = presetApplied({...state, presets: new Map([[3, view]])}, view);
	expect(activeSlot(loaded)).toBe(3);
	expect(activeSlot(presetApplied(loaded, base))).toBeUndefined();
});
