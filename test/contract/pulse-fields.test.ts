import {afterAll, beforeAll, describe, expect, test} from 'vitest';
import {type Entry, openTarget, type Target} from './target.ts';

/* Which fields an entry carries (spec 2.1, contract gaps 2). The lists are copied from there, not from the program. */

const W7 = ['1min', '5min', '1h', '4h', '6h', '12h', '24h'];
const W8 = ['1min', '5min', '15min', '1h', '4h', '6h', '12h', '24h'];
const families = (names: string[], windows: string[]) => names.flatMap(name => windows.map(w => `${name}_${w}`));

const USD = families(['volume', 'volume_buy', 'volume_sell', 'fees_paid'], W8);
const COUNTS = families(['trades', 'buys', 'sells', 'buyers', 'sellers', 'traders'], W8);
const ORGANIC = families(
	[
		'organic_volume',
		'organic_volume_buy',
		'organic_volume_sell',
		'organic_trades',
		'organic_traders',
		'organic_buys',
		'organic_sells',
		'organic_buyers',
		'organic_sellers',
	],
	W8,
);
const PRICES = [...families(['price_change'], W7), ...W7.map(w => `price_${w}_ago`)];
const HOLDINGS = ['top10', 'top50', 'top100', 'top200', 'dev', 'insiders', 'bundlers', 'snipers'];

let target: Target;
let assets: Entry[];
let pools: Entry[];

beforeAll(async () => {
	target = await openTarget();
	const ask = (assetMode: boolean) => target.view({sortBy: 'volume_1h', limit: 50}, {assetMode, model: 'default'});
	[assets, pools] = await Promise.all([ask(true), ask(false)]);
});
afterAll(() => target.close());

/** Where a market knows only what it saw, a figure is missing instead of wrong, and some entries have it. */
function expectNumbers(entries: readonly Entry[], names: readonly string[]): void {
	for (const entry of entries) {
		const wrong = names.filter(name => (entry[name] !== undefined || isKnown()) && !Number.isFinite(entry[name]));
		expect(wrong).toEqual([]);
	}
	expect(names.filter(name => !entries.some(entry => name in entry))).toEqual([]);
}

const isKnown = () => target.knows === 'everything';

/** Where holders are not known, nothing is better than a 0 that means something. */
function expectCountOrUnknown(value: unknown): void {
	if (value !== null) expect(Number.isInteger(value) && Number(value) >= 0).toBe(true);
}

/** ISO 8601 in UTC; the one form that the spec allows. */
const ISO = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/;

