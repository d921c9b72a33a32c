import type {FollowedPool} from './followed-tokens.ts';
import {liquidityAmounts} from './pool-maths.ts';
import type {PoolReserves} from './venue.ts';
import type {ReadLog} from './venue-reader.ts';

/** A pool gets its first coins. */
export interface PoolOpening {
	readonly pool: FollowedPool;
	/** Raw amounts; null when no log says them. */
	readonly token: bigint | null;
	readonly quote: bigint | null;
	/** Square root of the price times 2^96, where amounts do not give the price. */
	readonly root: bigint | undefined;
	/** Place of the log before which it counts. */
	readonly before: number;
	/** Places of all of them. */
	readonly logs: readonly number[];
}

/**
 * The opening of a pool in a transaction: all that is put into it before the first swap. Undefined when nothing is. A swap in a
 * pool that nothing was put into opens it with unknown amounts.
 * @param indices places of the pool's logs
 */
export function openingOf(
	pool: FollowedPool,
	indices: readonly number[],
	logs: readonly ReadLog[],
	root: bigint | undefined,
): PoolOpening | undefined {
	let [amount0, amount1] = [0n, 0n];
	let isSynced = false;
	let last: {readonly reserves: PoolReserves; readonly index: number} | undefined;
	let swapAt: number | undefined;
	const used: number[] = [];
	const takeReserves = (): void => {
		if (!last) return;
		[amount0, amount1] = [last.reserves.reserve0, last.reserves.reserve1];
		isSynced = true;
		used.push(last.index);
		last = undefined;
	};
	for (const index of indices) {
		const read = logs[index]!;
		if (read.kind !== 'venue') continue;
		const {event} = read;
		if (event.kind === 'swap') {
			// The reserves said right before a swap are those after it.
			last = undefined;
			swapAt = index;
			break;
		}
		takeReserves();
		if (event.kind === 'reserves') last = {reserves: event, index};
		if (event.kind !== 'liquidity') continue;
		used.push(index);
		const amounts = liquidityAmounts(event, root);
		if (isSynced || !amounts) continue;
		amount0 += amounts.amount0;
		amount1 += amounts.amount1;
	}
	takeReserves();
	const isEmpty = isSynced ? amount0 === 0n || amount1 === 0n : amount0 <= 0n && amount1 <= 0n;
	if (isEmpty && swapAt === undefined) return undefined;
	const [token, quote] = pool.isToken0 ? [amount0, amount1] : [amount1, amount0];
	const before = swapAt ?? used.at(-1)! + 1;
	return {pool, token: isEmpty ? null : token, quote: isEmpty ? null : quote, root, before, logs: used};
}
