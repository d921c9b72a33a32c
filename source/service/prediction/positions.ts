import type {MarketPosition} from '../../contract/prediction.ts';
import {PLATFORM} from './exchange.ts';
import {round} from './figures.ts';
import type {PredictionMarket} from './prediction-market.ts';
import {outcomeIdOf} from './records.ts';

interface Sums {
	bought: number;
	boughtUSD: number;
	sold: number;
	soldUSD: number;
	buys: number;
	sells: number;
	firstMs: number;
	lastMs: number;
}

/** A trader's current and past holdings of each outcome of a market, added up from the trades (contract gaps 6.4). */
export function positionsOf(market: PredictionMarket, trader: number): MarketPosition[] {
	const {log} = market;
	const sums = new Map<number, Sums>();
	for (let i = 0; i < log.length; i++) {
		if (log.traders[i] !== trader) continue;
		const {outcome, isBuy, shares, amountUSD, timeMs} = log.trade(i);
		const sum = sums.get(outcome) ?? {
			bought: 0,
			boughtUSD: 0,
			sold: 0,
			soldUSD: 0,
			buys: 0,
			sells: 0,
			firstMs: timeMs,
			lastMs: timeMs,
		};
		sum.lastMs = timeMs;
		if (isBuy) {
			sum.bought += shares;
			sum.boughtUSD += amountUSD;
			sum.buys++;
		} else {
			sum.sold += shares;
			sum.soldUSD += amountUSD;
			sum.sells++;
		}
		sums.set(outcome, sum);
	}
	return Array.from(sums, ([outcome, sum]) => positionOf(market, outcome, sum));
}

/**
 * A trader's shares: of each named outcome, or of all that the trader holds.
 * @param trader undefined for an unknown address, without shares
 */
export function balancesOf(
	markets: readonly PredictionMarket[],
	trader: number | undefined,
	tokenIds: readonly string[],
): {readonly tokenId: string; readonly balance: number}[] {
	const held = new Map(
		(trader === undefined ? [] : markets.flatMap(market => positionsOf(market, trader))).map(
			({outcomeId, balance}) => [outcomeId, balance] as const,
		),
	);
	if (tokenIds.length > 0) return tokenIds.map(tokenId => ({tokenId, balance: held.get(tokenId) ?? 0}));
	return Array.from(held, ([tokenId, balance]) => ({tokenId, balance})).filter(({balance}) => balance > 0);
}

function positionOf(market: PredictionMarket, outcome: number, sum: Sums): MarketPosition {
	const {plan, prices, status} = market;
	const {bought, boughtUSD, sold, soldUSD, buys, sells, firstMs, lastMs} = sum;
	// The remainder after a sale of everything is rounding, not a holding.
	const balance = bought - sold <= bought * 1e-9 ? 0 : bought - sold;
	const averageUSD = boughtUSD / bought;
	const costBasisUSD = balance * averageUSD;
	const amountUSD = balance * prices[outcome]!;
	const realizedPnlUSD = soldUSD - sold * averageUSD;
	return {
		platform: PLATFORM,
		market: {
			marketId: plan.marketId,
			question: plan.question,
			category: plan.category,
			status,
			logo: null,
			endDate: new Date(plan.endMs).toISOString(),
		},
		outcomeId: outcomeIdOf(market, outcome),
		label: plan.outcomes[outcome]!,
		balance,
		costBasisUSD: round(costBasisUSD),
		avgBuyPriceUSD: averageUSD,
		avgSellPriceUSD: sold > 0 ? soldUSD / sold : null,
		priceUSD: prices[outcome]!,
		amountUSD: round(amountUSD),
		unrealizedPnlUSD: round(amountUSD - costBasisUSD),
		unrealizedPnlPercent: costBasisUSD > 0 ? round((amountUSD / costBasisUSD - 1) * 100) : 0,
		realizedPnlUSD: round(realizedPnlUSD),
		totalPnlUSD: round(amountUSD - costBasisUSD + realizedPnlUSD),
		totalFeesPaidUSD: 0,
		buys,
		sells,
		volumeBuyUSD: round(boughtUSD),
		volumeSellUSD: round(soldUSD),
		firstDate: new Date(firstMs).toISOString(),
		lastDate: new Date(lastMs).toISOString(),
		labels: [],
	};
}
