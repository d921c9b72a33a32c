import type {Chain, Launchpad} from '../chains.ts';
import type {PoolFacts} from '../events.ts';

/** US dollars for a chain's own coin: it swings by one per cent over some hours. */
export function nativeUSD(chain: Chain, timeMs: number): number {
	return chain.nativeUSD * (1 + 0.01 * Math.sin(timeMs / 7.3e6));
}

/** The block of a chain at a time. */
export function blockAt(chain: Chain, timeMs: number): number {
	return Math.floor(timeMs / chain.blockMs);
}

/** A pool of a kind, priced in the chain's own coin. */
export function poolFacts(
	chain: Chain,
	address: string,
	{type, factory, exchange}: Pick<Launchpad, 'type' | 'factory' | 'exchange'>,
): PoolFacts {
	return {address, type, factory, exchange, quote: chain.native};
}