describe('an asset-mode entry', () => {
	test('identifies its token', () => {
		expect(assets.length).toBeGreaterThan(0);
		for (const entry of assets) {
			expect(entry['address']).toEqual(expect.any(String));
			expect(entry['chainId']).toMatch(/^[a-z]+:\w+$/);
			for (const name of ['symbol', 'name', 'logo']) expect(entry).toHaveProperty(name);
			expect(entry['decimals']).toEqual(expect.any(Number));
		}
	});

	test('carries every statistic of every window as a number', () => {
		expectNumbers(assets, [...USD, ...COUNTS, ...ORGANIC, ...PRICES]);
	});

	test('carries price, supply, caps, reserves, fees and holders', () => {
		expectNumbers(assets, [
			...['price', 'priceToken', 'latest_price', 'totalSupply', 'circulatingSupply', 'marketCap', 'marketCapDiluted'],
			...['market_cap', 'latest_market_cap', 'approximateReserveUSD', 'approximateReserveToken', 'totalFeesPaidUSD'],
			'deployerMigrationsCount',
		]);
		// No chain says how often an account was renamed.
		if (isKnown()) expectNumbers(assets, ['twitterRenameCount']);
		else expect(assets.filter(entry => 'twitterRenameCount' in entry)).toEqual([]);
		for (const entry of assets) {
			expect(entry['priceTokenString']).toEqual(expect.any(String));
			if (entry['approximateReserveTokenRaw'] !== null || isKnown())
				expect(entry['approximateReserveTokenRaw']).toMatch(/^\d+$/);
			if (entry['totalFeesPaidNativeRaw'] !== undefined || isKnown())
				expect(entry['totalFeesPaidNativeRaw']).toMatch(/^\d+$/);
			expectCountOrUnknown(entry['holders_count']);
			expect(Array.isArray(entry['holders_list'])).toBe(true);
		}
	});

	test('carries socials, security, dates and flags, null where they are not known', () => {
		const names = ['created_at', 'bonded_at', 'latest_trade_date', 'deployer', 'description', 'security'];
		const flags = ['is_mayhem_mode', 'is_cashback_coin', 'is_agent_mode', 'is_og_coin'];
		const screener = ['screenerListed', 'screenerHeader', 'screenerAdPaid', 'screenerEnhanced'];
		const live = ['liveStatus', 'liveThumbnail', 'livestreamTitle', 'liveReplyCount'];
		for (const entry of assets) {
			for (const name of [...names, ...flags, ...screener, ...live, 'twitterReusesCount']) {
				expect(entry).toHaveProperty(name);
			}
			expect(Object.keys(entry['socials'])).toEqual(
				expect.arrayContaining(['twitter', 'website', 'telegram', 'others']),
			);
			for (const name of ['created_at', 'bonded_at', 'latest_trade_date']) {
				if (entry[name] !== null) expect(entry[name]).toMatch(ISO);
			}
		}
	});

	test('writes holdings in percent under the long and the short name alike', () => {
		for (const entry of assets) {
			for (const kind of [...HOLDINGS, 'proTraders', 'smartTraders']) {
				const value = entry[`${kind}HoldingsPercentage`];
				expect(entry[`${kind}Holdings`] ?? null).toEqual(value ?? null);
				if (value != null) expect(value).toBeGreaterThanOrEqual(0);
				if (value != null) expect(value).toBeLessThanOrEqual(100.000001);
			}
		}
	});

	test('says the same under both spellings of one thing', () => {
		for (const entry of assets) {
			expect(entry['createdAt']).toEqual(entry['created_at']);
			expect(entry['marketCap']).toBe(entry['market_cap']);
			expect(entry['price']).toBe(entry['latest_price']);
			expect(entry['holdersCount']).toBe(entry['holders_count']);
		}
	});

	test('adds up: buys and sells make the trades, and a longer window holds the shorter', () => {
		for (const entry of assets) {
			for (const [i, w] of W8.entries()) {
				expect(entry[`buys_${w}`] + entry[`sells_${w}`]).toBe(entry[`trades_${w}`]);
				const volume = entry[`volume_${w}`];
				if (volume !== undefined || isKnown())
					expect(Math.abs(entry[`volume_buy_${w}`] + entry[`volume_sell_${w}`] - volume)).toBeLessThan(
						1e-6 * volume + 1e-6,
					);
				expect(entry[`traders_${w}`]).toBeLessThanOrEqual(entry[`buyers_${w}`] + entry[`sellers_${w}`]);
				expect(entry[`organic_trades_${w}`]).toBeLessThanOrEqual(entry[`trades_${w}`]);
				if (i > 0) expect(entry[`trades_${w}`]).toBeGreaterThanOrEqual(entry[`trades_${W8[i - 1]}`]);
			}
		}
	});

	test('names largest holders when the request names the token', async () => {
		const {address, chainId} = assets.find(entry => entry['holders_count'] > 0)!;
		const entries = await target.view({limit: 1, chainId, includeTokens: [address]});
		const entry = entries.find(e => e['address'] === address)!;
		for (const holder of entry['holders_list']) {
			expect(holder['address']).toEqual(expect.any(String));
			expect(holder['balance']).toEqual(expect.any(Number));
			expect(Array.isArray(holder['tags'])).toBe(true);
		}
	});
});

test('the largest holders of a token never have more than all of them', async () => {
	if (!isKnown()) return;
	const few = (await target.view({model: 'new', limit: 100, filters: {holders_count: {gte: 1, lte: 8}}})).slice(0, 25);
	expect(few.length).toBeGreaterThan(5);
	for (const {address, chainId} of few) {
		const entries = await target.view({limit: 1, chainId, includeTokens: [address]});
		const entry = entries.find(e => e['address'] === address);
		if (entry === undefined || entry['holders_count'] !== entry['holders_list'].length) continue;
		const held = entry['holders_list'].reduce((sum: number, {balance}: {balance: number}) => sum + balance, 0);
		// Percentages are of the supply that is not burnt, and kept as floats of 32 bits: seven digits.
		const all = (held / entry['circulatingSupply']) * 100;
		expect(entry['top10HoldingsPercentage']).toBeLessThanOrEqual(all * (1 + 1e-6) + 1e-6);
	}
});

