import {isEvmAddress} from '../../../address.ts';
import {clean} from '../../../text.ts';
import type {JournalRecord} from '../../../trading/journal.ts';
import {recordDetail, recordLabel} from '../../../trading/journal-labels.ts';
import type {LogLine} from './action-log-state.ts';

/** Names under which records keep the wallet. */
const WALLETS = ['authority', 'owner', 'wallet', 'address', 'signer'] as const;
const MAX_DETAIL = 160;

/** The records of a journal as text, newest first. @param records oldest first, as the journal gives them */
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
				detail: clean(recordDetail(record, wallet), {maxLength: MAX_DETAIL}),
				about: clean(`${record.kind.startsWith('wallet.') ? 'key' : 'id'} ${record.id}`, {maxLength: 80}),
				...(wallet !== undefined && {wallet}),
			};
		})
		.toReversed();
}

/** Not a wallet where the address is that of a contract. */
function walletOf({kind, data}: JournalRecord): string | undefined {
	if (kind.startsWith('pin.')) return undefined;
	const found = WALLETS.map(name => data[name]).find(value => typeof value === 'string' && isEvmAddress(value));
	return found === undefined ? undefined : String(found).toLowerCase();
}
