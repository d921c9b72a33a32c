import type {Entry} from '../../contract/entry.ts';
import {FIELDS} from '../../contract/fields.ts';

/**
 * A recorded token as the wire has it, asset mode: every field in every spelling of FIELDS. What the recording does not
 * know is null, also where the spec would have a 0: a recording of a service that did not report a figure must not
 * invent one.
 * @param holders how many of the largest holders go into `holders_list`
 */
export function recordedEntry(entry: Entry, holders: number): Record<string, unknown> {
	const wire: Record<string, unknown> = {};
	for (const {name, kind, asset} of FIELDS) {
		const known = entry[name];
		const value = known === undefined ? null : kind === 'date' ? new Date(known as number).toISOString() : known;
		for (const spelling of asset) wire[spelling] = value;
	}
	wire['exchange'] = entry.exchange ?? null;
	wire['socials'] = {
		twitter: entry.twitter ?? null,
		website: entry.website ?? null,
		telegram: entry.telegram ?? null,
		others: entry.otherSocials ?? null,
	};
	wire['security'] = entry.security ?? null;
	wire['twitterRenameHistory'] =
		entry.twitterRenames?.map(({username, lastChecked}) => ({username, last_checked: lastChecked})) ?? null;
	// An empty list would say that nobody holds it.
	wire['holders_list'] = holders === 0 ? [] : (entry.holders?.slice(0, holders) ?? null);
	return wire;
}
