import type {TextFieldName} from '../../contract/fields.ts';
import {WINDOWS_8} from '../../contract/windows.ts';
import {checksummed} from './address.ts';
import {COUNT, PRICE_AGO, USD, USD_LANES, WINDOW_LANES} from './buckets.ts';
import {chainName, nativeDecimals} from './chains.ts';
import type {EngineState} from './engine-state.ts';
import type {ScreenerProfile} from './events.ts';
import {ROW} from './market.ts';
import {SHARE_LANES, SHARES, TALLIES, TALLY_LANES} from './rows.ts';
import type {NumericFieldName} from './table.ts';
import {rawAmount} from './wire-amounts.ts';

type Read = (row: number) => number;

/**
 * Computes one numeric field of spec 2.1 from the engine. NaN is unknown. Prices `<w> ago` of a token younger than `w`
 * are its opening price, so its change is the change since the opening.
 */
export function readNumber(engine: EngineState, name: NumericFieldName): Read {
	const windowed = readWindow(engine, name);
	if (windowed) return windowed;
	const holders = readHolders(engine, name);
	if (!holders) return PLAIN[name as PlainName](engine);
	// A wallet is fresh by its first money: without a report of any, nothing says which wallets are.
	return name.startsWith('fresh_') ? row => (engine.wallets.knowsFunding ? holders(row) : Number.NaN) : holders;
}

function readHolders(engine: EngineState, name: NumericFieldName): Read | undefined {
	const share = SHARES.findIndex(kind => name === `${kind}_holdings_percentage`);
	if (share >= 0) return holderFigure(engine, row => engine.rows.share[row * SHARE_LANES + share]!);
	const tally = (TALLIES as readonly string[]).indexOf(name);
	return tally < 0 ? undefined : holderFigure(engine, row => engine.rows.tally[row * TALLY_LANES + tally]!);
}

/**
 * Money and percentages are written to a hundredth of a cent: more digits take a third of an entry's bytes. Prices stay
 * exact.
 */
const FINENESS = 1e4;
const ROUNDED = /^(?:organic_)?(?:volume|fees_paid|trending_score|price_change)_|_percentage$/;
const SUM = /^((?:organic_)?volume)_([^_]+)$/;

function rounded(value: number): number {
	return Math.round(value * FINENESS) / FINENESS;
}

/**
 * Rounded down: some holders never have more than all of them. Shares are kept as floats of 32 bits, hence the small part on
 * top.
 */
function roundedDown(value: number): number {
	return Math.floor(value * 10 * FINENESS + 0.05) / (10 * FINENESS);
}

/**
 * A numeric field as it is written, filtered and sorted by: a filter for more than a written value must not give that
 * value again. Bought and sold volumes add up to the volume as rounded, so the volume is their sum.
 */
export function readWritten(engine: EngineState, name: NumericFieldName): Read {
	const [, family, window] = SUM.exec(name) ?? [];
	if (family) {
		const [bought, sold] = ['buy', 'sell'].map(side =>
			readWritten(engine, `${family}_${side}_${window}` as NumericFieldName),
		);
		return row => rounded(bought!(row) + sold!(row));
	}
	const read = readNumber(engine, name);
	if (name.endsWith('_holdings_percentage')) return row => roundedDown(read(row));
	return ROUNDED.test(name) ? row => rounded(read(row)) : read;
}

type PlainName = Exclude<
	NumericFieldName,
	`${string}_${(typeof WINDOWS_8)[number]}` | `price_${string}_ago` | HolderName
>;
type HolderName = `${string}_holdings_percentage` | (typeof TALLIES)[number];

const flag = (value: boolean | null | undefined): number => (value == null ? Number.NaN : value ? 1 : 0);
const known = (value: number | null | undefined): number => value ?? Number.NaN;

function holderFigure(engine: EngineState, read: Read): Read {
	return row => (engine.bits[row]! & ROW.holders ? read(row) : Number.NaN);
}

const circulating = (engine: EngineState, row: number): number => engine.rows.supply[row]! - engine.rows.burnt[row]!;

/** Quote coins for one token. */
function priceToken({rows}: EngineState, row: number): number {
	const price = rows.priceUSD[row]! / rows.quoteUSD[row]!;
	return Number.isNaN(price) ? rows.priceQuote[row]! : price;
}

/** The most that was known of; unknown when nothing ever was. */
function liquidityMax({rows}: EngineState, row: number): number {
	return rows.liquidityMax[row]! || (Number.isNaN(rows.liquidity(row)) ? Number.NaN : 0);
}

function bondingPercentage(engine: EngineState, row: number): number {
	const {rows} = engine;
	const sale = rows.curveSale[row]!;
	if (!(sale > 0)) return Number.NaN;
	if (rows.bondedMs[row]! > 0 || !(engine.bits[row]! & ROW.main)) return 100;
	const share = rows.curveShare[row]!;
	const sold = (rows.curveStart[row]! - rows.reserveToken[row]!) / sale;
	const percentage = (Number.isNaN(share) ? sold : share) * 100;
	// Rounded down: 100 means that all of it is sold.
	return Math.min(100, Math.max(0, Math.floor(percentage * FINENESS) / FINENESS));
}

