const SECONDS = 60;

/** Calls and bytes of the last minute. */
export class Traffic {
	readonly #nowMs: () => number;
	readonly #startedMs: number;
	readonly #calls = new Float64Array(SECONDS);
	readonly #bytes = new Float64Array(SECONDS);
	/** The second that a place of the columns stands for. */
	readonly #second = new Float64Array(SECONDS).fill(-1);

	constructor(nowMs: () => number = () => performance.now()) {
		this.#nowMs = nowMs;
		this.#startedMs = nowMs();
	}

	count(calls: number, bytes: number): void {
		const second = Math.floor(this.#nowMs() / 1000);
		const at = second % SECONDS;
		if (this.#second[at] !== second) {
			this.#second[at] = second;
			this.#calls[at] = 0;
			this.#bytes[at] = 0;
		}
		this.#calls[at]! += calls;
		this.#bytes[at]! += bytes;
	}

	get callsPerMinute(): number {
		return this.#sum(this.#calls);
	}

	/** Mean of the last minute, or of the time since the start where that is shorter. */
	get bytesPerSecond(): number {
		const seconds = Math.min(SECONDS, Math.max(1, (this.#nowMs() - this.#startedMs) / 1000));
		return Math.round(this.#sum(this.#bytes) / seconds);
	}

	#sum(column: Float64Array): number {
		const second = Math.floor(this.#nowMs() / 1000);
		let sum = 0;
		for (const [at, value] of column.entries()) if (this.#second[at]! > second - SECONDS) sum += value;
		return sum;
	}
}
