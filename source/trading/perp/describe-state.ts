import {bad, good, info, type StateDescription, warn} from '../description.ts';
import {timeOfDay} from '../live-signature.ts';
import {type CancelState, liveUntilS} from './machine.ts';

/** The state of a cancel for its user. */
export function describeCancel(state: CancelState): StateDescription {
	const {phase, chainId, seenOn, claim} = state;
	const hasChain = chainId !== undefined;
	switch (phase) {
		case 'choosing':
			return info('Choose an order', 'Nothing was signed.');
		case 'built':
			return warn('Not ready', 'A check has failed: nothing was sent, and the order still stands.');
		case 'reviewed':
			return info('Ready', 'All checks passed.');
		case 'signing':
			return info('Signing', 'The wallet signs.');
		case 'sending':
			return info('Sending', 'The cancel is on its way to the service.');
		case 'running':
			return info('Running', 'The service works on it.');
		case 'unclear':
			return warn(
				'Not clear yet',
				`The cancel may have been executed: ${hasChain ? 'list of orders and chain are' : 'the list of orders is'} read until that is certain.`,
			);
		case 'unaccepted':
			return warn('Not accepted, says the service', `${refusalText(state)} ${untilText(state)} It can be tried again.`);
		case 'claimed':
			if (claim === 'failed')
				return warn(
					'Not cancelled, says the service',
					`The service says that the order was not cancelled. ${untilText(state)} It can be tried again.`,
				);
			return warn(
				'Cancelled, says the service',
				hasChain
					? 'That is not certain: the chain does not show it yet. It is read on.'
					: 'That is not certain: the order is still listed. The list of orders is read on.',
			);
		case 'done':
			return good(
				'Cancelled',
				seenOn === 'chain'
					? 'The order is cancelled: the chain shows it.'
					: "The order is gone from the service's list of orders.",
			);
		case 'failed':
			return bad('Not cancelled', `The order was not cancelled: ${whyOver(state)} It can be tried again.`);
		case 'refused':
			return bad('Not accepted', `Nothing was executed: ${whyOver(state)} It can be tried again.`);
	}
}

/** Until when the signed cancel can be executed. */
function untilText(state: CancelState): string {
	return state.nonce === undefined
		? `It can still be executed until ${timeOfDay(liveUntilS(state))}.`
		: `Its transaction can still be mined until the wallet uses its number, ${state.nonce}.`;
}

/** Why nothing can come of a cancel any more. */
function whyOver({seenOn, sentAtMs}: CancelState): string {
	if (seenOn === 'chain') return 'its transaction did nothing, or can never be mined.';
	return sentAtMs === undefined || seenOn === undefined
		? 'it never left this machine.'
		: 'the order is still listed, and what was signed is void by now.';
}

function refusalText({status}: CancelState): string {
	if (status === 403) return 'The service says that it executed nothing: the time or the signature was not accepted.';
	if (status === 401 || status === 402)
		return 'The service says that it executed nothing: the API key does not allow it.';
	return 'The service says that it executed nothing.';
}
