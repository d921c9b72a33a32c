import {expect, test} from 'vitest';
import {createNormaliser} from '../../../source/client/wire/normalise.ts';
import {assetEntrySchema, poolEntrySchema} from '../../../source/contract/entry-schema.ts';
import {Engine} from '../../../source/service/market/engine.ts';
import {Entries} from '../../../source/service/market/entries.ts';
import type {MarketEvent} from '../../../source/service/market/events.ts';
import {priceHistory} from '../../../source/service/market/price-history.ts';
import type {NumericFieldName} from '../../../source/service/market/table.ts';
import {publishedAsset, publishedPool} from '../../contract/published-entries.ts';
import {CHAIN, fund, launch, START_MS, trade, transfer} from './make-events.ts';

const ZERO = '0x0000000000000000000000000000000000000000';
const MINUTE = 60_000;

function play(...events: MarketEvent[]) {
	const engine = new Engine(START_MS);
	for (const event of events) engine.apply(event);
	const last = Math.max(...events.map(({timeMs}) => timeMs));
	engine.advance(last);
	const figure = (name: NumericFieldName): number => engine.table.numbers(name)[0]!;
	const at = (timeMs: number): typeof figure => {
		engine.advance(timeMs);
		return figure;
	};
	return {engine, figure, at};
}

test('a trade of unknown value is counted, and sums of windows that hold it are unknown until it has left them', () => {
	const unpriced = trade('Bob', 'buy', {valueUSD: null, feeUSD: null, quoteUSD: null, amountQuote: 0.5});
	const {figure, at} = play(launch(), trade('Ann', 'buy'), unpriced);
	for (const name of [
		'volume_1min',
		'volume_buy_24h',
		'fees_paid_1min',
		'organic_volume_1h',
		'latest_price',
	] as const) {
		expect(figure(name), name).toBeNaN();
	}
	expect(figure('trades_1min')).toBe(2);
	expect(figure('buyers_1min')).toBe(2);
	expect(figure('volume_sell_1min')).toBe(0);
	expect(figure('price_token')).toBe(0.05);
	expect(figure('total_fees_paid_usd')).toBeNaN();
	// The highest and the lowest price are those of what was seen.
	expect([figure('ath'), figure('atl')]).toEqual([2, 1]);
	expect(at(START_MS + 2 * MINUTE)('volume_1min')).toBe(0);
	expect(figure('volume_5min')).toBeNaN();
});

test('a priced trade after an unpriced one has a price again', () => {
	const unpriced = trade('Bob', 'buy', {valueUSD: null, feeUSD: null, quoteUSD: null, amountQuote: 0.5});
	const {figure} = play(launch(), unpriced, trade('Ann', 'buy', {timeMs: START_MS + 3000}));
	expect(figure('latest_price')).toBe(2);
	expect(figure('price_token')).toBe(0.02);
});

test('a trade without a wallet is counted without a trader', () => {
	const {engine, figure} = play(launch(), trade('Ann', 'buy'), trade('', 'buy', {wallet: null}));
	expect(figure('trades_1min')).toBe(2);
	expect(figure('volume_1min')).toBe(40);
	expect(figure('traders_1min')).toBe(1);
	expect(figure('organic_trades_1min')).toBe(1);
	expect(figure('holders_count')).toBe(1);
	expect(engine.wallets.find('')).toBeUndefined();
});

test('an opening without a price and reserves leaves them unknown until trades and reserves give them', () => {
	const opening = launch({priceUSD: null, quoteUSD: null, reserveToken: null, reserveQuote: null});
	const {engine, figure} = play(opening);
	for (const name of ['latest_price', 'ath', 'liquidity', 'liquidity_max', 'bonding_percentage'] as const) {
		expect(figure(name), name).toBeNaN();
	}
	engine.apply(trade('Ann', 'buy', {reserves: {token: 500, quote: 3}}));
	engine.advance(START_MS + 1000);
	expect(figure('latest_price')).toBe(2);
	expect([figure('ath'), figure('atl')]).toEqual([2, 2]);
	expect(figure('liquidity')).toBe(300);
	expect(figure('approximate_reserve_token')).toBe(500);
	engine.apply({
		type: 'reserves',
		timeMs: START_MS + 2000,
		block: 7,
		chainId: CHAIN,
		token: 'Token',
		pool: null,
		reserveToken: 40,
		reserveQuote: 9,
	});
	engine.advance(START_MS + 2000);
	expect(figure('liquidity')).toBe(900);
	expect(figure('approximate_reserve_token')).toBe(40);
});

