import type {Entry} from '../contract/entry.ts';
import type {BoardKind} from '../monitor/boards/board.ts';
import {KNOWN_CHAINS} from '../monitor/filter/chain-words.ts';
import type {MarketsState} from './features/prediction/prediction-state.ts';
import type {BoardsState} from './screens/screens-state.ts';

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

/** The command that prints what a screen beside the columns shows; undefined for one that no command prints. @param watched keys of the watched markets */
export function boardCommand(
	kind: BoardKind,
	{developer, labels, markets, watchlist, webhooks}: BoardsState,
	watched: Iterable<string>,
): string | undefined {
	switch (kind) {
		case 'labels': {
			const {open, addresses, token} = labels;
			const relative = token === undefined ? '' : ` --token ${shellWord(token.address)}`;
			return labelsCommand(open ? [open.address] : addresses.length > 0 ? addresses : ['ADDRESS']) + relative;
		}
		case 'markets':
			return marketsCommand(markets, watched);
		case 'webhooks':
			return webhooks.step === 'detail' && webhooks.cursor !== undefined
				? `pulsetop webhook deliveries ${shellWord(webhooks.cursor)}`
				: 'pulsetop webhook list';
		case 'developer':
			return developer.of && `pulsetop feed --filter ${shellWord(`deployer:${developer.of.deployer}`)}`;
		case 'watchlist':
			return watchlistCommand(watchlist.order);
		default:
			return undefined;
	}
}

/** `pulsetop feed --filter 'address:A | address:B'` @param keys CHAIN|ADDRESS of each pinned token */
function watchlistCommand(keys: readonly string[]): string | undefined {
	if (keys.length === 0) return undefined;
	const addresses = keys.map(key => `address:${key.slice(key.indexOf('|') + 1)}`);
	return `pulsetop feed --filter ${shellWord(addresses.join(' | '))}`;
}

function marketsCommand({open, source, query}: MarketsState, watched: Iterable<string>): string {
	const shown = open === undefined ? (source === 'watched' ? [...watched] : []) : [open];
	if (shown.length > 0) return ['pulsetop market show', ...shown.map(shellWord)].join(' ');
	return source === 'search' && query !== ''
		? `pulsetop market search ${shellWord(query)}`
		: 'pulsetop market trending';
}

/** `pulsetop labels ADDRESS...` */
function labelsCommand(addresses: readonly string[]): string {
	return ['pulsetop labels', ...addresses.map(shellWord)].join(' ');
}
