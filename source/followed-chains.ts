import {CHAIN_FACTS} from './chains.ts';
import {nearest} from './nearest.ts';

/** Chains that `--follow` can follow, by the name that stands on the screen. */
export const FOLLOWED_CHAINS = {
	base: 'evm:8453',
	bnb: 'evm:56',
	arbitrum: 'evm:42161',
	polygon: 'evm:137',
	ethereum: 'evm:1',
	robinhood: 'evm:4663',
	solana: 'solana:solana',
} as const;

export type FollowedChainName = keyof typeof FOLLOWED_CHAINS;

export const FOLLOWED_CHAIN_NAMES = Object.keys(FOLLOWED_CHAINS) as readonly FollowedChainName[];

/** The chain of any word for it, or of its id: `base`, `BSC`, `BNB Smart Chain`, `evm:8453`. */
export function followedChainName(text: string): FollowedChainName | undefined {
	const typed = text.trim().toLowerCase().replace(/\s+/g, '-');
	return FOLLOWED_CHAIN_NAMES.find(name => {
		const id = FOLLOWED_CHAINS[name];
		return name === typed || id === typed || CHAIN_FACTS[id]!.words.includes(typed);
	});
}

/** What to write in place of a name that is no chain: `The nearest is "base".` */
export function chainAdvice(text: string): string {
	const near = nearest(text.toLowerCase(), FOLLOWED_CHAIN_NAMES);
	return near === undefined ? `The chains are ${FOLLOWED_CHAIN_NAMES.join(', ')}.` : `The nearest is "${near}".`;
}
