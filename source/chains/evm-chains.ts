import type {PriceSource, QuoteFacts} from './chain.ts';
import {CHAINS, evmChainNumber, type FollowedChainName} from './chains.ts';

/** An address in lower case. */
export type Address = `0x${string}`;

/** A quote coin whose addresses are in lower case. */
export interface EvmQuote extends QuoteFacts {
	readonly address: Address;
}

/** Facts of an EVM chain that following it needs. */
export interface EvmChain {
	readonly number: number;
	/** `evm:8453`. */
	readonly id: string;
	readonly name: Exclude<FollowedChainName, 'solana'>;
	/** Usual time between two blocks. */
	readonly blockMs: number;
	/** Blocks behind the head that are shown by default. */
	readonly confirmations: number;
	/** The native coin and the token that wraps it; both have the price of `wrapped`. */
	readonly native: {readonly symbol: string; readonly name: string; readonly wrapped: Address};
	/** `wrapped` first, then coins that pools are quoted in. */
	readonly quotes: readonly EvmQuote[];
	readonly multicall3: Address;
}

/** The zero address: pools of a manager use it for the native coin, launchpads too. */
export const NATIVE: Address = '0x0000000000000000000000000000000000000000';

/** The same contract at the same address on every chain that has it. */
const MULTICALL3: Address = '0xca11bde05977b3631167028862be2a173976ca11';

/** Every EVM chain that can be followed. */
export const EVM_CHAINS: readonly EvmChain[] = CHAINS.flatMap(({id, coin, blockMs, quotes, follow}) => {
	const number = evmChainNumber(id);
	if (number === undefined || blockMs === undefined || quotes === undefined || follow === undefined) return [];
	return {
		number,
		id,
		name: follow.name as EvmChain['name'],
		blockMs,
		confirmations: follow.confirmations,
		native: {symbol: coin.symbol, name: coin.name, wrapped: lower(quotes[0]!.address)},
		quotes: quotes.map(quote => ({...quote, address: lower(quote.address), price: lowerPrice(quote.price)})),
		multicall3: MULTICALL3,
	};
});

/** An EVM address in lower case. */
export function lower(address: string): Address {
	return address.toLowerCase() as Address;
}

function lowerPrice(price: PriceSource | null): PriceSource | null {
	if (price?.kind === 'chainlink') return {...price, feed: lower(price.feed)};
	return price?.kind === 'pool' ? {...price, pool: lower(price.pool), in: lower(price.in)} : price;
}

/** The chain of a number (8453), a chain id (`evm:8453`) or a name (`base`); undefined for one that cannot be followed. */
export function findEvmChain(chain: number | string): EvmChain | undefined {
	return EVM_CHAINS.find(({number, id, name}) => chain === number || chain === id || chain === name);
}
