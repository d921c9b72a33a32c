import type {NodeClock} from '../../source/rpc/node-clock.ts';

interface Sleeper {
	readonly untilMs: number;
	readonly wake: () => void;
}

/**
 * A clock that goes on as soon as everything waits for it: a minute of waiting takes no time, and is a minute. Whoever sleeps for the
 * shortest time wakes first.
 */
export class DrivenClock implements NodeClock {
	readonly #sleepers = new Set<Sleeper>();
	readonly #onTick: (nowMs: number) => void;
	#nowMs = 0;
	#isScheduled = false;

	/** @param onTick called when the time changed */
	constructor(onTick: (nowMs: number) => void = () => {}) {
		this.#onTick = onTick;
	}

	nowMs(): number {
		return this.#nowMs;
	}

	sleep(ms: number, signal?: AbortSignal): Promise<void> {
		const {promise, resolve} = Promise.withResolvers<void>();
		const sleeper: Sleeper = {untilMs: this.#nowMs + ms, wake: resolve};
		if (signal?.aborted) return Promise.resolve();
		this.#sleepers.add(sleeper);
		signal?.addEventListener('abort', () => {
			this.#sleepers.delete(sleeper);
			resolve();
		});
		this.#schedule();
		return promise;
	}

	#schedule(): void {
		if (this.#isScheduled) return;
		this.#isScheduled = true;
		setImmediate(() => {
			this.#isScheduled = false;
			const next = [...this.#sleepers].sort((a, b) => a.untilMs - b.untilMs)[0];
			if (next === undefined) return;
			this.#sleepers.delete(next);
			this.#nowMs = Math.max(this.#nowMs, next.untilMs);
			this.#onTick(this.#nowMs);
			next.wake();
			if (this.#sleepers.size > 0) this.#schedule();
		});
	}
}
