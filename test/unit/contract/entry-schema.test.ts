import {describe, expect, test} from 'vitest';
import {assetEntrySchema, pairSchema, poolEntrySchema, tokenSchema} from '../../../source/contract/entry-schema.ts';
import {FIELDS, fieldOf, findField} from '../../../source/contract/fields.ts';

const W7 = ['1min', '5min', '1h', '4h', '6h', '12h', '24h'];
const W8 = [...W7, '15min'];
const words = (text: string) => text.trim().split(/\s+/);
const inWindows = (families: string, windows: string[]) => words(families).flatMap(f => windows.map(w => `${f}_${w}`));

const STATISTICS = [
	...inWindows('volume volume_buy volume_sell fees_paid trades buys sells buyers sellers traders', W8),
	...inWindows('price_change', W7),
	...W7.map(w => `price_${w}_ago`),
];

const HOLDINGS = words(`top10Holdings top50Holdings top100Holdings top200Holdings devHoldings insidersHoldings
	bundlersHoldings snipersHoldings`);

// Copied from the lists of spec 2.1 and contract gaps 2, not from the code.
const NAMES: readonly [what: string, shape: object, names: readonly string[]][] = [
	[
		'a pool-mode entry (spec 2.1)',
		poolEntrySchema().shape,
		[
			...words(`pair latest_trade_date latest_price market_cap created_at holders_count source deployer
				deployerMigrations twitterReusesCount twitterRenameCount twitterRenameHistory description socials tokenSymbol
				tokenName security screenerListed holders_list proTradersHoldings liquidity price bonded bondingPercentage
				bondingCurveAddress sourceFactory proTradersHolding totalFeesPaidUSD`),
			...HOLDINGS,
			...STATISTICS,
		],
	],
	[
		'a pair (spec 2.1)',
		pairSchema().shape,
		[
			...words(`token0 token1 volume24h liquidity blockchain address createdAt type baseToken quoteToken exchange factory
				price priceToken priceTokenString athToken0 athToken1 atlToken0 atlToken1 athDateToken0 athDateToken1
				atlDateToken0 atlDateToken1 bonded bondingPercentage bondingCurveAddress sourceFactory proTradersHolding
				totalFeesPaidUSD`),
			...HOLDINGS,
		],
	],
	[
		'a token object (spec 2.1)',
		tokenSchema().shape,
		words(`address chainId symbol name decimals id price priceToken priceTokenString approximateReserveUSD
			approximateReserveTokenRaw approximateReserveToken totalSupply circulatingSupply marketCap marketCapDiluted logo
			factory source sourceFactory liquidity liquidityMax bonded bondingPercentage bondingCurveAddress
			top10HoldingsPercentage top50HoldingsPercentage top100HoldingsPercentage top200HoldingsPercentage
			devHoldingsPercentage insidersHoldingsPercentage bundlersHoldingsPercentage snipersHoldingsPercentage
			proTradersHoldingsPercentage blockchain deployer createdAt bonded_at ath atl`),
	],
	[
		'an asset-mode entry (contract gaps 2.1)',
		assetEntrySchema().shape,
		[
			...words(`address chainId blockchain symbol name decimals id logo originLogoUrl tokenType price priceToken
				priceTokenString latest_price ath atl athDate atlDate totalSupply circulatingSupply marketCap marketCapDiluted
				market_cap latest_market_cap approximateReserveUSD approximateReserveTokenRaw approximateReserveToken liquidity
				liquidityMax poolAddress type exchange factory source sourceFactory preBondingFactory bonded bondingPercentage
				bondingCurveAddress bonded_at migrating createdAt created_at latest_trade_date deployer deployerMigrationsCount
				deployerTokensCount is_mayhem_mode is_cashback_coin is_agent_mode is_og_coin totalFeesPaidUSD
				totalFeesPaidNativeRaw holders_count holdersCount insidersCount bundlersCount snipersCount freshTradersCount
				proTradersCount smartTradersCount freshTradersBuys proTradersBuys smartTradersBuys socials description
				twitterReusesCount twitterRenameCount twitterRenameHistory screenerListed screenerHeader screenerAdPaid
				screenerBoosted screenerEnhanced liveStatus liveThumbnail livestreamTitle liveReplyCount security securityScore
				is_spam holders_list proTradersHoldings smartTradersHoldings freshTradersHoldingsPercentage
				smartTradersHoldingsPercentage`),
			...HOLDINGS,
			...HOLDINGS.map(name => `${name}Percentage`),
			...STATISTICS,
			...inWindows(
				`organic_volume organic_volume_buy organic_volume_sell organic_trades organic_traders organic_buys
				organic_sells organic_buyers organic_sellers`,
				W8,
			),
			...W8.map(w => `trendingScore${w}`),
		],
	],
];

