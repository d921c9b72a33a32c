import {MACHINE_CLOCK, type NodeClock} from '../../../rpc/node-clock.ts';
import {Stopped} from './stream-failures.ts';

/** Waits that end when something happens, and at once when stopped. */
export class Waiter {
	readonly #stopped = Promise.withResolvers<never>();
	#wake: (() => void) | undefined;
	#isWoken = false;
	readonly #clock: NodeClock;
	isStopped = false;

	constructor(clock = MACHINE_CLOCK) {
		this.#clock = clock;
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
	 * @param minMs a wake ends the wait only after this; default: not at all
	 */
	async wait(ms: number, minMs = ms): Promise<void> {
		const clock = this.#clock;
		const earliestMs = clock.nowMs() + minMs;
		const ended = new AbortController();
		const end = () => ended.abort();
		this.#wake = () => {
			if (this.isStopped) end();
			else if (minMs < ms) void clock.sleep(Math.max(0, earliestMs - clock.nowMs()), ended.signal).then(end);
		};
		if (this.isStopped || this.#isWoken) this.#wake();
		await clock.sleep(ms, ended.signal);
		end();
		this.#wake = undefined;
		this.#isWoken = false;
	}
}
