import type {Flag} from '../line/command.ts';

/* Flags of the money commands. */

export const WALLET: Flag = {name: 'wallet', value: 'NAME', help: 'Wallet to use, where there are several.'};
export const PASSPHRASE: Flag = {
	name: 'passphrase-fd',
	value: 'N',
	help: 'Read the passphrase from this file descriptor (first line); otherwise it is prompted for.',
};
export const ACCEPT: Flag = {
	name: 'accept',
	value: 'ROLE=LAST6',
	repeats: true,
	help: 'Accept a contract on first use, by the last six characters of its fingerprint; also with --dry-run.',
};
export const DRY_RUN: Flag = {
	name: 'dry-run',
	help: 'Sign nothing: print exactly what would be signed and sent, and its hashes.',
};
export const YES: Flag = {name: 'yes', help: 'Do not ask for confirmation; needs --plan.'};
export const PLAN: Flag = {name: 'plan', value: 'HASH', help: 'Execute the plan of an earlier dry run.'};

export const NO_WAIT: Flag = {
	name: 'no-wait',
	help: 'End when the service has accepted it; do not wait for the tokens.',
};

export const MODES =
	'Practice and real money are separate: without a configured service, or with your own pulsetop serve over the same data directory, you practise; with any other you use real money.';

/** Help for programs, in every command that moves money. */
export const PLANS =
	'For programs: --dry-run prints exactly what would be signed and the hash of the plan. It ends with 0 when the plan can be executed, and with 3 when it names a contract to accept with --accept or a failed check. --yes --plan HASH executes exactly that plan; repeated flags (amount, chains, order) must agree with it.';

export const MAX_LOSS: Flag = {
	name: 'max-loss',
	value: 'PERCENT',
	help: 'Maximum loss of this transfer, in per cent of what is sent (3, or [bridge] max-loss).',
};
