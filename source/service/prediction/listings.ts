import {DAY_MS, liquidityOf, tradedBetween, trendingScore, WEEK_MS} from './figures.ts';
import type {PredictionMarket} from './prediction-market.ts';
import {CATEGORIES} from './questions.ts';

/** Input of a search (contract gaps 6.4). */
export interface Search {
	readonly query?: string | undefined;
	readonly category?: string | undefined;
	readonly status?: string | undefined;
	readonly sortBy: 'volume' | 'liquidity' | 'created' | 'trending' | 'total_volume';
}

type Figure = (market: PredictionMarket, nowMs: number) => number;

const SORTS: Readonly<Record<Search['sortBy'], Figure>> = {
	volume: (market, nowMs) => tradedBetween(market, nowMs - DAY_MS).usd,
	total_volume: market => tradedBetween(market, 0).usd,
	liquidity: market => liquidityOf(market),
	created: market => market.plan.createdMs,
	trending: trendingScore,
};

/** Markets that contain every word of the query, in any letter case, sorted by the requested figure. */
export function searchMarkets(
	markets: readonly PredictionMarket[],
	{query = '', category, status, sortBy}: Search,
	nowMs: number,
): readonly PredictionMarket[] {
	const words = query.toLowerCase().split(/\s+/).filter(Boolean);
	const found = markets.filter(
		market =>
			(status === undefined || market.status === status) &&
			(category === undefined || sameCategory(market.plan.category, category)) &&
			words.every(word => textOf(market).includes(word)),
	);
	return ranked(found, market => SORTS[sortBy](market, nowMs));
}

const PERIODS_MS = {'1h': DAY_MS / 24, '24h': DAY_MS, '7d': WEEK_MS, '30d': 30 * DAY_MS} as const;

/** Markets that can be traded, the busiest of a period first. */
export function trendingMarkets(
	markets: readonly PredictionMarket[],
	{period, rankBy}: {readonly period: keyof typeof PERIODS_MS; readonly rankBy: 'volume' | 'trades'},
	nowMs: number,
): readonly PredictionMarket[] {
	const active = markets.filter(({status}) => status === 'active');
	return ranked(active, market => {
		const {usd, trades} = tradedBetween(market, nowMs - PERIODS_MS[period]);
		return rankBy === 'volume' ? usd : trades;
	});
}

/** Every category with its counts. */
export function categoriesOf(markets: readonly PredictionMarket[], nowMs: number) {
	return CATEGORIES.map(({id, name}) => {
		const own = markets.filter(({plan}) => plan.category === id);
		const sum = (figure: Figure) =>
			Math.round(own.reduce((total, market) => total + figure(market, nowMs), 0) * 100) / 100;
		return {
			id,
			name,
			marketsCount: own.length,
			activeMarkets: own.filter(({status}) => status === 'active').length,
			volume24h: sum(SORTS.volume),
			volumeTotal: sum(SORTS.total_volume),
		};
	});
}

/** A page of a list, and its place in the list (contract gaps 6.4). */
export function pageOf<T>(items: readonly T[], {limit, offset}: {readonly limit: number; readonly offset: number}) {
	const page = items.slice(offset, offset + limit);
	return {page, pagination: {page: Math.floor(offset / limit) + 1, offset, limit, pageEntries: page.length}};
}

/** Computes each figure once; ties are ordered by id, so that pages do not overlap. */
function ranked(markets: readonly PredictionMarket[], figure: (market: PredictionMarket) => number) {
	return markets
		.map(market => ({market, value: figure(market), id: Number(market.plan.marketId)}))
		.sort((a, b) => b.value - a.value || a.id - b.id)
		.map(({market}) => market);
}

function textOf({plan}: PredictionMarket): string {
	return `${plan.question} ${plan.category} ${plan.tags.join(' ')} ${plan.event?.title ?? ''}`.toLowerCase();
}

function sameCategory(own: string, category: string): boolean {
	return own === category.toLowerCase() || CATEGORIES.some(({id, name}) => id === own && name === category);
}
