import {describe, expect, test} from 'vitest';
import {explain, type Filter, leaves, matches, type Read, type Readable} from '../../../source/contract/filter.ts';
import {certainly} from '../../../source/contract/filter-certainty.ts';
import {filterToJson} from '../../../source/contract/filter-json.ts';
import {parseFilters} from '../../../source/contract/filter-parse.ts';
import {fc} from '../../helpers/properties.ts';
import {oracle, type RawRow} from './filter-oracle.ts';

const NOW = 1_000_000;

// Few distinct values, so that equalities and ties really happen.
const figure = fc.constantFrom(-1, 0, 0.5, 1, 2, 1e12);
const moment = fc.constantFrom(NOW - 60_000, NOW - 1000, NOW, 0);
const word = fc.constantFrom('', 'a', 'A', 'ab', 'AB', 'bA.', 'Éa');
const address = fc.constantFrom('0xab', '0xAB', '0xcd', 'So1A', 'so1a');
const poolType = fc.constantFrom('pumpfun', 'PumpFun', 'raydium');
const orNull = <T>(of: fc.Arbitrary<T>) => fc.oneof({weight: 4, arbitrary: of}, fc.constant(null));

const row: fc.Arbitrary<RawRow> = fc.record({
	market_cap: orNull(figure),
	volume_1h: orNull(figure),
	created_at: orNull(moment),
	bonded: orNull(fc.boolean()),
	symbol: orNull(word),
	name: orNull(word),
	description: orNull(word),
	deployer: orNull(address),
	type: orNull(poolType),
});

function conditions(of: fc.Arbitrary<unknown>, kind: 'ordered' | 'text' | 'boolean'): fc.Arbitrary<unknown> {
	const optional = {
		equals: orNull(of),
		not: orNull(of),
		in: fc.array(of, {maxLength: 3}),
		notIn: fc.array(of, {maxLength: 3}),
		isNull: fc.boolean(),
		isNotNull: fc.boolean(),
		...(kind === 'ordered' ? {gt: of, gte: of, lt: of, lte: of} : {}),
		...(kind === 'text' ? {contains: of, startsWith: of, endsWith: of, mode: fc.constant('insensitive')} : {}),
	};
	const flat = fc.record(optional, {requiredKeys: []});
	const some = flat.filter(ops => Object.keys(ops).some(op => op !== 'mode'));
	return fc.oneof(orNull(of), flat, fc.record({not: some}), fc.record({not: fc.record({not: some})}));
}

const leaf: fc.Arbitrary<Record<string, unknown>> = fc.oneof(
	fc.record({market_cap: conditions(figure, 'ordered')}),
	fc.record({market_cap: conditions(figure, 'ordered'), volume_1h: conditions(figure, 'ordered')}),
	fc.record({created_at: conditions(moment, 'ordered')}),
	fc.record({created_at_offset: conditions(fc.constantFrom(0, 1, 60), 'ordered')}),
	fc.record({bonded: conditions(fc.boolean(), 'boolean')}),
	fc.record({symbol: conditions(word, 'text')}),
	fc.record({deployer: conditions(fc.oneof(address, fc.constantFrom('AB', 'b', '0xA')), 'text')}),
	fc.record({type: conditions(poolType, 'text')}),
	fc.record({includeKeywords: fc.array(fc.constantFrom('a', 'AB', 'é'), {maxLength: 2})}),
	fc.record({excludeKeywords: fc.array(fc.constantFrom('a', 'AB', 'é'), {maxLength: 2})}),
);

const {tree} = fc.letrec<{tree: Record<string, unknown>; node: unknown}>(tie => ({
	node: fc.oneof(tie('tree'), fc.array(tie('tree') as fc.Arbitrary<Record<string, unknown>>, {maxLength: 3})),
	tree: fc.oneof(
		{depthSize: 'small', withCrossShrink: true},
		leaf,
		fc.record({AND: tie('node')}),
		fc.record({OR: fc.array(tie('tree') as fc.Arbitrary<Record<string, unknown>>, {maxLength: 3})}),
		fc.record({NOT: tie('node')}),
		fc.tuple(leaf, tie('node')).map(([members, NOT]) => ({...members, NOT})),
	),
}));

