import {type FieldName, fieldOf} from '../../contract/fields.ts';
import {allOf, EVERYTHING, type Filter} from '../../contract/filter.ts';
import {filterToJson} from '../../contract/filter-json.ts';
import type {Fold} from '../../contract/filter-test.ts';
import type {ViewQuery} from '../../contract/pulse-query.ts';
import {ROW} from '../market/market.ts';

/** All conditions of a view on figures and texts as one filter, with its chains, pool types and tokens. */
export function wholeFilter(view: ViewQuery): Filter {
	let filter = FILTERS.get(view);
	if (!filter) {
		filter = allOf([
			anyOfTexts('chain_id', view.chainIds, 'exact'),
			anyOfTexts('type', view.poolTypes, 'lower'),
			anyOfTexts('address', view.onlyTokens, 'address'),
			withoutTexts('address', view.baseTokenToExclude),
			listed(view.assetListed),
			view.filter,
		]);
		FILTERS.set(view, filter);
	}
	return filter;
}

const FILTERS = new WeakMap<ViewQuery, Filter>();

function anyOfTexts(name: FieldName, value: readonly string[], fold: Fold): Filter {
	return value.length === 0 ? EVERYTHING : {kind: 'compare', field: fieldOf(name), op: 'in', value, fold};
}

function withoutTexts(name: FieldName, value: readonly string[]): Filter {
	return value.length === 0 ? EVERYTHING : {kind: 'not', of: anyOfTexts(name, value, 'address')};
}

function listed(isListed: boolean | undefined): Filter {
	if (isListed === undefined) return EVERYTHING;
	const known = allOf(
		(['name', 'symbol'] as const).map(name => ({
			kind: 'compare',
			field: fieldOf(name),
			op: 'not',
			value: null,
			fold: 'exact',
		})),
	);
	return isListed ? known : {kind: 'not', of: known};
}

/** The rows that a view may hold at all, by their ROW bits: `(bits & mask) === value`. */
export function rowBits(view: ViewQuery): {readonly mask: number; readonly value: number} {
	const value = ROW.live | (view.excludeDuplicates ? ROW.main : 0);
	// Quote coins and LP wrappers have no pool of their own.
	const withoutPool = view.onlyPools ? ROW.quote | ROW.lpToken : 0;
	const excluded = withoutPool | (view.filterQuotes ? ROW.quote : 0) | (view.excludeLPTokens ? ROW.lpToken : 0);
	return {mask: value | excluded, value};
}

/** The same text for views that hold the same rows, regardless of their name, page and model: the filter has the model's. */
export function viewSignature(view: ViewQuery): string {
	const {name: _n, model: _m, sort: _s, limit: _l, offset: _o, pagination: _p, filter, ...rest} = view;
	return JSON.stringify({...rest, filter: filterToJson(filter)});
}