describe('a pool-mode entry', () => {
	test('has every figure of both tokens, null where it is not known (spec 2.1)', () => {
		const figures = [
			...[
				'price',
				'priceToken',
				'approximateReserveUSD',
				'approximateReserveToken',
				'totalSupply',
				'circulatingSupply',
			],
			...['marketCap', 'marketCapDiluted', 'liquidity', 'liquidityMax', 'bondingPercentage', 'ath', 'atl', 'decimals'],
			...HOLDINGS.map(name => `${name}HoldingsPercentage`),
			'proTradersHoldingsPercentage',
		];
		for (const {pair} of pools) {
			for (const token of [pair.token0, pair.token1]) {
				for (const name of figures)
					expect([name, typeof token[name]]).toEqual([name, token[name] === null ? 'object' : 'number']);
			}
		}
		for (const entry of assets) expect(entry).toHaveProperty('holders_count');
	});

	test('carries the pair with both tokens, and its type, price and state', () => {
		expect(pools.length).toBeGreaterThan(0);
		for (const {pair} of pools) {
			for (const side of ['token0', 'token1']) {
				expect(pair[side]).toMatchObject({address: expect.any(String), chainId: expect.any(String)});
			}
			expect(['token0', 'token1']).toContain(pair.baseToken);
			expect(['token0', 'token1']).toContain(pair.quoteToken);
			expect(pair.baseToken).not.toBe(pair.quoteToken);
			expect(pair.address).toEqual(expect.any(String));
			expect(pair.type).toEqual(expect.any(String));
			expect(pair.blockchain).toEqual(expect.any(String));
			expect(pair.exchange).toMatchObject({name: expect.any(String), logo: expect.any(String)});
			expect(pair.bonded).toEqual(expect.any(Boolean));
			for (const name of ['createdAt', 'factory', 'bondingCurveAddress', 'sourceFactory', 'bondingPercentage']) {
				expect(pair).toHaveProperty(name);
			}
			if (pair.priceTokenString !== undefined || isKnown()) expect(pair.priceTokenString).toMatch(/^\d/);
		}
		const figures = ['liquidity', 'volume24h', 'price', 'totalFeesPaidUSD', 'athToken0', 'atlToken0'];
		expectNumbers(
			pools.map(({pair}) => pair),
			figures,
		);
	});

	test('carries every statistic of every window at its root, and no organic ones', () => {
		expectNumbers(pools, [...USD, ...COUNTS, ...PRICES, 'latest_price', 'market_cap', 'deployerMigrations']);
		for (const entry of pools) {
			expect(entry).not.toHaveProperty('organic_volume_1h');
			expectCountOrUnknown(entry['holders_count']);
		}
	});

	test('repeats the figures of its pair at the root', () => {
		const repeated = ['liquidity', 'price', 'bonded', 'bondingPercentage', 'bondingCurveAddress', 'sourceFactory'];
		const holdings = HOLDINGS.map(kind => `${kind}Holdings`);
		for (const {pair, ...entry} of pools) {
			for (const name of [...repeated, ...holdings, 'proTradersHolding', 'totalFeesPaidUSD']) {
				expect(entry[name], name).toEqual(pair[name]);
			}
		}
	});

	test('carries symbol, name, source, deployer, socials, security and holders list', () => {
		for (const entry of pools) {
			for (const name of [
				'tokenSymbol',
				'tokenName',
				'source',
				'deployer',
				'description',
				'screenerListed',
				'security',
			]) {
				expect(entry).toHaveProperty(name);
			}
			expect(entry['created_at']).toMatch(ISO);
			expect(Object.keys(entry['socials'])).toEqual(expect.arrayContaining(['twitter', 'website', 'telegram']));
			expect(Array.isArray(entry['holders_list'])).toBe(true);
			expect(Array.isArray(entry['twitterRenameHistory'])).toBe(isKnown());
		}
	});
});
