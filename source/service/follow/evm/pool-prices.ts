import type {EvmChain} from '../../../chains/evm-chains.ts';
import {priceFromSqrt} from '../../../chains/ticks.ts';
import type {SourceFact} from '../../market/event-source.ts';
import {DecodeFailed} from './event-data.ts';
import type {Log} from './log.ts';
import type {Address, Hex} from './venue.ts';
import type {FilterParts} from './venue-reader.ts';
import {swap, V3_SWAP} from './venues/uniswap-v3.ts';

/** A pool without a swap for longer than that says nothing. */
const MAX_AGE_MS = 3_600_000;
/** Prices kept a pool: more than blocks are read at once. */
const KEPT_PRICES = 4096;

/** A coin that one pool prices in another coin. */
interface PricedCoin {
	readonly coin: Address;
	readonly in: Address;
	readonly pool: Address;
	readonly isToken0: boolean;
	readonly decimals0: number;
	readonly decimals1: number;
	/** Oldest first. */
	prices: readonly PoolPrice[];
}

interface PoolPrice {
	readonly atMs: number;
	readonly price: number;
}

/**
 * Prices of the quote coins that have no feed, in coins that have a feed: the price after the last swap of a block in one large pool
 * for each coin (`PriceSource`), read from the blocks. A price counts from the second after its block, so that no trade is priced by
 * a manipulation of the pool right before the trade.
 */
export class PoolPrices {
	readonly #coins: readonly PricedCoin[];

	constructor({quotes}: EvmChain) {
		const decimalsOf = (coin: Address): number => quotes.find(({address}) => address === coin)?.decimals ?? 18;
		this.#coins = quotes.flatMap(({address: coin, price}) => {
			if (price?.kind !== 'pool') return [];
			const [decimals, otherDecimals] = [decimalsOf(coin), decimalsOf(price.in)];
			const isToken0 = coin < price.in;
			const [decimals0, decimals1] = isToken0 ? [decimals, otherDecimals] : [otherDecimals, decimals];
			return [{coin, in: price.in, pool: price.pool, isToken0, decimals0, decimals1, prices: []}];
		});
	}

	/** The logs that are needed. */
	get parts(): FilterParts {
		return this.#coins.length === 0 ? [] : [{addresses: this.#coins.map(({pool}) => pool), topics: [V3_SWAP]}];
	}

	/** Takes the prices out of the logs of consecutive blocks; gives them as facts, one a coin and block. */
	take(logs: readonly Log[], timeOf: (block: number) => number): readonly SourceFact[] {
		const facts: SourceFact[] = [];
		for (const priced of this.#coins) {
			const roots = new Map<number, bigint>();
			for (const log of logs) {
				const root = log.address === priced.pool ? rootOf(log) : null;
				if (root !== null) roots.set(log.blockNumber, root);
			}
			const found = [...roots].flatMap(([block, root]) => {
				const price = priceOf(priced, root);
				return price === null ? [] : [{block, price: {atMs: timeOf(block), price}}];
			});
			priced.prices = [...priced.prices, ...found.map(({price}) => price)].slice(-KEPT_PRICES);
			for (const {block, price} of found) facts.push({key: factKey(priced.coin), block, value: JSON.stringify(price)});
		}
		return facts;
	}

	/** How many of which other coin one coin costs at a time; null when unknown. */
	at(coin: Address, timeMs: number): {readonly price: number; readonly in: Address} | null {
		const priced = this.#coins.find(priced => priced.coin === coin);
		const newest = priced?.prices.findLast(({atMs}) => atMs < timeMs);
		return priced && newest && timeMs - newest.atMs <= MAX_AGE_MS ? {price: newest.price, in: priced.in} : null;
	}

	/** Starts from what was stored: after a restart, and when blocks were taken back. */
	load(facts: readonly SourceFact[]): void {
		for (const priced of this.#coins) {
			const fact = facts.findLast(({key}) => key === factKey(priced.coin));
			priced.prices = fact ? [JSON.parse(fact.value) as PoolPrice] : [];
		}
	}
}

function factKey(coin: Address): string {
	return `price:${coin}`;
}

/** Null for other events of the pool. */
function rootOf(log: Log): bigint | null {
	const topic: Hex | undefined = log.topics[0];
	if (topic !== V3_SWAP) return null;
	try {
		return swap(log).sqrtPriceX96;
	} catch (error) {
		if (error instanceof DecodeFailed) return null;
		throw error;
	}
}

function priceOf({isToken0, decimals0, decimals1}: PricedCoin, root: bigint): number | null {
	const price = priceFromSqrt(root, decimals0, decimals1);
	const asked = price === null || isToken0 ? price : 1 / price;
	return asked !== null && asked > 0 && Number.isFinite(asked) ? asked : null;
}
