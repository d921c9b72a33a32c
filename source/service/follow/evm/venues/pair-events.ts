import {eventWords} from '../event-data.ts';
import type {Log} from '../log.ts';
import type {PoolLiquidity, PoolSwap} from '../venue.ts';

/** The words of a Swap of Uniswap V2 and what came after it. Both coins may enter and leave in one swap: the difference counts. */
export function pairSwap(log: Log): PoolSwap {
	const words = eventWords(log, 3, 4);
	return {
		kind: 'swap',
		pool: log.address,
		amount0: words.uint(0) - words.uint(2),
		amount1: words.uint(1) - words.uint(3),
		feePpm: null,
		sqrtPriceX96: null,
	};
}

export function pairMint(log: Log): PoolLiquidity {
	const words = eventWords(log, 2, 2);
	return pairLiquidity(log, words.uint(0), words.uint(1));
}

export function pairBurn(log: Log): PoolLiquidity {
	const words = eventWords(log, 3, 2);
	return pairLiquidity(log, -words.uint(0), -words.uint(1));
}

/** Coins that entered a pair, or left it. The sender is a router as a rule, so the provider is unknown. */
export function pairLiquidity(log: Log, amount0: bigint, amount1: bigint): PoolLiquidity {
	return {kind: 'liquidity', pool: log.address, provider: null, amounts: {amount0, amount1}, ticks: null};
}
