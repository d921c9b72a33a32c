import {describe, expect, test} from 'vitest';
import {completeFilterLine} from '../../../../source/monitor/filter/complete.ts';
import {filterTokens, parseFilterLine} from '../../../../source/monitor/filter/filter-line.ts';
import {isoOf, printAge, printDate, printNumber, readNumber} from '../../../../source/monitor/filter/values.ts';

test.each([
	[0, '0'],
	[999, '999'],
	[1000, '1k'],
	[-1000, '-1k'],
	[1500, '1.5k'],
	[1234.5, '1234.5'],
	[999_999, '999999'],
	[1e6, '1m'],
	[1e9, '1b'],
	[2.5e12, '2500b'],
])('the number %s is written %s, and read back', (value, text) => {
	expect(printNumber(value, 'usd')).toBe(text);
	expect(readNumber(text, 'usd')).toEqual({ok: true, value});
});

test('a share is written in percent', () => {
	expect(printNumber(5000, 'percent')).toBe('5000%');
});

test.each([
	['5,000.5x', '5000.5'],
	['1.2.3', undefined],
	['...', undefined],
	['x', undefined],
])('for %j, which is no number, the suggestion is %s', (text, suggestion) => {
	const read = readNumber(text, 'usd');
	expect(read.ok).toBe(false);
	expect('suggestion' in read ? read.suggestion : undefined).toBe(suggestion);
});

test.each([
	[0, '0s'],
	[59, '59s'],
	[60, '1m'],
	[90, '90s'],
	[3600, '1h'],
	[86_400, '1d'],
	[90_000, '25h'],
])('an age of %i seconds is written %s', (seconds, text) => {
	expect(printAge(seconds)).toBe(text);
});

test('a date is written to the minute, and one beyond the calendar in milliseconds', () => {
	expect(printDate(Date.UTC(2026, 0, 31, 18, 30))).toBe('2026-01-31T18:30Z');
	expect(printDate(Date.UTC(2026, 0, 31, 18, 30, 5))).toBe('2026-01-31T18:30:05Z');
	expect(printDate(Date.UTC(2026, 0, 31, 18, 30, 0, 5))).toBe('2026-01-31T18:30:00.005Z');
	expect(printDate(8.64e15)).toBe('8640000000000000ms');
	expect([isoOf(8.64e15 + 1), isoOf(-8.64e15 - 1), isoOf(0.5), isoOf(-8.64e15)]).toEqual([
		undefined,
		undefined,
		undefined,
		undefined,
	]);
	expect(isoOf(0)).toBe('1970-01-01T00:00:00.000Z');
});

describe('clauses of security figures, which the wire has as text', () => {
	test.each([
		['buytax:5', {security: {buyTax: {equals: 5}}}],
		['buytax>5%', {security: {buyTax: {gt: 5}}}],
		['buytax:"5%"', {security: {buyTax: '5%'}}],
		['buytax:high', {security: {buyTax: 'high'}}],
		['buytax:5,high', {security: {buyTax: {in: [5, 'high']}}}],
		['buytax:1..5', {security: {buyTax: {gte: 1, lte: 5}}}],
	])('%s', (line, filters) => {
		expect(parseFilterLine(line)).toMatchObject({ok: true, filters});
	});

	test.each([
		['buytax>"5"', '> compares numbers; leave the quotation marks out'],
		['buytax>high', '“high” is not a number'],
		['buytax:1..x', '“x” is not a number'],
	])('%s is a mistake: %s', (line, message) => {
		const parsed = parseFilterLine(line);
		expect(parsed.ok).toBe(false);
		if (!parsed.ok) expect(parsed.errors[0]!.message).toContain(message);
	});
});

test.each([
	['has:pepe', 'there is no field “pepe”', 'pepe'],
	['has~twitter', 'write has:field, with a colon', '~'],
	['kw>dog', 'write kw:word, with a colon', '>'],
	['kw:" "', 'write a word to look for', '" "'],
	['mcap>5,', 'a value is missing behind the comma', '>5,'],
	['mcap>12,345,678', 'a comma separates values; write large numbers without', '12,345,678'],
	['mcap>1,2', '> takes one value, not a list', '1,2'],
	['mcap>1234,567', '> takes one value, not a list', '1234,567'],
	['type:-pumpfun', 'write the minus before the field', '-pumpfun'],
	['sym~a,b', '~ takes one value; join clauses with |', 'a,b'],
	['bonding:5..x', '“x” is not a number', 'x'],
	['bonding:x..5', '“x” is not a number', 'x'],
	['-', 'write what to leave out behind the minus, such as -bonded', '-'],
	['mcap>5 - | bonded', 'write what to leave out behind the minus', '- '],
	['"dog"', 'to look for it in names write kw:"dog"', '"dog"'],
	['$5', 'a clause begins with a field, such as mcap>50k; “$5” is not a field', '$5'],
	['bonded |', 'write a clause on both sides of it', '|'],
	['| bonded', 'write a clause on both sides of it', '|'],
	['vol:7m>5', 'has no such window', 'vol:7m'],
	// Only a family of windows has them.
	['mcap:5m>5', '“5m>5” is not a number', '5m>5'],
	['mcap', 'mcap needs a comparison, such as mcap>50k', 'mcap'],
])('the first mistake of %j is: %s', (line, message, place) => {
	const parsed = parseFilterLine(line);
	if (parsed.ok) throw new Error(`${line} was taken`);
	const [{start, end, message: said}] = parsed.errors as [{start: number; end: number; message: string}];
	expect(said).toContain(message);
	expect(line.slice(start, end)).toBe(place);
});