test('where the opening price is unknown, the change runs from the first trade, whose price counts as the opening', () => {
	const opening = launch({priceUSD: null});
	const {engine, figure} = play(opening);
	expect(figure('price_5min_ago')).toBeNaN();
	expect(priceHistory(engine, engine.listing(0).token, START_MS)).toEqual([]);
	engine.apply(trade('Ann', 'buy'));
	engine.apply(trade('Bob', 'buy', {timeMs: START_MS + 5000, valueUSD: 30}));
	engine.advance(START_MS + 5000);
	expect([figure('price_5min_ago'), figure('price_change_5min')]).toEqual([2, 50]);
	expect(priceHistory(engine, engine.listing(0).token, START_MS).map(({price}) => price)).toEqual([2, 2, 3]);
});

test('an unknown price of the first trade is not made up from the second', () => {
	const unpriced = trade('Bob', 'buy', {valueUSD: null, feeUSD: null, quoteUSD: null});
	const {figure} = play(launch({priceUSD: null}), unpriced, trade('Ann', 'buy', {timeMs: START_MS + 9000}));
	expect(figure('price_5min_ago')).toBeNaN();
	expect(figure('price_change_5min')).toBeNaN();
});

test('a price that was zero before has no change', () => {
	const {engine, figure} = play(launch({priceUSD: 0}), trade('Ann', 'buy', {timeMs: START_MS + 5000}));
	engine.advance(START_MS + 5000);
	expect([figure('price_5min_ago'), figure('price_change_5min')]).toEqual([0, Number.NaN]);
});

test('a token that starts in an ordinary pool is bonded since its launch', () => {
	const {figure} = play(launch({curveSale: null, isBonded: true}));
	expect([figure('bonded'), figure('bonded_at')]).toEqual([1, START_MS]);
	// Where it is not said, as in a simulation, there was no bonding.
	expect(play(launch({curveSale: null})).figure('bonded_at')).toBeNaN();
});

test('where transfers move balances, trades do not, and the supply belongs to who received it', () => {
	const moved = launch({balances: 'transfers', supply: 0, curveSale: null});
	const {engine, figure} = play(
		moved,
		transfer(ZERO, 'Dev', 400),
		transfer(null, 'Ann', 100),
		trade('Ann', 'buy', {amountToken: 100}),
		transfer('Ann', null, 40),
		trade('Ann', 'sell', {amountToken: 40}),
		transfer('Dev', ZERO, 100),
	);
	expect(figure('total_supply')).toBe(400);
	expect(figure('circulating_supply')).toBe(300);
	expect(figure('holders_count')).toBe(2);
	expect(figure('dev_holdings_percentage')).toBeCloseTo(100, 5);
	const holders = engine.positions;
	const balance = (wallet: string): number => holders.balance[holders.find(0, engine.wallets.find(wallet)!)]!;
	expect([balance('Dev'), balance('Ann')]).toEqual([300, 60]);
	expect(engine.wallets.find(ZERO)).toBeUndefined();
});

test('after a gap all figures of the windows that reach into it are unknown, and holders from then on', () => {
	const gap = {type: 'gap', block: 9, chainId: CHAIN, token: 'Token'} as const;
	const endMs = START_MS + 10 * MINUTE;
	const {engine, figure, at} = play(launch(), trade('Ann', 'buy'), {...gap, fromMs: START_MS + MINUTE, timeMs: endMs});
	for (const name of [
		'volume_1min',
		'trades_24h',
		'price_change_1h',
		'holders_count',
		'top_10_holdings_percentage',
	] as const) {
		expect(figure(name), name).toBeNaN();
	}
	expect(figure('latest_price')).toBe(2);
	expect(figure('liquidity')).toBeNaN();
	engine.apply(trade('Bob', 'buy', {timeMs: endMs + 1000}));
	expect(at(endMs + 2 * MINUTE)('trades_1min')).toBe(0);
	expect(figure('trades_5min')).toBeNaN();
	expect(at(endMs + 6 * MINUTE)('trades_15min')).toBeNaN();
	expect(at(endMs + 16 * MINUTE)('trades_1h')).toBeNaN();
	expect(figure('trades_15min')).toBe(0);
	expect(at(endMs + 75 * MINUTE)('trades_1h')).toBe(0);
	expect(figure('holders_count')).toBeNaN();
	expect(engine.ignored).toBe(0);
});

