/** Frames that arrived and wait to be read. */
export interface Inbox {
	/** @param isUrgent somebody waits for it: it is read now, and everything before it */
	push(text: string, isUrgent: boolean): void;
	/** Reads all that waits, at once. */
	flush(): void;
	/** Forgets all that waits. */
	clear(): void;
}

export interface InboxOptions {
	readonly read: (text: string) => void;
	/** More waits than can be read in good time: the sender should wait. */
	readonly onFull: () => void;
	/** There is room again. */
	readonly onRoom: () => void;
	/** How long frames are gathered. Default 50. */
	readonly gatherMs?: number;
}

/** Longest time that reading may keep a keypress waiting. */
const SLICE_MS = 4;
const FULL = 1_000;
const ROOM = 200;

/**
 * Gathers frames for a moment and reads them together: frame by frame, each finds the processor's caches cold (measured
 * at 200 frames a second: three times the work). Many are read in slices, so that keys are heard in between, and when
 * they come faster than they are read, the connection is held back instead of the memory filled.
 */
export function createInbox({read, onFull, onRoom, gatherMs = 50}: InboxOptions): Inbox {
	let waiting: string[] = [];
	let at = 0;
	let timer: NodeJS.Timeout | undefined;
	let slice: NodeJS.Immediate | undefined;
	let isFull = false;

	function readOn(untilMs: number): void {
		clearTimeout(timer);
		clearImmediate(slice);
		timer = undefined;
		slice = undefined;
		while (at < waiting.length) {
			read(waiting[at++]!);
			if (performance.now() < untilMs) continue;
			if (at < waiting.length) slice = setImmediate(readSlice);
			break;
		}
		if (at >= waiting.length) {
			waiting = [];
			at = 0;
		}
		if (isFull && waiting.length - at <= ROOM) {
			isFull = false;
			onRoom();
		}
	}

	function readSlice(): void {
		readOn(performance.now() + SLICE_MS);
	}

	return {
		push(text, isUrgent) {
			waiting.push(text);
			if (!isFull && waiting.length - at >= FULL) {
				isFull = true;
				onFull();
			}
			if (slice !== undefined) return;
			if (isUrgent) readSlice();
			else timer ??= setTimeout(readSlice, gatherMs);
		},
		flush: () => readOn(Number.POSITIVE_INFINITY),
		clear() {
			waiting = [];
			at = 0;
			clearTimeout(timer);
			clearImmediate(slice);
			timer = undefined;
			slice = undefined;
			isFull = false;
		},
	};
}