const PLAIN: Readonly<Record<PlainName, (engine: EngineState) => Read>> = {
	latest_price: e => row => e.rows.priceUSD[row]!,
	price_token: e => row => priceToken(e, row),
	ath: e => row => e.rows.athUSD[row]!,
	atl: e => row => e.rows.atlUSD[row]!,
	ath_date: e => row => e.rows.athMs[row]!,
	atl_date: e => row => e.rows.atlMs[row]!,
	market_cap: e => row => e.rows.priceUSD[row]! * circulating(e, row),
	latest_market_cap: e => row => e.rows.priceUSD[row]! * circulating(e, row),
	market_cap_diluted: e => row => e.rows.priceUSD[row]! * e.rows.supply[row]!,
	total_supply: e => row => e.rows.supply[row]!,
	circulating_supply: e => row => circulating(e, row),
	decimals: e => row => e.listing(row).token.decimals,
	approximate_reserve_usd: e => row => e.rows.reserveToken[row]! * e.rows.priceUSD[row]!,
	approximate_reserve_token: e => row => e.rows.reserveToken[row]!,
	liquidity: e => row => e.rows.liquidity(row),
	liquidity_max: e => row => (e.bits[row]! & ROW.pool ? liquidityMax(e, row) : Number.NaN),
	bonding_percentage: e => row => bondingPercentage(e, row),
	holders_count: e => holderFigure(e, row => e.rows.holders[row]!),
	total_fees_paid_usd: e => row => e.rows.feesUSD[row]!,
	deployer_migrations_count: e => row => byDeployer(e, row, id => e.reputation.migrationsOf(id)),
	deployer_tokens_count: e => row => byDeployer(e, row, id => e.reputation.tokensOf(id)),
	twitter_reuses_count: e => row =>
		e.listing(row).token.profile.twitter === undefined ? Number.NaN : e.reputation.reusesOf(e.mainRow(row)),
	twitter_rename_count: e => row => known(e.listing(row).token.profile.twitterRenames?.length),
	live_reply_count: e => row => known(e.listing(row).token.profile.live?.replies),
	security_score: e => row => known(e.listing(row).token.profile.securityScore),
	// A coin that was there before the market has no time of its own.
	created_at: e => row => e.rows.createdMs[row]! || Number.NaN,
	bonded_at: e => row => e.rows.bondedMs[row]!,
	// The opening counts as the first trade: a pool without a trade has a date, too (spec 2.1).
	latest_trade_date: e => row =>
		e.bits[row]! & ROW.pool ? e.rows.tradeMs[row]! || e.rows.createdMs[row]! : Number.NaN,
	bonded: e => row => (e.bits[row]! & ROW.pool ? flag(e.isBonded(row)) : Number.NaN),
	migrating: e => row =>
		e.rows.curveSale[row]! > 0 ? flag(!e.isBonded(row) && bondingPercentage(e, row) >= 100) : Number.NaN,
	screener_listed: e => row => screened(e, row, ({listed}) => listed),
	screener_ad_paid: e => row => screened(e, row, ({adPaid}) => adPaid),
	is_spam: e => row => flag(e.listing(row).token.profile.isSpam),
	is_mayhem_mode: e => row => flag(e.listing(row).token.profile.launchFlags?.mayhem),
	is_cashback_coin: e => row => flag(e.listing(row).token.profile.launchFlags?.cashback),
	is_agent_mode: e => row => flag(e.listing(row).token.profile.launchFlags?.agent),
	is_og_coin: e => row => flag(e.listing(row).token.profile.launchFlags?.og),
};

/**
 * A fact of the token's page on a screener site. A token without a page is not listed there and has no paid features;
 * unknown when the site was not read.
 */
function screened(engine: EngineState, row: number, read: (screener: ScreenerProfile) => boolean): number {
	const {screener} = engine.listing(row).token.profile;
	return screener === undefined ? Number.NaN : flag(screener !== null && read(screener));
}

function byDeployer(engine: EngineState, row: number, count: (deployer: number) => number): number {
	const {deployer} = engine.listing(row).token;
	return deployer === 0 ? Number.NaN : count(deployer);
}

