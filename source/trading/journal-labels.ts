import {chainName} from '../chains/chains.ts';
import {clean} from '../text.ts';
import {formatUnits} from './decimal.ts';

/** Every kind of journal record with its label in logs: subject, then event. */
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
	'limit.counted': 'Limit: counted',
	'limit.released': 'Limit: no longer counted',
	'log.confirmed': 'Log: lines were missing or damaged, confirmed',
	'wallet.unlocked': 'Wallet: key unlocked',
	'wallet.signed': 'Wallet: signed',
	'wallet.locked': 'Wallet: key locked',
	'wallet.killed': 'Wallet: signing locked until restart',
} as const satisfies Readonly<Record<string, string>>;

/** A kind of record that can be written: a kind without a label does not compile. */
export type JournalKind = keyof typeof JOURNAL_LABELS;

/** The label of a journal record. @param kind as it was read: another version of the program may have written it */
export function recordLabel(kind: string): string {
	const words = Object.hasOwn(JOURNAL_LABELS, kind) ? JOURNAL_LABELS[kind as JournalKind] : kind;
	return clean(words, {maxLength: 80});
}

/** Words before the members of a record that its detail shows, in their order; an empty word where the value speaks for itself. */
const DETAIL_WORDS = {
	what: '',
	phase: '',
	kind: '',
	status: 'status',
	action: '',
	role: '',
	address: '',
	why: '',
	said: 'message:',
	orderType: 'kind',
	index: 'order #',
	depositTxHash: 'deposit',
	fillTxHash: 'fill',
	perTransaction: 'per transaction',
	perDay: 'per day',
	written: 'written',
	there: 'there',
} as const;

/**
 * The data of a record in short: the amount, the chains, and the outcome. The values are as they were read.
 * @param wallet an address in lower case that stands beside the detail and is left out
 */
export function recordDetail({data}: {readonly data: Readonly<Record<string, unknown>>}, wallet?: string): string {
	const {amountRaw, decimals, symbol, originChainId, destinationChainId, recipient, trade, ...rest} = data;
	const parts: string[] = tradeWords(trade);
	if (typeof amountRaw === 'string' && /^\d+$/.test(amountRaw) && typeof decimals === 'number') {
		parts.push(`${formatUnits(BigInt(amountRaw), decimals)} ${typeof symbol === 'string' ? symbol : ''}`.trim());
	} else if (typeof amountRaw === 'string') parts.push(`amount ${amountRaw} raw`);
	if (typeof originChainId === 'string') parts.push(`from ${chainName(originChainId)}`);
	if (typeof destinationChainId === 'string') parts.push(`to ${chainName(destinationChainId)}`);
	if (typeof recipient === 'string') parts.push(`for ${recipient}`);
	parts.push(...cameWords('arrived', rest['arrivedRaw'], rest['arrivedDecimals']));
	parts.push(...cameWords('came back', rest['returnedRaw'], rest['returnedDecimals']));
	for (const [name, word] of Object.entries(DETAIL_WORDS)) {
		const value = rest[name];
		if (wallet !== undefined && String(value).toLowerCase() === wallet) continue;
		if (typeof value === 'string' || typeof value === 'number') parts.push(`${word} ${value}`.trim());
	}
	return parts.join(', ');
}

/** `buy PEPE`, of a trade. */
function tradeWords(trade: unknown): string[] {
	if (typeof trade !== 'object' || trade === null) return [];
	const {side, symbol} = trade as {side?: unknown; symbol?: unknown};
	return typeof side === 'string' && typeof symbol === 'string' ? [`${side} ${symbol}`] : [];
}

function cameWords(word: string, raw: unknown, decimals: unknown): string[] {
	if (typeof raw !== 'string' || !/^\d+$/.test(raw) || typeof decimals !== 'number') return [];
	return [`${word} ${formatUnits(BigInt(raw), decimals)}`];
}
