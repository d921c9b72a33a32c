import {nearest} from '../nearest.ts';
import type {Chain} from './chain.ts';
import {CHAINS, type FollowedChainName} from './chains.ts';

interface FollowedChain extends Chain {
	readonly follow: {readonly name: FollowedChainName; readonly confirmations: number};
}

const FOLLOWED = CHAINS.filter(chain => chain.follow !== undefined) as readonly FollowedChain[];

/** Chains that `--follow` can follow, their ids by the name that stands on the screen. */
export const FOLLOWED_CHAINS = Object.fromEntries(FOLLOWED.map(({id, follow}) => [follow.name, id])) as Readonly<
	Record<FollowedChainName, string>
>;

export const FOLLOWED_CHAIN_NAMES: readonly FollowedChainName[] = FOLLOWED.map(({follow}) => follow.name);

/** The chain of any word for it, or of its id: `base`, `BSC`, `BNB Smart Chain`, `evm:8453`. */
export function followedChainName(text: string): FollowedChainName | undefined {
	const typed = text.trim().toLowerCase().replace(/\s+/g, '-');
	return FOLLOWED.find(({id, words, follow}) => follow.name === typed || id === typed || words.includes(typed))?.follow
		.name;
}

/** Advice for a name that is no chain: `The nearest is "base".` */
export function chainAdvice(text: string): string {
	const near = nearest(text.toLowerCase(), FOLLOWED_CHAIN_NAMES);
	return near === undefined ? `The chains are ${FOLLOWED_CHAIN_NAMES.join(', ')}.` : `The nearest is "${near}".`;
}
