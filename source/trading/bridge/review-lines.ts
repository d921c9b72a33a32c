import {getAddress} from 'viem';
import {chainName, coinOf} from '../../chains/chains.ts';
import {clean} from '../../text.ts';
import {formatUnits} from '../decimal.ts';
import type {ReviewLine} from '../flow.ts';
import {simulatedText} from '../simulation.ts';
import type {BridgePlan} from './bridge-plan.ts';
import {depositCall, kindsOf} from './calls.ts';
import {checkSimulation} from './checks.ts';
import {lossOf, percent} from './loss.ts';
import {minBridgedText} from './min-bridged.ts';

/** The lines of a transfer's review. @param destinationSymbol undefined: the token could not be read */
export function reviewLines(plan: BridgePlan, destinationSymbol?: string): readonly ReviewLine[] {
	const {request, quote, signer} = plan;
	const arrives = destinationSymbol === undefined ? '' : ` ${destinationSymbol}`;
	const isOwn = request.recipient.toLowerCase() === signer.toLowerCase();
	return [
		{
			label: 'you send',
			text: `${formatUnits(request.amountRaw, request.decimals)} ${request.symbol} on ${chainName(request.originChainId)}`,
		},
		{label: 'from', text: signer},
		{
			label: 'you receive',
			text: `about ${shown(quote.estimatedAmountOut)}${arrives} (minimum ${shown(quote.minAmountOut)}) on ${chainName(request.destinationChainId)}`,
		},
		...swapLine(plan, 'sent'),
		{
			label: 'to',
			text: `${request.recipient} (${isOwn ? 'the same account' : `NOT your account${codeOfRecipient(plan)}`})`,
			...(!isOwn && {isMarked: true}),
		},
		{label: 'simulated', text: simulationText(plan)},
		{label: 'loss', text: lossText(plan)},
		{label: 'fees', text: feesText(plan)},
		...batchLines(plan),
	];
}

/** The code at another recipient's address: the words behind `NOT your account`. */
function codeOfRecipient({recipientKinds = {}, request: {originChainId, destinationChainId}}: BridgePlan): string {
	const {origin, destination} = recipientKinds;
	const [from, to] = [originChainId, destinationChainId].map(chainName);
	if (destination === 'contract') return `; a contract on ${to}`;
	if (origin !== 'contract' || destination === undefined) return '';
	return `; a contract on ${from}, but nothing on ${to}: the tokens may be out of reach there`;
}

/** Marks a figure that contracts enforce. */
export const FORCED = 'signed';

/** The minimum output in the call of a swap on the origin; no line without a swap. @param done the step that depends on it */
export function swapLine(plan: BridgePlan, done: 'paid' | 'sent' | 'sold'): readonly ReviewLine[] {
	const least = minBridgedText(plan);
	if (least === undefined) return [];
	const text = `brings at least ${least} on ${chainName(plan.request.originChainId)}, or nothing is ${done} (${FORCED})`;
	return [{label: 'the swap', text}];
}

/** The signatures of the account and their effect on it: the same for every transfer. */
export function batchLines(plan: BridgePlan): readonly ReviewLine[] {
	const {request, quote, batch, account} = plan;
	const to = depositCall(plan)?.to;
	const target = to === undefined ? 'unknown' : getAddress(to);
	return [
		{label: 'gas', text: 'paid by the service, deducted from what you receive'},
		{label: 'deadline', text: deadlineText(plan, plan.clock.nowMs)},
		// A first delegation changes the kind of the account.
		{label: 'account', text: delegationText(plan), ...(account.kind === 'plain' && {isMarked: true})},
		{label: 'executor', text: quote.sponsorGate?.batchExecutor ?? 'none'},
		{label: 'bridge', text: target},
		{label: 'token', text: request.originToken},
		{label: 'intent', text: shown(quote.intentId)},
		{label: 'nonce', text: `lane of the intent; the account's own nonce is ${account.nonce}`},
		{
			label: 'calls',
			text: `${kindsOf(batch.calls)}; no ${coinOf(request.originChainId)} sent`,
		},
	];
}

/** Text of the service, harmless and short. */
export function shown(text: string): string {
	return clean(text, {maxCells: 48});
}

/** The effect of the batch in the simulation on the user's node, or why it is unknown. */
export function simulationText(plan: BridgePlan): string {
	const {request, simulation} = plan;
	return simulatedText(
		simulation,
		checkSimulation(plan),
		`only ${formatUnits(request.amountRaw, request.decimals)} ${request.symbol} leaves`,
	);
}

/** The worst case in per cent. */
function lossText(plan: BridgePlan): string {
	const {ofAmount, ofEstimate, isByServicePrice} = lossOf(plan, plan.destination);
	const worst = ofAmount ?? ofEstimate;
	if (Number.isNaN(worst)) return 'not known';
	const share = percent(Math.max(worst, 0));
	if (ofAmount === undefined) return `at most ${share} less than expected; what arrives has no known price`;
	return `at most ${share} of what you send${isByServicePrice ? ", by the service's price" : ''}`;
}

export function feesText({quote: {fees, totalFeeUsd}}: BridgePlan): string {
	const total = fees.totalFeeUsd ?? totalFeeUsd;
	const gas = fees.originSponsorGasUsd;
	const parts = [
		...(gas === undefined ? [] : [`$${shown(gas)} gas`]),
		...(fees.bridgeFeeBps === undefined ? [] : [`${fees.bridgeFeeBps / 100} % bridge`]),
	].join(', ');
	const all = total === undefined ? 'total not reported' : `$${shown(total)} total`;
	return parts === '' ? all : `${all} (${parts})`;
}

/** Until when the batch can be executed. @param nowMs server time */
export function deadlineText({batch}: Pick<BridgePlan, 'batch'>, nowMs: number): string {
	const left = Number(batch.deadline) - Math.floor(nowMs / 1000);
	return left > 0 ? `the batch is void in ${left} s` : 'the batch is void already';
}

function delegationText({account, authorization, request}: BridgePlan): string {
	const chain = chainName(request.originChainId);
	if (account.kind === 'contract') return `a contract with its own code on ${chain}`;
	if (account.kind === 'delegated') return `stays delegated to ${account.delegate} on ${chain}`;
	return `not delegated yet; will be delegated to ${authorization?.address ?? 'no contract'} (EIP-7702)`;
}
