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
/** How much may wait: frames, and characters of them. A full state of a service has about a million. */
const FULL = {frames: 1_000, characters: 8_000_000};
const ROOM = {frames: 200, characters: 1_000_000};

/**
 * Gathers frames for a moment and reads them together: frame by frame, each finds the processor's caches cold (measured
 * at 200 frames a second: three times the work). Many are read in slices, so that keys are heard in between, and when
 * they come faster than they are read, the connection is held back instead of the memory filled.
 */
export function createInbox({read, onFull, onRoom, gatherMs = 50}: InboxOptions): Inbox {
	let waiting: string[] = [];
	let at = 0;
	let characters = 0;
	let timer: NodeJS.Timeout | undefined;
	let slice: NodeJS.Immediate | undefined;
	let isFull = false;

	function readOn(untilMs: number): void {
		clearTimeout(timer);
		clearImmediate(slice);
		timer = undefined;
		slice = undefined;
		while (at < waiting.length) {
			const text = waiting[at]!;
			// Read or not, it is in the memory no longer.
			waiting[at++] = '';
			characters -= text.length;
			read(text);
			if (performance.now() < untilMs) continue;
			if (at < waiting.length) slice = setImmediate(readSlice);
			break;
		}
		if (at >= waiting.length) {
			waiting = [];
			at = 0;
		}
		if (isFull && waiting.length - at <= ROOM.frames && characters <= ROOM.characters) {
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
			characters += text.length;
			if (!isFull && (waiting.length - at >= FULL.frames || characters >= FULL.characters)) {
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
			characters = 0;
			clearTimeout(timer);
			clearImmediate(slice);
			timer = undefined;
			slice = undefined;
			isFull = false;
		},
	};
}
