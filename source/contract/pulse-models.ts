import {allOf, anyOf, EVERYTHING, type Filter} from './filter.ts';
import {parseFilters} from './filter-parse.ts';
import type {ViewModel} from './pulse-query.ts';
import {parseSort, type Sort} from './sort.ts';

/** The views of `model: "default"`, in the order of the response. */
export const DEFAULT_MODEL: readonly ViewModel[] = ['new', 'bonding', 'bonded'];

interface Model {
	readonly filters: Readonly<Record<'asset' | 'pool', object>>;
	readonly sortBy: string;
}

const BONDING: Model = {
	filters: {
		asset: {bonded: false, bonding_percentage: {lt: 100}, volume_1h: {gte: 10}},
		pool: {bonded: false, market_cap: {not: null}, volume_1h: {gte: 10}},
	},
	sortBy: 'market_cap',
};

const BONDED: Model = {
	filters: {
		asset: {bonded: true},
		pool: {bonded: true, created_at: {not: null}, bonding_curve_address: {not: null}},
	},
	sortBy: 'created_at',
};

/**
 * The rows that each model keeps (spec 4.1, contract gaps 3.2). The published pool filters of the two later stages leave the stage
 * itself unsaid; the spec's words ("tokens in bonding", "bonded tokens") are written out here.
 */
const MODELS: Readonly<Record<ViewModel, Model>> = {
	new: {
		filters: {asset: {bonded: false, source: {not: null}}, pool: {created_at: {not: null}}},
		sortBy: 'created_at',
	},
	bonding: BONDING,
	bonded: BONDED,
	trending: {filters: {asset: {}, pool: {}}, sortBy: 'trending_score_24h'},
	'filtered-bonding': BONDING,
	'filtered-bonded': BONDED,
};

export function modelFilter(model: ViewModel, mode: 'asset' | 'pool'): Filter {
	return parseFilters(MODELS[model].filters[mode], {mode, path: `model ${model}`});
}

export function modelSort(model: ViewModel): Sort {
	return parseSort(MODELS[model].sortBy, 'desc');
}

/** `min_socials`: the least number of the three links. */
export function socialsFilter(atLeast: number): Filter {
	const [twitter, website, telegram] = ['twitter', 'website', 'telegram'].map(name =>
		parseFilters({[name]: {not: null}}, {mode: 'asset'}),
	) as [Filter, Filter, Filter];
	if (atLeast <= 0) return EVERYTHING;
	if (atLeast === 1) return anyOf([twitter, website, telegram]);
	if (atLeast === 2) return anyOf([allOf([twitter, website]), allOf([twitter, telegram]), allOf([website, telegram])]);
	return allOf([twitter, website, telegram]);
}
