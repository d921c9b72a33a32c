import {NATIVE} from '../../../chains/evm-chains.ts';
import type {PoolFacts, QuoteCoin} from '../../market/events.ts';
import type {FollowedCurve, FollowedPool, FollowedToken} from './followed-tokens.ts';
import type {Surroundings} from './surroundings.ts';
import type {Address} from './venue.ts';

/** Stands for the coin of a curve that could not be found out. */
const UNKNOWN_COIN: QuoteCoin = {address: NATIVE, symbol: '?', name: 'unknown coin', decimals: 18};
/** Coins that price coins that price a token: further ones are not followed. */
const MAX_HOPS = 3;

/** The coins that price tokens, and the pools they do it in. */
export class Coins {
	readonly #around: Surroundings;

	constructor(around: Surroundings) {
		this.#around = around;
	}

	/** The coin itself; the wrapped one for the native coin, which has the same price. */
	wrapped(coin: Address | 'native'): Address {
		return coin === 'native' || coin === NATIVE ? this.#around.chain.native.wrapped : coin;
	}

	/** A coin with all that reading its amounts needs; undefined when that is not known. */
	find(address: Address): QuoteCoin | undefined {
		const {chain, state} = this.#around;
		const coin = chain.quotes.find(quote => quote.address === address) ?? state.coins.get(address);
		if (coin) return {address, symbol: coin.symbol, name: coin.name, decimals: coin.decimals};
		const token = state.tokens.get(address);
		if (token) return {address, symbol: token.symbol ?? '?', name: token.name ?? '?', decimals: token.decimals};
		const asked = this.#around.coin(address);
		if (asked) state.putCoin(asked);
		return asked;
	}

	/** The coin of a pool that is followed: without it the pool would not be. */
	ofPool({quote}: FollowedPool): QuoteCoin {
		return this.find(quote) ?? UNKNOWN_COIN;
	}

	ofCurve({quote}: FollowedCurve): QuoteCoin {
		return (quote && this.find(quote)) ?? UNKNOWN_COIN;
	}

	/** US dollars of a coin at a time: of a quote coin, or of a followed token by its own price; null when unknown. */
	usd(coin: Address, timeMs: number, hops = MAX_HOPS): number | null {
		const {chain, state, usd} = this.#around;
		if (chain.quotes.some(({address}) => address === coin)) return usd(coin, timeMs);
		const price = state.priceOf(coin);
		const quote = this.#quoteOf(coin);
		if (price === undefined || quote === undefined || hops === 0) return null;
		const quoteUSD = this.usd(quote, timeMs, hops - 1);
		return quoteUSD === null ? null : price * quoteUSD;
	}

	/** A pool as the market knows it. One with a hook is marked: the hook may take or give beside what the pool says. */
	poolFacts(pool: FollowedPool): PoolFacts {
		const venue = this.#around.reader.venue(pool.venue);
		const name = venue && (pool.hooks === null ? venue.name : `${venue.name} with a hook`);
		return {
			address: pool.pool,
			type: venue?.poolType ?? pool.venue,
			factory: pool.factory,
			exchange: name === undefined ? null : {name, logo: ''},
			quote: this.ofPool(pool),
		};
	}

	/** Where a token of a launchpad is born: its curve, or the pool that it gets at once. Both go by the launchpad's name. */
	birthplace({venue: id, brand, launchpad, curve}: FollowedToken, pool: FollowedPool | undefined): PoolFacts {
		const venue = id === null ? undefined : this.#around.reader.venue(id);
		const place = pool && this.poolFacts(pool);
		return {
			address: place?.address ?? curve!.address,
			type: place && !curve ? place.type : (venue?.poolType ?? id!),
			factory: launchpad,
			exchange: venue ? {name: brand ?? venue.name, logo: ''} : null,
			quote: curve ? this.ofCurve(curve) : place!.quote,
		};
	}

	/** The coin that a followed token's main pool prices it in. */
	#quoteOf(address: Address): Address | undefined {
		const token = this.#around.state.tokens.get(address);
		if (!token?.main) return undefined;
		if (token.curve?.address === token.main) return token.curve.quote ?? undefined;
		return this.#around.state.pools.get(token.main)?.quote;
	}
}
