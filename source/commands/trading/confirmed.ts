import {PulsetopError} from '../../errors.ts';
import {CheckFailed} from '../../trading/check.ts';
import type {Flags} from '../line/flags.ts';
import {type ChosenWallet, unlock} from './context.ts';

/**
 * Confirms and sends. When the plan got too old or worse before the signature, or the wallet has locked itself, nothing was sent: a
 * person reads why, gives the passphrase again where it is needed, and reviews and confirms a fresh plan like the first.
 * @param steps `confirm` shows the review, accepts contracts, refuses failed checks and asks for the confirmation; `refresh` gets a
 *   fresh plan after an error
 * @throws what `steps` throw; with `--yes` the first error
 */
export async function confirmAndSend(
	{wallet, flags}: {readonly wallet: ChosenWallet; readonly flags: Flags},
	steps: {
		readonly confirm: () => Promise<void>;
		readonly send: () => Promise<void>;
		readonly refresh: (error: PulsetopError) => Promise<void>;
	},
): Promise<void> {
	const {signer} = wallet;
	for (;;) {
		const wasUnlocked = signer.state.status === 'unlocked';
		await steps.confirm();
		try {
			if (wasUnlocked) signer.assertUnlocked();
			else await unlock(wallet, flags);
			await steps.send();
			return;
		} catch (error) {
			if (flags.has('yes') || !isReviewedAgain(error)) throw error;
			process.stderr.write(`\n${error.message}: ${error.why}. Nothing was sent.\n\n`);
			// A fresh payload is asked for with a signature.
			if (error.code === 'wallet-locked') await unlock(wallet, flags, {isAgain: true});
			await steps.refresh(error);
		}
	}
}

/** Whether nothing was sent and a fresh plan may pass. */
function isReviewedAgain(error: unknown): error is PulsetopError {
	if (error instanceof CheckFailed) return error.next === 'requote';
	if (!(error instanceof PulsetopError)) return false;
	return error.code === 'quote-worse' || (error.code === 'wallet-locked' && error.next === 'unlock');
}
