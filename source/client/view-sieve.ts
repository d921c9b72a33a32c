import type {Entry} from '../contract/entry.ts';
import {readEntry} from '../contract/entry-reader.ts';
import {EVERYTHING, type Filter} from '../contract/filter.ts';
import {certainly} from '../contract/filter-certainty.ts';
import {parseFilters} from '../contract/filter-parse.ts';
import {InvalidRequest} from '../contract/wire-error.ts';
import type {ViewRequest} from './feed-events.ts';

/** Whether an entry is certainly not what a view was asked for. */
export type Sieve = (entry: Entry) => boolean;

const SIEVES = new WeakMap<ViewRequest, {readonly sieve: Sieve | undefined}>();

/** The sieve of a request; undefined where it lets everything pass. The same for the same request. */
export function sieveOf(request: ViewRequest): Sieve | undefined {
	let made = SIEVES.get(request);
	if (!made) {
		made = {sieve: makeSieve(request)};
		SIEVES.set(request, made);
	}
	return made.sieve;
}

function makeSieve({filters, chainId, includeTokens}: ViewRequest): Sieve | undefined {
	const chains = chainId === undefined ? undefined : new Set([chainId].flat());
	const filter = filterOf(filters);
	if (filter === EVERYTHING && chains === undefined) return undefined;
	// These are there whatever the filters say (spec 4.1).
	const included = new Set([includeTokens ?? []].flat().map(address => address.toLowerCase()));
	return entry => {
		if (included.has(entry.address.toLowerCase())) return false;
		// A chain in another spelling (`base`, `8453`) may be the one that was asked for.
		if (chains !== undefined && entry.chain_id.includes(':') && !chains.has(entry.chain_id)) return true;
		return certainly(filter, readEntry(entry)) === false;
	};
}

/** What is no filter here is one that only the service understands. */
function filterOf(filters: ViewRequest['filters']): Filter {
	try {
		return parseFilters(filters, {mode: 'asset'});
	} catch (error) {
		if (error instanceof InvalidRequest) return EVERYTHING;
		throw error;
	}
}
