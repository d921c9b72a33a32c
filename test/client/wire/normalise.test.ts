import {describe, expect, test} from 'vitest';
import {createNormaliser, mergeEntry} from '../../../source/client/wire/normalise.ts';
import {FIELDS} from '../../../source/contract/fields.ts';
import {clean} from '../../../source/text.ts';
import {HOSTILE_STRINGS} from '../../fixtures/hostile-strings.ts';
import {fc} from '../../helpers/properties.ts';

const {entry, entries} = createNormaliser();
const ADDRESS = '0xAbC0000000000000000000000000000000000001';
const identity = {address: ADDRESS, chainId: 'evm:8453'};

describe('an asset entry', () => {
	test('is read flat', () => {
		const read = entry({
			...identity,
			symbol: 'PEPE',
			market_cap: 5,
			volume_1h: 7,
			top10HoldingsPercentage: 12.5,
			bonded: false,
		});
		expect(read).toEqual({
			key: 'evm:8453|0xabc0000000000000000000000000000000000001',
			address: ADDRESS,
			chain_id: 'evm:8453',
			symbol: 'PEPE',
			market_cap: 5,
			volume_1h: 7,
			top_10_holdings_percentage: 12.5,
			bonded: false,
		});
	});

	test('is read with its identity under token, statistics at the root (older wire)', () => {
		const read = entry({token: {...identity, symbol: 'PEPE', marketCap: 3, logo: 'https://a.io/x.png'}, volume_1h: 7});
		expect(read).toMatchObject({symbol: 'PEPE', market_cap: 3, volume_1h: 7, logo: 'https://a.io/x.png'});
	});

	test('prefers snake_case and long names to their twins, and falls back to them', () => {
		expect(entry({...identity, market_cap: 1, marketCap: 2})?.market_cap).toBe(1);
		expect(entry({...identity, market_cap: null, marketCap: 2})?.market_cap).toBe(2);
		expect(entry({...identity, devHoldingsPercentage: 4, devHoldings: 5})?.dev_holdings_percentage).toBe(4);
		expect(entry({...identity, devHoldings: 5})?.dev_holdings_percentage).toBe(5);
	});

	test.each([
		[56, 'evm:56'],
		['56', 'evm:56'],
		['evm:56', 'evm:56'],
		['solana:solana', 'solana:solana'],
		['base', 'base'],
		[0, undefined],
		[-56, undefined],
		[5.6, undefined],
		[1e99, undefined],
		[null, undefined],
	])('reads the chain %o as %s', (chainId, expected) => {
		expect(entry({address: ADDRESS, chainId})?.chain_id).toBe(expected);
		expect(entry({token0: {address: ADDRESS, chainId}})?.chain_id).toBe(expected);
	});

	test('keeps a 0 that is on the wire, and knows nothing of what is null, empty or absent', () => {
		const read = entry({...identity, volume_1h: 0, trades_1h: null, holders_count: '', dev: 1});
		expect(read?.volume_1h).toBe(0);
		expect(read?.trades_1h).toBeUndefined();
		expect(read?.holders_count).toBeUndefined();
		expect(read?.liquidity).toBeUndefined();
	});

	test('a figure of a holder that is absent or no number is unknown', () => {
		const holder = {
			address: 'W1',
			balance: '5',
			soldAmount: 'junk',
			balanceUSD: null,
			boughtAmountUSD: 0,
			tags: ['dev'],
		};
		expect(entry({...identity, holders_list: [holder]})?.holders).toEqual([
			{address: 'W1', balance: 5, boughtAmountUSD: 0, tags: ['dev']},
		]);
	});

	test('takes numbers as text, and no nonsense for numbers', () => {
		const read = entry({
			...identity,
			market_cap: '1.2e+21',
			liquidity: ' 15.5 ',
			latest_price: 'n/a',
			ath: '0x10',
			atl: true,
			volume_1h: Number.POSITIVE_INFINITY,
		});
		expect(read).toMatchObject({market_cap: 1.2e21, liquidity: 15.5});
		for (const name of ['latest_price', 'ath', 'atl', 'volume_1h'] as const) expect(read?.[name]).toBeUndefined();
	});

	test('takes a figure below zero only where there can be one: elsewhere it is unknown, and the noise of sums is 0', () => {
		const read = entry({
			...identity,
			market_cap: -1,
			holders_count: -5,
			bondingPercentage: -1e300,
			devHoldingsPercentage: -5,
			latest_price: '-0.5',
			volume_1h: -1e-9,
			price_change_1h: -42,
		});
		for (const name of [
			'market_cap',
			'holders_count',
			'bonding_percentage',
			'dev_holdings_percentage',
			'latest_price',
		] as const)
			expect(read?.[name]).toBeUndefined();
		expect(read).toMatchObject({volume_1h: 0, price_change_1h: -42});
	});

	test('takes dates as ISO text, as seconds and as milliseconds; without a zone they are UTC', () => {
		const ms = Date.UTC(2025, 10, 21, 8, 2, 28);
		for (const wire of [
			'2025-11-21T08:02:28.000Z',
			'2025-11-21T08:02:28',
			'2025-11-21 08:02:28',
			'2025-11-21T10:02:28+02:00',
			ms,
			ms / 1000,
			String(ms),
		]) {
			expect(entry({...identity, created_at: wire})?.created_at).toBe(ms);
		}
		for (const wire of ['yesterday', 'May 5', '0001-01-01T00:00:00Z', 0, -5, '2025-99-99', 1e300]) {
			expect(entry({...identity, created_at: wire})?.created_at).toBeUndefined();
		}
	});

	test('takes raw amounts in every notation as digits', () => {
		for (const [wire, digits] of [
			['123', '123'],
			[123, '123'],
			['1.2e+21', `12${'0'.repeat(20)}`],
			[1e21, `1${'0'.repeat(21)}`],
		]) {
			expect(entry({...identity, totalFeesPaidNativeRaw: wire})?.total_fees_paid_native_raw).toBe(digits);
		}
		for (const wire of [1.5, -3, '1.5', '1e999', 'abc', null]) {
			expect(entry({...identity, totalFeesPaidNativeRaw: wire})?.total_fees_paid_native_raw).toBeUndefined();
		}
	});

	test('lets only http(s) links through, and makes links of bare names', () => {
		const read = entry({
			...identity,
			logo: 'javascript:alert(1)',
			screenerHeader: 'https://user:pass@evil.io/',
			liveThumbnail: 'data:image/png;base64,AAAA',
			socials: {
				twitter: '@pepe',
				telegram: 't.me/pepe',
				website: 'file:///etc/passwd',
				others: {createdOn: 'pump', showName: true, __proto__: 'x'},
			},
		});
		expect(read).toMatchObject({
			twitter: 'https://x.com/pepe',
			telegram: 'https://t.me/pepe',
			otherSocials: {createdOn: 'pump'},
		});
		for (const name of ['logo', 'screener_header', 'live_thumbnail', 'website'] as const)
			expect(read?.[name]).toBeUndefined();
	});

	test('reads security flags one by one: what was not reported stays unknown', () => {
		expect(
			entry({...identity, security: {buyTax: '5', isHoneypot: false, isMintable: null, strange: 1}})?.security,
		).toEqual({buyTax: '5', isHoneypot: false});
		expect(entry({...identity, security: null})?.security).toBeUndefined();
	});

	test('further spellings of a provider come first', () => {
		const read = createNormaliser({market_cap: ['mcapUsd'], screener_listed: ['acmeListed']}).entry({
			...identity,
			mcapUsd: 9,
			market_cap: 1,
			acmeListed: true,
		});
		expect(read).toMatchObject({market_cap: 9, screener_listed: true});
	});
});

