import {getAddress} from 'viem';
import type {Next} from '../../errors.ts';
import {clean} from '../../text.ts';
import {chainName, coinOf} from '../chains.ts';
import {formatUnits} from '../decimal.ts';
import type {ReviewLine} from '../flow.ts';
import {timeOfDay} from '../live-signature.ts';
import {simulatedText} from '../simulation.ts';
import type {BridgePlan} from './checks.ts';
import {checkSimulation, depositCall} from './checks.ts';
import {lossOf, percent} from './loss.ts';
import type {BridgeState} from './machine.ts';

/** What is going to happen, for a person who has to decide. */
export function reviewLines(plan: BridgePlan, destinationSymbol?: string): readonly ReviewLine[] {
	const {request, quote, batch, account, signer} = plan;
	const to = depositCall(plan)?.to;
	const target = to === undefined ? 'unknown' : getAddress(to);
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
		{
			label: 'to',
			text: isOwn ? `${request.recipient} (the same account)` : `${request.recipient} (NOT your account)`,
		},
		{label: 'simulated', text: triedText(plan)},
		{label: 'loss', text: lossText(plan)},
		{label: 'fees', text: feesOf(plan)},
		{label: 'gas', text: 'paid by the service, deducted from what you receive'},
		{label: 'deadline', text: deadlineOf(plan, plan.clock.nowMs)},
		{label: 'account', text: delegationOf(plan)},
		{label: 'executor', text: quote.sponsorGate?.batchExecutor ?? 'none'},
		{label: 'bridge', text: target},
		{label: 'token', text: request.originToken},
		{label: 'intent', text: shown(quote.intentId)},
		{label: 'nonce', text: `lane of the intent; the account's own nonce is ${account.nonce}`},
		{
			label: 'calls',
			text: `${batch.calls.length} ${batch.calls.length === 1 ? 'call' : 'calls'}, no ${coinOf(request.originChainId)} sent`,
		},
	];
}

/** Text of the service, harmless and short. */
function shown(text: string): string {
	return clean(text, {maxCells: 48});
}

