import type {Flags} from '../line/flags.ts';
import {UsageError} from '../line/usage-error.ts';
import {isPersonThere} from './passphrase-prompt.ts';

/*
 * All money commands share the flags of plans: `--dry-run` prints a hash, `--yes --plan HASH` executes exactly that plan. Flags
 * of the dry run may be repeated beside the plan, and must then agree with it.
 */

/**
 * Checks the flags of plans before anything starts.
 * @param what.name the action, for errors: `the transfer`
 * @param what.typed what a person types to confirm: `the amount`
 * @returns the hash of `--plan`; undefined without one
 * @throws UsageError
 */
export function planGiven(flags: Flags, what: {readonly name: string; readonly typed: string}): string | undefined {
	const plan = flags.text('plan');
	if (flags.has('dry-run')) {
		if (plan === undefined) return undefined;
		throw new UsageError('--plan and --dry-run exclude each other', 'A dry run makes a plan, --plan executes one.');
	}
	if (flags.has('yes') && plan === undefined)
		throw new UsageError('--yes needs --plan HASH', 'Make a dry run first: it prints the hash of its plan.');
	if (!flags.has('yes') && !isPersonThere())
		throw new UsageError(
			`There is no terminal to confirm ${what.name}`,
			`At a terminal you type ${what.typed}; without one, give --yes and --plan with the hash of a dry run.`,
		);
	return plan;
}

/**
 * Refuses a flag or operand beside a plan that does not agree with the plan.
 * @param name the flag or operand: `--amount`
 * @param planned the value of the plan, as text
 * @throws UsageError naming the flag
 */
export function assertPlanned(name: string, isSame: boolean, planned: string): void {
	if (!isSame)
		throw new UsageError(
			`${name} is not that of the plan`,
			`The plan has ${planned}. Leave it out, or make a new dry run.`,
		);
}