describe('a pool entry', () => {
	const token0 = {...identity, symbol: 'PEPE', name: 'Pepe', decimals: 18};
	const token1 = {address: '0x00000000000000000000000000000000000000ee', chainId: 'evm:8453', symbol: 'WETH'};
	const pair = {
		token0,
		token1,
		baseToken: 'token0',
		quoteToken: 'token1',
		address: '0x9999999999999999999999999999999999999999',
		type: 'uniswap-v2',
		createdAt: '2025-11-21T08:00:00.000Z',
		liquidity: 10,
		athToken0: 4,
		athToken1: 5,
		athDateToken0: '2025-11-21T09:00:00.000Z',
		exchange: {name: 'Dex', logo: 'https://a.io/l.png'},
		devHoldings: 3,
		proTradersHolding: 2,
	};
	const statistics = {latest_price: 2, market_cap: 20, volume_1h: 7, deployerMigrations: 6, holders_count: 8};
	const expected = {
		key: `evm:8453|${ADDRESS.toLowerCase()}`,
		symbol: 'PEPE',
		name: 'Pepe',
		pool_address: pair.address,
		type: 'uniswap-v2',
		created_at: Date.UTC(2025, 10, 21, 8),
		liquidity: 10,
		ath: 4,
		ath_date: Date.UTC(2025, 10, 21, 9),
		latest_price: 2,
		market_cap: 20,
		volume_1h: 7,
		deployer_migrations_count: 6,
		dev_holdings_percentage: 3,
		pro_traders_holdings_percentage: 2,
		exchange: {name: 'Dex', logo: 'https://a.io/l.png'},
	};

	test('is read with the pool under pair (spec sample)', () => {
		expect(entry({pair, ...statistics})).toMatchObject(expected);
	});

	test('is read with the pool at the root (schema)', () => {
		expect(entry({...pair, ...statistics})).toMatchObject(expected);
	});

	test('describes the token that baseToken names, in either place', () => {
		const swapped = {
			...pair,
			token0: token1,
			token1: token0,
			baseToken: 'token1',
			quoteToken: 'token0',
			athToken0: 5,
			athToken1: 4,
		};
		expect(entry({pair: swapped, ...statistics})).toMatchObject({symbol: 'PEPE', ath: 4});
		expect(entry({pair: {...swapped, baseToken: undefined}, ...statistics})).toMatchObject({symbol: 'PEPE'});
	});
});

