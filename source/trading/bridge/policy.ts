import type {Quote} from '../../contract/bridge.ts';
import type {TradeTarget} from '../../contract/trade-target.ts';
import type {TradeSpend} from '../caps.ts';
import type {TokenInfo} from '../chain-reader.ts';
import type {Check, CheckResult} from '../check.ts';
import type {FlowOptions, ReviewLine} from '../flow.ts';
import type {JournalRecord} from '../journal.ts';
import type {TradedFacts, TradeInput} from '../traded-token.ts';
import type {BridgePlan, BridgeRequest} from './bridge-plan.ts';

/** Sources of the facts of a trade. */
export type TradeSources = Pick<FlowOptions, 'journal' | 'signer' | 'address' | 'chains' | 'clock'> & {
	readonly trade?: TradeInput;
	/** The token that arrives. */
	readonly destination?: TokenInfo;
};

/** A trade that is under way. */
export type TradeUnderWay = Pick<TradeTarget, 'side' | 'symbol'> & {readonly intentId: string};

/** The rules that make a transfer a trade. A transfer knows no more of trades than this. */
export interface TradePolicy {
	/** Checks of a trade, besides those of every transfer. */
	readonly checks: readonly Check<BridgePlan>[];
	/** Facts of a trade, read now. @throws JournalBroken */
	facts(
		sources: TradeSources,
		taken: {readonly request: BridgeRequest; readonly quote: Quote},
		target: TradeTarget,
	): Promise<TradedFacts>;
	/** The dollars that a trade counts as, for the limits. */
	spend(request: BridgeRequest, quote: Quote, target: TradeTarget): TradeSpend;
	/** The review. @param checks the results of the plan */
	lines(plan: BridgePlan, checks: readonly CheckResult[]): readonly ReviewLine[];
	/** The slippage with which a new quote keeps to the least that was shown, percent; undefined where the same does, or none would be left. */
	slippageWithin(shown: Quote, next: Quote, slippage: number | undefined): number | undefined;
	/** Figures of a new plan that are worse than the shown ones, in words; empty when it can be signed. */
	whatIsWorse(shown: BridgePlan, next: BridgePlan): readonly string[];
	/** A trade of the same token and side that may still move something. @param except an intent that is no other */
	underWay(records: readonly JournalRecord[], target: TradeTarget, except: string): TradeUnderWay | undefined;
}

/** The policy of a flow that is asked for a trade. @throws TypeError for a flow that was made for plain transfers */
export function tradesOf({trades}: {readonly trades?: TradePolicy}): TradePolicy {
	if (trades === undefined) throw new TypeError('this flow makes no trades');
	return trades;
}
