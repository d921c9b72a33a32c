import type {Entry} from '../../contract/entry.ts';
import {explorerPage} from './explorers.ts';
import {type CheckedUrl, checkUrl} from './safe-url.ts';

/** One page about a token. */
export interface TokenLink {
	readonly name: string;
	/** As given by the token, or built from chain and address. */
	readonly text: string;
	readonly url: CheckedUrl;
}

type Named = readonly (readonly [name: string, text: string | undefined])[];

/** The pages that the token names itself. */
export function ownLinks(entry: Entry): readonly TokenLink[] {
	return checked([
		['website', entry.website],
		['X / Twitter', entry.twitter],
		['Telegram', entry.telegram],
		...Object.entries(entry.otherSocials ?? {}),
	]);
}

/** Every page about a token: its own first, then those of explorers, then a search for posts. */
export function tokenLinks(entry: Entry): readonly TokenLink[] {
	const {chain_id: chainId, address, pool_address: pool, deployer} = entry;
	const made: Named = [
		['token', explorerPage(chainId, 'token', address)],
		['pool', pool === undefined ? undefined : explorerPage(chainId, 'address', pool)],
		['developer', deployer === undefined ? undefined : explorerPage(chainId, 'address', deployer)],
		['posts on X', `https://x.com/search?f=live&q=${encodeURIComponent(address)}`],
	];
	return [...ownLinks(entry), ...checked(made)];
}

function checked(links: Named): readonly TokenLink[] {
	return links.flatMap(([name, text]) => (text === undefined ? [] : [{name, text, url: checkUrl(text)}]));
}
