import {describe, expect, test} from 'vitest';
import {FIELDS, type Field} from '../../../source/contract/fields.ts';
import {EVERYTHING, type Filter, matches, timeDependent} from '../../../source/contract/filter.ts';
import {FILTER_LIMITS, parseFilters} from '../../../source/contract/filter-parse.ts';
import type {Value} from '../../../source/contract/filter-test.ts';
import {InvalidRequest} from '../../../source/contract/wire-error.ts';

const NOW = Date.parse('2026-03-01T12:00:00Z');

type Row = Record<string, Value>;

function keeps(input: unknown, row: Row, mode: 'asset' | 'pool' = 'asset'): boolean {
	const filter: Filter = parseFilters(input, {mode});
	return matches(filter, of => row[of.name], NOW);
}

function refusal(input: unknown, path?: string): InvalidRequest {
	try {
		parseFilters(input, {mode: 'asset', ...(path === undefined ? {} : {path})});
	} catch (error) {
		if (error instanceof InvalidRequest) return error;
		throw error;
	}
	throw new Error('the filters were accepted');
}

describe('the three forms of filters (contract gaps 3.4)', () => {
	const row: Row = {market_cap: 5000, volume_1h: 10, created_at: Date.parse('2026-03-01T11:00:00Z'), deployer: '0xabc'};

	test('an object, its JSON text and compact text mean the same', () => {
		const object = parseFilters({market_cap: {gte: 100, lte: 6000}}, {mode: 'asset'});
		expect(parseFilters('{"market_cap":{"gte":100,"lte":6000}}', {mode: 'asset'})).toEqual(object);
		expect(parseFilters('market_cap:100:6000', {mode: 'asset'})).toEqual(object);
	});

	test.each([
		['market_cap:5000:5000', true],
		['market_cap:5001:', false],
		['market_cap::4999', false],
		['market_cap:null:', true],
		['liquidity:null:', false],
		['market_cap:1:,volume_1h:11:', false],
		['market_cap:1:,volume_1h:10:', true],
		['deployer:0xabc:', true],
		['deployer:0xabd', false],
		['created_at:2026-03-01T10:59:59Z:2026-03-01T11:00:01Z', true],
		['created_at:2026-03-01T11:00:01+00:00:', false],
		['created_at::2026-03-01', false],
		[`created_at:${Date.parse('2026-03-01T11:00:00Z')}:`, true],
	])('compact text %s on the row: %s', (text, kept) => {
		expect(keeps(text, row)).toBe(kept);
	});

	test.each([undefined, null, '', '  ', 'nonsense', {}, '{}', 'market_cap::'])('%j keeps everything', input => {
		expect(parseFilters(input, {mode: 'asset'})).toEqual(EVERYTHING);
	});
});

