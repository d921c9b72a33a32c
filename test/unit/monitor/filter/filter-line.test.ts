import {describe, expect, test} from 'vitest';
import {parseFilters} from '../../../../source/contract/filter-parse.ts';
import {filterTokens, parseFilterLine} from '../../../../source/monitor/filter/filter-line.ts';
import {fc} from '../../../helpers/properties.ts';

function filtersOf(text: string): unknown {
	const line = parseFilterLine(text);
	expect(line.ok ? [] : line.errors, text).toEqual([]);
	return line.filters;
}

function errorsOf(text: string): unknown[] {
	const line = parseFilterLine(text);
	if (line.ok) throw new Error(`${text} was taken as ${JSON.stringify(line.filters)}`);
	return line.errors.map(({start, end, message, suggestion}) => ({
		at: text.slice(start, end),
		message,
		...(suggestion === undefined ? {} : {suggestion}),
	}));
}

describe('the filter line', () => {
	test('compiles the example of the issue to filters and view options', () => {
		const line = parseFilterLine(
			'mcap>50k holders>=100 age<10m dev<5% bonding:80..99 chain:solana type:pumpfun -kw:elon',
		);
		expect(line).toMatchObject({
			ok: true,
			filters: {
				market_cap: {gt: 50_000},
				holders_count: {gte: 100},
				created_at_offset: {lt: 600},
				dev_holdings_percentage: {lt: 5},
				bonding_percentage: {gte: 80, lte: 99},
				excludeKeywords: ['elon'],
			},
			viewOptions: {chainId: ['solana:solana'], poolTypes: ['pumpfun']},
		});
		expect(line.clauses.map(clause => clause.text)).toEqual([
			'mcap>50k',
			'holders>=100',
			'age<10m',
			'dev<5%',
			'bonding:80..99',
			'chain:solana',
			'type:pumpfun',
			'-kw:elon',
		]);
	});

	test.each([
		['', {}],
		['mcap > 1.5m', {market_cap: {gt: 1_500_000}}],
		['mcap:>50k', {market_cap: {gt: 50_000}}],
		['mcap≥$2b', {market_cap: {gte: 2e9}}],
		['bonding 80..99', {bonding_percentage: {gte: 80, lte: 99}}],
		['holders:10..', {holders_count: {gte: 10}}],
		['holders=1,2,3', {holders_count: {in: [1, 2, 3]}}],
		['chg1h<-20%', {price_change_1h: {lt: -20}}],
		['vol5m>1k vol:24h>=2k vol>3', {volume_5min: {gt: 1000}, volume_24h: {gte: 2000}, volume_1h: {gt: 3}}],
		['vol:5m', {volume_1h: {equals: 5e6}}],
		['market_cap>5 marketCap<9', {market_cap: {gt: 5, lt: 9}}],
		['age:1h30m..2d', {created_at_offset: {gte: 5400, lte: 172_800}}],
		['bonded -migrating', {bonded: true, migrating: false}],
		['sym~pepe', {symbol: {contains: 'pepe', mode: 'insensitive'}}],
		['sym~~Pepe', {symbol: {contains: 'Pepe'}}],
		['name:"doge coin"', {name: {equals: 'doge coin', mode: 'insensitive'}}],
		['name=="say \\"hi\\""', {name: 'say "hi"'}],
		['deployer:0xAb', {deployer: '0xAb'}],
		['-type:pumpfun', {type: {not: 'pumpfun'}}],
		['-chain:base,sol', {chain_id: {notIn: ['evm:8453', 'solana:solana']}}],
		['kw:cat,dog -kw:elon -kw:"no one"', {includeKeywords: ['cat', 'dog'], excludeKeywords: ['elon', 'no one']}],
		['has:twitter', {twitter: {not: null}}],
		['-has:twitter,website', {twitter: {equals: null}, website: {equals: null}}],
		['mcap=unknown', {market_cap: {equals: null}}],
		['mcap!=unknown', {market_cap: {not: null}}],
		['buytax<=5% -honeypot', {security: {buyTax: {lte: 5}, isHoneypot: false}}],
		['migrated>2026-01-31', {migrated_at: {gte: '2026-02-01T00:00:00.000Z'}}],
		['created<=2026-01-31T18:30', {created_at: {lte: '2026-01-31T18:30:00.000Z'}}],
		['created:2026-01-01..2026-01-31', {created_at: {gte: '2026-01-01T00:00:00.000Z', lt: '2026-02-01T00:00:00.000Z'}}],
		['created:2026-01-31..2026-01-31', {created_at: {gte: '2026-01-31T00:00:00.000Z', lt: '2026-02-01T00:00:00.000Z'}}],
		['created:2026-01-01..', {created_at: {gte: '2026-01-01T00:00:00.000Z'}}],
		['created:..2026-01-31T18:30Z', {created_at: {lte: '2026-01-31T18:30:00.000Z'}}],
		['created<2026-01-31', {created_at: {lt: '2026-01-31T00:00:00.000Z'}}],
		['created>=2026-01-31', {created_at: {gte: '2026-01-31T00:00:00.000Z'}}],
		['created>2026-01-31T18:30Z', {created_at: {gt: '2026-01-31T18:30:00.000Z'}}],
		['created<=2026-01-31', {created_at: {lt: '2026-02-01T00:00:00.000Z'}}],
		['created=2026-01-31T18:30Z', {created_at: '2026-01-31T18:30:00.000Z'}],
		['bonding:..20', {bonding_percentage: {lte: 20}}],
		['bonding:5..5', {bonding_percentage: {gte: 5, lte: 5}}],
		['created:2026-01-31', {created_at: {gte: '2026-01-31T00:00:00.000Z', lt: '2026-02-01T00:00:00.000Z'}}],
		['bonded | mcap>5', {OR: [{bonded: true}, {market_cap: {gt: 5}}]}],
		['bonded or mcap>5 and age<1m', {OR: [{bonded: true}, {market_cap: {gt: 5}, created_at_offset: {lt: 60}}]}],
		['(bonded | mcap>5) age<1m', {OR: [{bonded: true}, {market_cap: {gt: 5}}], created_at_offset: {lt: 60}}],
	])('takes %j', (text, filters) => {
		expect(filtersOf(text)).toEqual(filters);
	});

	test('never lets an unknown figure pass a comparison, negated or not, unless the clause says ?', () => {
		expect(filtersOf('-dev>5%')).toEqual({dev_holdings_percentage: {lte: 5}});
		expect(filtersOf('-(dev>5 | snipers>9)')).toEqual({
			dev_holdings_percentage: {lte: 5},
			snipers_holdings_percentage: {lte: 9},
		});
		expect(filtersOf('-sym~pepe')).toEqual({
			NOT: {symbol: {contains: 'pepe', mode: 'insensitive'}},
			symbol: {not: null},
		});
		expect(filtersOf('-sym^=pe')).toEqual({
			NOT: {symbol: {startsWith: 'pe', mode: 'insensitive'}},
			symbol: {not: null},
		});
		expect(filtersOf('-sym$=pe')).toEqual({
			NOT: {symbol: {endsWith: 'pe', mode: 'insensitive'}},
			symbol: {not: null},
		});
		expect(filtersOf('dev?<5%')).toEqual({
			OR: [{dev_holdings_percentage: {lt: 5}}, {dev_holdings_percentage: {equals: null}}],
		});
		expect(filtersOf('-dev?>5%')).toEqual({NOT: {dev_holdings_percentage: {gt: 5}}});
	});

	test('takes a token that never had a livestream for not live', () => {
		expect(filtersOf('live')).toEqual({liveStatus: 'live'});
		expect(filtersOf('-live')).toEqual({NOT: {liveStatus: 'live'}});
	});

	test('two denials stay two: the denial of both together lets more through', () => {
		expect(filtersOf('-dev?>5% -live')).toEqual({
			NOT: {dev_holdings_percentage: {gt: 5}},
			AND: [{NOT: {liveStatus: 'live'}}],
		});
	});

	test('counts links in the view where it can, and in the filters inside alternatives', () => {
		expect(parseFilterLine('socials>=2').viewOptions).toEqual({min_socials: 2});
		// Every token has at least none.
		expect(parseFilterLine('socials>=0')).toMatchObject({filters: {}, viewOptions: {}});
		expect(parseFilterLine('socials>=0').viewOptions).toEqual({});
		expect(parseFilterLine('socials>=3 socials>=1').viewOptions).toEqual({min_socials: 3});
		expect(parseFilterLine('socials>1 bonded')).toMatchObject({
			filters: {bonded: true},
			viewOptions: {min_socials: 2},
		});
		expect(filtersOf('socials:3 | bonded')).toEqual({
			OR: [{twitter: {not: null}, website: {not: null}, telegram: {not: null}}, {bonded: true}],
		});
		expect(filtersOf('socials<1')).toEqual({
			twitter: {equals: null},
			website: {equals: null},
			telegram: {equals: null},
		});
	});

	test('requests both chains when two are demanded at once', () => {
		expect(parseFilterLine('chain:solana chain:base')).toMatchObject({
			viewOptions: {chainId: ['solana:solana']},
			filters: {chain_id: 'evm:8453'},
		});
	});

	test('knows the chains of the service by name and id', () => {
		const chains = [{id: 'evm:999', name: 'My Chain'}];
		expect(parseFilterLine('chain:my-chain', {chains}).viewOptions).toEqual({chainId: ['evm:999']});
		expect(parseFilterLine('chain:evm:4663').viewOptions).toEqual({chainId: ['evm:4663']});
	});

	test('gives each part that must hold a filter of its own, view options included', () => {
		expect(parseFilterLine('chain:base (bonded | live) mcap>5').parts).toEqual([
			{start: 0, end: 10, text: 'chain:base', filter: {chain_id: 'evm:8453'}},
			{start: 12, end: 25, text: 'bonded | live', filter: {OR: [{bonded: true}, {liveStatus: 'live'}]}},
			{start: 27, end: 33, text: 'mcap>5', filter: {market_cap: {gt: 5}}},
		]);
	});
});

