import {EventEmitter} from 'node:events';
import {type Pacer, RESPONSE} from './pacer.ts';

/** A response may arrive in two reads: how long its start waits for the rest, ms. */
const SPLIT_MS = 50;
const BEGINNING = /\x1B(?:\[0?)?$/;

/**
 * The keys of a paced screen: standard input without the terminal's responses to the pacer, read with `data` or, as Ink does,
 * with `readable`. Everything else passes unchanged. While a response is pending, an Escape at the end of a read waits a
 * moment, as it may be the first byte of the response.
 *
 * A response that is pending when raw mode ends would be typed into the shell: raw mode ends after it has arrived.
 */
export function withoutResponses(stdin: NodeJS.ReadStream, pacer: Pacer | undefined): NodeJS.ReadStream {
	// Of a ReadStream, readers of keys use what the filter has.
	return pacer === undefined ? stdin : (new ResponseFilter(stdin, pacer) as unknown as NodeJS.ReadStream);
}

class ResponseFilter extends EventEmitter {
	readonly #source: NodeJS.ReadStream;
	readonly #pacer: Pacer;
	#ready = '';
	#incomplete = '';
	#release: NodeJS.Timeout | undefined;
	#isAttached = false;
	#wantsRaw = false;

	constructor(source: NodeJS.ReadStream, pacer: Pacer) {
		super();
		this.#source = source;
		this.#pacer = pacer;
		this.on('newListener', event => {
			if (event === 'readable' || event === 'data') this.#attach();
		});
		this.on('removeListener', event => {
			if ((event === 'readable' || event === 'data') && !this.#isHeard) void this.#detach();
		});
	}

	get #isHeard(): boolean {
		return this.listenerCount('readable') + this.listenerCount('data') > 0;
	}

	get isTTY(): boolean {
		return this.#source.isTTY;
	}

	get isRaw(): boolean {
		return this.#source.isRaw;
	}

	/** What was typed since the last call; null if nothing was. */
	read(): string | null {
		const text = this.#ready;
		this.#ready = '';
		return text === '' ? null : text;
	}

	setEncoding(encoding: BufferEncoding): this {
		this.#source.setEncoding(encoding);
		return this;
	}

	setRawMode(isRaw: boolean): this {
		this.#wantsRaw = isRaw;
		if (isRaw || !this.#pacer.isWaiting) this.#source.setRawMode(isRaw);
		else void this.#pacer.quiet().then(() => this.#source.setRawMode(this.#wantsRaw));
		return this;
	}

	/** Reading begins with the first listener, and ends with the last. */
	resume(): this {
		return this;
	}

	pause(): this {
		return this;
	}

	ref(): this {
		this.#source.ref();
		return this;
	}

	unref(): this {
		this.#source.unref();
		return this;
	}

	#attach(): void {
		if (this.#isAttached) return;
		this.#isAttached = true;
		this.#source.on('readable', this.#readable);
	}

	async #detach(): Promise<void> {
		await this.#pacer.quiet();
		if (this.#isHeard || !this.#isAttached) return;
		this.#isAttached = false;
		this.#source.off('readable', this.#readable);
		this.#source.pause();
	}

	readonly #readable = (): void => {
		clearTimeout(this.#release);
		let text = this.#incomplete;
		this.#incomplete = '';
		for (let chunk = this.#source.read(); chunk !== null; chunk = this.#source.read()) text += chunk;
		while (this.#pacer.isWaiting) {
			const at = text.indexOf(RESPONSE);
			if (at === -1) break;
			text = text.slice(0, at) + text.slice(at + RESPONSE.length);
			this.#pacer.respond();
		}
		const beginning = this.#pacer.isWaiting ? BEGINNING.exec(text) : null;
		if (beginning !== null) {
			text = text.slice(0, beginning.index);
			this.#incomplete = beginning[0];
			this.#release = setTimeout(() => {
				this.#give(this.#incomplete);
				this.#incomplete = '';
			}, SPLIT_MS);
		}
		this.#give(text);
	};

	#give(text: string): void {
		if (text === '') return;
		if (this.listenerCount('data') > 0) {
			this.emit('data', text);
			return;
		}
		this.#ready += text;
		this.emit('readable');
	}
}
