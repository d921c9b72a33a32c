import type {Entry} from '../../contract/entry.ts';
import {FIELDS} from '../../contract/fields.ts';
import {whenUnknown} from '../../contract/when-unknown.ts';
import {NO_PRICE_TEXT, plainDecimal, rawAmount} from '../market/wire-amounts.ts';

/**
 * A recorded token as an entry in asset mode: every field in every spelling of FIELDS. Figures that the recording does
 * not have are null or left out, even where the spec has 0: a figure that was not reported must not be invented.
 * @param holders how many of the largest holders go into `holders_list`
 */
export function recordedEntry(entry: Entry, holders: number): Record<string, unknown> {
	const wire: Record<string, unknown> = {};
	for (const field of FIELDS) {
		const known = entry[field.name];
		const value = known !== undefined && field.kind === 'date' ? new Date(known as number).toISOString() : known;
		for (const spelling of field.asset) {
			if (value !== undefined) wire[spelling] = value;
			else if (whenUnknown('asset', spelling, field.kind) === 'null') wire[spelling] = null;
		}
	}
	wire['id'] = null;
	wire['priceTokenString'] = entry.price_token === undefined ? NO_PRICE_TEXT : plainDecimal(entry.price_token);
	if (entry.approximate_reserve_token !== undefined && entry.decimals !== undefined)
		wire['approximateReserveTokenRaw'] ??= rawAmount(entry.approximate_reserve_token, entry.decimals);
	if (entry.exchange) wire['exchange'] = {name: entry.exchange.name ?? '', logo: entry.exchange.logo ?? ''};
	if (entry.priceIsAverage) wire['priceIsAverage'] = true;
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
