import {EventEmitter} from 'node:events';
import type {Socket} from 'node:net';
import {StringDecoder} from 'node:string_decoder';
import type {Channel} from 'ssh2/lib/server.js';
import type {TerminalStream} from '../terminal/output.ts';
import type {TerminalInput} from '../terminal/terminal.ts';

/* The terminal of a viewer: an SSH channel with the stream interface that a local terminal has. */

/** Cells. */
interface Size {
	readonly columns: number;
	readonly rows: number;
}

/** A size that a client may ask for, cells. */
const COLUMNS = {min: 20, max: 400, unknown: 80};
const ROWS = {min: 5, max: 150, unknown: 24};
/** A window that is dragged gives many sizes: only the last of each interval counts, ms. */
const RESIZE_EVERY_MS = 100;
/** How often a busy channel is looked at, ms: soon at first. */
const LOOK_MS = {first: 5, most: 250};

/** A size in cells. Clients send 0 for an unknown one, and may send 2^32. */
export function sizeOf({cols, rows}: {readonly cols: number; readonly rows: number}): Size {
	return {columns: within(cols, COLUMNS), rows: within(rows, ROWS)};
}

function within(value: number, {min, max, unknown}: {min: number; max: number; unknown: number}): number {
	return Number.isSafeInteger(value) && value > 0 ? Math.min(Math.max(value, min), max) : unknown;
}

/** Where frames go. */
export class ChannelOutput extends EventEmitter implements TerminalStream {
	readonly isTTY = true;
	columns: number;
	rows: number;
	readonly #channel: Channel;
	readonly #socket: Socket;
	readonly #waiting: Array<() => void> = [];
	/** Bytes given since nothing was held back, and the bytes of the socket at that time. */
	#given = 0;
	#from = 0;
	#looking: NodeJS.Timeout | undefined;
	#resizing: NodeJS.Timeout | undefined;
	#nextSize: Size;
	#sent = 0;
	#movedMs = performance.now();

	constructor(channel: Channel, socket: Socket, size: Size) {
		super();
		this.#channel = channel;
		this.#socket = socket;
		this.columns = size.columns;
		this.rows = size.rows;
		this.#nextSize = size;
		channel.on('close', () => this.#close());
		socket.on('close', () => this.#close());
	}

	/**
	 * Bytes that the client has not taken: in the socket, and in the library, which keeps them while the client's window is
	 * full or a key exchange is under way, and does not report them then.
	 */
	get writableLength(): number {
		return this.#socket.writableLength + this.#held;
	}

	get #held(): number {
		return Math.max(this.#given - (this.#socket.bytesWritten - this.#from), 0);
	}

	/** How long the client has taken nothing of what waits, ms; 0 while nothing waits. */
	get stuckMs(): number {
		if (this.writableLength === 0) return 0;
		const sent = this.#socket.bytesWritten - this.#socket.writableLength;
		if (sent !== this.#sent) {
			this.#sent = sent;
			this.#movedMs = performance.now();
		}
		return performance.now() - this.#movedMs;
	}

	write(data: string, callback?: (error?: Error | null) => void): boolean {
		const bytes = Buffer.byteLength(data);
		if (this.#held === 0) {
			this.#given = 0;
			this.#from = this.#socket.bytesWritten;
			if (this.#socket.writableLength === 0) this.#movedMs = performance.now();
		}
		this.#given += bytes;
		// The library writes a packet in three parts: together they are one call of the system, and one packet of the network.
		this.#socket.cork();
		if (this.#channel.writable) this.#channel.write(data);
		this.#socket.uncork();
		if (callback) this.#waiting.push(() => callback());
		this.#look(LOOK_MS.first);
		return this.writableLength === 0;
	}

	/** The client's window has another size, or another terminal of the same one (a client within dtach). */
	resize(size: Size): void {
		this.#nextSize = size;
		this.#resizing ??= setTimeout(() => {
			this.#resizing = undefined;
			const {columns, rows} = this.#nextSize;
			this.columns = columns;
			this.rows = rows;
			this.emit('resize');
		}, RESIZE_EVERY_MS);
	}

	/** Calls those who wait once the client has taken everything. */
	#look(afterMs: number): void {
		if (this.#looking !== undefined || this.#waiting.length === 0) return;
		this.#looking = setTimeout(() => {
			this.#looking = undefined;
			if (this.writableLength > 0) return this.#look(Math.min(afterMs * 2, LOOK_MS.most));
			for (const done of this.#waiting.splice(0)) done();
		}, afterMs);
	}

	#close(): void {
		clearTimeout(this.#looking);
		clearTimeout(this.#resizing);
		this.#looking = undefined;
		this.#waiting.length = 0;
		this.emit('close');
	}
}

/** The keyboard of a viewer. A channel is always read: an unread one would fill the memory. */
export class ChannelInput extends EventEmitter implements TerminalInput {
	readonly isTTY = true;
	readonly #decoder = new StringDecoder('utf8');

	/** Takes bytes of the channel. */
	take(bytes: Buffer): void {
		const text = this.#decoder.write(bytes);
		if (text !== '') this.emit('data', text);
	}

	setEncoding(): void {}
	resume(): void {}
	pause(): void {}
	ref(): void {}
	unref(): void {}
}