test.each([
	['has:age', {created_at_offset: {not: null}}],
	['has:buytax', {security: {buyTax: {not: null}}}],
	['sym:-dog', {symbol: {equals: '-dog', mode: 'insensitive'}}],
	['bonding:5..5', {bonding_percentage: {gte: 5, lte: 5}}],
	['vol:5m>5', {volume_5min: {gt: 5}}],
])('%s is a clause like any other', (line, filters) => {
	expect(parseFilterLine(line)).toMatchObject({ok: true, filters});
});

test('ten parentheses may stand inside each other, the eleventh is one too many', () => {
	const nested = (depth: number) => parseFilterLine(`${'('.repeat(depth)}bonded${')'.repeat(depth)}`);
	expect(nested(10)).toMatchObject({ok: true, filters: {bonded: true}});
	expect(nested(11)).toMatchObject({
		ok: false,
		errors: [{start: 10, end: 11, message: 'write at most 10 parentheses inside each other'}],
	});
	expect(nested(11)).toHaveProperty('errors.length', 1);
});

test('several mistakes are in the order of the line', () => {
	const parsed = parseFilterLine('mcp>5 holders>x) age<10');
	expect(parsed.ok ? [] : parsed.errors.map(({start}) => start)).toEqual([0, 14, 15, 21]);
});

test('pieces of a line are coloured in order, without overlap; what is wrong is an error', () => {
	const pieces = (line: string) => filterTokens(line).map(({start, end, kind}) => [line.slice(start, end), kind]);
	expect(pieces('mcap>5k pepe')).toEqual([
		['mcap', 'field'],
		['>', 'operator'],
		['5k', 'value'],
		['pepe', 'error'],
	]);
	expect(pieces('mcap>x')).toEqual([
		['mcap', 'field'],
		['>', 'operator'],
		['x', 'error'],
	]);
	for (const line of ['mcap>5k)', '(bonded', 'mcap>5 | | kw:"a b" -live', '$ mcap>1', 'holders>1,,2', 'a?b:c..d']) {
		const all = filterTokens(line);
		for (const [at, {start, end}] of all.entries()) {
			expect(start, line).toBeLessThan(end);
			if (at > 0) expect(start, line).toBeGreaterThanOrEqual(all[at - 1]!.end);
		}
	}
});

describe('completions', () => {
	const chains = [
		{id: 'evm:8453', name: 'Base Mainnet'},
		{id: 'evm:99', name: 'Other Chain'},
	];
	const all = (text: string, cursor = text.length, options = {}) =>
		completeFilterLine(text, cursor, {limit: 1000, ...options});
	const texts = (text: string, cursor?: number) => all(text, cursor).map(one => one.text);

	test('begin with what begins so, then synonyms, then words of the label', () => {
		expect(texts('hol')[0]).toBe('holders');
		// A synonym that is whole is the field itself.
		expect(texts('cap')[0]).toBe('>');
		expect(texts('marketca')[0]).toBe('mcap');
		expect(texts('zzz')).toEqual([]);
	});

	test('replace the word at the cursor, from its first to its last letter', () => {
		expect(all('mcap>5 holdrs>5', 9)[0]).toMatchObject({text: 'holders', start: 7, end: 13});
		expect(all('mcap>5 ho', 99)[0]).toMatchObject({start: 7, end: 9});
		expect(all('holders', -5)[0]).toMatchObject({start: 0, end: 7});
		expect(all('chain:sol', 8)[0]).toMatchObject({text: 'solana', start: 6, end: 9});
	});

	test('offer each chain once, by the name of the service where it has one', () => {
		const named = completeFilterLine('chain:', 6, {chains, limit: 1000});
		expect(named.filter(({help}) => help === 'evm:8453').map(({text}) => text)).toEqual(['base-mainnet']);
		expect(named.map(({text}) => text)).toContain('other-chain');
		expect(named.map(({text}) => text)).toContain('solana');
	});

	test('offer links first for has, every field once, and none that is always known', () => {
		const offered = texts('has:');
		expect(new Set(offered.slice(0, 3))).toEqual(new Set(['twitter', 'telegram', 'website']));
		expect(new Set(offered).size).toBe(offered.length);
		expect(offered).toContain('mcap');
		expect(offered).toContain('buytax');
		expect(offered).not.toContain('kw');
	});

	test('offer values of their own for links and streams, and no windows behind one', () => {
		expect(texts('socials:')).toEqual(['1', '2', '3']);
		expect(texts('livestatus:')).toEqual(['live', 'live_end']);
		expect(texts('vol5m').filter(text => /^\d/.test(text))).toEqual([]);
		expect(texts('vol').filter(text => /^\d/.test(text)).length).toBeGreaterThan(3);
		expect(texts('type:')).toEqual([]);
	});
});
