import {isEvmAddress} from '../../../address.ts';
import {clean} from '../../../text.ts';
import {chainName} from '../../../trading/chains.ts';
import {formatUnits} from '../../../trading/decimal.ts';
import type {JournalRecord} from '../../../trading/journal.ts';
import {recordLabel} from '../../../trading/journal-labels.ts';
import type {LogLine} from './mode.ts';

/** Names under which records keep the wallet. */
const WALLETS = ['authority', 'owner', 'wallet', 'address', 'signer'] as const;
const MAX_DETAIL = 160;

/** The records of a journal in words, newest first. @param records oldest first, as the journal gives them */
export function logLines(records: readonly JournalRecord[]): readonly LogLine[] {
	const wallets = new Map<string, string>();
	return records
		.map(record => {
			const own = walletOf(record);
			if (own !== undefined) wallets.set(record.id, own);
			const wallet = own ?? wallets.get(record.id);
			return {
				seq: record.seq,
				atMs: record.atMs,
				what: recordLabel(record.kind),
				detail: clean(detailOf(record, wallet), {maxLength: MAX_DETAIL}),
				about: clean(`${record.kind.startsWith('wallet.') ? 'key' : 'id'} ${record.id}`, {maxLength: 80}),
				...(wallet !== undefined && {wallet}),
			};
		})
		.toReversed();
}

/** A contract's address is no wallet. */
function walletOf({kind, data}: JournalRecord): string | undefined {
	if (kind.startsWith('pin.')) return undefined;
	const found = WALLETS.map(name => data[name]).find(value => typeof value === 'string' && isEvmAddress(value));
	return found === undefined ? undefined : String(found).toLowerCase();
}

/** What a record says in short. @param wallet is said beside it, so not again */
function detailOf({data}: JournalRecord, wallet: string | undefined): string {
	const {amountRaw, decimals, symbol, originChainId, destinationChainId, recipient, ...rest} = data;
	const parts: string[] = [];
	if (typeof amountRaw === 'string' && /^\d+$/.test(amountRaw) && typeof decimals === 'number') {
		parts.push(`${formatUnits(BigInt(amountRaw), decimals)} ${typeof symbol === 'string' ? symbol : ''}`.trim());
	} else if (typeof amountRaw === 'string') parts.push(`amount ${amountRaw} raw`);
	if (typeof originChainId === 'string') parts.push(`from ${chainName(originChainId)}`);
	if (typeof destinationChainId === 'string') parts.push(`to ${chainName(destinationChainId)}`);
	if (typeof recipient === 'string') parts.push(`for ${recipient}`);
	const short = [
		'what',
		'phase',
		'kind',
		'status',
		'action',
		'role',
		'address',
		'said',
		'orderType',
		'index',
		'depositTxHash',
		'fillTxHash',
	];
	for (const name of short) {
		const value = rest[name];
		if (wallet !== undefined && String(value).toLowerCase() === wallet) continue;
		if (typeof value === 'string' || typeof value === 'number') parts.push(`${WORDS[name] ?? name} ${value}`.trim());
	}
	return parts.join(', ');
}

const WORDS: Readonly<Record<string, string>> = {
	what: '',
	phase: '',
	kind: '',
	action: '',
	role: '',
	said: 'message:',
	address: '',
	orderType: 'kind',
	index: 'order #',
	depositTxHash: 'deposit',
	fillTxHash: 'fill',
};
