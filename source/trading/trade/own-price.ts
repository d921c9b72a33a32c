import type {SeenPrices} from '../../contract/trade-target.ts';
import {isAtMost, percent} from '../bridge/loss.ts';
import {type Check, failed, passed, passedByWord, unavailable} from '../check.ts';
import {formatUnits} from '../decimal.ts';
import {isPrice} from '../positions/value.ts';
import {figuresOf, lossBeside} from './figures.ts';
import type {OwnPrices} from './own-prices.ts';
import type {TradePlan} from './plan.ts';
import {MAX_WORST, WORST_WORD} from './price-checks.ts';
import {dollars, wholePercent} from './words.ts';

/*
 * A bound beside those of the service. Feed and quote come from one service: moved together they agree with each other,
 * whatever a token is worth. Other sources are compared here, each by its own check: the prices that it received before
 * the trade key was pressed, what the position has cost, and the price on the person's own node. Where none of them speaks,
 * that takes a word.
 */

type TradeCheck = Check<TradePlan>;

/** Fewer prices, or prices of a shorter time, agree with nothing: they can have been moved with the quote. */
const MIN_SEEN = 3;
const MIN_SEEN_MS = 10_000;
/** A rise before a purchase, or a fall before a sale, that takes a word: parts of the price before. */
const JUMP_UP = 0.5;
const JUMP_DOWN = 1 / 3;
/** The other way round a price costs nothing by itself; so far it is no price to trade by. */
const FAR_UP = 3;
const FAR_DOWN = 0.75;

const JUMP: TradeCheck = {
	name: 'jump',
	title: 'no jump before the key',
	next: 'requote',
	run(plan) {
		const {own, target} = plan.trade;
		const range = rangeOf(own);
		if (range === undefined) return unavailable('this program has seen no earlier price of it');
		if (!isPrice(target.priceUSD)) return unavailable('the feed has no price');
		const jump = jumpOf(plan);
		const time = own.seen ? `in the ${duration(own.seen.spanMs)} before the key` : 'at the request';
		const text = `${dollars(target.priceUSD)} now, ${between(range)} ${time}`;
		return jump === undefined ? passed(text) : passedByWord(tens(jump), text);
	},
};

/** A position that brings less than this part of its cost takes a word. */
const COST_WORD = 0.5;
/** Further from its cost than by this factor a price says nothing: positions do gain, and are bought again at a higher price. */
const COST_FACTOR = 2;

const COST: TradeCheck = {
	name: 'cost',
	title: 'cost of what you hold',
	next: 'requote',
	run(plan) {
		const {own, target} = plan.trade;
		if (own.costUSD === undefined) return passed('none of it was bought here');
		const text = `you paid ${dollars(own.costUSD)} for one`;
		const loss = costLoss(plan);
		if (target.side === 'buy' || loss === undefined || !(loss > COST_WORD)) return passed(text);
		return passedByWord(tens(loss), `${text}; ${percent(loss)} less than that is the least that this brings`);
	},
};

/** How far the price of the feed may be from that of the node. */
const CHAIN_WORD = 0.1;

const CHAIN: TradeCheck = {
	name: 'chain-price',
	title: 'price on your node',
	next: 'requote',
	run(plan) {
		const {chain} = plan.trade.own;
		if (chain.kind === 'unread') return unavailable(chain.why);
		const {worst, beside, apart} = chainFigures(plan, chain.usd);
		const text = `${dollars(chain.usd)} by ${chain.place}`;
		if (!isAtMost(beside, MAX_WORST))
			return failed(`${text}: by that up to ${percent(worst)} may be lost, at most ${percent(MAX_WORST)} are risked`);
		const share = Math.max(worst > WORST_WORD ? worst : 0, apart > CHAIN_WORD ? apart : 0);
		if (share === 0) return passed(text);
		return passedByWord(
			wholePercent(share),
			`${text}, ${percent(apart)} from the feed; up to ${percent(worst)} may be lost`,
		);
	},
};

const OWN_PRICE: TradeCheck = {
	name: 'own-price',
	title: 'another voice than the service',
	next: 'requote',
	run(plan) {
		const agreeing = agreeingOf(plan);
		if (agreeing.length > 0) return passed(`agrees: ${agreeing.join('; ')}`);
		if (isContradicted(plan)) return passed('none agrees');
		return passedByWord('none', 'feed and quote are one voice, and nothing here says otherwise');
	},
};

