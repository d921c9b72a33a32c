import {expect} from 'vitest';
import type {EvmNode} from '../../../source/rpc/evm/node.ts';
import {createEvmNode} from '../../../source/rpc/evm/node-client.ts';
import type {NodeClock} from '../../../source/rpc/node-clock.ts';
import {createBlockStream} from '../../../source/service/follow/evm/block-reader.ts';
import type {
	BlockBatch,
	BlockConsumer,
	BlockMark,
	BlockStream,
	LogFilter,
	StreamStart,
} from '../../../source/service/follow/evm/block-stream.ts';
import type {ChainGap} from '../../../source/service/market/event-source.ts';
import type {PlayedChain, PlayedLog} from '../../helpers/played-chain.ts';

export const POOL = `0x${'a1'.repeat(20)}` as const;
export const TOKEN = `0x${'b2'.repeat(20)}` as const;
export const OTHER = `0x${'c3'.repeat(20)}` as const;
export const SWAP = `0x${'11'.repeat(32)}` as const;
export const TRANSFER = `0x${'22'.repeat(32)}` as const;
export const FILTER: LogFilter = {addresses: [POOL, TOKEN], topics: [SWAP, TRANSFER]};

export const swap = (n: number, address: `0x${string}` = POOL): PlayedLog => ({
	address,
	topics: [SWAP],
	data: `0x${n.toString(16).padStart(64, '0')}`,
});

export interface Cursor {
	readonly block: number;
	readonly hash: `0x${string}`;
	readonly trail: readonly BlockMark[];
}

export interface Followed {
	readonly node: EvmNode;
	readonly stream: BlockStream;
	/** What a market would hold: a line for each log of a block that was not taken back. */
	readonly lines: () => string[];
	readonly batches: readonly BlockBatch[];
	readonly takenBack: readonly number[];
	readonly gaps: readonly ChainGap[];
	/** Where it stands, as a restart needs it: what came behind it is dropped then. */
	readonly cursor: () => Cursor | undefined;
	/** The newest block that was read. */
	readonly block: () => number;
	/** Throws what ended the stream. */
	readonly ended: Promise<void>;
	readonly stop: () => Promise<void>;
}

export interface FollowSettings {
	readonly urls: readonly string[];
	readonly chain: PlayedChain;
	readonly start?: StreamStart;
	readonly confirmations?: number;
	readonly blockTimeMs?: number;
	readonly maxCatchUpMs?: number;
	readonly deadlineMs?: number;
	/** Calls a second at first; default 5000, which is no limit. */
	readonly callsPerSecond?: number;
	readonly clock?: NodeClock;
	readonly filter?: () => LogFilter;
	readonly blocks?: (batch: BlockBatch) => Promise<void>;
	/** Lines of an earlier run. */
	readonly earlier?: readonly string[];
}

/** Follows a played chain through real connections, and keeps what came of it. */
export function follow(settings: FollowSettings): Followed {
	const {chain, urls, start = {backfillMs: 1e12}, deadlineMs = 1500, callsPerSecond = 5000, clock} = settings;
	const node = createEvmNode({urls, chain: chain.chainId, deadlineMs, callsPerSecond, ...(clock && {clock})});
	const stream = createBlockStream({
		node,
		chainId: `evm:${chain.chainId}`,
		blockTimeMs: settings.blockTimeMs ?? 1000,
		confirmations: settings.confirmations ?? 0,
		nowMs: () => chain.head.timeS * 1000,
		...(clock && {clock}),
		...(settings.maxCatchUpMs === undefined ? {} : {maxCatchUpMs: settings.maxCatchUpMs}),
	});
	let lines = [...(settings.earlier ?? [])];
	/** One for each batch that was not taken back. */
	const cursors: Cursor[] = settings.start && 'block' in settings.start ? [{trail: [], ...settings.start}] : [];
	let next = cursors.length > 0 ? cursors[0]!.block + 1 : undefined;
	const batches: BlockBatch[] = [];
	const takenBack: number[] = [];
	const gaps: ChainGap[] = [];
	const consumer: BlockConsumer = {
		filter: settings.filter ?? (() => FILTER),
		async blocks(batch) {
			expect(batch.fromBlock).toBeLessThanOrEqual(batch.toBlock);
			if (next !== undefined) expect(batch.fromBlock).toBe(next);
			await settings.blocks?.(batch);
			for (const log of batch.logs) lines.push(`${log.blockNumber} ${log.blockHash} ${log.logIndex} ${log.data}`);
			for (const log of batch.logs) {
				expect(batch.timeOf(log.blockNumber)).toBeLessThanOrEqual(batch.toMs);
				const block = chain.blocks[log.blockNumber];
				if (block?.hash === log.blockHash) expect(batch.timeOf(log.blockNumber)).toBe(block.timeS * 1000);
			}
			cursors.push({block: batch.toBlock, hash: batch.hash, trail: batch.trail});
			next = batch.toBlock + 1;
			batches.push(batch);
		},
		async takeBack(fromBlock) {
			takenBack.push(fromBlock);
			lines = lines.filter(line => Number(line.split(' ')[0]) < fromBlock);
			if (next !== undefined) expect(fromBlock).toBeLessThan(next);
			next = fromBlock;
			while (cursors.length > 0 && cursors.at(-1)!.block >= fromBlock) cursors.pop();
		},
		async gap(gap) {
			gaps.push(gap);
			next = gap.toBlock + 1;
		},
		changed() {},
	};
	const ended = stream.run(start, consumer);
	ended.catch(() => {});
	return {
		node,
		stream,
		lines: () => [...lines],
		batches,
		takenBack,
		gaps,
		cursor: () => cursors.at(-1),
		block: () => (next ?? 0) - 1,
		ended,
		async stop() {
			await stream.stop();
			await node.close();
		},
	};
}

/** The same lines, of the chain itself. */
export function truth(chain: PlayedChain, {to = chain.head.number, addresses = FILTER.addresses} = {}): string[] {
	return chain.blocks
		.filter(({number}) => number > 0 && number <= to)
		.flatMap(block =>
			block.logs
				.filter(({address}) => addresses.includes(address))
				.map(({logIndex, data}) => `${block.number} ${block.hash} ${logIndex} ${data ?? '0x'}`),
		);
}

/** Waits until what was followed is the chain. */
export async function expectTruth(followed: Followed, chain: PlayedChain): Promise<void> {
	const difference = () => {
		const [lines, expected] = [followed.lines(), truth(chain)];
		const missing = expected.filter(line => !lines.includes(line));
		const wrong = lines.filter((line, i) => line !== expected[i]);
		const toRead = chain.head.number - followed.block();
		if (missing.length + wrong.length + toRead === 0) return undefined;
		return {
			missing: missing.slice(0, 3),
			wrong: wrong.slice(0, 3),
			toRead,
			expectedHead: chain.head.number,
			...followed.stream.state,
		};
	};
	await expect.poll(difference).toBeUndefined();
}
