/** How long the screens work before keys and frames of the service have their turn, ms. */
const SLICE_MS = 8;

/**
 * The work of many screens, in turns: a hundred that tick at once would stop the process for a second. Between two slices the
 * event loop reads keys and frames of the service.
 */
export class Turns {
	#waiting: (() => void)[] = [];
	#urgent: (() => void)[] = [];
	#isScheduled = false;

	/** Runs work in its turn. It must not throw. @param isUrgent before all that is not: a person waits for it */
	add(work: () => void, isUrgent = false): void {
		(isUrgent ? this.#urgent : this.#waiting).push(work);
		if (this.#isScheduled) return;
		this.#isScheduled = true;
		setImmediate(this.#run);
	}

	readonly #run = (): void => {
		const untilMs = performance.now() + SLICE_MS;
		const waiting = this.#waiting;
		let at = 0;
		do {
			const work = this.#urgent.shift() ?? waiting[at++];
			if (work === undefined) break;
			work();
		} while (performance.now() < untilMs);
		// Work that came meanwhile was added to the end of the same list.
		this.#waiting = waiting.slice(at);
		this.#isScheduled = this.#waiting.length + this.#urgent.length > 0;
		if (this.#isScheduled) setImmediate(this.#run);
	};
}
