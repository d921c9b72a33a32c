import {chainName} from '../../chains/chains.ts';
import {failed, passed, type Verdict} from '../check.ts';
import {formatUnits} from '../decimal.ts';
import type {Simulation} from '../simulation.ts';
import type {BridgePlan} from './bridge-plan.ts';
import {type DecodedDeposit, depositCall} from './calls.ts';
import {feeUsd, isDollarCoin, percent} from './loss.ts';

/*
 * The least that a swap on the origin must bring. The call names it, so contracts hold the service to it; and a call that
 * names too little gives the tokens away. It is compared with floors that are computed here: a dollar is a dollar, a sale
 * must leave the amount that its review promises after the fees, and the node shows the swap's current output.
 */

/** Minimum output of a swap, raw units of the bridged coin. */
interface Floor {
	readonly raw: bigint;
	/** To be read behind `it may bring as little as ...`. */
	readonly why: string;
}

/** Dollars of a quote are stated to six digits. */
const ROUNDED_USD = 0.000_003;
/** A minimum of more than this many times the amount that leaves is impossible: decimals were mixed up. */
const MAX_TIMES = 10n;
const PPM = 1_000_000n;

/** The check of every transfer and trade: no swap without a floor (issue 26, spec 4.4 `swap-and-bridge`). */
export function checkMinBridged(plan: BridgePlan): Verdict {
	const deposit = depositCall(plan);
	if (deposit === undefined) return failed('the last call makes no deposit');
	const {minBridgedRaw: minRaw} = deposit;
	if (minRaw === undefined) {
		const isSale = plan.trade?.target.side === 'sell';
		return isSale ? failed('the call binds it to nothing') : passed('nothing is swapped on the origin');
	}
	if (minRaw === 0n) return failed('it would accept any price in the swap');
	const sale = saleFloor(plan);
	const own = [dollarFloor(plan), nodeFloor(plan, deposit)].filter(floor => floor !== undefined);
	// The price checks also bound the sale of a trade. For any other coin only the quote would give the floor.
	if (own.length === 0 && (!sale || !plan.trade))
		return failed(`what it has to bring cannot be computed here: ${whyNoFloor(plan)}`);
	const missed = [...own, ...(sale ? [sale] : [])].find(({raw}) => minRaw < raw);
	if (missed) return failed(`it may bring as little as ${amountOf(plan, minRaw)}; ${missed.why}`);
	const most = dollarsRaw(plan);
	if (most !== undefined && minRaw > most * MAX_TIMES)
		return failed(`it would have to bring ${amountOf(plan, minRaw)}, more than any swap can`);
	return passed(`at least ${amountOf(plan, minRaw)}`);
}

/** The minimum output in a swap's call, for a review; undefined without a swap. */
export function minBridgedText(plan: Pick<BridgePlan, 'batch' | 'bridgedDecimals'>): string | undefined {
	const raw = depositCall(plan)?.minBridgedRaw;
	return raw === undefined ? undefined : amountOf(plan, raw);
}

/** Why the simulated swap brings too little to the bridge; undefined when the amount suffices or no call swaps. */
export function bridgedProblem(plan: BridgePlan): string | undefined {
	const deposit = depositCall(plan);
	if (plan.simulation.kind !== 'done' || deposit?.minBridgedRaw === undefined) return undefined;
	const raw = bridgedRaw(plan.simulation, deposit, plan.signer);
	if (raw === undefined) return 'nothing that the swap brings would arrive at the bridge';
	if (raw >= deposit.minBridgedRaw) return undefined;
	return `only ${amountOf(plan, raw)} would arrive at the bridge; the call names ${amountOf(plan, deposit.minBridgedRaw)}`;
}

/** A dollar that is swapped for the bridged dollar loses no more than the person allows. */
function dollarFloor(plan: BridgePlan): Floor | undefined {
	const whole = dollarsRaw(plan);
	if (whole === undefined) return undefined;
	const raw = (whole * keptPpm(plan)) / PPM;
	return {raw, why: `of ${amountOf(plan, whole)} that leave, ${amountOf(plan, raw)} are needed`};
}

