/** Asks a terminal whether it is well, to which every terminal answers; here it means: have you read this far? */
const QUESTION = '\x1B[5n';
export const ANSWER = '\x1B[0n';

/** A question goes out after so many bytes, so that the questions cost next to nothing. */
const ASK_EVERY = 1024;
/** How many bytes may be on their way, at the beginning and at the limits. */
const WINDOW = {first: 0x2000, least: 2048, most: 0x10000};
/** Answers within the first, with half the window on its way, let more be on its way; those that take longer than the second, less. */
const QUICK_MS = 250;
const SLOW_MS = 500;
/** A terminal that has not answered after this is given another window, and after so many of them no more questions. */
const GIVE_UP_MS = 5000;
const GIVE_UP_AFTER = 3;
/** How long the end waits for answers on their way, that would else be typed into the shell. */
const QUIET_MS = 500;

/**
 * Keeps the number of bytes between us and the terminal's screen small. What the kernel, sshd and the network buffer in between
 * can be seconds of a slow link, and none of them tells; so the terminal is asked, every kB or so, and what it has not
 * answered for is on its way still. The window follows the answers: on a fast link it never holds anything back, on a slow
 * one what is shown is about half a second old.
 */
export class Pacer {
	readonly #onAnswered: () => void;
	/** For each question that is open: what had been written before it, and when. */
	readonly #open: Array<{readonly written: number; readonly atMs: number}> = [];
	readonly #waiting = new Set<() => void>();
	#written = 0;
	#answered = 0;
	#window = WINDOW.first;
	#adjustFrom = 0;
	#state: 'untried' | 'answers' | 'silent' = 'untried';
	#missed = 0;
	#giveUp: NodeJS.Timeout | undefined;

	/** @param onAnswered called whenever more may be written than before */
	constructor(onAnswered: () => void) {
		this.#onAnswered = onAnswered;
	}

	/** Begins anew, with a terminal that was given to us. Gives the first question: from its answer on, the terminal is paced. */
	begin(): string {
		this.#forget();
		this.#state = 'untried';
		this.#missed = 0;
		return this.#ask();
	}

	/** No longer waits for any answer. */
	#forget(): void {
		clearTimeout(this.#giveUp);
		this.#giveUp = undefined;
		this.#open.length = 0;
		this.#answered = this.#written;
		for (const resolve of this.#waiting) resolve();
	}

	/** Counts bytes about to be written; gives the question to be written after them, or nothing. */
	wrote(bytes: number): string {
		this.#written += bytes;
		const asked = this.#open.at(-1)?.written ?? this.#answered;
		return this.#state === 'answers' && this.#written - asked >= ASK_EVERY ? this.#ask() : '';
	}

	#ask(): string {
		this.#open.push({written: this.#written, atMs: performance.now()});
		this.#giveUp ??= setTimeout(this.#unanswered, GIVE_UP_MS).unref();
		return QUESTION;
	}

	/** How many bytes may be written now. Not above zero while too much is on its way. */
	get room(): number {
		return this.#state === 'answers' ? this.#window - (this.#written - this.#answered) : Number.POSITIVE_INFINITY;
	}

	/** Whether an answer is to come. */
	get isAsking(): boolean {
		return this.#open.length > 0;
	}

	/** Takes an answer of the terminal's to the oldest question. */
	answer(): void {
		const question = this.#open.shift();
		if (question === undefined) return;
		clearTimeout(this.#giveUp);
		this.#giveUp = this.isAsking ? setTimeout(this.#unanswered, GIVE_UP_MS).unref() : undefined;
		this.#state = 'answers';
		this.#missed = 0;
		this.#answered = Math.max(this.#answered, question.written);
		const tookMs = performance.now() - question.atMs;
		this.#adjust(tookMs);
		if (!this.isAsking) for (const resolve of this.#waiting) resolve();
		this.#onAnswered();
	}

	/** Changes the window, once for what was on its way at the last change. */
	#adjust(tookMs: number): void {
		if (this.#answered < this.#adjustFrom) return;
		const isUsed = this.#written - this.#answered > this.#window / 2;
		if (tookMs > SLOW_MS) this.#window = Math.max(this.#window / 2, WINDOW.least);
		else if (isUsed && tookMs < QUICK_MS) this.#window = Math.min(this.#window * 2, WINDOW.most);
		else return;
		this.#adjustFrom = this.#written;
	}

	/** Resolves when no answer is to come, or after half a second. */
	async quiet(): Promise<void> {
		if (!this.isAsking) return;
		await new Promise<void>(resolve => {
			const done = (): void => {
				clearTimeout(timer);
				this.#waiting.delete(done);
				resolve();
			};
			const timer = setTimeout(done, QUIET_MS);
			this.#waiting.add(done);
		});
	}

	readonly #unanswered = (): void => {
		this.#missed++;
		this.#forget();
		// A link may hang for a while: it gets another window, and another question.
		if (this.#state === 'untried' || this.#missed === GIVE_UP_AFTER) this.#state = 'silent';
		this.#onAnswered();
	};
}
