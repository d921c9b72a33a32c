/** Blocks whose times are compared with their headers the first time, and each further time. */
const FIRST_PROOFS = 3;
const FURTHER_PROOFS = 1;
/** Batches with times from logs after which they are compared again. */
const PROVE_EVERY = 16;
/** How far a time may be from where it lies between its neighbours. */
const MAX_OFF_MS = 30_000;
const MAX_OFF_PART = 0.1;

/** A block and its time, Unix ms. */
export interface TimedBlock {
	readonly number: number;
	readonly timeMs: number;
}

/**
 * The nodes that put the time of its block into a log (`blockTimestamp`), by their hosts. Nodes of Nitro's kind put 0, others the time of
 * another block: a node is believed after its times were those of headers, and never again after one was not.
 */
export class LogTimes {
	readonly #wrong = new Set<string>();
	/** Batches since the last proof. */
	readonly #proven = new Map<string, number>();

	isWrong(host: string): boolean {
		return this.#wrong.has(host);
	}

	/** A log and the header of its block are both known. */
	compare(host: string, logMs: number | null, headerMs: number): void {
		if (logMs !== null && logMs !== headerMs) this.#wrong.add(host);
	}

	/** The blocks with times from logs that must be compared with their headers. */
	toProve(host: string, blocks: readonly number[]): readonly number[] {
		if (blocks.length === 0) return [];
		const since = this.#proven.get(host);
		const isDue = since === undefined || since >= PROVE_EVERY;
		this.#proven.set(host, isDue ? 0 : since + 1);
		const count = since === undefined ? FIRST_PROOFS : isDue ? FURTHER_PROOFS : 0;
		const places = Array.from({length: Math.min(count, blocks.length)}, (_, i) =>
			Math.floor((i * blocks.length) / count),
		);
		return places.map(i => blocks[i]!);
	}
}

/** Whether a block may have a time, between two blocks whose times are known. */
export function isNear({number, timeMs}: TimedBlock, before: TimedBlock, after: TimedBlock): boolean {
	if (timeMs < before.timeMs || timeMs > after.timeMs) return false;
	const span = after.timeMs - before.timeMs;
	const part = after.number === before.number ? 0 : (number - before.number) / (after.number - before.number);
	return Math.abs(timeMs - (before.timeMs + span * part)) <= Math.max(MAX_OFF_MS, span * MAX_OFF_PART);
}
