import {PACING_MS} from './pacing.ts';

/** State outside React: the only place of the state that the screen shows. */
export interface Store<S> {
	get(): S;
	/** Calls back after each change that made a new state. Returns the unsubscribe. */
	subscribe(listener: () => void): () => void;
	/** Changes the state and notifies the listeners at once: for keypresses. Returning the same object changes nothing. */
	apply(change: (state: S) => S): void;
	/**
	 * Changes the state on the next tick: for changes of the feed. Ticks are at least `tickMs` apart; after a longer silence
	 * a tick comes within 16 ms. Changes of one tick are applied in order, with one notification. Callers conflate first (see
	 * feed-buffer.ts), so that a flood costs one pass a tick.
	 */
	later(change: (state: S) => S): void;
	/** Applies the changes that `later` has collected now. */
	flush(): void;
	/**
	 * Applies the changes that `later` has collected before their tick: a frame that is drawn for a key then shows them, too. Ticks
	 * stay at least a quarter of `tickMs` apart, so that a key that repeats does not make thirty a second.
	 */
	hasten(): void;
	/** Drops collected changes and stops the tick. */
	close(): void;
}

/** The part of a tick that must be over before the next may be hastened. */
const HASTEN_FROM = 0.25;
/** Changes of several views arrive as several messages, which one tick should apply together. */
const GATHER_MS = 16;

/**
 * @param initial the first state
 * @param tickMs shortest time between two ticks of feed changes
 * @param takeTurn runs a tick that is due, at once or after those of other stores
 */
export function createStore<S>(
	initial: S,
	{
		tickMs = PACING_MS.store,
		takeTurn = tick => tick(),
	}: {readonly tickMs?: number; readonly takeTurn?: (tick: () => void) => void} = {},
): Store<S> {
	let state = initial;
	let waiting: ((state: S) => S)[] = [];
	let timer: NodeJS.Timeout | undefined;
	let tickedMs = Number.NEGATIVE_INFINITY;
	const listeners = new Set<() => void>();

	function become(next: S): void {
		if (Object.is(next, state)) return;
		state = next;
		for (const listener of [...listeners]) listener();
	}

	function flush(): void {
		clearTimeout(timer);
		timer = undefined;
		if (waiting.length === 0) return;
		tickedMs = performance.now();
		const changes = waiting;
		waiting = [];
		become(changes.reduce((current, change) => change(current), state));
	}

	return {
		get: () => state,
		subscribe(listener) {
			listeners.add(listener);
			return () => listeners.delete(listener);
		},
		apply: change => become(change(state)),
		later(change) {
			waiting.push(change);
			timer ??= setTimeout(takeTurn, Math.max(tickedMs + tickMs - performance.now(), GATHER_MS), flush);
		},
		flush,
		hasten() {
			if (performance.now() - tickedMs >= HASTEN_FROM * tickMs) flush();
		},
		close() {
			clearTimeout(timer);
			timer = undefined;
			waiting = [];
		},
	};
}
