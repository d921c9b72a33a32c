import {PulsetopError} from '../../errors.ts';
import type {Acknowledgement} from '../acknowledge.ts';
import {TYPE_AGAIN} from '../advice.ts';
import {AlreadyClaimed, NotNow} from '../flow.ts';
import {type BridgeState, isInFlight} from './machine.ts';
import type {TradeUnderWay} from './policy.ts';

/** The confirming text is not the amount. */
export class NotConfirmed extends PulsetopError {
	readonly code = 'not-confirmed';

	constructor(expected: string) {
		super('The transfer was not confirmed', {
			why: `type the amount, ${expected}, to confirm`,
			next: 'fix-input',
			advice: TYPE_AGAIN,
		});
	}
}

/** Something has to be typed besides the amount. */
export class NotAcknowledged extends PulsetopError {
	readonly code = 'not-acknowledged';

	constructor(missing: readonly Acknowledgement[]) {
		const words = missing.map(({word}) => word).join(' ');
		super('The trade was not confirmed', {
			why: missing.map(({why}) => why).join('; '),
			next: 'fix-input',
			advice: `Type ${words} behind the amount, or give --accept ${words.replaceAll(' ', ',')}, if you take that on.`,
		});
	}
}

/** The quote that was asked for at the confirmation is worse than the one that was shown: nothing was signed. */
export class QuoteWorse extends PulsetopError {
	readonly code = 'quote-worse';

	constructor(worse: readonly string[]) {
		super('The price has moved: look at it again', {
			why: worse.join('; '),
			next: 'requote',
			advice: 'Nothing was signed. Confirm the new quote, or leave it.',
		});
	}
}

/** A step that does not fit the state of the transfer. */
export class TransferNotNow extends NotNow {
	readonly code = 'not-now';

	constructor(step: string, state: BridgeState) {
		super(step, {why: `the intent is ${state.phase}`, next: isInFlight(state) ? 'poll-status' : 'requote'});
	}
}

/** Another run of the program has taken the intent: that run signs and sends, this one does neither. */
export class IntentClaimed extends AlreadyClaimed {
	readonly code = 'intent-claimed';
}

/** Another trade of the same token and side has begun since the checks ran. */
export class TradeClaimed extends AlreadyClaimed {
	readonly code = 'trade-under-way';

	constructor({side, symbol, intentId}: TradeUnderWay) {
		super(`A ${side} of ${symbol} is already under way`, `its intent is ${intentId}; nothing was signed here`);
	}
}

/** A plan that no dry run has left, or that may not be used again. */
export class UnknownPlan extends PulsetopError {
	readonly code = 'unknown-plan';

	constructor(why = 'no dry run has left this hash') {
		super('There is no such plan to execute', {why, next: 'requote'});
	}
}
