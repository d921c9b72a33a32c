import {bad, good, info, type StateDescription, warn} from '../description.ts';
import {timeOfDay} from '../live-signature.ts';
import type {BridgeState} from './machine.ts';

/** The state of a transfer for its user (spec 7). The words of the service stand beside the state, not in it. */
export function describeBridge(state: BridgeState): StateDescription {
	const {phase, liveUntilS, leftTxHash} = state;
	switch (phase) {
		case 'draft':
			return info('No quote yet', 'Choose what to send and where.');
		case 'quoted':
			return info('Quoted', 'Not every check has passed: nothing was sent.');
		case 'reviewed':
			return info('Ready', 'All checks passed. Type the amount to confirm.');
		case 'confirmed':
		case 'signing':
			return info('Signing', 'The wallet signs the batch.');
		case 'sending':
			return info('Sending', 'The batch is on its way to the service.');
		case 'unclear':
			if (state.isTakenBack === true) return describeTakenBack(state);
			return warn(
				'Not clear yet',
				`The batch may have been sent. Nothing is sent again; status and chain are read until that is certain.${untilText(state)}`,
				'poll-status',
			);
		case 'unaccepted':
			return warn(
				'Not accepted',
				`${refusalText(state)}${untilText(state)} Send no other before: the chain is read until it is certain.`,
				'poll-status',
			);
		case 'retryable':
			return liveUntilS === undefined
				? warn(
						'Not sent',
						'Nothing left this machine. The same intent can be tried again, or a new quote asked for.',
						'retry-same',
					)
				: warn(
						'Not accepted',
						`The service says that it sent nothing.${untilText(state)} The same intent can be tried again: only one of its batches can be executed.`,
						'retry-same',
					);
		case 'pending':
			if (isReverted(state)) return describeReverted(state);
			if (state.depositTxHash === undefined)
				return info(
					'Pending',
					'The service names no transaction: it may have sent the batch, or know nothing of it.',
					'poll-status',
				);
			return info('Broadcast', 'The service says that it sent the batch: waiting for the deposit.', 'poll-status');
		case 'deposited':
			return info(
				'Deposited',
				`${leftTxHash === undefined ? 'The service says that the tokens left your account' : 'The tokens left your account'}; waiting for the payment on the destination.`,
				'poll-status',
			);
		case 'filling':
			return info('Filling', 'The service says that it sent the payment on the destination.', 'poll-status');
		case 'retrying':
			return warn(
				'Filling again',
				'The service says that the payment failed and is tried again; else the tokens come back.',
				'poll-status',
			);
		case 'progressing':
			return info('In progress', 'The service reports a step that is not known here.', 'poll-status');
		case 'claimed':
			return describeClaim(state);
		case 'filled':
		case 'settled':
			if (state.isShort === true)
				return warn('Filled short', 'Less than the promised minimum arrived. The destination chain shows it.');
			return good('Filled', 'The tokens arrived. The destination chain shows it.');
		case 'refunded':
			return warn('Refunded', 'The payment could not be made; the tokens came back: the origin chain shows it.');
		case 'failed':
			return bad('Failed', failedText(state), 'requote');
		case 'refused':
			return bad(
				'Refused',
				`${refusalText(state)} Its batch was never executed and no longer can be: nothing moved.`,
				state.status === 401 ? 'fix-input' : 'requote',
			);
		case 'lapsed':
			return warn(
				'Lapsed',
				'The batch was never executed and no longer can be. Nothing moved; ask for a new quote.',
				'requote',
			);
		case 'cancelled':
			return info('Cancelled', 'Nothing was sent.');
	}
}

const CLAIM_TITLES = {filled: 'Filled', settled: 'Filled', refunded: 'Refunded', failed: 'Failed'} as const;

/** An end that only the service says. */
function describeClaim(state: BridgeState): StateDescription {
	const {claim = 'filled', blind, leftTxHash} = state;
	if (claim === 'failed' && isReverted(state)) return describeReverted(state);
	const seen = {
		filled: arrivalText(state),
		settled: arrivalText(state),
		refunded: `their return is not seen on the chain yet${likeText(state, 'came back')}`,
		failed:
			leftTxHash === undefined
				? 'the chain does not show yet whether tokens moved'
				: 'the chain shows that the tokens left the account',
	}[claim];
	const later = blind?.startsWith('no node') ? ' Name one under [rpc], and it is looked for again.' : '';
	const why = blind === undefined ? 'The chain is read on.' : `It cannot be looked for: ${blind}.${later}`;
	return warn(
		`${CLAIM_TITLES[claim]}, says the service`,
		`That is not certain: ${seen}. ${why} Send no other before you know.`,
		'poll-status',
	);
}

function arrivalText(state: BridgeState): string {
	const {leftTxHash, isTakenBack} = state;
	const arrival = isTakenBack
		? 'the chain showed the arrival of the tokens, and its block was replaced'
		: leftTxHash === undefined
			? 'the chain does not show that the tokens left your account'
			: 'the arrival of the tokens is not seen on the chain yet';
	return arrival + likeText(state, 'arrived');
}

/** A payment that could be taken for the end, and is not; empty where none is seen. */
export function likeText({likeTxHash}: BridgeState, came: 'arrived' | 'came back'): string {
	return likeTxHash === undefined ? '' : `; a payment of the same amount ${came}, not shown to be of this transfer`;
}

/** A chain showed the end, and does no more. */
function describeTakenBack(state: BridgeState): StateDescription {
	return warn(
		'Taken back',
		`A chain showed how it ended, and has replaced the block since: that counts no more.${untilText(state)} Nothing is sent again; status and chains are read until it is certain.`,
		'poll-status',
	);
}

/** A transaction of the transfer reverted on the chain, and no other is known. */
function isReverted({revertedTxHash, leftTxHash}: BridgeState): boolean {
	return revertedTxHash !== undefined && leftTxHash === undefined;
}

/** A revert undoes the use of the lane too: the signed batch can be sent again. */
function describeReverted(state: BridgeState): StateDescription {
	return warn(
		'Reverted',
		`Reverted on the chain: no tokens moved so far.${untilText(state)} Send no other before: the chain is read until it is certain.`,
		'poll-status',
	);
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
