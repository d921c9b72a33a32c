import type {Next} from '../../errors.ts';
import {Refused} from '../http-error.ts';

/** Reasons for refusing a quote. */
export type QuoteCheck =
	| 'no-route'
	| 'same-chain'
	| 'mixed-worlds'
	| 'native-origin'
	| 'bad-address'
	| 'bad-amount'
	| 'too-small'
	| 'too-large'
	| 'unknown-intent'
	| 'changed-quote'
	| 'expired-quote'
	| 'would-revert'
	| 'bad-intent-signature'
	// Launches of the market.
	| 'honeypot'
	| 'taxed'
	| 'pool-too-small'
	| 'too-large-for-pool'
	| 'price-unknown'
	| 'stale-market'
	| 'migrating'
	| 'rugged'
	| 'gasless-only'
	| 'recording';

/** A refused quote (contract gaps 4.2: the embedded service answers 400). */
export class QuoteRefused extends Refused {
	readonly check: QuoteCheck;

	constructor(check: QuoteCheck, message: string) {
		super(400, message);
		this.check = check;
	}
}

/** Every reason for refusing an execute, each with its status (spec 7). */
export const EXECUTE_REFUSALS = {
	// The request against the quote: nothing was sent, a new quote is needed.
	'unknown-intent': 400,
	'expired-quote': 400,
	'not-gasless': 400,
	'wrong-authority': 400,
	'wrong-origin': 400,
	'call-out-of-scope': 400,
	'call-not-quoted': 400,
	'native-value': 400,
	'wrong-lane': 400,
	'expired-deadline': 400,
	'too-many-calls': 400,
	'wrong-gas-token': 400,
	'low-min-balance': 400,
	'wrong-entrypoint': 400,
	'bad-intent-signature': 400,
	// Signatures.
	'bad-batch-signature': 401,
	// Earlier executes of the intent.
	'already-submitted': 409,
	'already-reverted': 409,
	// Authorization and sending: nothing was sent, the same intent may be tried again.
	'bad-authorization': 502,
	'authorization-wildcard': 502,
	'authorization-wrong-chain': 502,
	'authorization-wrong-delegate': 502,
	'authorization-wrong-signer': 502,
	'authorization-wrong-nonce': 502,
	'authorization-missing': 502,
	'authorization-needless': 502,
	'send-failed': 502,
	'chain-reset': 502,
	// The service could not make certain that the transfer happens once.
	'not-guaranteed': 503,
	// The transaction may have been sent.
	'no-answer': 504,
} as const satisfies Readonly<Record<string, number>>;

export type ExecuteCheck = keyof typeof EXECUTE_REFUSALS;

const NEXT: Readonly<Record<number, Next>> = {
	400: 'requote',
	401: 'fix-input',
	409: 'poll-status',
	502: 'retry-same',
	503: 'retry-later',
	504: 'poll-status',
};

/** A refused execute, by the name of the check. */
export class ExecuteRefused extends Refused {
	readonly check: ExecuteCheck;

	constructor(check: ExecuteCheck, message: string, cause?: unknown) {
		const status = EXECUTE_REFUSALS[check];
		super(status, message, {next: NEXT[status]!, cause});
		this.check = check;
	}
}