describe('operators', () => {
	test.each<[unknown, Row, boolean]>([
		[{market_cap: 5}, {market_cap: 5}, true],
		[{market_cap: '5'}, {market_cap: 5}, true],
		[{market_cap: {equals: 5}}, {market_cap: 6}, false],
		[{market_cap: {not: 5}}, {market_cap: 6}, true],
		[{market_cap: {not: 5}}, {market_cap: null}, false],
		[{NOT: {market_cap: 5}}, {market_cap: null}, true],
		[{market_cap: {gt: 5, lt: 7}}, {market_cap: 6}, true],
		[{market_cap: {gt: 5, lt: 7}}, {market_cap: 7}, false],
		[{market_cap: {in: [1, 2]}}, {market_cap: 2}, true],
		[{market_cap: {notIn: [1, 2]}}, {market_cap: 2}, false],
		[{market_cap: {notIn: [1, 2]}}, {market_cap: null}, false],
		[{market_cap: {in: []}}, {market_cap: 2}, false],
		[{market_cap: null}, {market_cap: null}, true],
		[{market_cap: null}, {market_cap: Number.NaN}, true],
		[{market_cap: {not: null}}, {}, false],
		[{market_cap: {isNull: true}}, {}, true],
		[{market_cap: {isNull: false}}, {}, false],
		[{market_cap: {isNotNull: true}}, {market_cap: 0}, true],
		[{market_cap: {not: {equals: null}}}, {market_cap: 0}, true],
		[{market_cap: {not: {gte: 5}}}, {market_cap: 4}, true],
		[{market_cap: {not: {gte: 5}}}, {market_cap: null}, false],
		[{market_cap: {not: {gte: 5, lte: 9}}}, {market_cap: 10}, true],
		[{market_cap: {not: {not: {gte: 5}}}}, {market_cap: 5}, true],
		[{symbol: {contains: 'ep'}}, {symbol: 'PEPE'}, false],
		[{symbol: {contains: 'ep', mode: 'insensitive'}}, {symbol: 'PEPE'}, true],
		[{symbol: {startsWith: 'PE', endsWith: 'PE'}}, {symbol: 'PEPE'}, true],
		[{symbol: {not: {contains: 'PE'}}}, {symbol: 'DOGE'}, true],
		[{symbol: {not: {contains: 'PE'}}}, {symbol: null}, false],
		[{symbol: {equals: 'pepe', mode: 'insensitive'}}, {symbol: 'PePe'}, true],
		[{symbol: 'a.c'}, {symbol: 'abc'}, false],
		[{bonded: false}, {bonded: false}, true],
		[{bonded: {equals: false}}, {bonded: 0}, true],
		[{bonded: 'true'}, {bonded: 1}, true],
		[{bonded: {not: true}}, {bonded: null}, false],
		[{created_at: {gte: '2026-03-01T00:00:00Z'}}, {created_at: NOW}, true],
		[{created_at: {gte: NOW + 1}}, {created_at: NOW}, false],
		[{created_at_offset: {lte: 60}}, {created_at: NOW - 60_000}, true],
		[{created_at_offset: {lte: 60}}, {created_at: NOW - 60_001}, false],
		[{created_at_offset: {lte: 60}}, {created_at: null}, false],
		[{type: {in: ['Algebra']}}, {type: 'algebra'}, true],
		[{address: '0xABCDEF'}, {address: '0xabcdef'}, true],
		[{address: '0xabcdef'}, {address: '0xABCDEF'}, true],
		[{address: 'So1A'}, {address: 'so1a'}, false],
		[{'pools.type': {equals: 'pumpfun'}}, {type: 'pumpfun'}, true],
		[{pools: {type: {in: ['pumpfun']}, bonded: {equals: false}}}, {type: 'pumpfun', bonded: true}, false],
		[{pools: {OR: [{type: 'x'}, {bonded: true}]}}, {type: 'pumpfun', bonded: true}, true],
		[{twitter: {not: null}}, {twitter: 'https://x'}, true],
		[{security: {isHoneypot: false, buyTax: {lte: 5}}}, {isHoneypot: false, buyTax: '5%'}, true],
		[{security: {buyTax: {lte: 5}}}, {buyTax: '5.5'}, false],
		[{security: {buyTax: {lte: 5}}}, {buyTax: 'unknown'}, false],
		[{security: {buyTax: {lte: 5}}}, {}, false],
		[{'security.isHoneypot': {equals: false}}, {isHoneypot: true}, false],
		[{includeKeywords: ['elon', 'CAT']}, {name: 'black cat'}, true],
		[{includeKeywords: ['elon']}, {name: null, symbol: 'X', description: 'by Elon'}, true],
		[{includeKeywords: ['elon']}, {}, false],
		[{excludeKeywords: ['elon']}, {}, true],
		[{excludeKeywords: ['elon']}, {symbol: 'ELONX'}, false],
		[{excludeKeywords: []}, {symbol: 'ELONX'}, true],
		[{OR: [{market_cap: 1}, {market_cap: 2}]}, {market_cap: 2}, true],
		[{OR: []}, {}, false],
		[{AND: {market_cap: 1}}, {market_cap: 1}, true],
		[{NOT: [{market_cap: 1}, {market_cap: 2}]}, {market_cap: 2}, false],
		[{NOT: [{market_cap: 1}, {market_cap: 2}]}, {market_cap: 3}, true],
	])('%j on %j: %s', (input, row, kept) => {
		expect(keeps(input, row)).toBe(kept);
	});

	test('every spelling of a field is accepted', () => {
		const spellings = (f: Field) => [f.name, ...f.asset, ...f.aliases];
		for (const f of FIELDS) {
			for (const spelling of spellings(f)) {
				const filter = parseFilters({[spelling]: {not: null}}, {mode: 'asset'});
				expect(filter, spelling).toMatchObject({kind: 'compare', field: {name: f.name}});
			}
		}
	});

	test('in pool mode `address` is the address of the pool', () => {
		expect(keeps({address: '0x1'}, {address: '0x2', pool_address: '0x1'}, 'pool')).toBe(true);
		expect(keeps({address: '0x1'}, {address: '0x1', pool_address: '0x2'}, 'asset')).toBe(true);
	});

	test('a factory is meant by its address or by its name', () => {
		const factoryNames = new Map([['pumpfun', ['0xF1', 'Fact2']]]);
		const filter = parseFilters({pools: {factory: {in: ['PumpFun']}}}, {mode: 'pool', factoryNames});
		const kept = (factory: string) => matches(filter, of => (of.name === 'factory' ? factory : null), NOW);
		expect(['0xf1', 'Fact2', 'fact2', '0xf2'].map(kept)).toEqual([true, true, false, false]);
		const without = parseFilters({factory: {not: 'pumpfun'}}, {mode: 'pool', factoryNames});
		expect(matches(without, () => '0xF1', NOW)).toBe(false);
	});

	test('only a filter by age changes its answer as time passes', () => {
		expect(timeDependent(parseFilters({NOT: {created_at_offset: {gt: 5}}}, {mode: 'asset'}))).toBe(true);
		expect(timeDependent(parseFilters({created_at: {gt: 5}}, {mode: 'asset'}))).toBe(false);
	});
});

