import type {Entry} from '../../contract/entry.ts';
import {readEntry} from '../../contract/entry-reader.ts';
import {EVERYTHING} from '../../contract/filter.ts';
import {certainly} from '../../contract/filter-certainty.ts';
import {parseFilters} from '../../contract/filter-parse.ts';
import {unlessInvalid} from '../../contract/wire-error.ts';
import type {Clock} from '../clock.ts';
import type {ViewRequest} from './feed-events.ts';

/** Whether an entry certainly does not match the request of a view. */
export type ClientFilter = (entry: Entry) => boolean;
/** @param nowMs the clock of the service; undefined where it is not known */
type TimedFilter = (entry: Entry, nowMs: number | undefined) => boolean;

const FILTERS = new WeakMap<ViewRequest, {readonly filter: TimedFilter | undefined}>();

/** The client-side filter of a request at this moment, made once a request; undefined for a request that everything matches. */
export function clientFilterOf(request: ViewRequest, clock: Clock): ClientFilter | undefined {
	let made = FILTERS.get(request);
	if (!made) {
		made = {filter: makeClientFilter(request)};
		FILTERS.set(request, made);
	}
	const {filter} = made;
	const nowMs = clock.uncertaintyMs === undefined ? undefined : clock.nowMs();
	return filter && (entry => filter(entry, nowMs));
}

function makeClientFilter({filters, chainId, includeTokens}: ViewRequest): TimedFilter | undefined {
	const chains = chainId === undefined ? undefined : new Set([chainId].flat());
	// A filter that this program cannot parse matches everything: the service alone understands that filter.
	const filter = unlessInvalid(() => parseFilters(filters, {mode: 'asset'})) ?? EVERYTHING;
	if (filter === EVERYTHING && chains === undefined) return undefined;
	// Included tokens bypass the filters (spec 4.1).
	const included = new Set([includeTokens ?? []].flat().map(address => address.toLowerCase()));
	return (entry, nowMs) => {
		if (included.has(entry.address.toLowerCase())) return false;
		// A chain in another spelling (`base`) may be a requested one.
		if (chains !== undefined && entry.chain_id.includes(':') && !chains.has(entry.chain_id)) return true;
		return certainly(filter, readEntry(entry), nowMs) === false;
	};
}
