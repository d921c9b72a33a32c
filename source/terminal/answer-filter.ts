import {EventEmitter} from 'node:events';
import {ANSWER, type Pacer} from './pacer.ts';

/** An answer may come in two reads; so long its beginning is held. */
const SPLIT_MS = 50;
const BEGINNING = /\x1B(?:\[0?)?$/;

/**
 * A standard input without the terminal's answers to the pacer, for Ink to read keys from. Everything else comes through
 * untouched. While an answer is to come, an Escape at the end of a read waits a moment, as it may be the answer's first byte.
 *
 * When Ink lets go of the terminal, an answer may still be on its way, and would be typed into the shell: then raw mode ends
 * only when it has come.
 */
export class AnswerFilter extends EventEmitter {
	readonly #source: NodeJS.ReadStream;
	readonly #pacer: Pacer;
	#ready = '';
	#held = '';
	#release: NodeJS.Timeout | undefined;
	#isAttached = false;

	constructor(source: NodeJS.ReadStream, pacer: Pacer) {
		super();
		this.#source = source;
		this.#pacer = pacer;
		this.on('newListener', event => {
			if (event === 'readable') this.#attach();
		});
		this.on('removeListener', event => {
			if (event === 'readable' && this.listenerCount('readable') === 0) void this.#detach();
		});
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
		if (isRaw) this.#source.setRawMode(true);
		else {
			void this.#pacer.quiet().then(() => {
				if (this.listenerCount('readable') === 0) this.#source.setRawMode(false);
			});
		}
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
		if (this.listenerCount('readable') > 0) return;
		this.#isAttached = false;
		this.#source.off('readable', this.#readable);
	}

	readonly #readable = (): void => {
		clearTimeout(this.#release);
		let text = this.#held;
		this.#held = '';
		for (let chunk = this.#source.read(); chunk !== null; chunk = this.#source.read()) text += chunk;
		while (this.#pacer.isAsking) {
			const at = text.indexOf(ANSWER);
			if (at === -1) break;
			text = text.slice(0, at) + text.slice(at + ANSWER.length);
			this.#pacer.answer();
		}
		const beginning = this.#pacer.isAsking ? BEGINNING.exec(text) : null;
		if (beginning !== null) {
			text = text.slice(0, beginning.index);
			this.#held = beginning[0];
			this.#release = setTimeout(() => {
				this.#give(this.#held);
				this.#held = '';
			}, SPLIT_MS);
		}
		this.#give(text);
	};

	#give(text: string): void {
		if (text === '') return;
		this.#ready += text;
		this.emit('readable');
	}
}
