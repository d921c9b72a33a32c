import type {ChainResume, SourceFact} from '../market/event-source.ts';

/** A replica's own market, as its leaders see it. */
export interface AppliedMarket {
	/** The newest entry of the log whose effects the market and its journal have. */
	appliedSeq(): number;
	/** Resolves when this replica could lead without delay. @throws the signal's reason */
	untilWarm(signal: AbortSignal): Promise<void>;
	/** Resolves when the effects of an entry are there. @throws the signal's reason */
	untilApplied(seq: number, signal: AbortSignal): Promise<void>;
	/** Where the source of each chain stopped, and its facts. */
	resumeOf(): ReadonlyMap<string, ChainResume>;
	/** Facts of a chain, as `ChainResume.facts` has them. */
	factsOf(chainId: string): readonly SourceFact[];
}
