import {describe, expect, test} from 'vitest';
import {matches, type Read} from '../../../source/contract/filter.ts';
import type {ViewQuery} from '../../../source/contract/pulse-query.ts';
import {parsePulseBody} from '../../../source/contract/pulse-request.ts';
import {compareRows} from '../../../source/contract/sort.ts';
import {ROW} from '../../../source/service/market/market.ts';
import {PulseEngine} from '../../../source/service/pulse/pulse-engine.ts';
import {fc} from '../../helpers/properties.ts';
import {BulkMarket} from '../helpers/bulk-market.ts';
import {TinyMarket, type TinyRow} from '../helpers/tiny-market.ts';

function viewOf(view: Record<string, unknown>, body: Record<string, unknown> = {}): ViewQuery {
	return parsePulseBody({assetMode: true, ...body, views: [{name: 'v', ...view}]}).views[0]!;
}

const address = (n: number) => `0x${n.toString(16).padStart(40, '0')}`;
const token = (n: number, fields: TinyRow = {}): TinyRow => ({
	address: address(n),
	symbol: `T${n}`,
	name: `Token ${n}`,
	market_cap: n,
	...fields,
});

function page(rows: readonly TinyRow[], view: Record<string, unknown>, body: Record<string, unknown> = {}): number[] {
	const market = new TinyMarket();
	for (const row of rows) market.add(row);
	return new PulseEngine(market).page(viewOf({sortBy: 'market_cap', ...view}, body));
}

describe('a page of a large market', () => {
	// Large enough that most queries take a sample, small enough for a full sort in the test.
	const market = new BulkMarket(25_000);
	const engine = new PulseEngine(market);
	const {table} = market;
	const filters = fc.constantFrom<Record<string, unknown>>(
		{},
		{bonded: false, volume_1h: {gt: 0}},
		{market_cap: {gte: 1e6}},
		{market_cap: {gte: 1e9}},
		{OR: [{holders_count: {gt: 500}}, {trades_1h: {gt: 100}}]},
		{type: {in: ['uniswap-v3', 'pumpswap']}, dev_holdings_percentage: {lte: 3}},
		{includeKeywords: ['elon']},
		{market_cap: null},
	);

	test('holds what a full sort of all matches would, wherever the page lies', () => {
		const shape = fc.record({
			filters,
			sortBy: fc.constantFrom('created_at', 'market_cap', 'trades_1h', 'dev_holdings_percentage', 'price_change_24h'),
			sortOrder: fc.constantFrom('asc' as const, 'desc' as const),
			limit: fc.integer({min: 1, max: 100}),
			offset: fc.oneof(fc.constant(0), fc.nat(400), fc.nat(26_000)),
			chainId: fc.constantFrom([], ['evm:8453'], ['solana:solana', 'evm:56']),
		});
		fc.assert(
			fc.property(shape, ({chainId, ...rest}) => {
				const view = viewOf({...rest, ...(chainId.length > 0 ? {chainId} : {})});
				expect(engine.page(view)).toEqual(naivePage(view));
			}),
			{numRuns: 80},
		);
	});

	test('comes with the count of all matches', () => {
		const view = viewOf({filters: {bonded: true}});
		const bonded = table.numbers('bonded').filter(value => value === 1).length;
		expect(engine.count(view)).toBe(bonded);
	});

	function naivePage(view: ViewQuery): number[] {
		const read =
			(row: number): Read =>
			of =>
				of.kind === 'text' ? table.texts(of.name as 'symbol')[row] : table.numbers(of.name as 'market_cap')[row];
		return Array.from({length: table.length}, (_, row) => row)
			.filter(row => view.chainIds.length === 0 || view.chainIds.includes(table.texts('chain_id')[row]!))
			.filter(row => matches(view.filter, read(row), market.time))
			.map(row => ({row, value: table.numbers(view.sort.field.name as 'market_cap')[row], key: table.key(row)}))
			.sort((a, b) => compareRows(a, b, view.sort.order))
			.slice(view.offset, view.offset + view.limit)
			.map(({row}) => row);
	}
});

describe('included tokens', () => {
	const rows = [
		token(0),
		token(1),
		token(2),
		token(3, {bits: ROW.live | ROW.main | ROW.quote}),
		token(4, {bits: ROW.live | ROW.main | ROW.lpToken}),
		token(5, {chain_id: 'solana:solana', address: 'So1Address'}),
	];

	test('come on top of the limit, in their place by the same sort', () => {
		expect(page(rows, {limit: 2, includeTokens: [address(0)]}, {excludeLPTokens: false})).toEqual([5, 4, 0]);
		expect(page(rows, {limit: 2, sortOrder: 'asc', includeTokens: [address(3)]})).toEqual([0, 1, 3]);
	});

	test('are not repeated when they are in the page anyway', () => {
		expect(page(rows, {limit: 2, includeTokens: ['So1Address', address(2)]})).toEqual([5, 3, 2]);
	});

	test('bypass filters, addressToExclude, excludeLPTokens and filterQuotes', () => {
		const view = {
			filters: {market_cap: {lt: 2}},
			addressToExclude: [address(0), address(2)],
			includeTokens: [address(0), address(2), address(3), address(4)],
		};
		expect(page(rows, view, {filterQuotes: true})).toEqual([4, 3, 2, 1, 0]);
	});

	test('count only on the chains of the view, and unknown ones are ignored', () => {
		const view = {chainId: 'evm:8453', limit: 1, includeTokens: ['So1Address', address(0).toUpperCase(), '0xunknown']};
		expect(page(rows, view)).toEqual([3, 0]);
	});

	test('are found on any chain when the view names none', () => {
		expect(page(rows, {limit: 1, sortOrder: 'asc', includeTokens: ['So1Address']})).toEqual(
			[5, 0].sort((a, b) => a - b),
		);
	});
});

