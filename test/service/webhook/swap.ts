import type {MarketEvent} from '../../../source/service/market/events.ts';
import {TinyMarket} from '../helpers/tiny-market.ts';

export const CHAIN = 'evm:8453';
const TOKEN = '0x00000000000000000000000000000000000000aa';
const POOL = '0x00000000000000000000000000000000000000bb';
const QUOTE = '0x4200000000000000000000000000000000000006';

/** A market of one token with a pool. */
export function swapMarket(): TinyMarket {
	const market = new TinyMarket();
	market.add({address: TOKEN, symbol: 'AAA', decimals: 9, pool_address: POOL, quote: QUOTE, type: 'uniswap-v3'});
	market.add({address: QUOTE, symbol: 'WETH', decimals: 18});
	return market;
}

/** A trade of its token; the value makes the hash of its transaction. */
export function swap(valueUSD: number, {block = 100, timeMs = Date.now()} = {}): MarketEvent {
	return {
		type: 'trade',
		timeMs,
		chainId: CHAIN,
		token: TOKEN,
		block,
		pool: null,
		wallet: '0x00000000000000000000000000000000000000cc',
		side: 'buy',
		amountToken: 10,
		amountQuote: 1,
		valueUSD,
		feeUSD: 0,
		quoteUSD: 3000,
		tx: `0x${valueUSD.toString(16).padStart(64, '0')}`,
		platform: null,
	};
}

/** A trade of its token, and how often its wallet was read: once for each time that it is written. */
export function readSwap(...facts: Parameters<typeof swap>): {
	readonly event: MarketEvent;
	readonly reads: () => number;
} {
	const event = swap(...facts);
	const wallet = 'wallet' in event ? event.wallet : null;
	let reads = 0;
	Object.defineProperty(event, 'wallet', {
		enumerable: true,
		get: () => {
			reads++;
			return wallet;
		},
	});
	return {event, reads: () => reads};
}
