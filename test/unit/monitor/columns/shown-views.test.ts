import {expect, test} from 'vitest';
import {readShownViews, viewMoved, viewToggled} from '../../../../source/monitor/columns/shown-views.ts';

test('a column changes places with its neighbour, and stays where there is none', () => {
	const shown = ['new', 'bonding', 'bonded'] as const;
	expect(viewMoved(shown, 'new', 1)).toEqual(['bonding', 'new', 'bonded']);
	expect(viewMoved(shown, 'bonding', -1)).toEqual(['bonding', 'new', 'bonded']);
	expect(viewMoved(shown, 'bonding', 1)).toEqual(['new', 'bonded', 'bonding']);
	expect(viewMoved(shown, 'new', -1)).toBe(shown);
	expect(viewMoved(shown, 'bonded', 1)).toBe(shown);
	expect(viewMoved(shown, 'trending', 1)).toBe(shown);
});

test('the last column can’t be removed', () => {
	expect(viewToggled(['new', 'bonded'], 'new')).toEqual(['bonded']);
	expect(viewToggled(['bonded'], 'bonded')).toEqual(['bonded']);
	expect(viewToggled(['bonded'], 'new')).toEqual(['bonded', 'new']);
});

test.each([
	['new, BONDED', {ok: true, shown: ['new', 'bonded']}],
	['new,mine', {ok: false, problem: 'mine is no column; there are new, bonding, bonded, trending'}],
	['', {ok: false, problem: 'nothing is no column; there are new, bonding, bonded, trending'}],
	['new,new', {ok: false, problem: 'a column is there twice'}],
])('the columns “%s” are read as they were written, or refused with the reason', (text, read) => {
	expect(readShownViews(text)).toEqual(read);
});
