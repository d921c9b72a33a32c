import type {Quote} from '../../contract/bridge.ts';
import type {BridgePlan} from '../bridge/bridge-plan.ts';
import {depositCall, newCalls} from '../bridge/calls.ts';
import {feeUsd, percent} from '../bridge/loss.ts';
import {formatUnits} from '../decimal.ts';
import {dollars} from './words.ts';

/*
 * Before a quote is signed, a fresh one is asked for, and the fresh quote is signed only within the bounds that were shown: the
 * amount that leaves, the least that arrives, and the limits of a swap. The estimate says what is likely. A quote with a slightly
 * lower estimate is signed, too, because the price of half of the launches moves while a person reads.
 */

/** How far the new estimate may be under the one that was shown. */
const DRIFT = 0.02;
/** How far the price may move on between two quotes that follow each other at once, percent: the tighter slippage leaves so much room. */
const NEXT_MOVE = 0.05;
/** How much more the fees may be, in dollars: gas moves with every block. */
const FEE_DRIFT_USD = 0.02;

/**
 * The slippage with which the new quote would keep to the least that was shown: percent; undefined where the same slippage
 * does, or none would be left.
 */
export function slippageWithin(shown: Quote, next: Quote, slippage: number | undefined): number | undefined {
	const [least, estimate] = [Number(shown.minAmountOut), Number(next.estimatedAmountOut)];
	if (slippage === undefined || !(Number(next.minAmountOut) < least) || !(estimate >= least)) return undefined;
	if (estimate < Number(shown.estimatedAmountOut) * (1 - DRIFT)) return undefined;
	const within = Math.floor(((1 - least / estimate) * 100 - NEXT_MOVE) * 1e4) / 1e4;
	return within > 0 && within < slippage ? within : undefined;
}

/** The differences by which a new plan is worse than the review, in words; empty when it can be signed. */
export function whatIsWorse(shown: BridgePlan, next: BridgePlan): readonly string[] {
	const {request, quote} = next;
	const [least, newLeast] = [Number(shown.quote.minAmountOut), Number(quote.minAmountOut)];
	const [estimate, newEstimate] = [Number(shown.quote.estimatedAmountOut), Number(quote.estimatedAmountOut)];
	const [fee, newFee] = [feeUsd(shown.quote), feeUsd(quote)];
	const [swap, newSwap] = [shown, next].map(plan => depositCall(plan)?.minBridgedRaw);
	const calls = newCalls(shown.batch.calls, next.batch.calls);
	return [
		...(request.amountRaw === shown.request.amountRaw
			? []
			: [`${formatUnits(request.amountRaw, request.decimals)} would leave`]),
		// A kind of call that was not shown is worse, whatever its figures are.
		...(calls === undefined ? [] : [calls]),
		// Rounding to the last digit of the token is no difference.
		...(newLeast >= least * (1 - 1e-9)
			? []
			: [`at least ${quote.minAmountOut}, shown were ${shown.quote.minAmountOut}`]),
		...(newEstimate >= estimate * (1 - DRIFT)
			? []
			: [`about ${quote.estimatedAmountOut}, ${percent(1 - newEstimate / estimate)} less than shown`]),
		...(fee === undefined || (newFee !== undefined && newFee <= fee + FEE_DRIFT_USD)
			? []
			: [`fees of ${newFee === undefined ? 'an unknown sum' : dollars(newFee)}, shown were ${dollars(fee)}`]),
		...(swap === undefined || (newSwap !== undefined && newSwap * 1_000_000_000n >= swap * 999_999_999n)
			? []
			: ['the swap would be bound to less']),
	];
}
