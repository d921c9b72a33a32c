import {once} from 'node:events';
import {WebSocket} from 'ws';
import {PATIENCE_MS} from '../../helpers/patience.ts';

/** A frame as it came, for tests to look into. */
// biome-ignore lint/suspicious/noExplicitAny: frames of any shape are what is being tested
export type Frame = Record<string, any>;

/** A raw socket for tests: keeps every frame and lets a test wait for the next one of a kind. */
export class StreamClient {
	readonly frames: Frame[] = [];
	readonly socket: WebSocket;
	readonly closed: Promise<{code: number; reason: string}>;
	#read = 0;
	readonly #waiting = new Set<() => void>();

	private constructor(socket: WebSocket) {
		this.socket = socket;
		this.closed = new Promise(resolve => {
			socket.on('close', (code, reason) => resolve({code, reason: reason.toString()}));
		});
		socket.on('message', data => {
			this.frames.push(JSON.parse(data.toString()) as Frame);
			for (const wake of [...this.#waiting]) wake();
		});
	}

	static async open(
		url: string,
		options: {headers?: Record<string, string>; perMessageDeflate?: boolean} = {},
	): Promise<StreamClient> {
		const client = new StreamClient(new WebSocket(url, options));
		await once(client.socket, 'open');
		return client;
	}

	send(frame: unknown): void {
		this.socket.send(typeof frame === 'string' ? frame : JSON.stringify(frame));
	}

	/** The next unread frame that fits; those before it are passed over. */
	async next(fits: (frame: Frame) => boolean, {withinMs = PATIENCE_MS} = {}): Promise<Frame> {
		const until = performance.now() + withinMs;
		for (;;) {
			while (this.#read < this.frames.length) {
				const frame = this.frames[this.#read++]!;
				if (fits(frame)) return frame;
			}
			const leftMs = until - performance.now();
			if (leftMs <= 0)
				throw new Error(`no such frame came; last: ${JSON.stringify(this.frames.at(-1))?.slice(0, 300)}`);
			await this.#arrival(leftMs);
		}
	}

	async close(): Promise<void> {
		if (this.socket.readyState === WebSocket.CLOSED) return;
		this.socket.close();
		await this.closed;
	}

	#arrival(withinMs: number): Promise<void> {
		return new Promise(resolve => {
			const timer = setTimeout(done, withinMs);
			const waiting = this.#waiting;
			waiting.add(done);
			function done(): void {
				clearTimeout(timer);
				waiting.delete(done);
				resolve();
			}
		});
	}
}