/** Families of window figures: computed from the lanes of one window, at offset `at`. */
const FAMILIES: Readonly<Record<string, (out: Float64Array, at: number) => number>> = {
	volume: (o, at) => o[at + USD.buy]! + o[at + USD.sell]!,
	volume_buy: (o, at) => o[at + USD.buy]!,
	volume_sell: (o, at) => o[at + USD.sell]!,
	fees_paid: (o, at) => o[at + USD.fees]!,
	trades: (o, at) => counted(o, at, COUNT.buys) + counted(o, at, COUNT.sells),
	buys: (o, at) => counted(o, at, COUNT.buys),
	sells: (o, at) => counted(o, at, COUNT.sells),
	buyers: (o, at) => counted(o, at, COUNT.buyers),
	sellers: (o, at) => counted(o, at, COUNT.sellers),
	traders: (o, at) => counted(o, at, COUNT.traders),
	organic_volume: (o, at) => o[at + USD.organicBuy]! + o[at + USD.organicSell]!,
	organic_volume_buy: (o, at) => o[at + USD.organicBuy]!,
	organic_volume_sell: (o, at) => o[at + USD.organicSell]!,
	organic_trades: (o, at) => counted(o, at, COUNT.organicBuys) + counted(o, at, COUNT.organicSells),
	organic_traders: (o, at) => counted(o, at, COUNT.organicTraders),
	organic_buys: (o, at) => counted(o, at, COUNT.organicBuys),
	organic_sells: (o, at) => counted(o, at, COUNT.organicSells),
	organic_buyers: (o, at) => counted(o, at, COUNT.organicBuyers),
	organic_sellers: (o, at) => counted(o, at, COUNT.organicSellers),
	trending_score: trendingScore,
};

function counted(out: Float64Array, at: number, lane: number): number {
	return out[at + USD_LANES + lane]!;
}

/** Volume (by magnitude) times organic traders times the share of buys: 0 without trades. */
function trendingScore(out: Float64Array, at: number): number {
	const buys = counted(out, at, COUNT.buys);
	const trades = buys + counted(out, at, COUNT.sells);
	if (trades === 0) return 0;
	const magnitude = Math.log10(1 + out[at + USD.buy]! + out[at + USD.sell]!);
	return magnitude * Math.sqrt(counted(out, at, COUNT.organicTraders)) * (0.5 + buys / trades);
}

function readWindow(engine: EngineState, name: string): Read | undefined {
	const ago = /^price_([^_]+)_ago$/.exec(name);
	const [, family, window] = ago ? [name, 'price_ago', ago[1]!] : (/^(.+)_([^_]+)$/.exec(name) ?? []);
	const index = (WINDOWS_8 as readonly string[]).indexOf(window ?? '');
	if (index < 0) return undefined;
	const at = index * WINDOW_LANES;
	if (family === 'price_ago') return row => engine.windows(row)[at + PRICE_AGO]!;
	if (family === 'price_change') {
		return row => {
			const before = engine.windows(row)[at + PRICE_AGO]!;
			return before > 0 ? (engine.rows.priceUSD[row]! / before - 1) * 100 : Number.NaN;
		};
	}
	const read = FAMILIES[family!];
	return read && (row => read(engine.windows(row), at));
}

/** One text field of a row; null is unknown. */
export function readText(engine: EngineState, name: TextFieldName, row: number): string | null {
	const {token, pool, venue} = engine.listing(row);
	switch (name) {
		case 'address':
			return token.address;
		case 'chain_id':
			return token.chainId;
		case 'blockchain':
			return chainName(token.chainId);
		case 'symbol':
			return token.symbol;
		case 'name':
			return token.name;
		case 'description':
			return token.profile.description ?? null;
		case 'logo':
			return token.profile.logo ?? null;
		case 'token_type':
			return token.profile.tokenType ?? null;
		case 'pool_address':
			return pool;
		case 'type':
			return venue?.type ?? null;
		case 'factory':
			return venue?.factory ?? null;
		case 'source':
			return token.launchVenue?.type ?? null;
		case 'source_factory':
			return token.launchVenue?.factory ?? null;
		case 'pre_bonding_factory':
			return token.preBondingFactory;
		case 'bonding_curve_address':
			return token.curveAddress;
		case 'deployer':
			return token.deployer === 0 ? null : checksummed(engine.wallets.address(token.deployer));
		case 'live_status':
			return token.profile.live?.status ?? null;
		case 'live_thumbnail':
			return token.profile.live?.thumbnail ?? null;
		case 'livestream_title':
			return token.profile.live?.title ?? null;
		case 'screener_header':
			return token.profile.screener?.header ?? null;
		case 'approximate_reserve_token_raw':
			return rawFigure(engine, row, engine.rows.reserveToken[row]!, token.decimals);
		case 'total_fees_paid_native_raw':
			return rawFigure(
				engine,
				row,
				engine.rows.feesQuote[row]!,
				venue?.quote.decimals ?? nativeDecimals(token.chainId),
			);
		case 'twitter':
			return token.profile.twitter ?? null;
		case 'website':
			return token.profile.website ?? null;
		case 'telegram':
			return token.profile.telegram ?? null;
	}
}

/** An amount of a pool in base units; null when it is unknown. What is no pool holds nothing. */
function rawFigure(engine: EngineState, row: number, amount: number, decimals: number): string | null {
	return Number.isNaN(amount) && mayHave(engine, row) ? null : rawAmount(amount, decimals);
}

/** Whether a row may have what belongs to a pool. A coin without one has nothing, 0, unless its trades were not seen. */
export function mayHave({bits, rows}: Pick<EngineState, 'bits' | 'rows'>, row: number): boolean {
	return (bits[row]! & ROW.pool) !== 0 || rows.gapMs[row]! > 0;
}
