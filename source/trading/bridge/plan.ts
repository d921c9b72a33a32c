import {createHash} from 'node:crypto';
import {isEvmAddress, isSameAddress} from '../../address.ts';
import {dollarDecimalsOf, evmChainNumber} from '../../chains/chains.ts';
import {BRIDGE, type Call, type Quote} from '../../contract/bridge.ts';
import type {Provider} from '../../contract/provider.ts';
import {
	authorizationDigest,
	type Batch,
	batchDigest,
	batchNonce,
	batchTypedData,
	typedDataJson,
} from '../../contract/typed-data.ts';
import type {Spend} from '../caps.ts';
import type {AccountState, TokenInfo} from '../chain-reader.ts';
import {readClock} from '../checks.ts';
import type {FlowOptions} from '../flow.ts';
import type {PinRole} from '../known-contracts.ts';
import {planContract} from '../pins.ts';
import {simulateCalls} from '../simulate.ts';
import type {Simulation} from '../simulation.ts';
import type {TradedFacts, TradeInput} from '../traded-token.ts';
import type {BridgePlan, BridgeRequest} from './bridge-plan.ts';
import {depositCall} from './calls.ts';
import {QUOTE_FRESH_MS} from './checks.ts';
import type {ChainStart} from './journal-fold.ts';
import {MAX_LOSS_PERCENT} from './loss.ts';
import {type TradePolicy, tradesOf} from './policy.ts';

/** A quote with its request; a dry run keeps both for a later execution. */
export interface Quoted {
	readonly request: BridgeRequest;
	readonly quote: Quote;
	/** Server time. */
	readonly quotedAtMs: number;
	readonly start: ChainStart;
}

/** The fields of an execute body that are not signatures (spec 4.4). */
export interface UnsignedBody {
	readonly originChainId: string;
	readonly intentId: string;
	readonly authority: string;
	readonly calls: Call[];
	readonly batchNonce: string;
	readonly deadline: string;
	readonly gasToken: string;
	readonly minBalance: string;
}

export interface BridgeFlowOptions extends FlowOptions {
	/** How old a quote may be when it is signed, ms; longer for unattended use of a dry run's quote. */
	readonly maxQuoteAgeMs?: number;
	/** Largest loss that is allowed, percent of the amount that leaves. */
	readonly maxLossPercent?: number;
	/** The rules of trades; without them a flow makes plain transfers. */
	readonly trades?: TradePolicy;
}

/** The sources of a plan. */
interface PlanSources extends BridgeFlowOptions {
	/** The token that arrives; undefined where it could not be read. */
	readonly destination?: TokenInfo;
	/** Input of a trade. */
	readonly trade?: TradeInput;
	/** The quote is that of an earlier dry run, and signed as it is. */
	readonly isAdopted?: boolean;
}

/** How old the quote of a trade may be when it is signed: half of the pools move more than 2 % in 10 s. */
const TRADE_QUOTE_FRESH_MS = 20_000;
/** The same for a dry run that was looked at before: its bounds are compared with the price as it is now. */
const TRADE_ADOPTED_FRESH_MS = 60_000;
/** Life of a trade's batch: the shorter, the less the price moves while the service can still send it. */
const TRADE_DEADLINE_S = 60;

/** Decimals of the dollars of every practice chain. */
const PRACTICE_DOLLAR_DECIMALS = 6;

