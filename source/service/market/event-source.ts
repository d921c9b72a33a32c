import type {ChainCoverage} from '../../contract/coverage.ts';
import type {MarketEvent} from './events.ts';

/**
 * Where the events of a market come from: the simulator, or chains that are followed. A source writes what it saw into a sink,
 * block by block, and takes back blocks that left their chain.
 */
export interface EventSource {
	/**
	 * Starts to emit, in the background. Called once.
	 * @param resume what the sink stored of this source before: where it stopped, and its facts; empty on a first start
	 */
	start(sink: EventSink, resume: ReadonlyMap<string, ChainResume>): void;
	/**
	 * Says that the largest holders of a token are looked at, and that its events do not give them. A source that can ask its chain
	 * emits what it learns, when its nodes have room for that.
	 */
	holdersWanted?(chainId: string, token: string): void;
	/** Resolves with the reason when the source has ended by itself, as after a failed call of its sink: it emits nothing more. */
	readonly ended?: Promise<unknown>;
	/** Stops to emit; resolves when nothing more reaches the sink. */
	stop(): Promise<void>;
}

/** Where a source stopped on one chain. */
export interface ChainResume {
	/** As given with the last batch. */
	readonly cursor: string;
	/** The last block of the last batch. */
	readonly toBlock: number;
	/** Facts that were not taken back, newest value of each key, in the order of their blocks. */
	readonly facts: readonly SourceFact[];
}

/** Something that a source must know again after a restart: a pool, a token's decimals, a price. */
export interface SourceFact {
	readonly key: string;
	/** The block that made it so: taken back with it, when the key's value before counts again. */
	readonly block: number;
	/** JSON. */
	readonly value: string;
}

/** The events of consecutive whole blocks of one chain. */
export interface EventBatch {
	readonly chainId: string;
	readonly fromBlock: number;
	readonly toBlock: number;
	/** Its blocks may have been in batches before, in part or later ones: of a source that takes nothing back. */
	readonly isPart?: true;
	/** In the order of the chain. Each has the block it belongs to. */
	readonly events: readonly MarketEvent[];
	readonly facts: readonly SourceFact[];
	/** Stored with the batch, as one: after a restart the source goes on behind it. */
	readonly cursor: string;
}

/** A time of a chain that could not be read. */
export interface ChainGap {
	readonly chainId: string;
	readonly fromBlock: number;
	readonly toBlock: number;
	readonly fromMs: number;
	readonly toMs: number;
	/** Why, in words without addresses of nodes. */
	readonly why: string;
}

/** A source's report of a chain. The sink knows the rest of its coverage: names, gaps, and the time since the newest block. */
export type SourceReport = Omit<ChainCoverage, 'name' | 'nodes' | 'gaps' | 'gapCount' | 'lagMs' | 'documents'>;

/**
 * The sink of a source's events. Every method is atomic: after a kill all of it has happened, or nothing. A source waits for each call
 * before its next one. A call that throws has had no effect, and the source stops.
 */
export interface EventSink {
	/** @throws JournalFailed when the batch could not be stored; StoreFailed and LeaseLost where replicas share it */
	append(batch: EventBatch): Promise<void>;
	/**
	 * Forgets every event and fact of a chain from a block on; tokens are rebuilt from what is left.
	 * @returns the facts that are left of the chain, as `ChainResume.facts` has them
	 */
	takeBack(chainId: string, fromBlock: number): Promise<readonly SourceFact[]>;
	/** Says that nothing is known between two blocks: figures of all living tokens of the chain that need that time are unknown. */
	gap(gap: ChainGap): Promise<void>;
	/** Forgets tokens whole, events and facts with the prefix `token:ADDRESS`: they are no longer followed. */
	forget(chainId: string, tokens: readonly string[]): Promise<void>;
	/** The newest state of a chain; kept in memory. May be called at any time. */
	report(report: SourceReport): void;
}
