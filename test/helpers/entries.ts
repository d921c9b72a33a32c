import {type Entry, entryKey} from '../../source/contract/entry.ts';

/** A token with the given figures and nothing else known. */
export function entryOf(address: string, figures: Partial<Entry> = {}, chainId = 'solana:solana'): Entry {
	return {...figures, key: entryKey(chainId, address), chain_id: chainId, address};
}
