import {filterToJson} from '../../contract/filter-json.ts';
import type {ViewQuery} from '../../contract/pulse-query.ts';
import {parsePulseBody} from '../../contract/pulse-request.ts';
import type {EntryMode} from '../pulse/entry-cache.ts';
import {viewSignature} from '../pulse/view-filter.ts';

/** A view, and whether its entries are tokens or pools. */
export interface DefinedView {
	readonly view: ViewQuery;
	readonly mode: EntryMode;
}

/** The same text for views of the same rows in the same order, on every replica. */
export function signatureOf({view, mode}: DefinedView): string {
	const {sort, limit, offset} = view;
	return `${mode}|${sort.field.name}|${sort.order}|${limit}|${offset}|${viewSignature(view)}`;
}

/** A view as the body of a request for it alone, in JSON. Its name is left out. */
export function writeDefinition({view, mode}: DefinedView): string {
	const {filter, sort, chainIds, poolTypes, excludeDuplicates, filterQuotes, excludeLPTokens, onlyTokens} = view;
	const {limit, offset, addressToExclude, baseTokenToExclude, includeTokens, assetListed} = view;
	return JSON.stringify({
		assetMode: mode === 'asset',
		excludeDuplicates,
		filterQuotes,
		excludeLPTokens,
		views: [
			{
				name: NAME,
				sortBy: sort.field.name,
				sortOrder: sort.order,
				limit,
				offset,
				chainId: chainIds,
				poolTypes,
				addressToExclude,
				baseTokenToExclude,
				assets: onlyTokens,
				includeTokens,
				assetListed,
				filters: filterToJson(filter),
			},
		],
	});
}

/**
 * Reads what writeDefinition wrote.
 * @throws InvalidRequest when it is anything else
 */
export function readDefinition(text: string): DefinedView {
	const {assetMode, views} = parsePulseBody(parseJson(text));
	return {view: views[0]!, mode: assetMode ? 'asset' : 'pool'};
}

const NAME = 'v';

/** JSON, or undefined, which is no body of a request. */
function parseJson(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		return null;
	}
}
