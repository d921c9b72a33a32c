import {PACING_MS} from '../../pacing.ts';

/** The received frames that are not read yet. */
export interface ReceiveQueue {
	/** @param isUrgent read this frame now, after those queued before */
	push(text: string, isUrgent: boolean): void;
	/** Reads all queued frames now. */
	flush(): void;
	/** Discards all queued frames. */
	clear(): void;
}

export interface ReceiveQueueOptions {
	readonly read: (text: string) => void;
	/** The queue is full: the connection should be paused. */
	readonly onFull: () => void;
	/** There is room again. */
	readonly onRoom: () => void;
	/** How long frames are collected before they are read together. Default PACING_MS.receive. */
	readonly gatherMs?: number;
}

/** Longest time that reading may block the event loop. */
const SLICE_MS = 4;
/** When the queue is full: frames, and characters in them. A full state of a service has about a million characters. */
const FULL = {frames: 1_000, characters: 8_000_000};
const ROOM = {frames: 200, characters: 1_000_000};

/**
 * Collects frames for a moment and reads them together: frame by frame, each finds the processor's caches cold (measured
 * at 200 frames a second: three times the work). A long queue is read in slices, so that the event loop runs in between;
 * a full queue pauses the connection, which bounds the memory.
 */
export function createReceiveQueue({
	read,
	onFull,
	onRoom,
	gatherMs = PACING_MS.receive,
}: ReceiveQueueOptions): ReceiveQueue {
	let frames: string[] = [];
	/** Index of the next frame to read. */
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
		while (at < frames.length) {
			const text = frames[at]!;
			// Freed before the read, also if `read` throws.
			frames[at++] = '';
			characters -= text.length;
			read(text);
			if (performance.now() < untilMs) continue;
			if (at < frames.length) slice = setImmediate(readSlice);
			break;
		}
		if (at >= frames.length) {
			frames = [];
			at = 0;
		}
		if (isFull && frames.length - at <= ROOM.frames && characters <= ROOM.characters) {
			isFull = false;
			onRoom();
		}
	}

	function readSlice(): void {
		readOn(performance.now() + SLICE_MS);
	}

	return {
		push(text, isUrgent) {
			frames.push(text);
			characters += text.length;
			if (!isFull && (frames.length - at >= FULL.frames || characters >= FULL.characters)) {
				isFull = true;
				onFull();
			}
			if (slice !== undefined) return;
			if (isUrgent) readSlice();
			else timer ??= setTimeout(readSlice, gatherMs);
		},
		flush: () => readOn(Number.POSITIVE_INFINITY),
		clear() {
			frames = [];
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
