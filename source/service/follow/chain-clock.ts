import type {SourceReport} from '../market/event-source.ts';

/** How much later than its own time a block of a live chain may be here. */
const SLACK_MS = 60_000;

/**
 * The clock of followed chains. A block's own time is what its events have; this machine's clock, which may be wrong, is an upper
 * bound beside what has passed since the newest block.
 */
export class ChainClock {
	readonly #passedMs: () => number;
	/** Time of the newest block, less the monotonic time at its arrival, ms. */
	#beganMs: number | undefined;

	/** @param passedMs a monotonic clock */
	constructor(passedMs: () => number = () => performance.now()) {
		this.#passedMs = passedMs;
	}

	/** Learns the time of a chain whose newest block was read. Of a chain that is read late it says nothing. */
	note({state, block, head, blockTime}: SourceReport): void {
		if (blockTime === null || (state !== 'live' && (state !== 'behind' || block === null || block !== head))) return;
		const beganMs = Date.parse(blockTime) - this.#passedMs();
		this.#beganMs = Math.max(beganMs, this.#beganMs ?? beganMs);
	}

	/** The time of the market, Unix ms. @param wallMs this machine's clock */
	at(wallMs: number): number {
		return Math.min(wallMs, this.earliest(wallMs) + SLACK_MS);
	}

	/** The time up to which all events have been read, Unix ms. */
	earliest(wallMs: number): number {
		return this.#beganMs === undefined ? wallMs : Math.min(wallMs, this.#beganMs + this.#passedMs());
	}
}
