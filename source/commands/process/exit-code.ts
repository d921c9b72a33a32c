import type {Explanation} from '../../errors.ts';

/** The meaning of each exit code. Other programs rely on them. */
export const EXIT_CODES = {
	0: 'done',
	1: 'the action failed',
	2: 'the command line or the configuration is wrong',
	3: 'refused by a safety check',
	4: 'not certain yet: the chain does not show how it ended',
	69: 'the service is not available',
	70: 'an internal error',
} as const;

export type ExitCode = keyof typeof EXIT_CODES;

/** Errors that stop a money action before anything is sent, besides a failed check. */
const REFUSALS = [
	'account-unavailable',
	'cancel-claimed',
	'cap-exceeded',
	'caps-unreadable',
	'contract-unknown',
	'envelope-mismatch',
	'intent-claimed',
	'vault-claimed',
	'journal-broken',
	'journal-cut',
	'key-file-exposed',
	'not-accepted',
	'not-acknowledged',
	'not-confirmed',
	'not-tradable',
	'pin-changed',
	'pin-not-confirmed',
	'pins-unreadable',
	'plan-differs',
	'practice-unproven',
	'practice-wall',
	'quote-worse',
	'read-only',
	'unknown-plan',
	'vault-not-confirmed',
	'vault-not-now',
	'will-not-sign',
];

const BY_ERROR: Readonly<Record<string, ExitCode>> = {
	usage: 2,
	config: 2,
	'money-missing': 2,
	'amount-unclear': 2,
	'bad-amount': 2,
	'bad-recipient': 2,
	'bad-slippage': 2,
	'filter-line': 2,
	'form-problem': 2,
	'key-missing': 2,
	'wallet-name': 2,
	'store-refused': 2,
	'sources-differ': 2,
	'check-failed': 3,
	...Object.fromEntries(REFUSALS.map(code => [code, 3])),
	internal: 70,
};

/** The exit code of a failure: 69 when a retry may help, 1 for an error without a code of its own. */
export function exitCodeOf({code, next}: Explanation): ExitCode {
	return BY_ERROR[code] ?? (next === 'retry-later' ? 69 : 1);
}

/** A failure as a command prints it: in words, or with --json as a document. */
export function failureText(explanation: Explanation, isJson: boolean): string {
	const {what, why, advice} = explanation;
	return isJson ? JSON.stringify({error: explanation}) : `pulsetop: ${what}\n  ${why}\n  ${advice}`;
}
