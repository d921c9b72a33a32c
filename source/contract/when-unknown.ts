import type {FieldKind} from './fields.ts';

/** The objects of an entry that hold fields: an asset-mode entry, a pool-mode entry, its `pair`, and a token of that. */
export type EntryPlace = 'asset' | 'pool' | 'pair' | 'token';

/**
 * The value of an unknown figure in an entry: `null` where the schema has it, nothing at all where a field is
 * optional or has a default. Optional and nullable are two things (contract gaps 2). Counts and sums over trades are 0 without
 * trades; where trades or their values were not seen they are unknown, and a 0 would say something.
 */
export type WhenUnknown = 'null' | 'left-out';

/** Spellings that are null when unknown, wherever they stand. */
const NULLABLE: ReadonlySet<string> = new Set([
	...['symbol', 'name', 'tokenSymbol', 'tokenName', 'logo', 'tokenType', 'description'],
	...['factory', 'source', 'sourceFactory', 'bondingCurveAddress', 'deployer'],
	...['created_at', 'bonded_at', 'latest_trade_date'],
	...['is_mayhem_mode', 'is_cashback_coin', 'is_agent_mode', 'is_og_coin'],
	...['holders_count', 'holdersCount', 'twitterReusesCount', 'screenerListed', 'screenerAdPaid', 'screenerHeader'],
	...['liveStatus', 'liveThumbnail', 'livestreamTitle', 'liveReplyCount'],
	// Required, but every reader takes null for an amount in base units.
	'approximateReserveTokenRaw',
]);

const FIGURES: ReadonlySet<FieldKind> = new Set(['number', 'integer', 'usd', 'percent']);

/** Shares, numbers and purchases of kinds of holders: optional and nullable, so they are written. */
const HOLDER_FIGURE = /Holdings?(?:Percentage)?$|^(?:insiders|bundlers|snipers|\w+Traders)(?:Count|Buys)$/;

/** The value of an unknown figure in this spelling. */
export function whenUnknown(place: EntryPlace, spelling: string, kind: FieldKind): WhenUnknown {
	if (NULLABLE.has(spelling) || HOLDER_FIGURE.test(spelling)) return 'null';
	// Spec 2.1: the figures of a token are nullable.
	if (place === 'token' && FIGURES.has(kind)) return 'null';
	// Nullable in a pool, optional in a token.
	if (spelling === 'bondingPercentage' && (place === 'pool' || place === 'pair')) return 'null';
	return 'left-out';
}
