import type {ChainGap} from '../../market/event-source.ts';
import type {Log} from './log.ts';
import type {Address, Hex} from './venue.ts';

/** The wanted logs: of any of the addresses, with any of the topics as the first. */
export interface LogFilter {
	readonly addresses: readonly Address[];
	/** Empty: logs with any topic. */
	readonly topics: readonly Hex[];
	/** Only logs with one of these as their second topic; every log when not given. */
	readonly second?: readonly Hex[];
	/**
	 * Pairs of addresses and the topics that they write, where these are known. Logs are asked for all together; a bloom promises one only
	 * where an address and a topic of the same part are in it.
	 */
	readonly parts?: readonly {readonly addresses: readonly Address[]; readonly topics: readonly Hex[]}[];
}

/** A block by its number and hash. */
export interface BlockMark {
	readonly number: number;
	readonly hash: Hex;
	/** Set when the block was final when it was last seen. */
	readonly isFinal?: boolean;
}

export interface BlockHeader extends BlockMark {
	readonly parentHash: Hex;
	readonly timeMs: number;
}

/** Consecutive whole blocks with the wanted logs, proven to be of one chain. */
export interface BlockBatch {
	readonly fromBlock: number;
	readonly toBlock: number;
	/** Since when the chain is in the batch, Unix ms: time of the first block, or of the one before it. */
	readonly fromMs: number;
	/** Hash of the last block. */
	readonly hash: Hex;
	readonly toMs: number;
	/** Some blocks before the last one, oldest first: where a restart looks for the last block that is still on the chain. */
	readonly trail: readonly BlockMark[];
	/** In the order of the chain; each once. */
	readonly logs: readonly Log[];
	/** Time of a block that has one of the logs, Unix ms. */
	timeOf(block: number): number;
	/**
	 * Logs of further addresses in the same blocks (checked alike); their blocks have times too.
	 * @throws BlocksGone when the blocks left the chain meanwhile, or the stream was stopped: let it through, the stream handles it.
	 * Change no state before the last of these calls
	 */
	more(filter: LogFilter): Promise<readonly Log[]>;
}

/** Where a stream begins: behind a block that was read before, with the trail of its batch, or so much before the head. */
export type StreamStart =
	| {readonly block: number; readonly hash: Hex; readonly trail?: readonly BlockMark[]}
	| {readonly backfillMs: number};

/** The consumer of blocks. A method that throws ends the stream. */
export interface BlockConsumer {
	/** Called before each range. */
	filter(): LogFilter;
	blocks(batch: BlockBatch): Promise<void>;
	/** The chain was reorganised: blocks from here on are gone. */
	takeBack(fromBlock: number): Promise<void>;
	gap(gap: ChainGap): Promise<void>;
	/** Something of the state below changed. */
	changed(): void;
}

/** State of a stream, for coverage. */
export interface StreamState {
	readonly phase: 'starting' | 'backfilling' | 'live' | 'behind' | 'stalled' | 'unreachable';
	readonly why: string | null;
	readonly head: number | null;
	readonly finalized: number | null;
	readonly reorgs: number;
}

/** Reads a chain block by block and follows its head. */
export interface BlockStream {
	readonly state: StreamState;
	/** Runs until stopped. @throws what the consumer throws */
	run(start: StreamStart, consumer: BlockConsumer): Promise<void>;
	stop(): Promise<void>;
}
