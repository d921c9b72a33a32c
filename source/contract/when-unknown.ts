import type {Field} from './fields.ts';

/** The objects of an entry that hold fields: an asset-mode entry, a pool-mode entry, its `pair`, and a token of that. */
export type EntryPlace = 'asset' | 'pool' | 'pair' | 'token';

/**
 * What stands in an entry for a figure that is not known: `null` where the schema has it and for counts and sums over trades
 * (which are 0 without trades), nothing at all where a field is optional or has a default. Optional and nullable are two things
 * (contract gaps 2).
 */
export type WhenUnknown = 'null' | 'left-out';

/** Spellings that are null when unknown, wherever they stand. */
const NULLABLE: ReadonlySet<string> = new Set([
	...['symbol', 'name', 'tokenSymbol', 'tokenName', 'logo', 'tokenType', 'description'],
	...['factory', 'source', 'sourceFactory', 'bondingCurveAddress', 'deployer'],
	...['created_at', 'bonded_at', 'latest_trade_date'],
	...['is_mayhem_mode', 'is_cashback_coin', 'is_agent_mode', 'is_og_coin'],
	...['holdersCount', 'twitterReusesCount', 'screenerListed', 'screenerAdPaid', 'screenerHeader'],
	...['liveStatus', 'liveThumbnail', 'livestreamTitle', 'liveReplyCount'],
]);

/** Amounts in base units. */
const RAW: ReadonlySet<string> = new Set(['totalFeesPaidNativeRaw', 'approximateReserveTokenRaw']);

/** Shares, numbers and purchases of kinds of holders: optional and nullable, so they are written. */
const HOLDER_FIGURE = /Holdings?(?:Percentage)?$|^(?:insiders|bundlers|snipers|\w+Traders)(?:Count|Buys)$/;

/** What stands for an unknown value of a field in this spelling. */
export function whenUnknown({defaultsToZero}: Field, place: EntryPlace, spelling: string): WhenUnknown {
	if (defaultsToZero || NULLABLE.has(spelling) || HOLDER_FIGURE.test(spelling) || RAW.has(spelling)) return 'null';
	// Nullable in a pool, optional in a token.
	if (spelling === 'bondingPercentage' && (place === 'pool' || place === 'pair')) return 'null';
	return 'left-out';
}
