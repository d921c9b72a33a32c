import {WINDOWS_7, WINDOWS_8, type Window7, type Window8} from './windows.ts';

/**
 * One table of every figure and attribute of a pulse entry (spec 2.1, contract gaps 2).
 *
 * Wire entries spell the same thing in several ways (`market_cap` and `marketCap`, `top10Holdings` and
 * `top10HoldingsPercentage`) and the filter language uses a third (`top_10_holdings_percentage`). Each row here has ONE
 * name, the filter language's, and lists the spellings. The rows define the fields that the service writes, that the client
 * reads and that filters and sorts can use, and the columns of the service's table.
 */
export interface Field {
	/** The one name inside the program, and in filters and `sortBy`. */
	readonly name: FieldName;
	readonly kind: FieldKind;
	/** Spellings at the root of an asset-mode entry. The service writes all of them, the client reads the first present. */
	readonly asset: readonly string[];
	/** Spellings at the root of a pool-mode entry. */
	readonly pool: readonly string[];
	/** Spellings inside the `pair` object of a pool-mode entry. */
	readonly pair: readonly string[];
	/** Spellings inside a token object. */
	readonly token: readonly string[];
	/** Further spellings accepted in filters and `sortBy`. */
	readonly aliases: readonly string[];
}

/** Numbers are `number`, percents run from 0 to 100, dates are Unix milliseconds inside the program and ISO 8601 on the wire. */
export type FieldKind = 'number' | 'integer' | 'usd' | 'percent' | 'date' | 'boolean' | 'text';

const ACTIVITY_USD = ['volume', 'volume_buy', 'volume_sell', 'fees_paid'] as const;
const ACTIVITY_COUNT = ['trades', 'buys', 'sells', 'buyers', 'sellers', 'traders'] as const;
const ORGANIC_USD = ['organic_volume', 'organic_volume_buy', 'organic_volume_sell'] as const;
const ORGANIC_COUNT = [
	'organic_trades',
	'organic_traders',
	'organic_buys',
	'organic_sells',
	'organic_buyers',
	'organic_sellers',
] as const;

type Activity = (typeof ACTIVITY_USD)[number] | (typeof ACTIVITY_COUNT)[number];
type Organic = (typeof ORGANIC_USD)[number] | (typeof ORGANIC_COUNT)[number];

const TOP_HOLDERS = ['10', '50', '100', '200'] as const;
const HOLDER_KINDS = [
	'dev',
	'insiders',
	'bundlers',
	'snipers',
	'pro_traders',
	'fresh_traders',
	'smart_traders',
] as const;
const COUNTED_KINDS = ['insiders', 'bundlers', 'snipers', 'pro_traders', 'fresh_traders', 'smart_traders'] as const;
const BUYING_KINDS = ['pro_traders', 'fresh_traders', 'smart_traders'] as const;

export type WindowFieldName =
	| `${Activity | Organic}_${Window8}`
	| `trending_score_${Window8}`
	| `price_change_${Window7}`
	| `price_${Window7}_ago`;

export type HoldingFieldName =
	| `top_${(typeof TOP_HOLDERS)[number]}_holdings_percentage`
	| `${(typeof HOLDER_KINDS)[number]}_holdings_percentage`;

export type NumberFieldName =
	| WindowFieldName
	| HoldingFieldName
	| `${(typeof COUNTED_KINDS)[number]}_count`
	| `${(typeof BUYING_KINDS)[number]}_buys`
	| 'latest_price'
	| 'price_token'
	| 'ath'
	| 'atl'
	| 'market_cap'
	| 'latest_market_cap'
	| 'market_cap_diluted'
	| 'total_supply'
	| 'circulating_supply'
	| 'decimals'
	| 'approximate_reserve_usd'
	| 'approximate_reserve_token'
	| 'liquidity'
	| 'liquidity_max'
	| 'bonding_percentage'
	| 'holders_count'
	| 'total_fees_paid_usd'
	| 'deployer_migrations_count'
	| 'deployer_tokens_count'
	| 'twitter_reuses_count'
	| 'twitter_rename_count'
	| 'live_reply_count'
	| 'security_score';

