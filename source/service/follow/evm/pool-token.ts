import type {EvmChain} from '../../../chains/evm-chains.ts';
import type {FollowedTokens} from './followed-tokens.ts';
import type {Address} from './venue.ts';

/**
 * The coin of a new pool that is its token; undefined when the pool is not followed. It is the followed one; of two, the one that was
 * made later, which the other prices. Of two that are not followed it is the one beside a quote coin of the chain.
 */
export function tokenOfPool(
	token0: Address,
	token1: Address,
	{tokens}: FollowedTokens,
	{quotes}: EvmChain,
): Address | undefined {
	if (token0 === token1) return undefined;
	const isQuote = (coin: Address): boolean => quotes.some(({address}) => address === coin);
	const [first, second] = [tokens.get(token0), tokens.get(token1)];
	if (first && second) return first.block > second.block ? token0 : token1;
	if (first) return isQuote(token0) ? undefined : token0;
	if (second) return isQuote(token1) ? undefined : token1;
	if (isQuote(token0) === isQuote(token1)) return undefined;
	return isQuote(token0) ? token1 : token0;
}
