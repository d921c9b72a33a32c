import type {BridgePlan} from '../bridge/bridge-plan.ts';
import type {TradeFacts} from './trade-facts.ts';

/** The plan of a trade. */
export type TradePlan = BridgePlan & {readonly trade: TradeFacts};

export function isTrade(plan: BridgePlan): plan is TradePlan {
	return plan.trade !== undefined;
}
