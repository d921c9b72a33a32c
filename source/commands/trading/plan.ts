import type {Flags} from '../line/flags.ts';
import {UsageError} from '../line/usage-error.ts';
import {isPersonThere} from './passphrase-prompt.ts';

/*
 * Plans are given in one way by everything that moves money: `--dry-run` prints a hash, `--yes --plan HASH` does that and
 * nothing else. What the dry run was given may be repeated beside the plan, and must then be what the plan has.
 */

/**
 * What can't be right is said before anything is started.
 * @param what.name for the message: `the transfer`
 * @param what.typed what a person types to confirm: `the amount`
 * @returns the hash of the plan, where one is given
 * @throws UsageError
 */
export function planGiven(flags: Flags, what: {readonly name: string; readonly typed: string}): string | undefined {
	const plan = flags.text('plan');
	if (flags.has('dry-run')) {
		if (plan === undefined) return undefined;
		throw new UsageError('--plan and --dry-run exclude each other', 'A dry run makes a plan, --plan carries one out.');
	}
	if (flags.has('yes') && plan === undefined)
		throw new UsageError(
			'--yes needs --plan HASH',
			'Without a person there must be a dry run before: it prints the hash of its plan.',
		);
	if (!flags.has('yes') && !isPersonThere())
		throw new UsageError(
			`There is nobody to confirm ${what.name}`,
			`At a terminal ${what.typed} is typed; without one, give --yes and --plan with the hash of a dry run.`,
		);
	return plan;
}

/**
 * Something that is repeated beside a plan must be what the plan has.
 * @param name of the flag or operand: `--amount`
 * @param planned what the plan has, to be read by a person
 * @throws UsageError that names it
 */
export function assertPlanned(name: string, isSame: boolean, planned: string): void {
	if (!isSame)
		throw new UsageError(
			`${name} is not that of the plan`,
			`The plan has ${planned}. Leave it out, or make a new dry run.`,
		);
}
