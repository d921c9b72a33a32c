import type {BridgePlan} from '../bridge/bridge-plan.ts';
import {type Check, failed} from '../check.ts';
import {OWN_CHECKS} from './own-price.ts';
import {isTrade} from './plan.ts';
import {PRICE_CHECKS} from './price-checks.ts';
import {TOKEN_CHECKS} from './token-checks.ts';

/**
 * The checks of a trade before its signature, besides the checks of every transfer, in the order of the review. A check that
 * passes only by a typed word names the word: see acknowledge.ts.
 */
export const TRADE_CHECKS: readonly Check<BridgePlan>[] = [...TOKEN_CHECKS, ...PRICE_CHECKS, ...OWN_CHECKS].map(
	check => ({
		...check,
		run: plan => (isTrade(plan) ? check.run(plan) : failed('it is no trade')),
	}),
);
