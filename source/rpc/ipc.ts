import {connect, type Socket} from 'node:net';

/** A JSON-RPC call as it is sent, with an id of this connection; the answer gets the caller's id back. */
type Message = Readonly<Record<string, unknown>> & {readonly id?: unknown};

/** The connection was lost, or could not be made. */
class IpcFailed extends Error {
	/** As Node names it: ENOENT, ECONNREFUSED, EPIPE; TimeoutError when no answer came. */
	readonly code: string;

	constructor(code: string) {
		super(`the socket of the chain's node gave ${code}`);
		this.code = code;
	}
}

/** JSON-RPC over the socket file of a node, one message a line. */
export interface Ipc {
	/** Sends a call or a batch and resolves with the answer. @throws IpcFailed */
	post(path: string, body: unknown): Promise<unknown>;
	close(): void;
}

interface Waiting {
	readonly ids: ReadonlyMap<number, unknown>;
	readonly timer: NodeJS.Timeout;
	resolve(answer: unknown): void;
	reject(error: Error): void;
}

/** @param timeoutMs limit for an answer */
export function createIpc({timeoutMs}: {timeoutMs: number}): Ipc {
	let line: Connection | undefined;
	return {
		post(path, body) {
			// A restarted node has another file.
			if (line?.path !== path || line.isOver) {
				line?.end();
				line = new Connection(path, timeoutMs);
			}
			return line.post(body);
		},
		close() {
			line?.end();
			line = undefined;
		},
	};
}

/** One connection. */
class Connection {
	readonly path: string;
	readonly #timeoutMs: number;
	readonly #socket: Socket;
	/** By each id of the request: a batch has several. */
	readonly #waiting = new Map<number, Waiting>();
	#parts: string[] = [];
	#lastId = 0;
	isOver = false;

	constructor(path: string, timeoutMs: number) {
		this.path = path;
		this.#timeoutMs = timeoutMs;
		this.#socket = connect(path);
		this.#socket.setEncoding('utf8');
		this.#socket.on('data', (text: string) => this.#take(text));
		this.#socket.on('error', error => this.#fail((error as NodeJS.ErrnoException).code ?? error.name));
		this.#socket.on('close', () => this.#fail('ECONNRESET'));
	}

	post(body: unknown): Promise<unknown> {
		const ids = new Map<number, unknown>();
		const numbered = (message: Message): Message => {
			const id = ++this.#lastId;
			ids.set(id, message.id);
			return {...message, id};
		};
		const sent = Array.isArray(body) ? body.map(numbered) : numbered(body as Message);
		return new Promise((resolve, reject) => {
			const timer = setTimeout(() => {
				this.#forget(waiting);
				reject(new IpcFailed('TimeoutError'));
			}, this.#timeoutMs);
			const waiting: Waiting = {ids, timer, resolve, reject};
			for (const id of ids.keys()) this.#waiting.set(id, waiting);
			// A pending answer keeps the program running, an idle connection does not.
			this.#socket.ref();
			this.#socket.write(`${JSON.stringify(sent)}\n`);
		});
	}

	end(): void {
		this.#socket.destroy();
		this.#fail('ECONNRESET');
	}

	#take(text: string): void {
		const [first, ...others] = text.split('\n') as [string, ...string[]];
		this.#parts.push(first);
		for (const part of others) {
			const whole = this.#parts.join('');
			this.#parts = [part];
			if (whole.trim() !== '') this.#answer(whole);
		}
	}

	#answer(text: string): void {
		let answer: Message | readonly Message[];
		try {
			answer = JSON.parse(text);
		} catch {
			this.end();
			return;
		}
		const messages = [answer].flat() as readonly Message[];
		const waiting = this.#waiting.get(messages[0]?.id as number);
		// An answer to a request that timed out.
		if (waiting === undefined) return;
		this.#forget(waiting);
		const own = messages.map(message => ({...message, id: waiting.ids.get(message.id as number)}));
		waiting.resolve(Array.isArray(answer) ? own : own[0]);
	}

	#forget({ids, timer}: Waiting): void {
		clearTimeout(timer);
		for (const id of ids.keys()) this.#waiting.delete(id);
		if (this.#waiting.size === 0) this.#socket.unref();
	}

	#fail(code: string): void {
		this.isOver = true;
		for (const waiting of new Set(this.#waiting.values())) {
			this.#forget(waiting);
			waiting.reject(new IpcFailed(code));
		}
	}
}
