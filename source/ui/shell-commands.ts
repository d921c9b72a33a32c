import type {Entry} from '../contract/entry.ts';
import {KNOWN_CHAINS} from '../monitor/filter/chain-words.ts';

/*
 * The commands that print what a screen shows. They are copied into shells: whatever comes from outside is quoted.
 */

/** A word of a command line as a POSIX shell reads it: bare where nothing in it means anything to a shell, else in quotes. */
export function shellWord(text: string): string {
	return /^[\w.,:/@%+=-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}

/** `pulsetop token ADDRESS --chain base` */
export function tokenCommand({address, chain_id: chainId}: Pick<Entry, 'address' | 'chain_id'>): string {
	const chain = KNOWN_CHAINS.find(({id}) => id === chainId)?.name ?? chainId;
	return `pulsetop token ${shellWord(address)} --chain ${shellWord(chain)}`;
}