test('an entry leaves out what is unknown, or has null where the schema wants it, and a reader takes both as unknown', () => {
	const unpriced = trade('Bob', 'buy', {valueUSD: null, feeUSD: null, quoteUSD: null, amountQuote: 0.5});
	const opening = launch({priceUSD: null, quoteUSD: null, reserveToken: null, reserveQuote: null});
	const {engine} = play(opening, unpriced);
	const entries = new Entries(engine);
	const asset = JSON.parse(JSON.stringify(entries.asset(0, 20)));
	const pool = JSON.parse(JSON.stringify(entries.pool(0, 20)));
	expect(() => assetEntrySchema().parse(asset)).not.toThrow();
	expect(() => poolEntrySchema().parse(pool)).not.toThrow();
	expect(() => publishedAsset('seen').parse(asset)).not.toThrow();
	expect(() => publishedPool('seen').parse(pool)).not.toThrow();
	expect(asset).toMatchObject({trades_1h: 1, approximateReserveTokenRaw: null, priceTokenString: '0.05'});
	expect(asset.holders_list[0]).toMatchObject({balance: 10, balanceUSD: null, boughtAmountUSD: null});
	expect(pool.pair).not.toHaveProperty('volume24h');
	for (const name of [
		'volume_1h',
		'fees_paid_1h',
		'totalFeesPaidNativeRaw',
		'ath',
		'athDate',
		'liquidity',
		'latest_price',
		'trending_score_1h',
	])
		expect(asset, name).not.toHaveProperty(name);
	for (const wire of [asset, pool]) {
		const entry = createNormaliser().entry(wire)!;
		for (const name of ['volume_1h', 'latest_price', 'market_cap', 'ath', 'liquidity'] as const)
			expect(entry[name], name).toBeUndefined();
		expect(entry.trades_1h ?? 1).toBe(1);
		expect(entry.holders![0]).not.toHaveProperty('balanceUSD');
	}
});

test('which wallets are fresh is unknown until the first money of one is reported', () => {
	const names = ['fresh_traders_holdings_percentage', 'fresh_traders_count', 'fresh_traders_buys'] as const;
	const {engine, figure} = play(launch(), trade('Ann', 'buy'));
	const known = new Entries(engine).asset(0, 20);
	expect(names.map(figure)).toEqual([Number.NaN, Number.NaN, Number.NaN]);
	expect(known).not.toHaveProperty('freshTradersCount', 0);
	const [version] = engine.versions;
	engine.apply(fund('Bob', 'Bank', START_MS));
	engine.advance(START_MS + 1000);
	expect(names.map(figure)).toEqual([0, 0, 0]);
	expect(engine.versions[0]).not.toBe(version);
	engine.apply(fund('Ann', 'Bank', START_MS));
	engine.apply(trade('Ann', 'buy', {timeMs: START_MS + 2000}));
	engine.advance(START_MS + 2000);
	expect(figure('fresh_traders_count')).toBe(1);
});

test('renames and other tokens of a Twitter account that was not read are unknown, those of none are 0', () => {
	const unread = play(launch());
	expect([unread.figure('twitter_rename_count'), unread.figure('twitter_reuses_count')]).toEqual([
		Number.NaN,
		Number.NaN,
	]);
	expect(new Entries(unread.engine).asset(0, 20)).not.toHaveProperty('twitterRenameHistory');
	const read = play(launch({profile: {twitter: null, twitterRenames: []}}));
	expect([read.figure('twitter_rename_count'), read.figure('twitter_reuses_count')]).toEqual([0, 0]);
	expect(new Entries(read.engine).asset(0, 20)).toHaveProperty('twitterRenameHistory', []);
});
