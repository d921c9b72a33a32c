import {expect, test} from 'vitest';
import {departureReason} from '../../../../source/monitor/columns/departure.ts';
import {parseFilterLine} from '../../../../source/monitor/filter/filter-line.ts';
import {newColumn} from '../../../../source/monitor/transitions/column.ts';
import {entryOf} from '../../../helpers/entries.ts';

const NOW = 1_700_000_000_000;
const column = (text = '') =>
	newColumn('bonding', {
		sortBy: 'market_cap',
		sortOrder: 'desc',
		window: '1h',
		limit: 50,
		filter: text === '' ? {text} : {text, filters: parseFilterLine(text).filters},
	});

test.each([
	['mcap>=5k', {market_cap: 4900}, 'mcap 4.9k < 5k'],
	['mcap>=5k', {market_cap: 4999.6}, 'mcap 4999.6 < 5k'],
	['holders>100 mcap>1k', {market_cap: 2000, holders_count: 90}, 'holders 90 ≤ 100'],
	['dev<5%', {dev_holdings_percentage: 7.5}, 'dev 7.5% ≥ 5%'],
	['dev<5%', {}, 'dev is not known'],
	['age<10m', {created_at: NOW - 660_000}, 'age 11m ≥ 10m'],
	['chg1h>0', {price_change_1h: 5}, 'no longer matches the filter'],
])('with the filter %s', (line, figures, reason) => {
	expect(departureReason(column(line), entryOf('a', figures), NOW)).toBe(reason);
});

test('a token that bonded left for that reason, with any filter', () => {
	expect(departureReason(column('mcap>1m'), entryOf('a', {bonded: true, market_cap: 1}), NOW)).toBe('bonded');
});

test('outside the columns of the first phases bonding is no reason to leave', () => {
	const at = (view: 'new' | 'bonded' | 'trending') =>
		departureReason({...column(), view}, entryOf('a', {bonded: true}), NOW);
	expect([at('new'), at('bonded'), at('trending')]).toEqual(['bonded', 'left this view', 'left this view']);
});

test('without a filter a full view loses its last rows', () => {
	const full = {...column(), order: Array.from({length: 50}, (_, at) => `k${at}`)};
	expect(departureReason(full, entryOf('a'), NOW)).toBe('no longer among the first 50');
	expect(departureReason(column(), entryOf('a'), NOW)).toBe('left this view');
});