describe('what is not an entry', () => {
	test('is left out and counted, without throwing', () => {
		const {entries: read, dropped} = entries([
			identity,
			null,
			7,
			'x',
			[],
			{},
			{address: ''},
			{...identity, address: 'has space'},
			{pair: {}},
			{...identity, symbol: 'again'},
		]);
		expect(read).toHaveLength(1);
		expect(dropped).toBe(8);
	});

	test('never makes the normaliser throw, nor unclean text come out', () => {
		const hostile = fc.oneof(
			fc.constantFrom(...Object.values(HOSTILE_STRINGS)),
			fc.string({unit: 'binary', maxLength: 30}),
		);
		const value = fc.oneof(
			hostile,
			fc.double(),
			fc.boolean(),
			fc.constant(null),
			fc.array(hostile, {maxLength: 3}),
			fc.object({maxDepth: 2}),
		);
		const spellings = [
			...new Set(FIELDS.flatMap(field => [...field.asset, ...field.pool, ...field.pair, ...field.token])),
			'socials',
			'security',
			'exchange',
			'holders_list',
			'token',
			'pair',
			'token0',
			'baseToken',
			'twitterRenameHistory',
		];
		const wire = fc.dictionary(fc.constantFrom(...spellings), value, {maxKeys: 40});
		fc.assert(
			fc.property(wire, wire, wire, (root, token, pair) => {
				for (const form of [
					root,
					{...root, ...identity},
					{...root, token: {...token, ...identity}},
					{...root, pair: {...pair, token0: {...token, ...identity}}},
				]) {
					const read = entry(form);
					for (const [name, member] of Object.entries(read ?? {})) {
						if (typeof member === 'string') expect(clean(member), name).toBe(member);
						if (typeof member === 'number') expect(Number.isFinite(member), name).toBe(true);
					}
				}
			}),
			{numRuns: 300},
		);
	});
});

test('merging returns a new entry with the fields that the newer one lacks, and changes neither of the two', () => {
	const older = entry({...identity, market_cap: 1, holders_count: 5, security: {isHoneypot: false}})!;
	const newer = entry({...identity, market_cap: 0, security: null})!;
	const before = structuredClone([older, newer]);
	const merged = mergeEntry(older, newer);
	expect(merged).toMatchObject({market_cap: 0, holders_count: 5, security: {isHoneypot: false}});
	expect([older, newer]).toEqual(before);
});

test('that a price is an average belongs to the price it came with, in both forms of entries', () => {
	const [asset, pool] = [
		{...identity, latest_price: 2, priceIsAverage: true},
		{pair: {...identity, token0: {...identity, price: 2}, token1: {}, baseToken: 'token0'}, priceIsAverage: true},
	].map(wire => entry(wire)!);
	const exact = entry({...identity, latest_price: 3})!;
	expect([asset?.priceIsAverage, pool?.priceIsAverage, exact.priceIsAverage]).toEqual([true, true, undefined]);
	expect(mergeEntry(asset!, exact).priceIsAverage).toBeUndefined();
	expect(mergeEntry(exact, asset!).priceIsAverage).toBe(true);
	expect(mergeEntry(asset!, entry({...identity, holders_count: 5})!).priceIsAverage).toBe(true);
	expect(entry({...identity, priceIsAverage: 'yes'})!.priceIsAverage).toBeUndefined();
});