/** Everything that would be signed now, with the account as it is now. @throws ChainUnread */
export async function readPlan(sources: PlanSources, taken: Quoted, provider: Provider): Promise<BridgePlan> {
	const {request, quote, quotedAtMs} = taken;
	const {chains, clock, address, caps, destination, signer} = sources;
	const {maxLossPercent = MAX_LOSS_PERCENT, requiresSimulation = false} = sources;
	const maxQuoteAgeMs = quoteFreshMs(sources, request);
	const {originChainId, originToken} = request;
	const executor = quote.sponsorGate?.batchExecutor ?? NOWHERE;
	const batch = batchOf(request, quote, address, clock.nowMs());
	const target = depositCall({batch});
	const [account, balanceRaw, executorContract, targetContract, tried, recipientKinds, trade] = await Promise.all([
		chains.account(originChainId, address),
		chains.balance(originChainId, originToken, address),
		planContract(sources, originChainId, 'batch executor', executor),
		planContract(sources, originChainId, roleOf(target?.kind), target?.to ?? NOWHERE),
		// Beside the other readings: a try costs as much as all of them.
		simulateCalls(chains, originChainId, {from: address, calls: batch.calls, delegate: executor}),
		kindsOfRecipient(sources, request),
		request.trade && tradesOf(sources).facts(sources, taken, request.trade),
	]);
	const now = readClock(clock);
	const simulation: Simulation =
		balanceRaw < request.amountRaw
			? {kind: 'unavailable', why: 'the account has too little to try it'}
			: simulationOf(tried, sources, batch, trade);
	const bridgedDecimals = signer.state.mode === 'practice' ? PRACTICE_DOLLAR_DECIMALS : dollarDecimalsOf(originChainId);
	const capRefusal = caps.refusal(spendOf({request, quote, ...(trade && {trade})}, sources));
	return {
		request,
		signer: address,
		quote,
		quotedAtMs,
		batch,
		provider,
		...authorizationOf(account, executor, evmChainNumber(originChainId)),
		account,
		balanceRaw,
		accountAtMs: now.nowMs,
		clock: now,
		contracts: {executor: executorContract, target: targetContract},
		simulation,
		requiresSimulation,
		...(capRefusal === undefined ? {} : {capRefusal}),
		maxQuoteAgeMs,
		maxLossPercent,
		...(recipientKinds && {recipientKinds}),
		...(destination === undefined ? {} : {destination}),
		...(bridgedDecimals === undefined ? {} : {bridgedDecimals}),
		...(trade === undefined ? {} : {trade}),
	};
}

/** A wallet of code, such as a Safe, is often on one chain only: its address is out of reach on another. */
async function kindsOfRecipient(
	{chains, address}: PlanSources,
	{recipient, originChainId, destinationChainId}: BridgeRequest,
): Promise<BridgePlan['recipientKinds']> {
	if (isSameAddress(recipient, address) || !isEvmAddress(recipient)) return undefined;
	const kindOn = async (chainId: string) =>
		chains.knows(chainId) ? (await chains.account(chainId, recipient).catch(() => undefined))?.kind : undefined;
	const [origin, destination] = await Promise.all([kindOn(originChainId), kindOn(destinationChainId)]);
	return {origin, destination};
}

function quoteFreshMs({maxQuoteAgeMs, isAdopted = false}: PlanSources, {trade}: BridgeRequest): number {
	if (!trade) return maxQuoteAgeMs ?? QUOTE_FRESH_MS;
	const most = isAdopted ? TRADE_ADOPTED_FRESH_MS : TRADE_QUOTE_FRESH_MS;
	return Math.min(maxQuoteAgeMs ?? most, most);
}

/**
 * Result of a try. On practice chains a launch has a price only in the moment of its trade, so that its swap fails in every
 * try before: that says nothing of the trade.
 */
function simulationOf(
	tried: Simulation,
	{signer}: PlanSources,
	{calls}: Batch,
	trade: TradedFacts | undefined,
): Simulation {
	const isSale = trade?.target.side === 'sell' && signer.state.mode === 'practice';
	if (!isSale || tried.kind !== 'failed' || tried.call !== calls.length) return tried;
	return {kind: 'unavailable', why: 'the practice market takes part only in the moment of the trade'};
}

/** Stands for the contract that a quote does not name: there is no code at it. */
const NOWHERE = '0x0000000000000000000000000000000000000000';

