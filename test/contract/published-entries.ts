import * as z from 'zod';

/*
 * The schema of entries as it is published (contract gaps 2.1 and 2.2, spec 2.1), written from there and not from the program.
 * Optional (`?`, or a default) and nullable (`|null`) are two things, and what nothing lists is refused:
 * - required: `num()`, `str()`, ...
 * - `opt(...)`: may be left out, and is never null (`?` and `=0`)
 * - `nul(...)`: may be null, and is never left out (`|null`)
 * - `any(...)`: both (`?` with `|null`)
 *
 * A market that knows everything about its tokens, as the simulated one does, lacks nothing of some figures that may be
 * missing or null by the schema; one that follows chains has what it saw: `lacking` says which these are. One field of such a market is
 * published nowhere: `averages`.
 */

/** What a market knows about its tokens. */
export type Knows = 'everything' | 'seen';

const num = () => z.number();
const str = () => z.string();
const bool = () => z.boolean();
const date = () => z.iso.datetime();
const rawText = () => z.string().regex(/^\d+$/);
const decimalText = () => z.string().regex(/^\d+(\.\d+)?$/);
const opt = <T extends z.ZodType>(schema: T) => schema.optional();
const nul = <T extends z.ZodType>(schema: T) => schema.nullable();
const any = <T extends z.ZodType>(schema: T) => schema.nullish();

/** `opt` and `nul` for what a market may lack, unless it knows everything. */
const lacking = (knows: Knows) => {
	const unless = (loosened: typeof opt | typeof nul) => (schema: z.ZodType) =>
		knows === 'everything' ? schema : loosened(schema);
	return {opt: unless(opt), nul: unless(nul)};
};

type Shape = Record<string, z.ZodType>;

/** That a price is a trade's average and not the pool's: of chains that say no more, so a market that knows everything never has it. */
const averages = (knows: Knows): Shape => (knows === 'everything' ? {} : {priceIsAverage: opt(z.literal(true))});
const each = (names: string, schema: () => z.ZodType): Shape =>
	Object.fromEntries(names.split(/\s+/).map(name => [name, schema()]));

const W7 = ['1min', '5min', '1h', '4h', '6h', '12h', '24h'];
const W8 = ['1min', '5min', '15min', '1h', '4h', '6h', '12h', '24h'];
const families = (names: string, windows: readonly string[], schema: () => z.ZodType): Shape =>
	Object.fromEntries(names.split(/\s+/).flatMap(name => windows.map(window => [name.replace('*', window), schema()])));

/** Groups "price windows" and "activity W8". */
const statistics = (): Shape => ({
	...families('price_change_* price_*_ago', W7, () => opt(num())),
	...families('volume_* volume_buy_* volume_sell_* fees_paid_*', W8, () => opt(num())),
	...families('trades_* buys_* sells_* buyers_* sellers_* traders_*', W8, () => opt(z.int().min(0))),
});

const percent = () => z.number().min(0).max(100.000001);
const longHoldings = (): Shape =>
	each(
		`top10HoldingsPercentage top50HoldingsPercentage top100HoldingsPercentage top200HoldingsPercentage
		devHoldingsPercentage insidersHoldingsPercentage bundlersHoldingsPercentage snipersHoldingsPercentage
		proTradersHoldingsPercentage freshTradersHoldingsPercentage smartTradersHoldingsPercentage`,
		() => any(percent()),
	);
const counts = (): Shape =>
	each(
		`insidersCount bundlersCount snipersCount freshTradersCount proTradersCount smartTradersCount freshTradersBuys
		proTradersBuys smartTradersBuys`,
		() => any(z.int().min(0)),
	);
/** What the wire carries beside the long names. */
const SHORT =
	'top10Holdings top50Holdings top100Holdings top200Holdings devHoldings insidersHoldings bundlersHoldings snipersHoldings';
const shortHoldings = (names: string): Shape => each(names, () => any(percent()));

