/** Hands events to one listener, in order, never inside the call that caused them. */
export interface EventQueue<Event> {
	push(event: Event): void;
	/** No event is delivered after this, queued ones included. */
	close(): void;
}

/** An error that the listener throws surfaces as an uncaught one; later events are delivered all the same. */
export function createEventQueue<Event>(listener: (event: Event) => void): EventQueue<Event> {
	let queued: Event[] = [];
	let isClosed = false;

	function drain(): void {
		const events = queued;
		queued = [];
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
			if (queued.push(event) === 1) queueMicrotask(drain);
		},
		close() {
			isClosed = true;
			queued = [];
		},
	};
}
