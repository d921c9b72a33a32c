import type {TradePolicy} from '../bridge/policy.ts';
import {TRADE_CHECKS} from './checks.ts';
import {readTradeFacts, tradeSpend, tradeUnderWay} from './facts.ts';
import {slippageWithin, whatIsWorse} from './fresh-quote.ts';
import {isTrade} from './plan.ts';
import {tradeLines} from './review-lines.ts';

/** Makes a transfer a buy or a sell of a token of the feed. */
export const TRADES: TradePolicy = {
	checks: TRADE_CHECKS,
	facts: readTradeFacts,
	spend: tradeSpend,
	lines: (plan, checks) => (isTrade(plan) ? tradeLines(plan, checks) : []),
	slippageWithin,
	whatIsWorse,
	underWay: tradeUnderWay,
};