describe('refusals name the place', () => {
	test.each<[unknown, string]>([
		[{markt_cap: 5}, 'filters.markt_cap'],
		[{market_cap: {gte: 'abc'}}, 'filters.market_cap.gte'],
		[{market_cap: {gte: null}}, 'filters.market_cap.gte'],
		[{market_cap: {gte: {}}}, 'filters.market_cap.gte'],
		[{market_cap: [5]}, 'filters.market_cap'],
		[{market_cap: true}, 'filters.market_cap'],
		[{market_cap: {between: 5}}, 'filters.market_cap.between'],
		[{market_cap: {in: 5}}, 'filters.market_cap.in'],
		[{market_cap: {in: [1, 'x']}}, 'filters.market_cap.in[1]'],
		[{market_cap: {in: [null]}}, 'filters.market_cap.in[0]'],
		[{market_cap: {contains: '5'}}, 'filters.market_cap.contains'],
		[{market_cap: {not: {}}}, 'filters.market_cap.not'],
		[{symbol: 5}, 'filters.symbol'],
		[{symbol: {gte: 'a'}}, 'filters.symbol.gte'],
		[{symbol: {equals: 'a', mode: 'x'}}, 'filters.symbol.mode'],
		[{bonded: 'yes'}, 'filters.bonded'],
		[{bonded: {gte: true}}, 'filters.bonded.gte'],
		[{market_cap: {isNull: 'yes'}}, 'filters.market_cap.isNull'],
		[{created_at: {gte: 'yesterday'}}, 'filters.created_at.gte'],
		[{created_at: {gte: '2026-99-99'}}, 'filters.created_at.gte'],
		[{security: {isNice: true}}, 'filters.security.isNice'],
		[{security: true}, 'filters.security'],
		[{security: {isHoneypot: 5}}, 'filters.security.isHoneypot'],
		[{pools: {colour: 'red'}}, 'filters.pools.colour'],
		[{OR: [{market_cap: 1}, {volume_2h: 1}]}, 'filters.OR[1].volume_2h'],
		[{AND: 5}, 'filters.AND'],
		[{includeKeywords: [5]}, 'filters.includeKeywords'],
		[[], 'filters'],
		[5, 'filters'],
		['{"market_cap":', 'filters'],
		['markt_cap:5:', 'filters.markt_cap'],
		['market_cap:abc:', 'filters.market_cap.gte'],
		[{'a\u001b[2J': 1}, 'filters["a\\u001b[2J"]'],
		[JSON.parse('{"__proto__": {"gte": 1}}'), 'filters.__proto__'],
		[{constructor: {gte: 1}}, 'filters.constructor'],
	])('%j is refused at %s', (input, path) => {
		expect(refusal(input).path).toBe(path);
	});

	test('the message reads as a sentence and offers the nearest name', () => {
		const error = refusal({OR: [{markt_cap: 5}]}, 'views[0].filters');
		expect(`${error.message}: ${error.why}`).toBe(
			'views[0].filters.OR[0].markt_cap is not a field that can be filtered by: the nearest name is market_cap',
		);
		expect(error.next).toBe('fix-input');
	});

	test('a tree that is too deep is refused before it can exhaust the stack', () => {
		let groups: unknown = {market_cap: 1};
		for (let i = 0; i < 100_000; i++) groups = {NOT: groups};
		expect(refusal(groups).message).toMatch(/nested too deep/);
		let nots: unknown = 1;
		for (let i = 0; i < 100_000; i++) nots = {not: nots};
		expect(refusal({market_cap: nots}).message).toMatch(/nested too deep/);
	});

	test('exactly the allowed number of clauses is accepted', () => {
		const many = (n: number) => ({OR: Array.from({length: n}, (_, i) => ({market_cap: i}))});
		expect(parseFilters(many(FILTER_LIMITS.leaves), {mode: 'asset'})).toMatchObject({kind: 'or'});
		expect(refusal(many(FILTER_LIMITS.leaves + 1)).message).toMatch(/one clause too many/);
	});
});