describe('an error in the filter line', () => {
	test.each([
		['holders>5 mcpa>5', 'mcpa', 'there is no field “mcpa”', 'mcap'],
		['bondd', 'bondd', 'there is no field “bondd”', 'bonded'],
		['mcax', 'mcax', 'there is no field “mcax”', 'mcap'],
		['dog', 'dog', '“dog” is not a field; to look for it in names write kw:dog', 'kw:dog'],
		['frog', 'frog', '“frog” is not a field; to look for it in names write kw:frog', 'kw:frog'],
		['pepe', 'pepe', '“pepe” is not a field; to look for it in names write kw:pepe', 'kw:pepe'],
		['age<1h mcap>', '>', 'write a value here, such as mcap>50k', undefined],
		['mcap bonded', 'mcap', 'mcap needs a comparison, such as mcap>50k', undefined],
		['age<10', '10', '“10” needs a unit: s, m, h or d', '10m'],
		['mcap>5%', '5%', '“5%” is a percentage, and this field is not', '5'],
		['mcap>many', 'many', '“many” is not a number; write 50, 50k, 1.5m or 2b', undefined],
		['holders>5,000', '5,000', 'a comma separates values; write large numbers without', '5000'],
		['bonding:99..80', '99..80', 'the range ends before it begins', '80..99'],
		['bonding:..', '..', 'write at least one end of the range: 5..9', undefined],
		['bonding:x..1', 'x', '“x” is not a number; write 50, 50k, 1.5m or 2b', undefined],
		['bonding>1..5', '1..5', 'write a range as field:from..to', undefined],
		['created:..', '..', 'write at least one end of the range: 2026-01-01..2026-01-31', undefined],
		[
			'created:2026-02-01..2026-01-31',
			'2026-02-01..2026-01-31',
			'the range ends before it begins',
			'2026-01-31..2026-02-01',
		],
		['created:2026-01-01,2026-01-02', '2026-01-01,2026-01-02', 'created takes one date or a range from..to', undefined],
		['created~2026-01-31', '~', 'created is a date; compare it with > >= < <= =', '='],
		['bondedat>10m', '10m', '“10m” is not a date; write 2026-01-31 or 2026-01-31T18:30Z', undefined],
		['socials>1.5', '1.5', '“1.5” is not 0, 1, 2 or 3: there are three links to count', undefined],
		['bonding:1..x', 'x', '“x” is not a number; write 50, 50k, 1.5m or 2b', undefined],
		['chg15m>5', 'chg15m', '“chg15m” has no such window; there are 1m 5m 1h 4h 6h 12h 24h', 'chg1h'],
		['chain:solna', 'solna', '“solna” is not a chain', 'solana'],
		[
			'chain:nowhere',
			'nowhere',
			'“nowhere” is not a chain; write a name such as solana or an id such as evm:8453',
			undefined,
		],
		['type:!pumpfun', '!pumpfun', 'write the minus before the field', 'pumpfun'],
		[
			'type:pumpfun|moonshot',
			'type:pumpfun|moonshot',
			'values of one field are joined by a comma: type:pumpfun,moonshot',
			'type:pumpfun,moonshot',
		],
		['chain:base|bsc', 'chain:base|bsc', 'values of one field are joined by a comma: chain:base,bsc', 'chain:base,bsc'],
		[
			'kw:cat or elephants',
			'kw:cat or elephants',
			'values of one field are joined by a comma: kw:cat,elephants',
			'kw:cat,elephants',
		],
		['sym>5', '>', 'sym is text; write sym:value or sym~part', ':'],
		['mcap~5', '~', 'mcap is a number; compare it with > >= < <= =', '='],
		['bonded:maybe', 'maybe', 'write true or false, or only bonded or -bonded', undefined],
		[
			'created>2026-02-31',
			'2026-02-31',
			'“2026-02-31” is not a date; write 2026-01-31 or 2026-01-31T18:30Z',
			undefined,
		],
		[
			'created>10m',
			'10m',
			'“10m” is not a date; write 2026-01-31 or 2026-01-31T18:30Z; for an age write age<10m',
			undefined,
		],
		['socials>4', '4', '“4” is not 0, 1, 2 or 3: there are three links to count', undefined],
		['socials>3', 'socials>3', 'no token can have that many links: there are 0 to 3 of them', undefined],
		['has:kw', 'kw', 'kw is never unknown; has takes fields such as twitter', undefined],
		['kw?:x', '?', 'kw is never unknown; take the ? out', ''],
		['kw:"elon', '"elon', 'the quotation mark is not closed; write " at the end', '"elon"'],
		['mcap>5)', ')', 'this ) closes nothing; take it out', ''],
		['(mcap>5', '(', 'this ( is not closed; write ) at the end of the group', undefined],
		['bonded ()', '()', 'write a clause between the parentheses', undefined],
		['mcap>5 | ', '|', 'write a clause on both sides of it', undefined],
		['mcap>5 -', '-', 'write what to leave out behind the minus, such as -bonded', undefined],
		['type:a,', ':a,', 'a value is missing behind the comma', undefined],
	])('in %j points at %j', (text, at, message, suggestion) => {
		expect(errorsOf(text)).toEqual([{at, message, ...(suggestion === undefined ? {} : {suggestion})}]);
	});

	test('leaves the valid clauses in force, and reports every wrong one', () => {
		const line = parseFilterLine('mcap>5k dve<5 age<10 bonded');
		expect(line).toMatchObject({ok: false, filters: {market_cap: {gt: 5000}, bonded: true}});
		expect(errorsOf('mcap>5k dve<5 age<10 bonded')).toMatchObject([{at: 'dve'}, {at: '10'}]);
	});

	test('is reported when the line exceeds the limits of the API', () => {
		const line = parseFilterLine(Array.from({length: 1100}, () => 'mcap>5').join('|'));
		expect(line).toMatchObject({ok: false, errors: [{message: expect.stringContaining('too large')}]});
		expect(parseFilterLine('('.repeat(100_000))).toMatchObject({ok: false});
	});
});

