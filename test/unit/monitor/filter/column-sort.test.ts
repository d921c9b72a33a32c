import {expect, test} from 'vitest';
import {readColumnSort} from '../../../../source/monitor/filter/column-sort.ts';

test.each([
	['volume_1h desc', 'volume_1h', 'desc'],
	['vol5m:asc', 'volume_5min', 'asc'],
	['  mcap  ', 'market_cap', 'desc'],
	// A greater age is an earlier creation: the youngest come first.
	['age', 'created_at', 'desc'],
	['age asc', 'created_at', 'desc'],
	['age DESC', 'created_at', 'asc'],
])('%s sorts by %s %s', (text, sortBy, sortOrder) => {
	expect(readColumnSort(text)).toEqual({ok: true, sortBy, sortOrder});
});

test.each([
	['symbol', 'Nothing can be sorted by symbol'],
	['volumee_1h', '"volumee_1h" is not a field'],
	['', '"" is not a field'],
])('"%s" is refused with a word on what would be right', (text, what) => {
	expect(readColumnSort(text)).toMatchObject({ok: false, what, why: expect.stringMatching(/nearest is|Name a figure/)});
});
