import {EventEmitter} from 'node:events';
import {ANSWER, type Pacer} from './pacer.ts';

/** An answer may come in two reads; so long its beginning is held. */
const SPLIT_MS = 50;
const BEGINNING = /\x1B(?:\[0?)?$/;

/**
 * The keys of a paced screen: standard input without the terminal's answers to the pacer, to be read with `data` or, as Ink
 * does, with `readable`. Everything else comes through untouched. While an answer is to come, an Escape at the end of a
 * read waits a moment, as it may be the answer's first byte.
 *
 * When whoever reads lets go of the terminal, an answer may still be on its way, and would be typed into the shell: then
 * raw mode ends only when it has come.
 */
export function withoutAnswers(stdin: NodeJS.ReadStream, pacer: Pacer | undefined): NodeJS.ReadStream {
	// Of a ReadStream, readers of keys use what the filter has.
	return pacer === undefined ? stdin : (new AnswerFilter(stdin, pacer) as unknown as NodeJS.ReadStream);
}

class AnswerFilter extends EventEmitter {
	readonly #source: NodeJS.ReadStream;
	readonly #pacer: Pacer;
	#ready = '';
	#held = '';
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
		if (isRaw || !this.#pacer.isAsking) this.#source.setRawMode(isRaw);
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
		if (this.listenerCount('data') > 0) {
			this.emit('data', text);
			return;
		}
		this.#ready += text;
		this.emit('readable');
	}
}
