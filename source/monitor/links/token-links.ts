import type {Entry} from '../../contract/entry.ts';
import {explorerPage} from './explorers.ts';
import {type CheckedUrl, checkUrl} from './safe-url.ts';

/** One page about a token. */
export interface TokenLink {
	readonly name: string;
	/** As it was given, or made from chain and address. */
	readonly text: string;
	readonly url: CheckedUrl;
}

/** Every page about a token: its own first, then those of explorers, then a search for what others say. */
export function tokenLinks(entry: Entry): readonly TokenLink[] {
	const {chain_id: chainId, address, pool_address: pool, deployer} = entry;
	const made: readonly (readonly [name: string, text: string | undefined])[] = [
		['website', entry.website],
		['X / Twitter', entry.twitter],
		['Telegram', entry.telegram],
		...Object.entries(entry.otherSocials ?? {}),
		['token', explorerPage(chainId, 'token', address)],
		['pool', pool === undefined ? undefined : explorerPage(chainId, 'address', pool)],
		['developer', deployer === undefined ? undefined : explorerPage(chainId, 'address', deployer)],
		['posts on X', `https://x.com/search?f=live&q=${encodeURIComponent(address)}`],
	];
	return made.flatMap(([name, text]) => (text === undefined ? [] : [{name, text, url: checkUrl(text)}]));
}