/** What the batch did when it was tried on the user's node, or why that is not known. */
function triedText(plan: BridgePlan): string {
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

function feesOf({quote: {fees, totalFeeUsd}}: BridgePlan): string {
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
export function deadlineOf({batch}: Pick<BridgePlan, 'batch'>, nowMs: number): string {
	const left = Number(batch.deadline) - Math.floor(nowMs / 1000);
	return left > 0 ? `the batch is void in ${left} s` : 'the batch is void already';
}

function delegationOf({account, authorization, request}: BridgePlan): string {
	const chain = chainName(request.originChainId);
	if (account.kind === 'contract') return `a contract with its own code on ${chain}`;
	if (account.kind === 'delegated') return `stays delegated to ${account.delegate} on ${chain}`;
	return `not delegated yet; will be delegated to ${authorization?.address ?? 'nobody'} (EIP-7702)`;
}

/** What a state means and what to do, for each status and error of spec 7. */
export interface StateWords {
	readonly title: string;
	readonly text: string;
	readonly tone: 'info' | 'good' | 'warn' | 'bad';
	readonly next?: Next;
}

/** The state of an intent in words. What the service said stands beside it, not in it. */
export function stateWords(state: BridgeState): StateWords {
	switch (state.phase) {
		case 'draft':
			return {title: 'No quote yet', text: 'Choose what to send and where.', tone: 'info'};
		case 'quoted':
			return {title: 'Quoted', text: 'Some checks are open: nothing can be signed yet.', tone: 'info'};
		case 'reviewed':
			return {title: 'Ready', text: 'All checks passed. Type the amount to confirm.', tone: 'info'};
		case 'confirmed':
		case 'signing':
			return {title: 'Signing', text: 'The wallet signs the batch.', tone: 'info'};
		case 'sending':
			return {title: 'Sending', text: 'The batch is on its way to the service.', tone: 'info'};
		case 'unclear':
			return {
				title: 'Not clear yet',
				text: `The batch may have been sent. Nothing is sent again; status and chain are read until that is certain.${untilText(state)}`,
				tone: 'warn',
				next: 'poll-status',
			};
		case 'unaccepted':
			return {
				title: 'Not accepted',
				text: `${refusalText(state)}${untilText(state)} Send no other before: the chain is read until it is certain.`,
				tone: 'warn',
				next: 'poll-status',
			};
		case 'retryable':
			return state.liveUntilS === undefined
				? {
						title: 'Not sent',
						text: 'Nothing left this machine. The same intent can be tried again, or a new quote asked for.',
						tone: 'warn',
						next: 'retry-same',
					}
				: {
						title: 'Not accepted',
						text: `The service says that it sent nothing.${untilText(state)} The same intent can be tried again: only one of its batches can be executed.`,
						tone: 'warn',
						next: 'retry-same',
					};
		case 'pending':
			if (isReverted(state)) return revertedWords(state);
			return {
				title: 'Broadcast',
				text: 'The service says that it sent the batch: waiting for the deposit.',
				tone: 'info',
				next: 'poll-status',
			};
		case 'deposited':
			return {
				title: 'Deposited',
				text: `${state.leftTxHash === undefined ? 'The service says that the tokens left your account' : 'The tokens left your account'}; waiting for the payment on the destination.`,
				tone: 'info',
				next: 'poll-status',
			};
		case 'filling':
			return {
				title: 'Filling',
				text: 'The service says that it sent the payment on the destination.',
				tone: 'info',
				next: 'poll-status',
			};
		case 'retrying':
			return {
				title: 'Filling again',
				text: 'The service says that the payment failed and is tried again; else the tokens come back.',
				tone: 'warn',
				next: 'poll-status',
			};
		case 'progressing':
			return {
				title: 'In progress',
				text: 'The service reports a step that is not known here.',
				tone: 'info',
				next: 'poll-status',
			};
		case 'claimed':
			return claimWords(state);
		case 'filled':
		case 'settled':
			return {title: 'Filled', text: 'The tokens arrived. The destination chain shows it.', tone: 'good'};
		case 'refunded':
			return {
				title: 'Refunded',
				text: 'The payment could not be made; the tokens came back: the origin chain shows it.',
				tone: 'warn',
			};
		case 'failed':
			return {title: 'Failed', text: failedText(state), tone: 'bad', next: 'requote'};
		case 'refused':
			return {
				title: 'Refused',
				text: `${refusalText(state)} Its batch was never executed and no longer can be: nothing moved.`,
				tone: 'bad',
				next: state.status === 401 ? 'fix-input' : 'requote',
			};
		case 'lapsed':
			return {
				title: 'Lapsed',
				text: 'The batch was never executed and no longer can be. Nothing moved; ask for a new quote.',
				tone: 'warn',
				next: 'requote',
			};
		case 'cancelled':
			return {title: 'Cancelled', text: 'Nothing was sent.', tone: 'info'};
	}
}

const CLAIM_TITLES = {filled: 'Filled', settled: 'Filled', refunded: 'Refunded', failed: 'Failed'} as const;

/** An end that only the service says. */
function claimWords(state: BridgeState): StateWords {
	const {claim = 'filled', blind, leftTxHash} = state;
	if (claim === 'failed' && isReverted(state)) return revertedWords(state);
	const left = leftTxHash !== undefined && (claim === 'failed' || claim === 'refunded');
	const seen = {
		filled: 'the arrival of the tokens is not seen on the chain yet',
		settled: 'the arrival of the tokens is not seen on the chain yet',
		refunded: 'their return is not seen on the chain yet',
		failed: left
			? 'the chain shows that the tokens left the account'
			: 'the chain does not show yet whether tokens moved',
	}[claim];
	const later = blind?.startsWith('no node') ? ' Name one under [rpc], and it is looked for again.' : '';
	const why = blind === undefined ? 'The chain is read on.' : `It cannot be looked for: ${blind}.${later}`;
	return {
		title: `${CLAIM_TITLES[claim]}, says the service`,
		text: `That is not certain: ${seen}. ${why} Send no other before you know.`,
		tone: 'warn',
		next: 'poll-status',
	};
}

/** A transaction of it reverted on the chain, and no other is known. */
function isReverted({revertedTxHash, leftTxHash}: BridgeState): boolean {
	return revertedTxHash !== undefined && leftTxHash === undefined;
}

/** What reverted is undone, its lane too: the signed batch can be sent again. */
function revertedWords(state: BridgeState): StateWords {
	return {
		title: 'Reverted',
		text: `Reverted on the chain: no tokens moved so far.${untilText(state)} Send no other before: the chain is read until it is certain.`,
		tone: 'warn',
		next: 'poll-status',
	};
}

/** Until when a signature that left this machine can be used. */
function untilText({liveUntilS}: BridgeState): string {
	return liveUntilS === undefined ? '' : ` It can still be sent until ${timeOfDay(liveUntilS)}.`;
}

function failedText(state: BridgeState): string {
	if (state.leftTxHash !== undefined) return 'The transfer failed after the tokens left the account.';
	return 'The batch can no longer be sent, and no tokens moved. Ask for a new quote.';
}

function refusalText({status}: BridgeState): string {
	if (status === 401) return 'The signature or the API key was not accepted. Check the account and the key.';
	if (status === 402) return 'The plan or the credits of the API key do not allow it.';
	return 'The service did not accept the batch.';
}