function batchOf(request: BridgeRequest, quote: Quote, authority: string, nowMs: number): Batch {
	const lifeS = request.trade ? TRADE_DEADLINE_S : BRIDGE.deadlineS;
	return {
		originChainId: request.originChainId,
		authority,
		calls: (quote.steps ?? []).map(({tx}) => ({to: tx.to, value: decimalValue(tx.value), data: tx.data})),
		batchNonce: String(batchNonce(quote.intentId)),
		deadline: String(Math.floor(nowMs / 1000) + lifeS),
		gasToken: quote.sponsorGate?.gasToken ?? '',
		minBalance: quote.sponsorGate?.minBalance ?? '0',
	};
}

/** The value of a call as the batch writes it (spec 4.4: `0`); quotes leave it out or write it in hex. Nonsense stays. */
function decimalValue(value: string | undefined): string {
	if (value === undefined || value === '') return '0';
	return /^0x[0-9a-f]{1,64}$/i.test(value) ? String(BigInt(value)) : value;
}

/** The body of an execute, without its signatures. */
export function unsignedBodyOf({batch, quote}: BridgePlan): UnsignedBody {
	const {originChainId, authority, calls, deadline, gasToken, minBalance} = batch;
	return {
		originChainId,
		intentId: quote.intentId,
		authority,
		calls: calls.map(call => ({...call})),
		batchNonce: batch.batchNonce,
		deadline,
		gasToken,
		minBalance,
	};
}

function authorizationOf(
	account: AccountState,
	executor: string,
	chainId: number | undefined,
): Pick<BridgePlan, 'authorization'> {
	const isDelegated = account.kind === 'delegated' && account.delegate === executor.toLowerCase();
	if (isDelegated || account.kind === 'contract' || chainId === undefined) return {};
	return {authorization: {chainId, address: executor, nonce: account.nonce}};
}

/** The spend of a plan, for the caps. */
export function spendOf(
	{request, quote, trade}: Pick<BridgePlan, 'request' | 'quote' | 'trade'>,
	options: Pick<BridgeFlowOptions, 'trades'>,
): Spend {
	const {originChainId, originToken, symbol, amountRaw, decimals} = request;
	const spend = {id: quote.intentId, chainId: originChainId, token: originToken, symbol, amountRaw, decimals};
	return trade ? {...spend, trade: tradesOf(options).spend(request, quote, trade.target)} : spend;
}

function roleOf(kind: 'bridgeToken' | 'swapAndBridge' | undefined): PinRole {
	return kind === 'swapAndBridge' ? 'swap helper' : 'bridge';
}

/** The data to sign, with the hashes that a wallet would sign. */
export interface UnsignedPlan {
	readonly body: UnsignedBody;
	/** EIP-712, as JSON. */
	readonly typedData: ReturnType<typeof typedDataJson>;
	readonly digest: string;
	readonly authorization?: {
		readonly chainId: number;
		readonly address: string;
		readonly nonce: number;
		readonly digest: string;
	};
}

export function unsignedPlanOf(plan: BridgePlan): UnsignedPlan {
	const {batch, provider, authorization} = plan;
	return {
		body: unsignedBodyOf(plan),
		typedData: typedDataJson(batchTypedData(batch, provider)),
		digest: batchDigest(batch, provider),
		...(authorization ? {authorization: {...authorization, digest: authorizationDigest(authorization)}} : {}),
	};
}

/** A quote as JSON; amounts as text. */
export function quotedToJson({request, quote, quotedAtMs, start}: Quoted) {
	return {request: {...request, amountRaw: String(request.amountRaw)}, quote, quotedAtMs, start};
}

export function quotedFromJson(value: unknown): Quoted {
	const {request, quote, quotedAtMs, start} = value as ReturnType<typeof quotedToJson>;
	return {request: {...request, amountRaw: BigInt(request.amountRaw)}, quote, quotedAtMs, start};
}

/** The name of a plan: SHA-256 over the whole request and the whole quote. */
export function planHashOf(taken: Quoted): string {
	return createHash('sha256')
		.update(JSON.stringify(quotedToJson(taken)))
		.digest('hex');
}
