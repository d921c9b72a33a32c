/** The answer of a node to a call that following its chain uses. Null: it was not tried. */
export interface CheckedCall {
	readonly name: string;
	readonly works: boolean | null;
	/** The answer, or why there was none, in words without the address of the node. */
	readonly words: string;
	/** How long the answer took. */
	readonly ms: number | null;
}

/** Result of the check of a node. Null is unknown. */
export interface NodeCheck {
	/** Host of the node, which is all of its address that may be shown. */
	readonly host: string;
	/** False: nothing came back, so nothing is known of it. */
	readonly hasAnswered: boolean;
	readonly chainNumber: number | null;
	/** The name that `--follow` takes; null for a chain that can't be followed. */
	readonly chain: string | null;
	readonly head: {readonly number: number; readonly ageMs: number} | null;
	/** Time between two blocks, over the last ones. */
	readonly blockMs: number | null;
	/** Newest blocks that the node calls final and safe. */
	readonly finalized: number | null;
	readonly safe: number | null;
	readonly calls: readonly CheckedCall[];
	/** Most blocks that one eth_getLogs took, and the least that it refused. */
	readonly range: {readonly blocks: number; readonly refused: number | null; readonly why: string | null} | null;
	/** Whether logs say the time of their block, which saves calls. */
	readonly logsHaveTimes: boolean | null;
	/** Logs of the chain's launchpads and exchanges in the last blocks. */
	readonly sample: {
		readonly fromBlock: number;
		readonly toBlock: number;
		readonly venues: readonly VenueCount[];
	} | null;
	/** Expected load of following the chain without tokens; each token that is followed adds its own logs. */
	readonly load: {readonly callsPerMinute: number; readonly bytesPerSecond: number} | null;
	/** `poor`: following works, with what `problems` say. */
	readonly verdict: 'good' | 'poor' | 'unusable';
	readonly problems: readonly string[];
}

/** Logs of a venue's contracts. */
export interface VenueCount {
	/** `four-meme`. */
	readonly venue: string;
	/** `four.meme`. */
	readonly name: string;
	/** Events that are read. */
	readonly known: number;
	/** Events that mean nothing for a market. */
	readonly skipped: number;
	/** Events that no decoder knows or can read. */
	readonly unknown: number;
	readonly blocksWithUnknown: number;
}
