import {writeSync} from 'node:fs';

/** The part of `process.stdout` that a screen needs. */
export interface TerminalStream {
	readonly columns?: number | undefined;
	readonly rows?: number | undefined;
	readonly isTTY?: boolean | undefined;
	readonly fd?: number | undefined;
	/** Bytes accepted by `write` that the terminal has not taken. */
	readonly writableLength: number;
	write(data: string, callback?: (error?: Error | null) => void): boolean;
	on(event: 'resize' | 'error' | 'close', listener: (error?: Error) => void): unknown;
	off(event: 'resize' | 'error' | 'close', listener: (error?: Error) => void): unknown;
}

const MANY_BYTES = 0x8000;
const FEW_BYTES = 2048;
const RECENTLY_MS = 3000;
const LAST_WORD_MS = 500;
const RETRY_MS = 10;

/** Node's handle below a TTY stream. It is not in Node's types, and may be missing. */
interface WithHandle {
	readonly _handle?: {setBlocking?(isBlocking: boolean): void} | null;
}

/**
 * Writes to the terminal one piece at a time, so that nothing piles up in front of a slow one.
 *
 * Node makes terminals blocking: a terminal that does not read (a slow SSH link, a paused window) would stop the whole
 * program in `write`. Here the terminal is made non-blocking while we draw, and as long as it has not taken the last piece
 * `isBusy` says so: the screen then holds its changes back.
 */
export class TerminalOutput {
	readonly #stream: TerminalStream;
	readonly #onDrained: () => void;
	#isClosed = false;
	#busyAtMs = Number.NEGATIVE_INFINITY;
	bytes = 0;
	writes = 0;

	/**
	 * @param onDrained called when a terminal that was busy has taken everything
	 * @param onClosed called once, when the terminal can no longer be written to
	 */
	constructor(
		stream: TerminalStream,
		{onDrained, onClosed}: {onDrained: () => void; onClosed: (error?: Error) => void},
	) {
		this.#stream = stream;
		this.#onDrained = onDrained;
		const closed = (error?: Error): void => {
			if (this.#isClosed) return;
			this.#isClosed = true;
			onClosed(error);
		};
		// These stay for ever: without a listener, a write to a closed terminal would end the program.
		stream.on('error', closed);
		stream.on('close', closed);
	}

	/** Whether the terminal has yet to take the written bytes. */
	get isBusy(): boolean {
		return this.#stream.writableLength > 0;
	}

	/** Whether the terminal was busy a moment ago. */
	get isSlow(): boolean {
		return performance.now() - this.#busyAtMs < RECENTLY_MS;
	}

	/** How many bytes are well written at once: none to a terminal that is busy, few to one that was a moment ago. */
	get room(): number {
		if (this.isBusy) return 0;
		return this.isSlow ? FEW_BYTES : MANY_BYTES;
	}

	/** Whether the terminal closed or a write to it failed. */
	get isClosed(): boolean {
		return this.#isClosed;
	}

	/** Says whether a write waits for the terminal (as Node has it) or not (while we draw). */
	setBlocking(isBlocking: boolean): void {
		if (this.#stream.isTTY) (this.#stream as WithHandle)._handle?.setBlocking?.(isBlocking);
	}

	write(data: string): void {
		if (this.#isClosed || data === '') return;
		this.writes++;
		this.bytes += Buffer.byteLength(data);
		let isDone = false;
		this.#stream.write(data, () => {
			if (isDone && !this.isBusy && !this.#isClosed) this.#onDrained();
		});
		// A terminal that took all of it at once needs no word about it.
		isDone = this.isBusy;
		if (this.isBusy) this.#busyAtMs = performance.now();
	}

	/**
	 * Writes something that must arrive though the program may end right after, past an earlier piece that may be stuck
	 * (see `leaveSequence`). Waits for a terminal that takes nothing, but not for ever.
	 */
	writeLast(data: string): void {
		if (this.#isClosed) return;
		const {fd, isTTY} = this.#stream;
		if (!isTTY || fd === undefined) {
			this.#stream.write(data);
			return;
		}
		let rest = Buffer.from(data);
		for (let waitedMs = 0; rest.length > 0 && waitedMs < LAST_WORD_MS; ) {
			try {
				rest = rest.subarray(writeSync(fd, rest));
			} catch (error) {
				// The terminal closed.
				if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') return;
				Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, RETRY_MS);
				waitedMs += RETRY_MS;
			}
		}
	}
}
