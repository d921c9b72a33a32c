const FIRST_BLOCKS = 500;
const MAX_BLOCKS = 10_000;
const FIRST_ADDRESSES = 1000;
const GOOD_ONES = 10;
const GROWTH = 1.5;
/** Number of successful requests before a refused size is tried again. */
const GOOD_ONES_AFTER_REFUSAL = 200;

/** How many blocks and addresses a node takes in one eth_getLogs: learned from its refusals. One for each address of a node. */
export class RangeSize {
	#blocks = FIRST_BLOCKS;
	#addresses = FIRST_ADDRESSES;
	#good = 0;
	/** The smallest range that was refused. */
	#refused = Number.POSITIVE_INFINITY;

	get blocks(): number {
		return this.#blocks;
	}

	get addresses(): number {
		return this.#addresses;
	}

	/** A range was answered. Short ones say nothing about how far it can grow. */
	answered(blocks: number): void {
		if (blocks < this.#blocks) return;
		this.#good++;
		const grown = Math.min(MAX_BLOCKS, Math.ceil(this.#blocks * GROWTH));
		if (this.#good < (grown >= this.#refused ? GOOD_ONES_AFTER_REFUSAL : GOOD_ONES)) return;
		this.#good = 0;
		this.#blocks = grown;
	}

	/**
	 * A range was refused, or not answered in time.
	 * @param named how many blocks would fit, by the node's own words
	 */
	refused(blocks: number, named?: number): void {
		this.#good = 0;
		this.#refused = Math.min(this.#refused, blocks);
		this.#blocks = Math.max(1, named !== undefined && named < blocks ? named : Math.floor(blocks / 2));
	}

	/** Says that this many addresses were refused in a range of one block. */
	tooManyAddresses(addresses: number): void {
		this.#addresses = Math.max(1, Math.floor(addresses / 2));
	}
}
