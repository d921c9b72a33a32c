import {clean} from '../text.ts';

/** Every kind of record that the journal takes, in the words of the logs: what it is about, and what happened. */
export const JOURNAL_LABELS = {
	'bridge.planned': 'Bridge transfer: dry run',
	'bridge.intended': 'Bridge transfer: about to be signed and sent',
	'bridge.unsigned': 'Bridge transfer: not signed, nothing sent',
	'bridge.answered': 'Bridge transfer: response of the service',
	'bridge.status': 'Bridge transfer: status',
	'perp.intended': 'Order cancel: about to be signed and sent',
	'perp.signed': 'Order cancel: signed',
	'perp.unsigned': 'Order cancel: not signed, nothing sent',
	'perp.answered': 'Order cancel: response of the service',
	'perp.status': 'Order cancel: status',
	'vault.planned': 'Prediction account: dry run',
	'vault.claimed': 'Prediction account: nonce reserved',
	'vault.intended': 'Prediction account: about to be sent',
	'vault.unclaimed': 'Prediction account: nonce released',
	'vault.status': 'Prediction account: status',
	'pin.accepted': 'Contract: accepted',
	'pin.revoked': 'Contract: no longer accepted',
	'limit.changed': 'Limit: changed',
	'wallet.unlocked': 'Wallet: key unlocked',
	'wallet.signed': 'Wallet: signed',
	'wallet.locked': 'Wallet: key locked',
	'wallet.killed': 'Wallet: signing locked until restart',
} as const satisfies Readonly<Record<string, string>>;

/** A kind of record that is written: one without words does not compile. */
export type JournalKind = keyof typeof JOURNAL_LABELS;

/** The words for a record of the journal. @param kind as it was read: another version of the program may have written it */
export function recordLabel(kind: string): string {
	const words = Object.hasOwn(JOURNAL_LABELS, kind) ? JOURNAL_LABELS[kind as JournalKind] : kind;
	return clean(words, {maxLength: 80});
}
