/** Hands events to one listener, in order, never inside the call that caused them. */
export interface EventQueue<Event> {
	push(event: Event): void;
	/** Nothing is told after this, not even what waits. */
	close(): void;
}

/** A listener that throws is a bug of the listener: it surfaces as one, and the events after it are told all the same. */
export function createEventQueue<Event>(listener: (event: Event) => void): EventQueue<Event> {
	let waiting: Event[] = [];
	let isClosed = false;

	function drain(): void {
		const events = waiting;
		waiting = [];
		for (const event of events) {
			if (isClosed) return;
			try {
				listener(event);
			} catch (error) {
				queueMicrotask(() => {
					throw error;
				});
			}
		}
	}

	return {
		push(event) {
			if (isClosed) return;
			if (waiting.push(event) === 1) queueMicrotask(drain);
		},
		close() {
			isClosed = true;
			waiting = [];
		},
	};
}