describe('what a view leaves out', () => {
	test('quote assets only on request, LP tokens unless excluded', () => {
		const rows = [
			token(0),
			token(1, {bits: ROW.live | ROW.main | ROW.quote}),
			token(2, {bits: ROW.live | ROW.main | ROW.lpToken}),
		];
		expect(page(rows, {})).toEqual([1, 0]);
		expect(page(rows, {}, {filterQuotes: true})).toEqual([0]);
		expect(page(rows, {}, {excludeLPTokens: false})).toEqual([2, 1, 0]);
		expect(page(rows, {excludeLPTokens: false})).toEqual([2, 1, 0]);
	});

	test('in pool mode every token without a pool', () => {
		const rows = [
			token(0),
			token(1, {bits: ROW.live | ROW.main | ROW.quote}),
			token(2, {bits: ROW.live | ROW.main | ROW.lpToken}),
		];
		expect(page(rows, {}, {assetMode: false})).toEqual([0]);
		expect(page(rows, {}, {assetMode: false, filterQuotes: false, excludeLPTokens: false})).toEqual([0]);
	});

	test('further pools of a token, unless pool mode requests duplicates', () => {
		const rows = [token(0), token(0, {market_cap: 7, bits: ROW.live})];
		expect(page(rows, {})).toEqual([0]);
		expect(page(rows, {}, {assetMode: false})).toEqual([0]);
		expect(page(rows, {}, {assetMode: false, excludeDuplicates: false})).toEqual([1, 0]);
		expect(page(rows, {}, {excludeDuplicates: false})).toEqual([0]);
	});

	test('pools in which an address is either token or the pool itself, in any letter case', () => {
		const rows = [
			token(10, {quote: '0xAAAA'}),
			token(11, {quote: '0xbbbb'}),
			token(12, {pool_address: '0xCCCC'}),
			token(13, {chain_id: 'solana:solana', address: 'AbC'}),
		];
		expect(page(rows, {addressToExclude: '0xaaaa'})).toEqual([3, 2, 1]);
		expect(page(rows, {addressToExclude: ['0xBBBB', '0xcccc']})).toEqual([3, 0]);
		expect(page(rows, {addressToExclude: [address(12).toUpperCase().replace('0X', '0x')]})).toEqual([3, 1, 0]);
		expect(page(rows, {addressToExclude: ['abc']})).toEqual([3, 2, 1, 0]);
	});

	test('tokens other than the requested ones, and excluded base tokens', () => {
		const rows = [token(0), token(1), token(2)];
		expect(page(rows, {assets: [address(0), address(2)]})).toEqual([2, 0]);
		expect(page(rows, {token: {address: address(1)}})).toEqual([1]);
		expect(page(rows, {baseTokenToExclude: address(1)})).toEqual([2, 0]);
	});

	test('tokens with fewer links than min_socials, and unlisted ones', () => {
		const rows = [
			token(0, {twitter: 'https://x.com/a', website: 'https://a.example'}),
			token(1, {telegram: 'https://t.me/a'}),
			token(2, {symbol: null}),
		];
		expect(page(rows, {min_socials: 1})).toEqual([1, 0]);
		expect(page(rows, {min_socials: '2'})).toEqual([0]);
		expect(page(rows, {assetListed: true})).toEqual([1, 0]);
		expect(page(rows, {assetListed: false})).toEqual([2]);
	});

	test('pool types that are not requested, in any letter case', () => {
		const rows = [token(0, {type: 'Algebra'}), token(1, {type: 'pumpfun'})];
		expect(page(rows, {poolTypes: ['algebra']})).toEqual([0]);
		expect(page(rows, {}, {poolTypes: 'PumpFun'})).toEqual([1]);
	});
});

test('security flags are those of the token, and new ones when they change', () => {
	const market = new TinyMarket();
	market.add(token(0, {security: {isHoneypot: true, buyTax: '12'}}));
	market.add(token(1, {security: null}));
	const engine = new PulseEngine(market);
	const honeypots = viewOf({filters: {security: {isHoneypot: true}}});
	expect(engine.page(honeypots)).toEqual([0]);
	expect(engine.page(viewOf({filters: {security: {buyTax: {lte: 5}}}}))).toEqual([]);
	market.change(0, {security: {isHoneypot: false, buyTax: '2%'}});
	expect(engine.page(honeypots)).toEqual([]);
	expect(engine.page(viewOf({filters: {security: {buyTax: {lte: 5}}}}))).toEqual([0]);
});
