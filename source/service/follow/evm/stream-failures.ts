/*
 * Reasons why a block stream can't go on. They stay inside the stream, which waits, asks another node or takes blocks back;
 * people read them in the chain's coverage only.
 */

/** Blocks of a batch are no longer on the chain, cannot be read to their end, or the stream was stopped. */
export class BlocksGone extends Error {}

/** The stream was stopped while it waited. */
export class Stopped extends Error {}

/** The chain contradicts what was final: nothing is undone, the stream waits. */
export class Stalled extends Error {}

const CONTRADICTIONS = {
	'two-hashes': (block: number) => `a log of block ${block} belongs to another block of that number`,
	removed: (block: number) => `a log of block ${block} was removed`,
	'wrong-parent': (block: number) => `block ${block} does not follow on block ${block - 1}`,
	'still-there': (block: number) => `the block after ${block} does not follow on it, though it is still there`,
};

/** Blocks or logs that do not fit together: the chain was reorganised between two calls, or the node lies. */
export class LogsContradict extends Error {
	readonly kind: keyof typeof CONTRADICTIONS;
	readonly block: number;

	constructor(kind: keyof typeof CONTRADICTIONS, block: number) {
		super(CONTRADICTIONS[kind](block));
		this.kind = kind;
		this.block = block;
	}
}

/** The node has not got blocks that it should have: it lags, or one of several nodes behind its address does. */
export class NodeBehind extends Error {}

/** Not even one block's logs of one address are given. */
export class BlockRefused extends Error {
	readonly block: number;

	constructor(block: number, why: string) {
		super(why);
		this.block = block;
	}
}