const read =
	(values: RawRow): Read =>
	of =>
		values[of.name];

const parse = (input: unknown): Filter => parseFilters(input, {mode: 'asset'});

describe('the meaning of filters', () => {
	test('agrees with a naive reading of the raw request', () => {
		fc.assert(
			fc.property(tree, row, (input, values) => {
				expect(matches(parse(input), read(values), NOW)).toBe(oracle(input, values, NOW));
			}),
			{numRuns: 5000, examples: [[{symbol: {contains: ''}}, {symbol: ''}]]},
		);
	});

	test('survives being written as a request and read again', () => {
		fc.assert(
			fc.property(tree, input => {
				const filter = parse(input);
				const wire = JSON.parse(JSON.stringify(filterToJson(filter)));
				expect(parse(wire)).toEqual(filter);
				expect(parse(JSON.stringify(wire))).toEqual(filter);
			}),
			{numRuns: 1000},
		);
	});

	test('NOT of a filter keeps exactly the rows that the filter drops', () => {
		fc.assert(
			fc.property(tree, row, (input, values) => {
				expect(matches(parse({NOT: input}), read(values), NOW)).toBe(!matches(parse(input), read(values), NOW));
			}),
		);
	});
});

test('what is certain of a row with gaps stays so when the gaps are filled', () => {
	fc.assert(
		fc.property(
			tree,
			row,
			fc.subarray(['market_cap', 'volume_1h', 'created_at', 'bonded', 'symbol', 'name', 'deployer']),
			(input, values, hidden) => {
				const filter = parse(input);
				const withGaps = {...values, ...Object.fromEntries(hidden.map(name => [name, undefined]))};
				const verdict = certainly(filter, read(withGaps as RawRow), NOW);
				if (verdict !== undefined) expect(matches(filter, read(values), NOW)).toBe(verdict);
			},
		),
		{numRuns: 3000},
	);
});

test('a reported figure is certain, and an unknown one is not', () => {
	const filter = parse({market_cap: {gte: 5}, volume_1h: {gte: 5}, symbol: 'A'});
	expect(certainly(filter, read({market_cap: 4} as RawRow), NOW)).toBe(false);
	expect(certainly(filter, read({market_cap: 6} as RawRow), NOW)).toBeUndefined();
	expect(certainly(parse({market_cap: {gte: 5}}), read({market_cap: 6} as RawRow), NOW)).toBe(true);
});

test('an address is certain, a flag that is reported, and a word in names; other text is not', () => {
	const row = {deployer: '0xAB', symbol: 'DOG', name: 'Good dog', type: 'pumpfun'} as RawRow;
	const verdict = (filter: Record<string, unknown>, values = row) => certainly(parse(filter), read(values), NOW);
	expect(verdict({deployer: {equals: '0xab'}})).toBe(true);
	expect(verdict({deployer: {equals: '0xcd'}})).toBe(false);
	expect(verdict({deployer: {in: ['0xcd', '0xab']}})).toBe(true);
	expect(verdict({deployer: {equals: '0xcd'}}, {...row, deployer: null})).toBeUndefined();
	expect(verdict({includeKeywords: ['dog']})).toBe(true);
	expect(verdict({includeKeywords: ['cat']})).toBe(false);
	expect(verdict({excludeKeywords: ['DOG']})).toBe(false);
	expect(verdict({includeKeywords: ['cat']}, {...row, description: 'a cat'})).toBe(true);
	expect(verdict({includeKeywords: ['cat']}, {...row, name: null})).toBeUndefined();
	expect(verdict({type: {equals: 'raydium'}})).toBeUndefined();
	expect(verdict({symbol: {equals: 'CAT'}})).toBeUndefined();
	const flagged = (security: object) => (of: Readable) =>
		of.name in security ? security[of.name as never] : undefined;
	const safe = parse({security: {isHoneypot: {equals: false}, buyTax: {lte: 5}}});
	expect(certainly(safe, flagged({isHoneypot: true, buyTax: '1%'}), NOW)).toBe(false);
	expect(certainly(safe, flagged({isHoneypot: false, buyTax: '90%'}), NOW)).toBeUndefined();
	expect(certainly(safe, flagged({}), NOW)).toBeUndefined();
});