export type DateFieldName = 'created_at' | 'bonded_at' | 'latest_trade_date' | 'ath_date' | 'atl_date';

export type BooleanFieldName =
	| 'bonded'
	| 'migrating'
	| 'screener_listed'
	| 'screener_ad_paid'
	| 'is_spam'
	| 'is_mayhem_mode'
	| 'is_cashback_coin'
	| 'is_agent_mode'
	| 'is_og_coin';

export type TextFieldName =
	| 'address'
	| 'chain_id'
	| 'blockchain'
	| 'symbol'
	| 'name'
	| 'description'
	| 'logo'
	| 'token_type'
	| 'pool_address'
	| 'type'
	| 'factory'
	| 'source'
	| 'source_factory'
	| 'pre_bonding_factory'
	| 'bonding_curve_address'
	| 'deployer'
	| 'live_status'
	| 'live_thumbnail'
	| 'livestream_title'
	| 'screener_header'
	| 'approximate_reserve_token_raw'
	| 'total_fees_paid_native_raw'
	| 'twitter'
	| 'website'
	| 'telegram';

export type FieldName = NumberFieldName | DateFieldName | BooleanFieldName | TextFieldName;

/** `top_10_holdings_percentage` => `top10HoldingsPercentage`. */
function camel(name: string): string {
	return name.replace(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
}

interface Spelling {
	readonly asset?: readonly string[];
	readonly pool?: readonly string[];
	readonly pair?: readonly string[];
	readonly token?: readonly string[];
	readonly aliases?: readonly string[];
}

function field(name: FieldName, kind: FieldKind, spelling: Spelling = {}): Field {
	const asset = spelling.asset ?? [camel(name)];
	return {
		name,
		kind,
		asset,
		pool: spelling.pool ?? [],
		pair: spelling.pair ?? [],
		token: spelling.token ?? [],
		aliases: spelling.aliases ?? [],
	};
}

/** The same spelling at both roots: all statistics. */
function both(name: FieldName, kind: FieldKind, spellings: readonly string[] = [name]): Field {
	return field(name, kind, {asset: spellings, pool: spellings});
}

function windowFields(): Field[] {
	const rows: Field[] = [];
	for (const w of WINDOWS_8) {
		for (const family of ACTIVITY_USD) rows.push(both(`${family}_${w}`, 'usd'));
		for (const family of ACTIVITY_COUNT) rows.push(both(`${family}_${w}`, 'integer'));
		for (const family of ORGANIC_USD) rows.push(field(`${family}_${w}`, 'usd', {asset: [`${family}_${w}`]}));
		for (const family of ORGANIC_COUNT) rows.push(field(`${family}_${w}`, 'integer', {asset: [`${family}_${w}`]}));
		rows.push(field(`trending_score_${w}`, 'number', {asset: [`trendingScore${w}`]}));
	}
	for (const w of WINDOWS_7) {
		rows.push(both(`price_change_${w}`, 'percent'));
		rows.push(both(`price_${w}_ago`, 'usd'));
	}
	return rows;
}

/**
 * Where a kind's holdings have their short name too. The spec writes `proTradersHolding` in `pair`, and both that and
 * `proTradersHoldings` at the root of a pool.
 */
function shortHoldings(
	kind: (typeof HOLDER_KINDS)[number],
	short: string,
): Required<Pick<Spelling, 'asset' | 'pool' | 'pair'>> {
	switch (kind) {
		case 'fresh_traders':
			return {asset: [], pool: [], pair: []};
		case 'smart_traders':
			return {asset: [short], pool: [], pair: []};
		case 'pro_traders':
			return {asset: [short], pool: [short, 'proTradersHolding'], pair: ['proTradersHolding']};
		default:
			return {asset: [short], pool: [short], pair: [short]};
	}
}

function holderFields(): Field[] {
	const rows: Field[] = [];
	for (const n of TOP_HOLDERS) {
		const [long, short] = [`top${n}HoldingsPercentage`, `top${n}Holdings`];
		rows.push(
			field(`top_${n}_holdings_percentage`, 'percent', {
				asset: [long, short],
				pool: [long, short],
				pair: [short],
				token: [long],
				aliases: [`top${n}_holders_percent`, `top${n}_holdings_percentage`, `top_${n}_holdings`],
			}),
		);
	}
	for (const kind of HOLDER_KINDS) {
		const [long, short] = [`${camel(kind)}HoldingsPercentage`, `${camel(kind)}Holdings`];
		const places = shortHoldings(kind, short);
		rows.push(
			field(`${kind}_holdings_percentage`, 'percent', {
				asset: [long, ...places.asset],
				pool: [long, ...places.pool],
				pair: places.pair,
				token: [long],
				aliases: [`${kind}_holdings`, short],
			}),
		);
	}
	for (const kind of COUNTED_KINDS) rows.push(field(`${kind}_count`, 'integer', {pool: [camel(`${kind}_count`)]}));
	for (const kind of BUYING_KINDS) rows.push(field(`${kind}_buys`, 'integer', {pool: [camel(`${kind}_buys`)]}));
	return rows;
}

const text = (name: TextFieldName, spelling: Spelling = {}): Field => field(name, 'text', spelling);
const same = (...names: string[]): Spelling => ({asset: names, pool: names, pair: names, token: names});

/** Every field, in the order in which an entry writes them. */
export const FIELDS: readonly Field[] = [
	text('address', {asset: ['address'], token: ['address']}),
	text('chain_id', {asset: ['chainId'], token: ['chainId']}),
	text('blockchain', {...same('blockchain'), pool: []}),
	text('symbol', {asset: ['symbol'], pool: ['tokenSymbol'], token: ['symbol']}),
	text('name', {asset: ['name'], pool: ['tokenName'], token: ['name']}),
	field('decimals', 'integer', {asset: ['decimals'], token: ['decimals']}),
	text('logo', {asset: ['logo'], token: ['logo']}),
	text('token_type'),
	text('description', {asset: ['description'], pool: ['description']}),

	field('latest_price', 'usd', {
		asset: ['latest_price', 'price'],
		pool: ['latest_price', 'price'],
		pair: ['price'],
		token: ['price'],
		aliases: ['price'],
	}),
	field('price_token', 'number', {asset: ['priceToken'], pair: ['priceToken'], token: ['priceToken']}),
	field('ath', 'usd', {asset: ['ath'], token: ['ath']}),
	field('atl', 'usd', {asset: ['atl'], token: ['atl']}),
	field('ath_date', 'date'),
	field('atl_date', 'date'),

	field('market_cap', 'usd', {
		asset: ['market_cap', 'marketCap'],
		pool: ['market_cap'],
		token: ['marketCap'],
	}),
	field('latest_market_cap', 'usd', {asset: ['latest_market_cap']}),
	field('market_cap_diluted', 'usd', {asset: ['marketCapDiluted'], token: ['marketCapDiluted']}),
	field('total_supply', 'number', {asset: ['totalSupply'], token: ['totalSupply']}),
	field('circulating_supply', 'number', {asset: ['circulatingSupply'], token: ['circulatingSupply']}),
	field('approximate_reserve_usd', 'usd', {
		asset: ['approximateReserveUSD'],
		token: ['approximateReserveUSD'],
	}),
	field('approximate_reserve_token', 'number', {
		asset: ['approximateReserveToken'],
		token: ['approximateReserveToken'],
	}),
	text('approximate_reserve_token_raw', {asset: ['approximateReserveTokenRaw'], token: ['approximateReserveTokenRaw']}),
	field('liquidity', 'usd', same('liquidity')),
	field('liquidity_max', 'usd', {asset: ['liquidityMax'], token: ['liquidityMax']}),

	text('pool_address', {asset: ['poolAddress'], pair: ['address']}),
	text('type', {asset: ['type'], pair: ['type'], aliases: ['pools.type', 'poolType', 'pool_type']}),
	text('factory', {asset: ['factory'], pair: ['factory'], token: ['factory'], aliases: ['pools.factory']}),
	text('source', {asset: ['source'], pool: ['source'], token: ['source']}),
	text('source_factory', same('sourceFactory')),
	text('pre_bonding_factory', {asset: ['preBondingFactory'], pair: ['preBondingFactory']}),
	text('bonding_curve_address', same('bondingCurveAddress')),
	text('deployer', {asset: ['deployer'], pool: ['deployer'], token: ['deployer']}),
	field('bonded', 'boolean', {...same('bonded'), aliases: ['pools.bonded']}),
	field('migrating', 'boolean', {asset: ['migrating']}),
	field('bonding_percentage', 'percent', same('bondingPercentage')),

	field('created_at', 'date', {
		asset: ['created_at', 'createdAt'],
		pool: ['created_at'],
		pair: ['createdAt'],
		token: ['createdAt'],
	}),
	field('bonded_at', 'date', {asset: ['bonded_at'], token: ['bonded_at'], aliases: ['migrated_at']}),
	field('latest_trade_date', 'date', {asset: ['latest_trade_date'], pool: ['latest_trade_date']}),

	...windowFields(),

	field('holders_count', 'integer', {asset: ['holders_count', 'holdersCount'], pool: ['holders_count']}),
	...holderFields(),
	field('total_fees_paid_usd', 'usd', {
		asset: ['totalFeesPaidUSD'],
		pool: ['totalFeesPaidUSD'],
		pair: ['totalFeesPaidUSD'],
	}),
	text('total_fees_paid_native_raw', {
		asset: ['totalFeesPaidNativeRaw'],
		pool: ['totalFeesPaidNativeRaw'],
		pair: ['totalFeesPaidNativeRaw'],
	}),

	field('deployer_migrations_count', 'integer', {
		asset: ['deployerMigrationsCount'],
		pool: ['deployerMigrations'],
	}),
	field('deployer_tokens_count', 'integer'),
	field('twitter_reuses_count', 'integer', {asset: ['twitterReusesCount'], pool: ['twitterReusesCount']}),
	field('twitter_rename_count', 'integer', {asset: ['twitterRenameCount'], pool: ['twitterRenameCount']}),
	// The three links lie inside `socials` on the wire.
	text('twitter', {asset: []}),
	text('website', {asset: []}),
	text('telegram', {asset: []}),

	field('screener_listed', 'boolean', {asset: ['screenerListed'], pool: ['screenerListed']}),
	field('screener_ad_paid', 'boolean', {asset: ['screenerAdPaid']}),
	text('screener_header', {asset: ['screenerHeader']}),
	text('live_status', {asset: ['liveStatus']}),
	text('live_thumbnail', {asset: ['liveThumbnail']}),
	text('livestream_title', {asset: ['livestreamTitle']}),
	field('live_reply_count', 'integer', {asset: ['liveReplyCount']}),
	field('security_score', 'number', {asset: ['securityScore']}),
	field('is_spam', 'boolean', {asset: ['is_spam']}),
	field('is_mayhem_mode', 'boolean', {asset: ['is_mayhem_mode']}),
	field('is_cashback_coin', 'boolean', {asset: ['is_cashback_coin']}),
	field('is_agent_mode', 'boolean', {asset: ['is_agent_mode']}),
	field('is_og_coin', 'boolean', {asset: ['is_og_coin']}),
];

const BY_NAME: ReadonlyMap<string, Field> = new Map(FIELDS.map(f => [f.name, f]));

/** Every spelling that a request may use, including the entry's camelCase twins (contract gaps 3.4). */
const BY_SPELLING: ReadonlyMap<string, Field> = new Map(
	FIELDS.flatMap(f =>
		[...f.asset, ...f.pool, ...f.aliases, camel(f.name), f.name].map(spelling => [spelling, f] as const),
	),
);

/** The field of this exact program-side name. */
export function fieldOf(name: FieldName): Field {
	return BY_NAME.get(name)!;
}

/** The field of a spelling in a filter or `sortBy`; undefined when no field has it. */
export function findField(spelling: string): Field | undefined {
	return BY_NAME.get(spelling) ?? BY_SPELLING.get(spelling);
}