/** The names of the sources besides the service that agree with the price of the feed, as a review has them. */
export function agreeingOf(plan: TradePlan): readonly string[] {
	const {own} = plan.trade;
	const {seen, chain} = own;
	return [
		...(isLongSeen(seen) && jumpOf(plan) === undefined
			? [`its price in the ${duration(seen.spanMs)} before the key`]
			: []),
		...(isNearCost(plan) ? ['what you paid for it'] : []),
		...(chain.kind === 'read' && CHAIN.run(plan).ok && !needsWord(CHAIN, plan)
			? [`your node (${chain.place}, ${dollars(chain.depthUSD)} in its pool)`]
			: []),
	];
}

/** Whether a source says something else than the service: a check of its own asks for a word then, or fails. */
function isContradicted(plan: TradePlan): boolean {
	return [JUMP, COST, CHAIN].some(check => needsWord(check, plan) || !check.run(plan).ok);
}

function needsWord(check: TradeCheck, plan: TradePlan): boolean {
	const verdict = check.run(plan);
	return verdict.ok && verdict.acknowledge !== undefined;
}

function isLongSeen(seen: SeenPrices | undefined): seen is SeenPrices {
	return seen !== undefined && seen.count >= MIN_SEEN && seen.spanMs >= MIN_SEEN_MS;
}

/** Lowest and highest price that was known before the answer that is judged; undefined without any. */
function rangeOf({seen, atKeyUSD}: OwnPrices): {readonly low: number; readonly high: number} | undefined {
	const prices = [seen?.lowUSD, seen?.highUSD, atKeyUSD].filter(isPrice);
	return prices.length === 0 ? undefined : {low: Math.min(...prices), high: Math.max(...prices)};
}

/** How far the price moved from the prices seen before, if the move takes a word: a share of one; else undefined. */
function jumpOf({trade: {own, target}}: TradePlan): number | undefined {
	const range = rangeOf(own);
	const {priceUSD: price, side} = target;
	if (range === undefined || !isPrice(price)) return undefined;
	const [rise, fall] = [price / range.low - 1, 1 - price / range.high];
	const [maxRise, maxFall] = side === 'buy' ? [JUMP_UP, FAR_DOWN] : [FAR_UP, JUMP_DOWN];
	if (rise > maxRise) return rise;
	return fall > maxFall ? fall : undefined;
}

/** How much less than its cost the least of a sale is; undefined for a purchase, and without a cost. */
function costLoss(plan: TradePlan): number | undefined {
	const {costUSD} = plan.trade.own;
	if (plan.trade.target.side === 'buy' || costUSD === undefined) return undefined;
	return 1 - Number(plan.quote.minAmountOut) / (costUSD * amountOf(plan));
}

/** Whether the price of the feed, and of a sale also its minimum, is near the cost. */
function isNearCost(plan: TradePlan): boolean {
	const {own, target} = plan.trade;
	if (own.costUSD === undefined) return false;
	const brings = Number(plan.quote.minAmountOut) / amountOf(plan);
	const prices = [...(isPrice(target.priceUSD) ? [target.priceUSD] : []), ...(target.side === 'sell' ? [brings] : [])];
	return prices.every(price => price >= own.costUSD! / COST_FACTOR && price <= own.costUSD! * COST_FACTOR);
}

/** The loss by the price of the node: of all, without the known tax of a sale, and how far the feed is from that price. */
function chainFigures(
	plan: TradePlan,
	usd: number,
): {readonly worst: number; readonly beside: number; readonly apart: number} {
	const {target} = plan.trade;
	const {least, feedTax} = figuresOf(plan);
	const isBuy = target.side === 'buy';
	const worst = isBuy ? 1 - (least * usd) / amountOf(plan) : 1 - least / (amountOf(plan) * usd);
	const apart = isPrice(target.priceUSD) ? Math.abs(target.priceUSD / usd - 1) : 0;
	return {worst: Math.max(worst, 0), beside: lossBeside(worst, isBuy ? 0 : feedTax), apart};
}

/** The amount that leaves, in whole tokens: dollars of a purchase. */
function amountOf({request}: TradePlan): number {
	return Number(formatUnits(request.amountRaw, request.decimals));
}

function between({low, high}: {readonly low: number; readonly high: number}): string {
	return low === high ? dollars(low) : `${dollars(low)} to ${dollars(high)}`;
}

function duration(ms: number): string {
	return ms < 60_000 ? `${Math.round(ms / 1000)} s` : `${Math.round(ms / 60_000)} min`;
}

/** A share in per cent as it is typed, rounded up to ten: the price moves on while somebody types. */
function tens(share: number): string {
	return String(Math.ceil(share * 10 - 1e-9) * 10);
}

export const OWN_CHECKS: readonly TradeCheck[] = [JUMP, COST, CHAIN, OWN_PRICE];