/** The dollars that leave, raw units of the bridged dollar; undefined for other tokens. The symbol of a sold token proves nothing. */
function dollarsRaw({request, trade, bridgedDecimals}: BridgePlan): bigint | undefined {
	const isSale = trade?.target.side === 'sell';
	if (isSale || bridgedDecimals === undefined || !isDollarCoin(request.symbol)) return undefined;
	return (request.amountRaw * 10n ** BigInt(bridgedDecimals)) / 10n ** BigInt(request.decimals);
}

/** The floor of a sale for dollars: the minimum of the quote and, for a trade, the fees in proportion to those of the estimate. */
function saleFloor({request, quote, trade, destination, bridgedDecimals}: BridgePlan): Floor | undefined {
	const isSale = trade
		? trade.target.side === 'sell'
		: !isDollarCoin(request.symbol) && isDollarCoin(destination?.symbol ?? '');
	if (!isSale || bridgedDecimals === undefined) return undefined;
	const [least, estimate] = [Number(quote.minAmountOut), Number(quote.estimatedAmountOut)];
	const due = trade ? least + (feeUsd(quote) ?? 0) * Math.min(least / estimate, 1) : least * 0.999;
	const raw = BigInt(Math.floor(Math.max(due - ROUNDED_USD, 0) * 10 ** bridgedDecimals));
	return {raw, why: `$${due.toFixed(2)} are needed for the least and the fees`};
}

/** The swap's current output on the node, less the loss that the user allows. */
function nodeFloor(plan: BridgePlan, deposit: DecodedDeposit): Floor | undefined {
	if (plan.simulation.kind !== 'done') return undefined;
	const nowRaw = bridgedRaw(plan.simulation, deposit, plan.signer);
	if (nowRaw === undefined) return undefined;
	const share = Number(deposit.minBridgedRaw) / Number(nowRaw);
	return {raw: (nowRaw * keptPpm(plan)) / PPM, why: `that is ${percent(share)} of what it brings now, by your node`};
}

/** The share that must remain, in millionths, after the loss that the person allows; a trade may also slip. */
function keptPpm({maxLossPercent, request: {trade, slippage = 0}}: BridgePlan): bigint {
	const slipped = trade ? slippage : 0;
	return BigInt(Math.max(Math.floor((1 - maxLossPercent / 100) * (1 - slipped / 100) * Number(PPM)), 1));
}

/** The amount that arrives at the bridge: of the last moved token, at its recipient. Neither helper nor wallet is a bridge. */
function bridgedRaw(
	{transfers}: Extract<Simulation, {kind: 'done'}>,
	deposit: DecodedDeposit,
	signer: string,
): bigint | undefined {
	const last = transfers.at(-1);
	const notBridges = [deposit.to, signer.toLowerCase()];
	if (last === undefined || notBridges.includes(last.to) || last.from === signer.toLowerCase()) return undefined;
	return transfers
		.filter(({token}) => token === last.token)
		.reduce(
			(sum, {from, to, amountRaw}) => sum + (to === last.to ? amountRaw : 0n) - (from === last.to ? amountRaw : 0n),
			0n,
		);
}

function whyNoFloor({request, bridgedDecimals}: BridgePlan): string {
	if (bridgedDecimals === undefined)
		return `the decimals of dollars on ${chainName(request.originChainId)} are not known`;
	return 'your node does not show what would move (one with eth_simulateV1 does)';
}

/** The bridged token is a dollar of the origin chain, as far as is known. */
function amountOf({bridgedDecimals}: Pick<BridgePlan, 'bridgedDecimals'>, raw: bigint): string {
	return bridgedDecimals === undefined ? `${raw} raw units` : `$${formatUnits(raw, bridgedDecimals)}`;
}
