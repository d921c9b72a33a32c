import {describe, expect, test} from 'vitest';
import {matches, type Read} from '../../../source/contract/filter.ts';
import {parseFilters} from '../../../source/contract/filter-parse.ts';
import {RowBuffers} from '../../../source/service/pulse/row-buffers.ts';
import {type ScanSource, scan} from '../../../source/service/pulse/scan.ts';
import {SearchTexts} from '../../../source/service/pulse/search-texts.ts';
import {compareRows, type RowOrder, topRows} from '../../../source/service/pulse/top-rows.ts';
import {fc} from '../../helpers/properties.ts';
import {TinyMarket, type TinyRow} from '../helpers/tiny-market.ts';

const orNull = <T>(of: fc.Arbitrary<T>) => fc.oneof({weight: 4, arbitrary: of}, fc.constant(null));
const figure = fc.constantFrom(-1, 0, 0.5, 1, Number.MIN_VALUE, 1e12, -1e300);
const word = fc.constantFrom('', 'a', 'AB', 'ab', 'Éa', 'A\nB');

const tinyRow: fc.Arbitrary<TinyRow> = fc.record({
	market_cap: orNull(figure),
	volume_1h: orNull(figure),
	created_at: orNull(fc.constantFrom(1_699_999_940_000, 1_699_999_999_000, 1_700_000_000_000)),
	bonded: orNull(fc.boolean()),
	symbol: orNull(word),
	name: orNull(word),
	deployer: orNull(fc.constantFrom('0xab', '0xAB', 'So1A', 'so1a')),
	type: orNull(fc.constantFrom('pumpfun', 'PumpFun', 'raydium')),
	chain_id: fc.constantFrom('evm:8453', 'evm:56', 'solana:solana'),
	security: orNull(fc.record({buyTax: orNull(fc.constantFrom('5', '5%', '0')), isHoneypot: orNull(fc.boolean())})),
});

const order = fc.dictionary(fc.constantFrom('gt', 'gte', 'lt', 'lte', 'equals', 'not'), figure, {minKeys: 1});
const clause: fc.Arbitrary<Record<string, unknown>> = fc.oneof(
	fc.record({market_cap: order}),
	fc.record({market_cap: order, volume_1h: order}),
	fc.record({market_cap: fc.constantFrom({equals: null}, {not: null}, {in: [0, 1]}, {notIn: [0.5]})}),
	fc.record({created_at_offset: fc.dictionary(fc.constantFrom('gt', 'lte'), fc.constantFrom(0, 1, 60), {minKeys: 1})}),
	fc.record({bonded: fc.constantFrom(true, false, {not: true}, {equals: null})}),
	fc.record({
		symbol: fc.constantFrom({equals: 'ab'}, {contains: 'B', mode: 'insensitive'}, {not: 'a'}, {in: ['a', 'AB']}),
	}),
	fc.record({deployer: fc.constantFrom('0xab', {in: ['0xAB', 'So1A']}, {notIn: ['so1a']})}),
	fc.record({type: fc.constantFrom({in: ['pumpfun', 'raydium']}, {equals: 'raydium'}, {notIn: ['pumpfun']})}),
	fc.record({chain_id: fc.constantFrom({in: ['evm:8453', 'evm:56']}, 'solana:solana')}),
	fc.record({excludeKeywords: fc.constant(['é'])}),
	fc.record({includeKeywords: fc.constantFrom(['a', 'b'], ['a\nb'], ['ab', '\n'])}),
	fc.record({security: fc.constantFrom({isHoneypot: false}, {buyTax: {lte: 4}}, {buyTax: {not: null}})}),
);
const {tree} = fc.letrec<{tree: Record<string, unknown>}>(tie => ({
	tree: fc.oneof(
		{depthSize: 'small', withCrossShrink: true},
		clause,
		fc.record({AND: fc.array(tie('tree'), {maxLength: 3})}),
		fc.record({OR: fc.array(tie('tree'), {maxLength: 3})}),
		fc.record({NOT: tie('tree')}),
		fc.tuple(clause, tie('tree')).map(([members, NOT]) => ({...members, NOT})),
	),
}));

function marketOf(rows: readonly TinyRow[]): TinyMarket {
	const market = new TinyMarket({capacity: 128});
	for (const [i, row] of rows.entries()) market.add({address: `0x${i}`, ...row});
	return market;
}

const buffers = new RowBuffers();
function sourceOf(market: TinyMarket): ScanSource {
	return {
		table: market.table,
		buffers,
		texts: new SearchTexts(),
		nowMs: market.time,
	};
}

describe('a scan', () => {
	test('keeps exactly the rows that the contract says match, in their order', () => {
		fc.assert(
			fc.property(fc.array(tinyRow, {maxLength: 40}), tree, (rows, request) => {
				const market = marketOf(rows);
				const filter = parseFilters(request, {mode: 'asset'});
				const list = Int32Array.from(rows.keys());
				const kept = scan(filter, sourceOf(market), list, rows.length);
				const read =
					(row: TinyRow): Read =>
					of =>
						(of.name in SECURITY ? row.security?.[of.name] : row[of.name as keyof TinyRow]) as never;
				const expected = rows.flatMap((row, i) => (matches(filter, read(row), market.time) ? [i] : []));
				expect([...list.subarray(0, kept)]).toEqual(expected);
			}),
			{numRuns: 1500},
		);
	});
});

const SECURITY = {buyTax: true, isHoneypot: true};

describe('the first rows of an order', () => {
	test('are the same as those of a full sort, on every page', () => {
		fc.assert(
			fc.property(
				fc.array(orNull(figure), {maxLength: 400}),
				fc.boolean(),
				fc.nat(420),
				fc.nat(60),
				(values, descending, from, size) => {
					const column = Float64Array.from(values, value => value ?? NaN);
					const by: RowOrder = {values: column, descending, key: row => `key ${(row * 7919) % 1009}`, keyRank: () => 0};
					const rows = Int32Array.from(values.keys());
					const sorted = [...rows].sort((a, b) => compareRows(by, a, b)).slice(from, from + size);
					expect(topRows(by, rows, rows.length, from, from + size)).toEqual(sorted);
				},
			),
			{numRuns: 1500},
		);
	});

	test('put unknown values last in both directions and settle ties by key', () => {
		const column = Float64Array.of(NaN, 1, 2, 1, NaN);
		const keys = ['e', 'd', 'c', 'b', 'a'];
		const by = (descending: boolean): RowOrder => ({
			values: column,
			descending,
			key: row => keys[row]!,
			keyRank: () => 0,
		});
		expect(topRows(by(true), Int32Array.of(0, 1, 2, 3, 4), 5, 0, 5)).toEqual([2, 3, 1, 4, 0]);
		expect(topRows(by(false), Int32Array.of(0, 1, 2, 3, 4), 5, 0, 5)).toEqual([3, 1, 2, 4, 0]);
	});
});
