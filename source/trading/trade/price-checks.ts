import {isAtMost, isDollarCoin, percent} from '../bridge/loss.ts';
import {type Check, failed, passed, passedByWord, unavailable, type Verdict} from '../check.ts';
import {isPrice} from '../positions/value.ts';
import {figuresOf, lossBeside} from './figures.ts';
import type {TradePlan} from './plan.ts';
import {dollars, UNREPORTED, wholePercent} from './words.ts';

/*
 * The cost of a trade against the price of the feed. An unknown figure is shown as unknown, and never counts as zero. Limits
 * are parts of one; where each number comes from stands beside it.
 */

type TradeCheck = Check<TradePlan>;

/** A trade is paid in dollars or brings them: every figure here rests on that. */
const DOLLARS: TradeCheck = {
	name: 'dollars',
	title: 'counted in dollars',
	next: 'fix-input',
	run({request, destination, trade: {target}}) {
		const symbol = target.side === 'buy' ? request.symbol : destination?.symbol;
		if (symbol === undefined) return failed('the token that arrives cannot be read');
		return isDollarCoin(symbol) ? passed(symbol) : failed(`${symbol} is not worth one dollar`);
	},
};

/** Plain digits: no exponent, no sign, no more than a token can have. */
const DECIMAL = /^\d{1,30}(\.\d{1,36})?$/;

const QUOTE_FIGURES: TradeCheck = {
	name: 'quote-figures',
	title: 'figures of the quote',
	next: 'requote',
	run({quote}) {
		const {estimatedAmountOut, minAmountOut, estimatedAmountOutUsd, totalFeeUsd, fees, priceUSD} = quote;
		const texts = [estimatedAmountOut, minAmountOut, estimatedAmountOutUsd, totalFeeUsd, priceUSD];
		const wrong = [...texts, fees.totalFeeUsd, fees.gasFeeUsd, fees.originSponsorGasUsd].some(
			text => text !== undefined && !DECIMAL.test(text),
		);
		return wrong ? failed('some are not written as plain decimal numbers') : passed('plain decimal numbers');
	},
};

/** Without a price of the feed nothing bounds the cost of a buy. The proceeds of a sale are dollars, which need none. */
const FEED_PRICE: TradeCheck = {
	name: 'feed-price',
	title: 'price of the feed',
	next: 'retry-later',
	run({trade: {target}}) {
		const {priceUSD, side} = target;
		if (isPrice(priceUSD)) return passed(dollars(priceUSD));
		const why = priceUSD === undefined ? 'it is not known' : 'it cannot be a price';
		return side === 'buy' ? failed(why) : unavailable(why);
	},
};

/** Dollars in a pool: below the first a buy is refused, below the second it takes a typed word. The feed has no depth of a curve. */
const MIN_LIQUIDITY = 500;
const LIQUIDITY_WORD = 2000;

const LIQUIDITY: TradeCheck = {
	name: 'liquidity',
	title: 'liquidity',
	next: 'fix-input',
	run({trade: {target}}) {
		const {isCurve, liquidityUSD, side} = target;
		if (isCurve === true) return passed('a bonding curve: its depth shows in the impact');
		if (side === 'sell') return passed(liquidityUSD === undefined ? 'not reported' : dollars(liquidityUSD));
		if (liquidityUSD === undefined) return passedByWord(UNREPORTED, 'not reported');
		const text = dollars(liquidityUSD);
		// One that may be a curve has a word at least: only its money counts there.
		if (!(liquidityUSD >= MIN_LIQUIDITY) && isCurve === false)
			return failed(`${text}; nothing is bought under ${dollars(MIN_LIQUIDITY)}`);
		return liquidityUSD >= LIQUIDITY_WORD ? passed(text) : passedByWord(String(Math.floor(liquidityUSD)), text);
	},
};

/** Average price against the price before the trade: Uniswap and CoW ask for a word at 10 %, and stop at 15 %. */
const IMPACT_WORD = 0.1;
const MAX_IMPACT = 0.15;

const IMPACT: TradeCheck = {
	name: 'impact',
	title: 'impact on the price',
	next: 'fix-input',
	run(plan) {
		const {impact} = figuresOf(plan);
		if (impact === undefined) return unavailable('not known; the worst case bounds it');
		const text = `${percent(impact.share)}${impact.isOwn ? '' : ', says the service'}`;
		return bounded(impact.share, {word: IMPACT_WORD, most: MAX_IMPACT}, text);
	},
};

/** Largest addition to a pool's money: the bound of the service, beyond which the price is more than a tenth worse. */
const MAX_POOL_SHARE = 0.12;

const POOL_SHARE: TradeCheck = {
	name: 'pool-share',
	title: 'share of the pool',
	next: 'fix-input',
	run(plan) {
		const {poolShare} = figuresOf(plan);
		if (poolShare === undefined) return unavailable('not known');
		return atMost(poolShare, MAX_POOL_SHARE, percent(poolShare));
	},
};

