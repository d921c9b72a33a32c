import {describe, expect, test} from 'vitest';
import {entryKey} from '../../../source/contract/entry.ts';
import {readEntry} from '../../../source/contract/entry-reader.ts';
import {fieldOf} from '../../../source/contract/fields.ts';
import {explain, matches} from '../../../source/contract/filter.ts';
import {parseFilters} from '../../../source/contract/filter-parse.ts';

const FILTERS = {
	market_cap: {gte: 5000},
	created_at: {gte: '2026-03-01T00:00:00Z'},
	bonded: false,
	deployer: '0xDE',
	twitter: {not: null},
	security: {isHoneypot: false, buyTax: {lte: 5}},
};
const filter = parseFilters(FILTERS, {mode: 'asset'});
const NOW = Date.parse('2026-03-02T00:00:00Z');

const security = {isHoneypot: false, buyTax: '3%'};

/** The same token in the forms that it can have. */
const forms = (marketCap: number) => ({
	'an entry of the program': readEntry({
		key: entryKey('evm:1', '0xA'),
		chain_id: 'evm:1',
		address: '0xA',
		market_cap: marketCap,
		created_at: NOW,
		bonded: false,
		deployer: '0xde',
		twitter: 'https://t',
		security,
	}),
});

describe('a filter means the same on every form of an entry', () => {
	test.each(Object.entries(forms(5000)))('%s passes', (_, read) => {
		expect(explain(filter, read, NOW).filter(clause => !clause.passed)).toEqual([]);
		expect(matches(filter, read, NOW)).toBe(true);
	});

	test.each(Object.entries(forms(4900)))('%s is dropped for its market cap alone', (_, read) => {
		const blamed = explain(filter, read, NOW).filter(clause => clause.decisive);
		expect(blamed.map(({name, op, expected}) => [name, op, expected])).toEqual([['market_cap', 'gte', 5000]]);
	});
});

test('what an entry does not have is unknown, not 0', () => {
	const read = readEntry({key: 'evm:1|0xa', chain_id: 'evm:1', address: '0xA'});
	expect(read(fieldOf('market_cap'))).toBeUndefined();
	expect(matches(parseFilters({market_cap: {lte: 10}}, {mode: 'asset'}), read, NOW)).toBe(false);
});