describe('the fields of an entry', () => {
	test.each(NAMES)('%s has every field that is listed for it', (_, shape, names) => {
		expect(names.filter(name => !(name in shape))).toEqual([]);
	});

	test('organic figures, bonded_at, live and launch flags are of asset mode only (contract gaps 2.2)', () => {
		const only = /^organic_|^bonded_at$|^live|^is_(mayhem|cashback|agent|og)/;
		expect(Object.keys(poolEntrySchema().shape).filter(name => only.test(name))).toEqual([]);
	});
});

describe('the filter and sort names of the spec', () => {
	test.each([
		['latest_price', 'latest_price'],
		['price_change_24h', 'price_change_24h'],
		['latest_market_cap', 'latest_market_cap'],
		['buyers_24h', 'buyers_24h'],
		['fees_paid_5min', 'fees_paid_5min'],
		['migrated_at', 'bonded_at'],
		['pools.type', 'type'],
		['pools.bonded', 'bonded'],
		['pools.factory', 'factory'],
		['dev_holdings_percentage', 'dev_holdings_percentage'],
		['pro_traders_holdings_percentage', 'pro_traders_holdings_percentage'],
		['top_10_holdings_percentage', 'top_10_holdings_percentage'],
		['top_200_holdings_percentage', 'top_200_holdings_percentage'],
		['top10_holders_percent', 'top_10_holdings_percentage'],
		['organic_sellers_24h', 'organic_sellers_24h'],
		['screenerListed', 'screener_listed'],
		['screener_ad_paid', 'screener_ad_paid'],
		['screenerHeader', 'screener_header'],
		['liveStatus', 'live_status'],
		['liveThumbnail', 'live_thumbnail'],
		['livestreamTitle', 'livestream_title'],
		['liveReplyCount', 'live_reply_count'],
		['twitter_reuses_count', 'twitter_reuses_count'],
		['deployer_migrations_count', 'deployer_migrations_count'],
		['deployerMigrations', 'deployer_migrations_count'],
		['bonding_percentage', 'bonding_percentage'],
		['total_fees_paid_usd', 'total_fees_paid_usd'],
		['trending_score_24h', 'trending_score_24h'],
		['preBondingFactory', 'pre_bonding_factory'],
		['pro_traders_count', 'pro_traders_count'],
		['poolAddress', 'pool_address'],
		['chainId', 'chain_id'],
		['marketCap', 'market_cap'],
		['price', 'latest_price'],
	])('%s means %s', (spelling, name) => {
		expect(findField(spelling)?.name).toBe(name);
	});

	test('no spelling means two fields', () => {
		const owners = new Map<string, Set<string>>();
		for (const field of FIELDS) {
			for (const spelling of [field.name, ...field.asset, ...field.pool, ...field.aliases]) {
				owners.set(spelling, (owners.get(spelling) ?? new Set()).add(field.name));
			}
		}
		expect([...owners].filter(([, names]) => names.size > 1)).toEqual([]);
	});

	test('each field is found by its own name', () => {
		for (const field of FIELDS) expect(fieldOf(field.name)).toBe(field);
	});
});