const FRAGMENTS = [
	'mcap',
	'vol:5m',
	'age',
	'dev?',
	'kw',
	'has',
	'socials',
	'chain',
	'created',
	'live',
	'bonded',
	'not',
	'or',
];
const PIECES = fc.oneof(
	fc.constantFrom(...FRAGMENTS),
	fc.constantFrom('>', '<=', ':', '!=', '~~', '^=', '-', '!', '(', ')', '|', ',', '..', '"', '\\', '?', ' '),
	fc.constantFrom('5', '50k', '10m', '80..99', '2026-01-31', 'solana', 'true', 'unknown', '5%', 'pepe'),
	fc.string({unit: 'grapheme', maxLength: 3}),
);

describe('whatever is typed', () => {
	test('the line never throws, its errors lie inside it, and what is taken is taken by the API too', () => {
		fc.assert(
			fc.property(fc.array(PIECES, {maxLength: 14}), pieces => {
				const text = pieces.join('');
				const line = parseFilterLine(text);
				expect(() => parseFilters(line.filters, {mode: 'asset'})).not.toThrow();
				if (line.ok) return;
				expect(line.errors.length).toBeGreaterThan(0);
				for (const {start, end, message} of line.errors) {
					expect(start).toBeGreaterThanOrEqual(0);
					expect(end).toBeGreaterThan(start);
					expect(end).toBeLessThanOrEqual(text.length);
					expect(message.length).toBeGreaterThan(10);
				}
			}),
			{numRuns: 600},
		);
	});

	test('the coloured pieces are in order, do not overlap, and leave out only white space', () => {
		fc.assert(
			fc.property(fc.array(PIECES, {maxLength: 14}), pieces => {
				const text = pieces.join('');
				let at = 0;
				for (const {start, end} of filterTokens(text)) {
					expect(text.slice(at, start).trim()).toBe('');
					expect(start).toBeGreaterThanOrEqual(at);
					expect(end).toBeGreaterThan(start);
					at = end;
				}
				expect(text.slice(at).trim()).toBe('');
			}),
			{numRuns: 600},
		);
	});

	test('fields, operators, values, yes-or-no words and mistakes have colours of their own', () => {
		const text = 'mcap>50k bonded foo:1';
		expect(filterTokens(text).map(({kind, start, end}) => [kind, text.slice(start, end)])).toEqual([
			['field', 'mcap'],
			['operator', '>'],
			['value', '50k'],
			['bool', 'bonded'],
			['error', 'foo'],
			['operator', ':'],
			['value', '1'],
		]);
	});
});