test('an age is certain where it is not close to its limit, by a clock that is known', () => {
	const young = parse({created_at_offset: {lte: 600}});
	const verdict = (ageS: number, nowMs: number | undefined = NOW) =>
		certainly(young, read({created_at: NOW - ageS * 1000} as RawRow), nowMs);
	expect([539, 541, 600, 659, 661, 20_000].map(ageS => verdict(ageS))).toEqual([
		true,
		...[undefined, undefined, undefined],
		...[false, false],
	]);
	expect(certainly(young, read({created_at: NOW - 2e7} as RawRow), undefined)).toBeUndefined();
	expect(certainly(young, read({} as RawRow), NOW)).toBeUndefined();
});

describe('explain', () => {
	test('reports every clause, and blames at least one exactly when the row is dropped', () => {
		fc.assert(
			fc.property(tree, row, (input, values) => {
				const filter = parse(input);
				const results = explain(filter, read(values), NOW);
				expect(results).toHaveLength(leaves(filter).length);
				const blamed = results.filter(r => r.decisive);
				expect(blamed.every(r => !r.passed)).toBe(true);
				if (matches(filter, read(values), NOW)) expect(blamed).toEqual([]);
				// A part can be constant by having no clause at all, as `OR: []` has none.
				else if (!JSON.stringify(filterToJson(filter)).match(/"OR":\[\]|\{\}/)) {
					expect(blamed.length).toBeGreaterThan(0);
				}
			}),
			{numRuns: 2000},
		);
	});

	test('says what was expected and what the row has', () => {
		const filter = parse({
			market_cap: {gte: 5000},
			liquidity: {gte: 1},
			created_at_offset: {lte: 600},
			security: {isHoneypot: {equals: false}},
			excludeKeywords: ['elon'],
			NOT: {bonded: true},
		});
		const values: RawRow = {
			market_cap: 4900,
			liquidity: 7,
			created_at: NOW - 601_000,
			isHoneypot: false,
			bonded: true,
			name: 'Elon cat',
		};
		expect(explain(filter, read(values), NOW)).toEqual([
			clause({name: 'market_cap', op: 'gte', expected: 5000, actual: 4900}),
			clause({name: 'liquidity', op: 'gte', expected: 1, actual: 7, passed: true}),
			clause({kind: 'age', name: 'created_at_offset', op: 'lte', expected: 600, actual: 601}),
			clause({
				kind: 'security',
				name: 'security.isHoneypot',
				op: 'equals',
				expected: false,
				actual: false,
				passed: true,
			}),
			clause({kind: 'keywords', name: 'excludeKeywords', op: 'notIn', expected: ['elon'], actual: 'Elon cat'}),
			clause({name: 'bonded', op: 'equals', expected: true, actual: true, negated: true}),
		]);
	});

	test('does not blame the failed half of an OR whose other half holds', () => {
		const filter = parse({OR: [{market_cap: 1}, {volume_1h: 2}], liquidity: {gt: 0}});
		const results = explain(filter, read({market_cap: 9, volume_1h: 2, liquidity: 0}), NOW);
		expect(results.map(r => [r.name, r.passed, r.decisive])).toEqual([
			['market_cap', false, false],
			['volume_1h', true, false],
			['liquidity', false, true],
		]);
	});
});

function clause(of: Partial<ReturnType<typeof explain>[number]>) {
	const passed = of.passed ?? false;
	return {kind: 'compare', negated: false, passed, decisive: !passed, ...of};
}
