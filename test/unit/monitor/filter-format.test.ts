import fc from 'fast-check';
import {describe, expect, test} from 'vitest';
import {matches, type Readable} from '../../../source/contract/filter.ts';
import {parseFilters} from '../../../source/contract/filter-parse.ts';
import type {Value} from '../../../source/contract/filter-test.ts';
import {withViewOptions} from '../../../source/monitor/filter-compile.ts';
import {FilterNotExpressible, formatFilterLine} from '../../../source/monitor/filter-format.ts';
import {parseFilterLine} from '../../../source/monitor/filter-line.ts';

const NOW = Date.parse('2026-02-01T00:00:00Z');
const HOUR = 3_600_000;

const figure = fc.constantFrom(0, 1, 5, 7.5, 80, 1005, 50_000, 1_234_567, 1e9, 1e-7, -20);
const seconds = fc.constantFrom(0, 59, 60, 600, 3600, 5400, 86_400, 1.5);
const moment = fc.constantFrom(NOW - HOUR, NOW - 2 * HOUR, NOW - 60_000, NOW - 1500, NOW - 1501.5, 9e15);
const word = fc.constantFrom(
	'PEPE',
	'pepe',
	'a b',
	'x"y\\z',
	'',
	'unknown',
	'or',
	'-x',
	'!x',
	'a,b',
	'|',
	')',
	'..',
	'5',
	'5%',
	'Solana',
	'solana',
	'solana:solana',
	'evm:8453',
	'猫',
);
const tax = fc.constantFrom('5', '5%', '7.5', 'high', 'unknown');

/** Field by field: a value of it, and operators that take it. */
const FIELDS = {
	market_cap: {value: figure, ops: 'order'},
	dev_holdings_percentage: {value: figure, ops: 'order'},
	created_at_offset: {value: seconds, ops: 'order'},
	created_at: {value: moment, ops: 'order'},
	symbol: {value: word, ops: 'text'},
	chain_id: {value: word, ops: 'text'},
	type: {value: word, ops: 'text'},
	deployer: {value: word, ops: 'text'},
	twitter: {value: word, ops: 'text'},
	bonded: {value: fc.boolean(), ops: 'equality'},
	live_status: {value: fc.constantFrom('live', 'live_end'), ops: 'equality'},
	'security.isHoneypot': {value: fc.boolean(), ops: 'equality'},
	'security.buyTax': {value: fc.oneof(tax, figure), ops: 'equality'},
	'security.liquidityBurnPercentage': {value: figure, ops: 'order'},
} as const;

function condition(value: fc.Arbitrary<unknown>, ops: string): fc.Arbitrary<unknown> {
	const equality = [
		value,
		fc.constantFrom({equals: null}, {not: null}),
		fc.record({not: value}),
		fc.record({in: fc.array(value, {maxLength: 3})}),
		fc.record({notIn: fc.array(value, {maxLength: 3})}),
	];
	const order = [
		fc.record({gt: value, gte: value, lt: value, lte: value}, {requiredKeys: []}),
		fc.record({gte: value, lte: value}),
	];
	const mode = fc.constantFrom({}, {mode: 'insensitive'});
	const text = fc
		.tuple(fc.constantFrom('equals', 'not', 'contains', 'startsWith', 'endsWith'), value, mode)
		.map(([op, wanted, how]) => ({[op]: wanted, ...how}));
	return fc.oneof(...equality, ...(ops === 'order' ? order : []), ...(ops === 'text' ? [text] : []));
}

const clause = fc.oneof(
	...Object.entries(FIELDS).map(([name, {value, ops}]) =>
		condition(value, ops).map(wanted => ({[name]: wanted}) as Record<string, unknown>),
	),
	fc.record({'security.buyTax': fc.record({lte: figure})}),
	fc.record({includeKeywords: fc.array(word, {maxLength: 2})}),
	fc.record({excludeKeywords: fc.array(word, {maxLength: 2})}),
);

const tree = fc.letrec<{filter: Record<string, unknown>}>(tie => ({
	filter: fc.oneof(
		{maxDepth: 3, depthSize: 'small'},
		clause,
		fc.tuple(clause, clause).map(([a, b]) => ({...a, ...b})),
		fc.record({AND: fc.array(tie('filter'), {maxLength: 3})}),
		fc.record({OR: fc.array(tie('filter'), {maxLength: 3})}),
		fc.record({NOT: tie('filter')}),
	),
})).filter;

const options = fc.record(
	{
		chainId: fc.array(fc.constantFrom('solana:solana', 'evm:8453', 'solana', 'a b'), {minLength: 1, maxLength: 2}),
		poolTypes: fc.array(fc.constantFrom('pumpfun', 'a b'), {minLength: 1, maxLength: 2}),
		min_socials: fc.constantFrom(1, 2, 3),
	},
	{requiredKeys: []},
);

const entry = fc.record(
	Object.fromEntries(
		Object.entries(FIELDS).map(([name, {value}]) => [
			name.replace('security.', ''),
			fc.option(value as fc.Arbitrary<Value>, {freq: 4}),
		]),
	),
);

function keeps(filters: unknown, row: Record<string, Value>): boolean {
	return matches(parseFilters(filters, {mode: 'asset'}), (of: Readable) => row[of.name] ?? null, NOW);
}

describe('a filter shown as a line', () => {
	test('keeps the same tokens when the line is read again, view options included', () => {
		fc.assert(
			fc.property(tree, options, fc.array(entry, {minLength: 20, maxLength: 20}), (filters, view, entries) => {
				const text = formatFilterLine(filters, view);
				const line = parseFilterLine(text);
				expect(line.ok ? [] : line.errors, text).toEqual([]);
				for (const row of entries) {
					const [before, after] = [withViewOptions(filters, view), withViewOptions(line.filters, line.viewOptions)];
					expect(keeps(after, row), `${text} on ${JSON.stringify(row)}`).toBe(keeps(before, row));
				}
			}),
			{numRuns: 400},
		);
	});

	test('is what a person would have typed', () => {
		for (const text of [
			'chain:solana type:pumpfun mcap>50k holders>=100 age<10m dev<5% bonding:80..99% -kw:elon',
			'socials>=2 (bonded | live) -has:twitter',
			'dev?<5% -live',
			'sym~pepe name:"doge coin" -honeypot buytax<=5',
			'vol5m>1.5k | migrated>=2026-01-31T12:00Z age<1h',
		]) {
			const line = parseFilterLine(text);
			const again = formatFilterLine(line.filters, line.viewOptions as Record<string, unknown>);
			expect(again).toBe(text.replace('migrated', 'bondedat'));
		}
	});

	test('takes filters in each of the API’s three forms', () => {
		expect(formatFilterLine('{"market_cap":{"gte":5000}}')).toBe('mcap>=5k');
		expect(formatFilterLine('market_cap:5000:,volume_1h::100')).toBe('mcap>=5k vol1h<=100');
		expect(formatFilterLine({})).toBe('');
	});

	test('says what has no words in a line', () => {
		expect(() => formatFilterLine({}, {excludeLPTokens: true})).toThrow(FilterNotExpressible);
		expect(() => formatFilterLine({no_such_field: 1})).toThrow(/cannot be shown as a line/);
	});
});
