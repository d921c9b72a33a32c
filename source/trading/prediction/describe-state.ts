import {bad, good, info, type StateDescription, warn} from '../description.ts';
import type {PredictionState} from './machine.ts';

/** The state of a transaction around a prediction account for its user. */
export function describePrediction({phase, said}: PredictionState): StateDescription {
	switch (phase) {
		case 'choosing':
			return info('Choose what to do', 'Nothing was signed.');
		case 'built':
			return warn('Not ready', 'A check has failed: nothing was sent.');
		case 'reviewed':
			return info('Ready', 'All checks passed.');
		case 'signing':
			return info('Signing', 'Everything is checked again, then the wallet signs.');
		case 'sent':
			if (said === undefined) return info('Sent', 'Waiting to be mined.');
			return warn(
				'Not clear yet',
				'The node did not answer and may have taken the transaction. It is not sent again; the chain is read until that is certain.',
			);
		case 'done':
			return good('Done', 'The transaction is mined and succeeded.');
		case 'unseen':
			return bad(
				'Not as expected',
				'The transaction is mined, but the chain does not show the expected result. Check wallet and account before anything else.',
			);
		case 'reverted':
			return bad('Reverted', 'The transaction is mined but failed: only its gas is spent.');
		case 'refused':
			return bad('Refused', 'The node refused the transaction: nothing happened.');
		case 'replaced':
			return bad('Replaced', 'Another transaction of this wallet used the same nonce: this one can never be mined.');
	}
}
