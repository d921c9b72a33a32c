import {type Next, PulsetopError} from '../errors.ts';
import {LESS_OR_MORE, SEE_ACCOUNT} from './advice.ts';

/** Advice for checks that another quote would fail too. */
const ADVICE: Readonly<Record<string, string>> = {
	clock: 'Set the clock of this machine, for example by NTP.',
	caps: LESS_OR_MORE,
	balance: 'Lower the amount, or wait until more has arrived.',
	funds: 'Lower the amount, or wait until more has arrived.',
	'cross-chain': 'Choose another chain to receive on.',
	'origin-token': 'Choose another token to send.',
	deployed: SEE_ACCOUNT,
	recipient: 'Leave the recipient out: what is bought is for this wallet.',
	dollars: 'Pay with a dollar, and sell for one: USDC, or DAI.',
	honeypot: 'Leave it: it could not be sold again.',
	phase: 'Leave it: what is known of it is not enough to judge it by.',
	tax: 'Leave it, or sell what you have of it.',
	liquidity: 'Leave it: so little money could not buy it back.',
	impact: 'Lower the amount.',
	'pool-share': 'Lower the amount.',
	'fee-share': 'Raise the amount: the fees hardly grow with it.',
	'worst-case': 'Lower the amount or the slippage, or allow more with --max-loss where you have set it.',
	available: 'Lower the amount, or wait until the other transfer has ended.',
};

/** A local check that failed. It blocks signing and cannot be overridden. */
export class CheckFailed extends PulsetopError {
	readonly code = 'check-failed';
	/** Name of the check: `lane`. */
	readonly check: string;

	readonly #title: string;

	/** @param why the found and the expected value, to be read after the check's title */
	constructor(
		check: string,
		title: string,
		why: string,
		next: Next = 'requote',
		advice: string | undefined = adviceFor(check, next),
	) {
		super(`The check “${title}” failed`, {why, next, advice});
		this.check = check;
		this.#title = title;
	}

	/** The same, with where the money stands. @param unsent the thing not sent; `again` the advice for a new proposal */
	standing({unsent, again}: {readonly unsent: string; readonly again: string}): CheckFailed {
		const advice = this.next === 'requote' ? `${unsent} ${again}` : `${unsent} ${this.advice}`;
		return new CheckFailed(this.check, this.#title, this.why, this.next, advice);
	}
}

/** The titles of the checks that failed, for a sentence; undefined when none did. */
export function failedTitles(checks: readonly CheckResult[]): string | undefined {
	const failed = checks.filter(({ok}) => !ok).map(({title}) => `“${title}”`);
	return failed.length === 0 ? undefined : failed.join(', ');
}

/** A check as a list shows it. */
export interface CheckResult {
	readonly name: string;
	/** The subject of the check, in a few words. */
	readonly title: string;
	readonly ok: boolean;
	/** The check could not run, which does not stop the signature: `ok` is true, and the review says so. */
	readonly isUnavailable?: true;
	/** The check passes once the person has typed this, as `NAME=VALUE`: see trade/acknowledge.ts. */
	readonly acknowledge?: string;
	/** The finding. */
	readonly detail: string;
	/** The way out of a failure that a new proposal would not mend. */
	readonly advice?: string;
}

/** One check of a plan: returns the finding, or the fault. */
export interface Check<Plan> {
	readonly name: string;
	readonly title: string;
	/** The next step when the check fails. */
	readonly next: Next;
	readonly run: (plan: Plan) => Verdict;
}

export type Verdict =
	| {readonly ok: true; readonly isUnavailable?: true; readonly acknowledge?: string; readonly detail: string}
	| {readonly ok: false; readonly detail: string};

export function passed(detail: string): Verdict {
	return {ok: true, detail};
}

/** Not checked. @param detail the missing fact */
export function unavailable(detail: string): Verdict {
	return {ok: true, isUnavailable: true, detail};
}

/** Allowed where the person takes it on in words. @param value to be typed: a percentage, the end of an address */
export function passedByWord(value: string, detail: string): Verdict {
	return {ok: true, acknowledge: value, detail};
}

export function failed(detail: string): Verdict {
	return {ok: false, detail};
}

/** Whether the only failures are contracts on first use, which a person may accept. */
export function isOnlyNew({
	checks,
	toAccept,
}: {
	readonly checks: readonly {readonly ok: boolean}[];
	readonly toAccept: readonly unknown[];
}): boolean {
	return toAccept.length > 0 && checks.filter(({ok}) => !ok).length === toAccept.length;
}

/** Every check with its result, in order. A check that throws counts as failed: unreadable data is not trusted. */
export function runChecks<Plan>(checks: readonly Check<Plan>[], plan: Plan): readonly CheckResult[] {
	return checks.map(({name, title, next, run}) => {
		const verdict = attempt(run, plan);
		const advice = verdict.ok ? undefined : adviceFor(name, next);
		return {name, title, ...verdict, ...(advice !== undefined && {advice})};
	});
}

/** Undefined where another proposal may pass: the window offers to request one. */
function adviceFor(name: string, next: Next): string | undefined {
	return next === 'fix-input' ? ADVICE[name] : undefined;
}

/** @throws CheckFailed for the first result that is a failure */
export function assertPassed(results: readonly CheckResult[]): void {
	const failed = results.find(({ok}) => !ok);
	if (failed) throw new CheckFailed(failed.name, failed.title, failed.detail);
}

/** @throws CheckFailed for the first check that fails */
export function assertChecks<Plan>(checks: readonly Check<Plan>[], plan: Plan): void {
	for (const {name, title, next, run} of checks) {
		const verdict = attempt(run, plan);
		if (!verdict.ok) throw new CheckFailed(name, title, verdict.detail, next);
	}
}

function attempt<Plan>(run: (plan: Plan) => Verdict, plan: Plan): Verdict {
	try {
		return run(plan);
	} catch (error) {
		if (error instanceof PulsetopError) return failed(error.why);
		// An invalid number, or bytes that cannot be decoded: viem and BigInt throw plain errors.
		return failed('what the service sent cannot be read');
	}
}
