import type {MarketBook} from '../../contract/prediction.ts';
import {collateralOf, costOf, sharesBetween} from './lmsr.ts';
import type {PredictionMarket} from './prediction-market.ts';

const HOUR_MS = 3_600_000;
export const DAY_MS = 24 * HOUR_MS;
export const WEEK_MS = 7 * DAY_MS;

/** The trades of a span of time. */
export interface Traded {
	/** Sums of all outcomes, and of each. */
	readonly usd: number;
	readonly usdOf: readonly number[];
	readonly trades: number;
}

/** Adds up the trades from one time until before another. */
export function tradedBetween({log}: PredictionMarket, fromMs: number, toMs = Number.POSITIVE_INFINITY): Traded {
	const usdOf = new Array<number>(log.outcomes).fill(0);
	const first = log.since(fromMs);
	const end = log.since(toMs);
	let usd = 0;
	for (let i = first; i < end; i++) {
		usd += log.usd[i]!;
		usdOf[log.outcome[i]!]! += log.usd[i]!;
	}
	return {usd, usdOf, trades: end - first};
}

/** Change of an outcome's price over a time, in per cent; of a younger market since its opening. */
export function priceChange(market: PredictionMarket, outcome: number, nowMs: number, overMs: number): number {
	const {log} = market;
	const before = log.price(log.since(nowMs - overMs) - 1, outcome);
	return (market.prices[outcome]! / before - 1) * 100;
}

/** Money behind a market while it can be traded: that of the market maker and of traders. */
export function liquidityOf({plan, shares, status}: PredictionMarket): number {
	return status === 'active' ? collateralOf(shares, plan.depth) : 0;
}

/** Shares that traders hold, at the current price. */
export function openInterestOf(market: PredictionMarket, outcome: number): number {
	return market.shares[outcome]! * market.prices[outcome]!;
}

/** Activity of a market: traded money by magnitude, the last hour counting as much as the day. */
export function trendingScore(market: PredictionMarket, nowMs: number): number {
	const day = tradedBetween(market, nowMs - DAY_MS).usd;
	const hour = tradedBetween(market, nowMs - HOUR_MS).usd;
	return round(10 * Math.log10(1 + (day + 24 * hour) / 2));
}

/** What one share of an outcome brings and costs. */
export interface Quote {
	readonly priceUSD: number;
	readonly bestBidUSD: number | null;
	readonly bestAskUSD: number | null;
	readonly spreadUSD: number | null;
}

/** Bid and ask of one share of an outcome, in USD; null once trading has ended. */
export function quoteOf({plan, prices, status}: PredictionMarket, outcome: number): Quote {
	const priceUSD = prices[outcome]!;
	if (status !== 'active') return {priceUSD, bestBidUSD: null, bestAskUSD: null, spreadUSD: null};
	const bestAskUSD = costOf(1, priceUSD, plan.depth);
	const bestBidUSD = -costOf(-1, priceUSD, plan.depth);
	return {priceUSD, bestBidUSD, bestAskUSD, spreadUSD: bestAskUSD - bestBidUSD};
}

/** Levels on each side of a book, a cent apart. */
const BOOK_LEVELS = 10;
const TICK_USD = 0.01;

/**
 * The market maker's curve as a book: at each whole cent the shares that move the price there from the cent before. A
 * share of a level costs at most its price, or brings at least that. Empty once trading has ended.
 */
export function bookOf({plan, prices, status}: PredictionMarket, outcome: number): MarketBook {
	const price = prices[outcome]!;
	const side = (step: 1 | -1) => {
		const first = step === 1 ? Math.floor(price / TICK_USD) + 1 : Math.ceil(price / TICK_USD) - 1;
		const levels = [];
		let before = price;
		for (let tick = first; levels.length < BOOK_LEVELS && tick > 0 && tick < 1 / TICK_USD; tick += step) {
			const priceUSD = round(tick * TICK_USD);
			levels.push({priceUSD, sizeToken: Math.abs(sharesBetween(before, priceUSD, plan.depth))});
			before = priceUSD;
		}
		return levels;
	};
	return status === 'active' ? {bids: side(-1), asks: side(1)} : {bids: [], asks: []};
}

/** Money and percentages to a hundredth of a cent. */
export function round(value: number): number {
	return Math.round(value * 1e4) / 1e4;
}
