import type {EvmNode} from '../../../rpc/evm/node.ts';
import {toQuantity} from '../../../rpc/evm/quantities.ts';
import {NodeRefused} from '../../../rpc/node-errors.ts';
import {type BloomedHeader, readHeader} from './header.ts';
import {NodeBehind} from './stream-failures.ts';

/** Reads headers by number, many in one request. */
export class HeaderReader {
	readonly #node: EvmNode;

	constructor(node: EvmNode) {
		this.#node = node;
	}

	/** @throws NodeBehind when the node has not got the block */
	async one(number: number): Promise<BloomedHeader> {
		return (await this.many([number]))[0]!;
	}

	/** In the order of the numbers. @throws NodeBehind when one is missing */
	async many(numbers: readonly number[]): Promise<BloomedHeader[]> {
		const headers = await this.found(numbers);
		return headers.map((header, i) => {
			if (header === undefined) throw new NodeBehind(`${this.#node.host} has no block ${numbers[i]}`);
			return header;
		});
	}

	/** Undefined for blocks that the node has not got. */
	async found(numbers: readonly number[]): Promise<(BloomedHeader | undefined)[]> {
		const calls = numbers.map(number => ({method: 'eth_getBlockByNumber', params: [toQuantity(number), false]}));
		const outcomes = await this.#node.calls(calls);
		return outcomes.map((outcome, i) => {
			if (outcome.ok) return readHeader(outcome.result, numbers[i]);
			if (outcome.error instanceof NodeRefused && outcome.error.meaning.kind === 'lagging') return undefined;
			throw outcome.error;
		});
	}
}

/**
 * The last block before a time, from a block on; that block when it is later itself.
 * @param head the newest block
 */
export async function lastBlockBefore(
	timeMs: number,
	{from, head, blockTimeMs, headers}: {from: number; head: BloomedHeader; blockTimeMs: number; headers: HeaderReader},
): Promise<BloomedHeader> {
	let low = from;
	let high = head.number;
	// A guess by the time of a block is mostly close; then steps that double around it, then halves.
	let guess = high - Math.ceil((head.timeMs - timeMs) / blockTimeMs);
	let step = Math.max(16, Math.ceil((high - guess) / 64));
	while (high - low > 1) {
		const at = Math.min(high - 1, Math.max(low + 1, guess));
		const isBefore = (await headers.one(at)).timeMs < timeMs;
		if (isBefore) low = at;
		else high = at;
		const next = isBefore ? at + step : at - step;
		const isInside = step > 0 && next > low && next < high;
		guess = isInside ? next : Math.floor((low + high) / 2);
		step = isInside ? step * 2 : 0;
	}
	return headers.one(low);
}
