import type {Socket} from 'node:net';
import type {Chance} from './chance.ts';
import {type Fault, faultOf} from './fault.ts';

/** One direction of a connection: what goes in comes out in its order, as late and as slowly as the faults in force say. */
export interface DelayLine {
	push(bytes: Buffer): void;
	/** After all that went in the connection is ended, or cut. */
	finish(how: 'end' | 'cut'): void;
	/** Other faults are in force. */
	refresh(): void;
	/** Forgets what is under way. */
	destroy(): void;
}

export interface DelayLineParts {
	/** The receiver. */
	readonly to: Socket;
	/** The sender, paused while too much is in transit. */
	readonly from: Socket;
	readonly faults: () => readonly Fault[];
	readonly chance: Chance;
}

/** So much may be under way. */
const ROOM_BYTES = 1 << 20;
/** How finely a drip is divided. */
const DRIP_MS = 50;

export function createDelayLine({to, from, faults, chance}: DelayLineParts): DelayLine {
	let queue: {bytes: Buffer; dueMs: number}[] = [];
	let waiting = 0;
	let lastDueMs = 0;
	let ending: 'end' | 'cut' | undefined;
	let isOver = false;
	let timer: NodeJS.Timeout | undefined;
	/** Bytes that a drip still allows now, and since when they grow. */
	let allowed = 0;
	let allowedMs = performance.now();

	function delayMs(): number {
		const jitter = faultOf(faults(), 'jitter');
		return (faultOf(faults(), 'latency')?.ms ?? 0) + (jitter ? chance.next() * jitter.ms : 0);
	}

	function pump(): void {
		clearTimeout(timer);
		if (isOver || faultOf(faults(), 'stall')) return;
		const drip = faultOf(faults(), 'drip');
		const nowMs = performance.now();
		if (drip) {
			const grown = allowed + ((nowMs - allowedMs) * drip.bytesPerSecond) / 1000;
			allowed = Math.min(grown, Math.max(1, (drip.bytesPerSecond * DRIP_MS) / 1000));
			allowedMs = nowMs;
		}
		for (let first = queue[0]; first !== undefined; first = queue[0]) {
			// When there is room again, the socket says so.
			if (to.writableNeedDrain) return;
			if (first.dueMs > nowMs) {
				again(first.dueMs - nowMs);
				return;
			}
			const length = drip ? Math.min(first.bytes.length, Math.floor(allowed)) : first.bytes.length;
			if (length === 0) {
				again(DRIP_MS);
				return;
			}
			write(first, length);
			if (drip) allowed -= length;
		}
		if (ending !== undefined) leave(ending);
	}

	function write(first: {bytes: Buffer}, length: number): void {
		to.write(first.bytes.subarray(0, length));
		if (length === first.bytes.length) queue.shift();
		else first.bytes = first.bytes.subarray(length);
		waiting -= length;
		if (waiting < ROOM_BYTES && from.isPaused()) from.resume();
	}

	function leave(how: 'end' | 'cut'): void {
		isOver = true;
		if (how === 'end') to.end();
		// An empty write is called back after all that was written before it.
		else to.write('', () => to.resetAndDestroy());
	}

	function again(inMs: number): void {
		timer = setTimeout(pump, Math.ceil(inMs));
	}

	to.on('drain', pump);
	return {
		push(bytes) {
			if (isOver || ending !== undefined || bytes.length === 0) return;
			lastDueMs = Math.max(lastDueMs, performance.now() + delayMs());
			queue.push({bytes, dueMs: lastDueMs});
			waiting += bytes.length;
			if (waiting >= ROOM_BYTES) from.pause();
			if (queue.length === 1) pump();
		},
		finish(how) {
			ending ??= how;
			pump();
		},
		refresh() {
			// What waits longer than the faults in force say is released now.
			const latestMs = performance.now() + delayMs();
			lastDueMs = Math.min(lastDueMs, latestMs);
			for (const item of queue) item.dueMs = Math.min(item.dueMs, latestMs);
			pump();
		},
		destroy() {
			isOver = true;
			clearTimeout(timer);
			queue = [];
		},
	};
}
