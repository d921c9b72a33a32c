import {Stopped} from './stream-failures.ts';

/** Waits that end when something happens, and at once when stopped. */
export class Waiter {
	readonly #stopped = Promise.withResolvers<never>();
	#wake: (() => void) | undefined;
	#isWoken = false;
	isStopped = false;

	constructor() {
		this.#stopped.promise.catch(() => {});
	}

	stop(): void {
		this.isStopped = true;
		this.#stopped.reject(new Stopped());
		this.#wake?.();
	}

	/** Ends the wait of now, or the next one, where it may end early. */
	wake(): void {
		this.#isWoken = true;
		this.#wake?.();
	}

	/** The work's result, @throws Stopped when it is not there before the stop */
	race<T>(work: Promise<T>): Promise<T> {
		work.catch(() => {});
		return Promise.race([this.#stopped.promise, work]);
	}

	/**
	 * @param ms longest wait
	 * @param leastMs a wake ends the wait only after this; default: not at all
	 */
	async wait(ms: number, leastMs = ms): Promise<void> {
		const startMs = performance.now();
		const {promise, resolve} = Promise.withResolvers<void>();
		const timer = setTimeout(resolve, ms);
		let early: NodeJS.Timeout | undefined;
		this.#wake = () => {
			if (this.isStopped) resolve();
			else if (leastMs < ms) early ??= setTimeout(resolve, Math.max(0, leastMs - (performance.now() - startMs)));
		};
		if (this.isStopped || this.#isWoken) this.#wake();
		await promise;
		clearTimeout(timer);
		clearTimeout(early);
		this.#wake = undefined;
		this.#isWoken = false;
	}
}
