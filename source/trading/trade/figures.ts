import {defined} from '../../defined.ts';
import {feeUsd} from '../bridge/loss.ts';
import {formatUnits} from '../decimal.ts';
import {isPrice} from '../positions/value.ts';
import type {TradePlan} from './plan.ts';

/*
 * The figures of a trade, computed from the signed amounts, the quote, and the price of the feed. Shares are parts of
 * one. Undefined is unknown. They are compared with limits far coarser than the rounding of numbers; amounts that are signed
 * are compared exactly, elsewhere.
 */

/** Where the figure of an impact comes from: computed here from the liquidity of the row, or said by the service. */
export interface Impact {
	readonly share: number;
	readonly isOwn: boolean;
}

export interface TradeFigures {
	/** The minimum amount that arrives, in whole tokens. */
	readonly least: number;
	/** The amount that leaves, in dollars: the payment, or the sold tokens by the price of the feed. */
	readonly leavesUSD?: number;
	/** The least that arrives, in dollars, by the price of the feed. */
	readonly leastUSD?: number;
	/** The minimum that arrives against the amount that leaves. */
	readonly worst?: number;
	/** How far the estimate is under the amount by the price of the feed after fees, tax and impact; below 0 when the estimate is higher. */
	readonly gap?: number;
	readonly feeUSD?: number;
	/** All fees against the amount that leaves. */
	readonly feeShare?: number;
	/** Average price against the price before the trade. */
	readonly impact?: Impact;
	/** The traded amount against the money of the pool. */
	readonly poolShare?: number;
	/** Of this side, and of the other one. */
	readonly tax?: number;
	readonly otherTax?: number;
	/** Of this side by the feed alone; 0 where it says nothing. */
	readonly feedTax: number;
}

/** The figures of a plan. @throws SyntaxError for amounts that are no numbers, which a check says before */
export function figuresOf(plan: TradePlan): TradeFigures {
	const {request, quote, trade} = plan;
	const {target} = trade;
	const isBuy = target.side === 'buy';
	const price = isPrice(target.priceUSD) ? target.priceUSD : undefined;
	const amount = Number(formatUnits(request.amountRaw, request.decimals));
	const estimate = Number(quote.estimatedAmountOut);
	const least = Number(quote.minAmountOut);
	const fee = feeUsd(quote);
	const usd = (tokens: number) => (price === undefined ? undefined : tokens * price);
	const leavesUSD = isBuy ? amount : usd(amount);
	const leastUSD = isBuy ? usd(least) : least;
	const estimateUSD = isBuy ? usd(estimate) : estimate;
	const [buyTax, sellTax] = [taxOf(target.buyTax, quote.buyTax), taxOf(target.sellTax, quote.sellTax)];
	const [tax, otherTax] = isBuy ? [buyTax, sellTax] : [sellTax, buyTax];
	// A tax that only the service names explains no missing amount.
	const feedTax = ((isBuy ? target.buyTax : target.sellTax) ?? 0) / 100;
	// The dollars that meet the pool: a buy pays its fees before, a sale after.
	const tradedUSD = leavesUSD === undefined ? undefined : leavesUSD - (isBuy ? (fee ?? 0) : leavesUSD * feedTax);
	const own = tradedUSD === undefined ? undefined : ownDepth(plan, tradedUSD);
	const impact = worseImpact(own?.impact, quote.priceImpact);
	const kept = (1 - feedTax) * (1 - (own?.impact ?? said(quote.priceImpact) ?? 0));
	const dueUSD =
		leavesUSD === undefined ? undefined : isBuy ? (leavesUSD - (fee ?? 0)) * kept : leavesUSD * kept - (fee ?? 0);
	const poolShare = largest(own?.share, said(quote.poolShare));
	return {
		least,
		feedTax,
		...defined({
			leavesUSD,
			leastUSD,
			worst: shareLost(leastUSD, leavesUSD),
			gap: shareLost(estimateUSD, dueUSD),
			feeUSD: fee,
			feeShare: fee === undefined ? undefined : fee / (isBuy ? amount : estimate + fee),
			impact,
			poolShare,
			tax,
			otherTax,
		}),
	};
}

/** How much of `whole` is missing from `part`. Dust and nonsense give NaN, which no limit lets pass. */
function shareLost(part: number | undefined, whole: number | undefined): number | undefined {
	if (part === undefined || whole === undefined) return undefined;
	return whole > 0 ? 1 - part / whole : Number.NaN;
}

/** The loss besides a known tax of the token: shares. */
export function lossBeside(worst: number, tax: number): number {
	return tax < 1 ? 1 - (1 - worst) / (1 - tax) : worst;
}

/** The larger of the taxes by feed and service, both in percent. */
function taxOf(feed: number | undefined, service: number | undefined): number | undefined {
	const most = largest(feed, service !== undefined && service >= 0 ? service : undefined);
	return most === undefined ? undefined : most / 100;
}

/** A percentage of the service as a share; undefined for any other text. */
function said(percent: number | undefined): number | undefined {
	return percent !== undefined && percent >= 0 && percent <= 100 ? percent / 100 : undefined;
}

/** Share and impact by the liquidity of the row, half of which is money; a curve's depth is not in the feed. */
function ownDepth(
	{trade: {target}}: TradePlan,
	tradedUSD: number,
): {readonly share: number; readonly impact: number} | undefined {
	const {isCurve, liquidityUSD} = target;
	if (isCurve !== false || liquidityUSD === undefined || !(liquidityUSD > 0)) return undefined;
	const moneyUSD = liquidityUSD / 2;
	return {share: tradedUSD / moneyUSD, impact: tradedUSD / (moneyUSD + tradedUSD)};
}

function worseImpact(own: number | undefined, service: number | undefined): Impact | undefined {
	const other = said(service);
	if (own !== undefined && own >= (other ?? 0)) return {share: own, isOwn: true};
	return other === undefined ? undefined : {share: other, isOwn: false};
}

function largest(...values: readonly (number | undefined)[]): number | undefined {
	const known = values.filter(value => value !== undefined);
	return known.length === 0 ? undefined : Math.max(...known);
}
