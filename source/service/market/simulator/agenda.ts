interface Item {
	timeMs: number;
	readonly run: (timeMs: number) => void;
}

/** The coming steps of a token, at set times. */
export class Agenda {
	/** Soonest first; those of the same time in the order in which they came. */
	readonly #items: Item[] = [];

	/** Infinity when there is nothing. */
	get nextMs(): number {
		return this.#items[0]?.timeMs ?? Number.POSITIVE_INFINITY;
	}

	/** @param run is called with the time that it happens at: later than planned when the token was on hold */
	schedule(timeMs: number, run: (timeMs: number) => void): void {
		const at = this.#items.findIndex(item => item.timeMs > timeMs);
		this.#items.splice(at < 0 ? this.#items.length : at, 0, {timeMs, run});
	}

	/** Runs the next item. */
	run(): void {
		const item = this.#items.shift();
		item?.run(item.timeMs);
	}

	/** Puts off until a time what would have happened before. */
	putOff(untilMs: number): void {
		for (const item of this.#items) item.timeMs = Math.max(item.timeMs, untilMs);
	}
}