/** @param figure how a figure that is not known stands there: left out in an entry, null in a token of a pool (spec 2.1) */
const identity = (knows: Knows, figure: typeof opt | typeof nul = opt): Shape => ({
	...each('address chainId', str),
	...each('blockchain', () => opt(str())),
	...each('symbol name logo', () => nul(str())),
	decimals: figure(z.int()),
	id: nul(num()),
	...each('price priceToken', () => figure(num())),
	// Required, and without a word for unknown but an empty text.
	priceTokenString: knows === 'everything' ? decimalText() : z.union([decimalText(), z.literal('')]),
	...each('ath atl', () => figure(num())),
	...each('totalSupply circulatingSupply marketCap marketCapDiluted', () => figure(num())),
	...each('approximateReserveUSD approximateReserveToken', () => figure(num())),
	// By the general rules a reader takes null for any raw amount.
	approximateReserveTokenRaw: lacking(knows).nul(rawText()),
	...each('liquidity liquidityMax', () => figure(num())),
	...each('factory source sourceFactory bondingCurveAddress deployer', () => any(str())),
	bonded: opt(bool()),
	bondingPercentage: figure(percent()),
	bonded_at: nul(date()),
	createdAt: opt(date()),
});

const exchange = () => z.strictObject({name: str(), logo: str()});

const socials = () =>
	z.strictObject({
		...each('twitter website telegram', () => nul(str())),
		others: nul(z.record(z.string(), z.unknown())),
		uri: opt(str()),
	});

const security = () =>
	z.strictObject({
		...each('buyTax sellTax top10Holders locked lowLiquidity burnRate', () => opt(str())),
		liquidityBurnPercentage: opt(num()),
		...each(
			`transferPausable isBlacklisted noMintAuthority balanceMutable isHoneypot isNotOpenSource renounced isWhitelisted
			isMintable modifyableTax selfDestruct`,
			() => opt(bool()),
		),
	});

const holder = (knows: Knows) =>
	z.strictObject({
		address: str(),
		...each('balanceRaw nativeBalanceRaw boughtAmountRaw soldAmountRaw', rawText),
		...each('balance nativeBalance boughtAmount soldAmount', num),
		// Required, and without a word for dollars that are not known: null is what a reader that coerces numbers takes.
		...each('balanceUSD boughtAmountUSD soldAmountUSD realizedPnlUSD unrealizedPnlUSD', () =>
			lacking(knows).nul(num()),
		),
		tags: z.array(str()),
		...each('createdAt updatedAt', () => nul(date())),
	});

const enhancement = (): Shape => ({
	...each('icon header description', () => nul(str())),
	links: z.array(z.strictObject({url: str(), label: opt(str()), type: opt(str())})),
	isCto: bool(),
	timestamp: nul(num()),
});

const twitter = (): Shape => ({
	twitterReusesCount: nul(num()),
	twitterRenameCount: opt(num()),
	twitterRenameHistory: opt(z.array(z.strictObject({username: str(), last_checked: str()}))),
});

