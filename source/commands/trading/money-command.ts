import type {Config} from '../../config/config.ts';
import {PulsetopError} from '../../errors.ts';
import {assertPassed, CheckFailed, type CheckResult} from '../../trading/check.ts';
import type {PinRole} from '../../trading/known-contracts.ts';
import type {NewContract} from '../../trading/pins.ts';
import type {Flags} from '../line/flags.ts';
import {jsonText, print} from '../output/output.ts';
import {acceptContracts} from './accept.ts';
import {type ChosenWallet, type TradingContext, unlock} from './context.ts';
import {checksText, type Fact, factsText, whoActs} from './output.ts';

/*
 * The frame of the commands that move money: the review, the confirmation, the signature, and the documents.
 */

/** The parts that all money commands have. */
export interface MoneyStep {
	readonly context: TradingContext;
	readonly config: Config;
	readonly flags: Flags;
	readonly wallet: ChosenWallet;
}

/** The review that a person reads before a signature. */
export interface Review {
	readonly lines: readonly Fact[];
	readonly checks: readonly CheckResult[];
	readonly toAccept: readonly NewContract[];
}

/** The facts of the transaction, then every check. */
export function reviewText(view: Review, {ui}: Config): string {
	return `${factsText(view.lines)}\n${checksText(view, ui)}`;
}

/** Prints a document that begins with who acts, or its text. */
export function printMoney(
	{context, wallet, flags}: MoneyStep,
	{schema, ...document}: {readonly schema: string} & Readonly<Record<string, unknown>>,
	text: () => string,
): Promise<void> {
	if (!flags.has('json')) return print(text());
	return print(jsonText({schema, ...whoActs(context.trading.mode, wallet), ...document}));
}

export interface MoneyActions {
	/** The review as it is now. */
	readonly view: () => Review;
	/** The chain of the contracts to accept. */
	readonly chainId: () => string;
	/** The values of `--accept`, by role. */
	readonly given: ReadonlyMap<PinRole, string>;
	readonly accept: (role: PinRole, typed: string) => Promise<void>;
	/** Takes the confirmation, which a plan has given already. @throws for any other text */
	readonly confirm: (isPlanned: boolean) => Promise<void> | void;
	readonly send: () => Promise<void>;
	/** Gets a fresh plan after an error. */
	readonly refresh: (error: PulsetopError) => Promise<void>;
}

/**
 * Shows the review, has new contracts accepted, refuses failed checks, and confirms and sends. When the plan got too old or worse
 * before the signature, or the wallet has locked itself, nothing was sent: a person reads why, gives the passphrase again where it is
 * needed, and reviews and confirms a fresh plan like the first.
 * @throws CheckFailed, ContractUnknown, what `actions` throw; with `--yes` the first error
 */
export async function confirmAndSend(step: MoneyStep, actions: MoneyActions): Promise<void> {
	const {wallet, flags} = step;
	const {signer} = wallet;
	for (;;) {
		const wasUnlocked = signer.state.status === 'unlocked';
		await confirmReview(step, actions);
		try {
			if (wasUnlocked) signer.assertUnlocked();
			else await unlock(wallet, flags);
			await actions.send();
			return;
		} catch (error) {
			if (flags.has('yes') || !isReviewedAgain(error)) throw error;
			process.stderr.write(`\n${error.message}: ${error.why}. Nothing was sent.\n\n`);
			// A fresh payload is asked for with a signature.
			if (error.code === 'wallet-locked') await unlock(wallet, flags, {isAgain: true});
			await actions.refresh(error);
		}
	}
}

async function confirmReview({flags, config}: MoneyStep, actions: MoneyActions): Promise<void> {
	const isUnattended = flags.has('yes');
	const {view, given, accept} = actions;
	if (!isUnattended) process.stderr.write(`${reviewText(view(), config)}\n`);
	const {toAccept} = view();
	if (toAccept.length > 0) await acceptContracts(toAccept, {chainId: actions.chainId(), given, isUnattended, accept});
	assertPassed(view().checks);
	await actions.confirm(isUnattended);
}

/** Whether nothing was sent and a fresh plan may pass. */
function isReviewedAgain(error: unknown): error is PulsetopError {
	if (error instanceof CheckFailed) return error.next === 'requote';
	if (!(error instanceof PulsetopError)) return false;
	return error.code === 'quote-worse' || (error.code === 'wallet-locked' && error.next === 'unlock');
}
