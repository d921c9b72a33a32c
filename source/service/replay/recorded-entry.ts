import type {Entry} from '../../contract/entry.ts';
import {FIELDS} from '../../contract/fields.ts';
import {whenUnknown} from '../../contract/when-unknown.ts';
import {plainDecimal, rawAmount} from '../market/wire-amounts.ts';

/**
 * A recorded token as the wire has it, asset mode: every field in every spelling of FIELDS. What the recording does not
 * know is null or left out, also where the spec would have a 0: a recording of a service that did not report a figure must
 * not invent one.
 * @param holders how many of the largest holders go into `holders_list`
 */
export function recordedEntry(entry: Entry, holders: number): Record<string, unknown> {
	const wire: Record<string, unknown> = {};
	for (const field of FIELDS) {
		const known = entry[field.name];
		const value = known !== undefined && field.kind === 'date' ? new Date(known as number).toISOString() : known;
		for (const spelling of field.asset) {
			if (value !== undefined) wire[spelling] = value;
			else if (whenUnknown(field, 'asset', spelling) === 'null') wire[spelling] = null;
		}
	}
	wire['id'] = null;
	wire['priceTokenString'] = plainDecimal(entry.price_token);
	// These two are never missing on the wire: unknown is "0" there.
	wire['totalFeesPaidNativeRaw'] ??= '0';
	wire['approximateReserveTokenRaw'] ??= rawAmount(entry.approximate_reserve_token ?? 0, entry.decimals ?? 0);
	if (entry.exchange) wire['exchange'] = {name: entry.exchange.name ?? '', logo: entry.exchange.logo ?? ''};
	wire['socials'] = {
		twitter: entry.twitter ?? null,
		website: entry.website ?? null,
		telegram: entry.telegram ?? null,
		others: entry.otherSocials ?? null,
	};
	wire['screenerEnhanced'] = null;
	wire['security'] = entry.security ?? null;
	if (entry.twitterRenames) {
		wire['twitterRenameHistory'] = entry.twitterRenames.map(({username, lastChecked}) => ({
			username,
			last_checked: lastChecked,
		}));
	}
	wire['holders_list'] = entry.holders?.slice(0, holders) ?? [];
	return wire;
}