/** Contract gaps 2.1. */
export const publishedAsset = (knows: Knows = 'everything') =>
	z.strictObject({
		...identity(knows),
		...averages(knows),
		originLogoUrl: any(str()),
		tokenType: any(z.enum(['2020', '2022'])),
		latest_price: opt(num()),
		...each('athDate atlDate', () => opt(date())),
		...each('market_cap latest_market_cap', () => opt(num())),
		...each('poolAddress type preBondingFactory', () => opt(str())),
		exchange: opt(exchange()),
		migrating: opt(bool()),
		...each('created_at latest_trade_date', () => nul(date())),
		deployerMigrationsCount: opt(num()),
		deployerTokensCount: opt(num()),
		...each('is_mayhem_mode is_cashback_coin is_agent_mode is_og_coin', () => nul(bool())),
		...statistics(),
		...families('organic_volume_* organic_volume_buy_* organic_volume_sell_*', W8, () => opt(num())),
		...families(
			'organic_trades_* organic_traders_* organic_buys_* organic_sells_* organic_buyers_* organic_sellers_*',
			W8,
			() => opt(z.int().min(0)),
		),
		totalFeesPaidUSD: opt(num()),
		totalFeesPaidNativeRaw: lacking(knows).opt(rawText()),
		// With the other name of the same figure.
		holders_count: nul(z.int().min(0)),
		holdersCount: any(z.int().min(0)),
		...longHoldings(),
		...shortHoldings(`${SHORT} proTradersHoldings smartTradersHoldings`),
		...counts(),
		socials: socials(),
		description: nul(str()),
		...twitter(),
		// The spec says boolean where the schema has null, too: so it is one where it is known.
		screenerListed: lacking(knows).nul(bool()),
		screenerHeader: nul(str()),
		screenerAdPaid: nul(bool()),
		screenerBoosted: opt(num()),
		screenerEnhanced: nul(
			z.strictObject({
				enhanced: bool(),
				...enhancement(),
				previousEnhancements: z.array(z.strictObject(enhancement())),
			}),
		),
		...each('liveStatus liveThumbnail livestreamTitle', () => nul(str())),
		liveReplyCount: nul(num()),
		security: nul(security()),
		securityScore: opt(num()),
		is_spam: opt(bool()),
		...families('trendingScore*', W8, () => opt(num())),
		holders_list: z.array(holder(knows)),
	});

const poolToken = (knows: Knows) => z.strictObject({...identity(knows, nul), ...longHoldings(), bonded: bool()});

/** The nested form of contract gaps 2.2 and spec 2.1: the pool in `pair`, statistics and repeats at the root. */
export const publishedPool = (knows: Knows = 'everything') => {
	const {opt: lackingOpt, nul: lackingNul} = lacking(knows);
	const figures = (names: string) => each(names, () => lackingOpt(num()));
	return z.strictObject({
		...averages(knows),
		pair: z.strictObject({
			...each('token0 token1', () => poolToken(knows)),
			...figures('volume24h liquidity totalFeesPaidUSD price priceToken'),
			totalFeesPaidNativeRaw: lackingOpt(rawText()),
			...each('blockchain address type', str),
			createdAt: nul(date()),
			...each('baseToken quoteToken', () => z.enum(['token0', 'token1'])),
			exchange: exchange(),
			factory: nul(str()),
			priceTokenString: lackingOpt(decimalText()),
			// The spec has them all, of prices that are known.
			...each('athToken0 athToken1 atlToken0 atlToken1', () => lackingOpt(z.number().positive())),
			...each('athDateToken0 athDateToken1 atlDateToken0 atlDateToken1', () => lackingOpt(date())),
			bonded: bool(),
			bondingPercentage: nul(percent()),
			bondingCurveAddress: nul(str()),
			sourceFactory: any(str()),
			preBondingFactory: opt(str()),
			...shortHoldings(`${SHORT} proTradersHolding`),
		}),
		...statistics(),
		...figures('latest_price liquidity price totalFeesPaidUSD'),
		totalFeesPaidNativeRaw: lackingOpt(rawText()),
		market_cap: opt(num()),
		created_at: date(),
		latest_trade_date: lackingNul(date()),
		// With the other name of the same figure.
		holders_count: nul(z.int().min(0)),
		...each('source deployer tokenSymbol tokenName description', () => nul(str())),
		screenerListed: lackingNul(bool()),
		deployerMigrations: opt(z.int().min(0)),
		socials: socials(),
		security: security(),
		...twitter(),
		holders_list: z.array(holder(knows)),
		...longHoldings(),
		...shortHoldings(`${SHORT} proTradersHolding proTradersHoldings`),
		...counts(),
		bonded: bool(),
		bondingPercentage: nul(percent()),
		...each('bondingCurveAddress sourceFactory', () => nul(str())),
	});
};
