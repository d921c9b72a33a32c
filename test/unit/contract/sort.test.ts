import {describe, expect, test} from 'vitest';
import {compareRows, DEFAULT_SORT, parseSort, type SortedRow} from '../../../source/contract/sort.ts';
import {InvalidRequest} from '../../../source/contract/wire-error.ts';
import {fc} from '../../helpers/properties.ts';

describe('sort', () => {
	test('without sortBy it is created_at, newest first (spec 4.1)', () => {
		expect(parseSort(undefined, undefined)).toEqual(DEFAULT_SORT);
		expect(parseSort(undefined, 'asc')).toMatchObject({field: {name: 'created_at'}, order: 'asc'});
		expect(parseSort('market_cap', undefined)).toMatchObject({field: {name: 'market_cap'}, order: 'desc'});
	});

	test.each([
		['marketCap', 'market_cap'],
		['totalFeesPaidUSD', 'total_fees_paid_usd'],
		['trending_score_24h', 'trending_score_24h'],
		['trendingScore24h', 'trending_score_24h'],
		['migrated_at', 'bonded_at'],
		['deployerMigrations', 'deployer_migrations_count'],
	])('sortBy %s means %s', (spelling, name) => {
		expect(parseSort(spelling, 'desc').field.name).toBe(name);
	});

	test.each([
		['markt_cap', 'desc', 'views[1].sortBy', /nearest name is market_cap/],
		['symbol', 'desc', 'views[1].sortBy', /figure or a date/],
		[5, 'desc', 'views[1].sortBy', /not a field/],
		['market_cap', 'down', 'views[1].sortOrder', /asc or desc/],
	])('sortBy %j with order %j is refused', (by, order, path, message) => {
		try {
			parseSort(by, order, {path: 'views[1]'});
			expect.unreachable();
		} catch (error) {
			expect(error).toBeInstanceOf(InvalidRequest);
			expect((error as InvalidRequest).path).toBe(path);
			expect(`${(error as InvalidRequest).message}: ${(error as InvalidRequest).why}`).toMatch(message);
		}
	});

	const rows: fc.Arbitrary<SortedRow[]> = fc.uniqueArray(
		fc.record({value: fc.constantFrom(null, undefined, Number.NaN, -1, 0, 1, 2), key: fc.string({maxLength: 3})}),
		{selector: r => r.key},
	);

	test.each(['asc', 'desc'] as const)(
		'%s puts unknown last and ties by key ascending, whatever the order of arrival',
		order => {
			fc.assert(
				fc.property(rows, given => {
					const sorted = [...given].sort((a, b) => compareRows(a, b, order));
					const values = sorted.map(r => (typeof r.value === 'number' && !Number.isNaN(r.value) ? r.value : undefined));
					const known = values.filter(v => v !== undefined);
					expect(values.slice(0, known.length)).toEqual(known.toSorted((a, b) => (order === 'asc' ? a - b : b - a)));
					for (let i = 1; i < sorted.length; i++) {
						if (values[i] === values[i - 1]) expect(sorted[i]!.key > sorted[i - 1]!.key).toBe(true);
					}
					expect([...given].reverse().sort((a, b) => compareRows(a, b, order))).toEqual(sorted);
				}),
			);
		},
	);
});
