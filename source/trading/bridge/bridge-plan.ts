import type {Quote} from '../../contract/bridge.ts';
import type {Provider} from '../../contract/provider.ts';
import type {TradeTarget} from '../../contract/trade-target.ts';
import type {AuthorizationRequest, Batch} from '../../contract/typed-data.ts';
import type {AccountState, TokenInfo} from '../chain-reader.ts';
import type {PlanClock} from '../checks.ts';
import type {PlannedContract} from '../pins.ts';
import type {Simulation} from '../simulation.ts';
import type {TradedFacts} from '../traded-token.ts';

/** The transfer that the user requested. */
export interface BridgeRequest {
	readonly originChainId: string;
	readonly destinationChainId: string;
	/** Address of the ERC-20 that leaves. */
	readonly originToken: string;
	/** Undefined: the destination's own coin. */
	readonly destinationToken?: string;
	readonly amountRaw: bigint;
	readonly decimals: number;
	readonly symbol: string;
	/** Who receives. */
	readonly recipient: string;
	/** Percent. */
	readonly slippage?: number;
	/** The token that is bought or sold, as its row showed it when it was asked for; undefined for a plain transfer. */
	readonly trade?: TradeTarget;
}

/** Everything that would be signed, and everything to compare it with. */
export interface BridgePlan {
	readonly request: BridgeRequest;
	/** Address of the wallet's key. */
	readonly signer: string;
	readonly quote: Quote;
	/** When the quote came, server time. */
	readonly quotedAtMs: number;
	readonly batch: Batch;
	readonly provider: Provider;
	/** The authorization to sign; undefined when the account is already delegated. */
	readonly authorization?: AuthorizationRequest;
	readonly account: AccountState;
	/** Raw units of the origin token. */
	readonly balanceRaw: bigint;
	/** When account and balance were read, server time. */
	readonly accountAtMs: number;
	readonly clock: PlanClock;
	readonly contracts: {readonly executor: PlannedContract; readonly target: PlannedContract};
	/** The effect of the calls, simulated on the user's node. */
	readonly simulation: Simulation;
	/** Whether a signature requires a simulation on the user's node. */
	readonly requiresSimulation: boolean;
	/** Why the spend would pass a local limit. */
	readonly capRefusal?: string;
	/** How old a quote may be when it is signed. */
	readonly maxQuoteAgeMs: number;
	/** The token that arrives, as its chain reports it; undefined where that could not be read. */
	readonly destination?: TokenInfo;
	/** Kinds of another recipient's account, where a node of the chain is there; undefined for the wallet itself. */
	readonly recipientKinds?: {
		readonly origin?: AccountState['kind'] | undefined;
		readonly destination?: AccountState['kind'] | undefined;
	};
	/** Largest loss that is allowed, percent of the amount that leaves. */
	readonly maxLossPercent: number;
	/** Decimals of the dollars of the origin chain, which a swap on it brings; undefined where they are not known. */
	readonly bridgedDecimals?: number;
	/** Undefined for a plain transfer. */
	readonly trade?: TradedFacts;
}
