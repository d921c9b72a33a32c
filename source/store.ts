/** State outside React. The only thing that may hold what the screen shows. */
export interface Store<S> {
	get(): S;
	/** Calls back after each change that made a new state. Returns the unsubscribe. */
	subscribe(listener: () => void): () => void;
	/** Changes the state and tells everybody at once: for keypresses. The same object back means that nothing happened. */
	apply(change: (state: S) => S): void;
	/**
	 * Changes the state on the next beat: for what the feed brings. Beats are at least 100 ms apart; after a longer silence
	 * one comes almost at once. Changes of one beat are applied in order and told as one. Whoever queues conflates first (see feed-buffer.ts), so a flood costs one pass a beat.
	 */
	later(change: (state: S) => S): void;
	/** Applies now what `later` has collected. */
	flush(): void;
	/** Drops what was collected and stops the beat. */
	close(): void;
}

/** What comes together is told together: the changes of several views are several messages. */
const GATHER_MS = 16;

/**
 * @param initial the first state
 * @param beatMs how long feed changes may wait to be told together
 */
export function createStore<S>(initial: S, {beatMs = 100}: {beatMs?: number} = {}): Store<S> {
	let state = initial;
	let waiting: ((state: S) => S)[] = [];
	let timer: NodeJS.Timeout | undefined;
	let beatAtMs = Number.NEGATIVE_INFINITY;
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
		beatAtMs = performance.now();
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
			timer ??= setTimeout(flush, Math.max(beatAtMs + beatMs - performance.now(), GATHER_MS));
		},
		flush,
		close() {
			clearTimeout(timer);
			timer = undefined;
			waiting = [];
		},
	};
}
