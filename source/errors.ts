/** What the person can do next. The screen offers a key for it and the command line maps it to an exit code. */
export type Next =
	| 'fix-input'
	| 'requote'
	| 'retry-same'
	| 'retry-later'
	| 'poll-status'
	| 'unlock'
	| 'restart'
	| 'report';

/**
 * Every way to fail that a person can meet. Subclasses live beside the code that throws them.
 * `message` says what happened, `why` the facts (names, numbers, the field), `next` what to do, and `advice` the same in a
 * sentence, where there is a better one than the sentence that goes with `next`. None of them may hold a URL, a header, a
 * body or a key: they end up in logs and pictures.
 */
export abstract class PulsetopError extends Error {
	/** Stable identifier, kebab-case: 'check-failed'. */
	abstract readonly code: string;
	readonly why: string;
	readonly next: Next;
	readonly advice: string;

	constructor(
		what: string,
		{why, next, advice = ADVICE[next], cause}: {why: string; next: Next; advice?: string | undefined; cause?: unknown},
	) {
		super(what, {cause});
		this.name = new.target.name;
		this.why = why;
		this.next = next;
		this.advice = advice;
	}
}

/** What is said where the reason names what was given wrong. */
export const CORRECT_INPUT = 'Correct the input and try again.';

const ADVICE: Readonly<Record<Next, string>> = {
	'fix-input': CORRECT_INPUT,
	requote: 'Ask for a new quote.',
	'retry-same': 'Try the same again.',
	'retry-later': 'Wait a little, then try again.',
	'poll-status': 'Do not send it again: read the status.',
	unlock: 'Unlock the wallet first.',
	restart: 'Quit and restart pulsetop.',
	report: 'This is a fault of the program or of the service: please report it.',
};

/** The three sentences of a failure, the same on the screen, on stderr and in JSON. */
export interface Explanation {
	readonly code: string;
	readonly what: string;
	readonly why: string;
	readonly next: Next | 'report';
	readonly advice: string;
}

/**
 * Puts any thrown value into words. This is the only place that does.
 * @param error whatever was caught; what is not a PulsetopError is a bug and is said to be one
 */
export function explain(error: unknown): Explanation {
	if (error instanceof PulsetopError) {
		const {code, message: what, why, next, advice} = error;
		return {code, what, why, next, advice};
	}
	const what = error instanceof Error ? error.message : String(error);
	return {
		code: 'internal',
		what: 'Something went wrong inside pulsetop',
		why: what,
		next: 'report',
		advice: ADVICE.report,
	};
}
