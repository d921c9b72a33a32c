import type {ChainResume, SourceFact} from '../market/event-source.ts';

/** The part of a replica's market that its leaders use. */
export interface AppliedMarket {
	/** The newest entry of the log that the market and its journal have applied. */
	appliedSeq(): number;
	/** False when the log cannot be read further: the market would not apply what this replica writes as a leader. */
	isReadable(): boolean;
	/** Resolves when this replica can lead without delay. @throws the signal's reason */
	untilWarm(signal: AbortSignal): Promise<void>;
	/** Resolves when an entry is applied. @throws the signal's reason */
	untilApplied(seq: number, signal: AbortSignal): Promise<void>;
	/** Position at which the source of each chain stopped, and its facts. */
	resumeOf(): ReadonlyMap<string, ChainResume>;
	/** To be called when this replica becomes the leader of a chain: it fetches the documents of its tokens. */
	beganToLead(chainId: string): void;
	/** Facts of a chain, as `ChainResume.facts` has them. */
	factsOf(chainId: string): readonly SourceFact[];
}