const MAX_FEE_SHARE = 0.2;

const FEE_SHARE: TradeCheck = {
	name: 'fee-share',
	title: 'fees against the amount',
	next: 'fix-input',
	run(plan) {
		const {feeShare, feeUSD} = figuresOf(plan);
		if (feeShare === undefined) return unavailable('the quote does not state the fees');
		return atMost(feeShare, MAX_FEE_SHARE, `${dollars(feeUSD ?? Number.NaN)}, ${percent(feeShare)} of it`);
	},
};

/** How far the quote may be from the price of the feed, once fees, tax and impact are taken out (Rabby). */
const GAP_WORD = 0.05;

const PRICE: TradeCheck = {
	name: 'price',
	title: 'quote fits the price of the feed',
	next: 'requote',
	run(plan) {
		const {gap} = figuresOf(plan);
		if (gap === undefined) return unavailable('the feed has no price');
		if (!Number.isFinite(gap)) return failed('it cannot be compared');
		const size = Math.abs(gap);
		const text = `${percent(size)} ${gap >= 0 ? 'worse' : 'better'} than the feed after fees, tax and impact`;
		return size > GAP_WORD ? passedByWord(wholePercent(size), text) : passed(text);
	},
};

/** The least keeps to the slippage that was asked for: one unit of the last digit may be rounded away. */
const SLIPPAGE: TradeCheck = {
	name: 'least',
	title: 'least fits the slippage',
	next: 'requote',
	run({quote, request: {slippage}}) {
		if (slippage === undefined) return failed('no slippage was asked for');
		const {estimatedAmountOut, minAmountOut} = quote;
		const places = Math.max(...[estimatedAmountOut, minAmountOut].map(text => text.split('.')[1]?.length ?? 0));
		const dueRaw = scaled(estimatedAmountOut, places) * BigInt(Math.round((100 - slippage) * 1e4));
		if ((scaled(minAmountOut, places) + 1n) * 1_000_000n >= dueRaw)
			return passed(`at most ${slippage} % under the estimate`);
		return failed(`at least ${minAmountOut} would arrive: more than ${slippage} % under ${estimatedAmountOut}`);
	},
};

/** A decimal text in units of its last place. */
function scaled(text: string, places: number): bigint {
	const [whole = '', fraction = ''] = text.split('.');
	return BigInt(whole + fraction.padEnd(places, '0'));
}

/** The minimum that arrives against the amount that leaves, by the price of the feed: the one number that bounds a loss. */
export const WORST_WORD = 0.15;
export const MAX_WORST = 0.25;

const WORST_CASE: TradeCheck = {
	name: 'worst-case',
	title: 'worst case',
	next: 'fix-input',
	run(plan) {
		const {target, maxLoss} = plan.trade;
		const {worst, leastUSD, leavesUSD, feedTax} = figuresOf(plan);
		if (worst === undefined || leastUSD === undefined || leavesUSD === undefined) {
			if (target.side === 'buy') return failed('it is not known without a price of the feed');
			return passedByWord(UNREPORTED, 'not known without a price of the feed');
		}
		if (!Number.isFinite(worst)) return failed('it is not known: the amounts of the quote are no numbers');
		// The same figure as in the word that is typed for it.
		const text = `up to ${wholePercent(Math.max(worst, 0))} % may be lost: ${dollars(leastUSD)} of ${dollars(leavesUSD)}`;
		if (maxLoss !== undefined && !isAtMost(worst, maxLoss / 100)) return failed(`${text}; you allow ${maxLoss} %`);
		// A token with a known tax on sales can still be sold, by word.
		const beside = lossBeside(worst, target.side === 'sell' ? feedTax : 0);
		if (!isAtMost(beside, MAX_WORST)) return failed(`${text}; at most ${percent(MAX_WORST)} are risked`);
		return worst > WORST_WORD ? passedByWord(wholePercent(worst), text) : passed(text);
	},
};

/** Passes up to a share, that share included. */
function atMost(share: number, most: number, text: string): Verdict {
	return isAtMost(share, most) ? passed(text) : failed(`${text}, at most ${percent(most)}`);
}

/** Passes below `word`, takes a typed word from there on, and fails from `most` on. */
function bounded(share: number, {word, most}: {readonly word: number; readonly most: number}, text: string): Verdict {
	if (!(share < most)) return failed(`${text}, ${percent(most)} and more are refused`);
	return share >= word ? passedByWord(wholePercent(share), text) : passed(text);
}

export const PRICE_CHECKS: readonly TradeCheck[] = [
	DOLLARS,
	QUOTE_FIGURES,
	FEED_PRICE,
	LIQUIDITY,
	IMPACT,
	POOL_SHARE,
	FEE_SHARE,
	PRICE,
	SLIPPAGE,
	WORST_CASE,
];
