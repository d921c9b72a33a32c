import {readBytes, readHash, readQuantity} from '../../../rpc/evm/quantities.ts';
import {NodeAnswerWrong} from '../../../rpc/node-errors.ts';
import type {BlockHeader} from './block-stream.ts';
import type {Hex} from './venue.ts';

/** A header with its bloom; null where the node gives none. */
export interface BloomedHeader extends BlockHeader {
	readonly bloom: Hex | null;
}

/** The known facts of the blocks that are read. */
export interface KnownBlocks {
	readonly hashes: ReadonlyMap<number, Hex>;
	/** Close to the head nodes may not have all logs yet. */
	readonly isClose: boolean;
	/** Headers with blooms, where they were read. */
	readonly headers: readonly BloomedHeader[];
	/**
	 * Reads more headers where an answer may be empty because the node has not got the logs yet: of the blocks behind the last
	 * log, or of a whole range without logs. Not given: the answer is believed where headers are missing.
	 */
	complete?(
		range: {readonly fromBlock: number; readonly toBlock: number; readonly isEmpty: boolean},
		says: (header: BloomedHeader) => boolean | undefined,
	): Promise<void>;
}

/** Latest time that is believed: far enough for a test chain whose clock was set forward. */
const LAST_TIME_S = 0xff_ffff_ffff;

/**
 * Reads the header of a block.
 * @param asked the number that was asked for; undefined when a tag was
 * @returns undefined when the node has no such block
 * @throws NodeAnswerWrong
 */
export function readHeader(answer: unknown, asked?: number): BloomedHeader | undefined {
	if (answer === null) return undefined;
	const {number, hash, parentHash, timestamp, logsBloom} = (answer ?? {}) as Record<string, unknown>;
	const read = {
		number: readQuantity(number),
		hash: readHash(hash),
		parentHash: readHash(parentHash),
		timeS: readQuantity(timestamp),
	};
	if (
		read.number === undefined ||
		read.hash === undefined ||
		read.parentHash === undefined ||
		read.timeS === undefined
	) {
		throw new NodeAnswerWrong(
			'eth_getBlockByNumber',
			'the header has no number, hash, parent or time that can be read',
		);
	}
	if (read.timeS === 0 && read.number > 0)
		throw new NodeAnswerWrong('eth_getBlockByNumber', 'the time of the block is 0');
	if (read.timeS > LAST_TIME_S) throw new NodeAnswerWrong('eth_getBlockByNumber', 'the time of the block is absurd');
	if (asked !== undefined && read.number !== asked) {
		throw new NodeAnswerWrong('eth_getBlockByNumber', `asked for block ${asked}, it gave block ${read.number}`);
	}
	const bloom = readBytes(logsBloom);
	return {
		number: read.number,
		hash: read.hash,
		parentHash: read.parentHash,
		timeMs: read.timeS * 1000,
		bloom: bloom !== undefined && bloom.length === 2 + 512 ? bloom : null,
	};
}
