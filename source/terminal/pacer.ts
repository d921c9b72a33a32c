/** Device status query, which every terminal responds to once it has read this far. */
const QUERY = '\x1B[5n';
export const RESPONSE = '\x1B[0n';

/** Bytes between two queries: where the last response was quick, and elsewhere; never more than half a window. */
const QUERY_EVERY = {quick: 4096, usual: 1024};
/** How many bytes may be unconfirmed: at first, at least, at most. */
const WINDOW = {first: 0x2000, least: 2048, most: 0x10000};
/** A response within the first, with half the window in use, doubles the window; one that takes longer than the second halves it. */
const QUICK_MS = 250;
const SLOW_MS = 500;
/** After this without a response the terminal gets a new window; after this many times no more queries. */
const GIVE_UP_MS = 5000;
const GIVE_UP_AFTER = 3;
/** How long the end waits for pending responses, which would otherwise be typed into the shell. */
const QUIET_MS = 500;

/**
 * Limits the bytes between the program and the terminal's screen. Kernel, sshd and network can buffer seconds of a slow link
 * and do not report it; so the terminal is queried every few kB, and bytes without a response count as unread. The window
 * follows the responses: on a fast link it never delays output, on a slow one the picture is about half a second old.
 */
export class Pacer {
	readonly #onConfirmed: () => void;
	/** For each pending query: the bytes written before it, and when. */
	readonly #open: Array<{readonly written: number; readonly atMs: number}> = [];
	readonly #waiting = new Set<() => void>();
	#written = 0;
	#confirmed = 0;
	#window = WINDOW.first;
	#isQuick = false;
	#adjustFrom = 0;
	#state: 'untried' | 'responds' | 'silent' = 'untried';
	#missed = 0;
	#giveUp: NodeJS.Timeout | undefined;

	/** @param onConfirmed called whenever more may be written than before */
	constructor(onConfirmed: () => void) {
		this.#onConfirmed = onConfirmed;
	}

	/** Starts over on a terminal. @returns the first query: the terminal is paced from its response on */
	begin(): string {
		this.#forget();
		this.#state = 'untried';
		this.#missed = 0;
		return this.#query();
	}

	/** Drops all pending queries. */
	#forget(): void {
		clearTimeout(this.#giveUp);
		this.#giveUp = undefined;
		this.#open.length = 0;
		this.#confirmed = this.#written;
		for (const resolve of this.#waiting) resolve();
	}

	/** Counts bytes about to be written. @returns a query to write after them, or '' */
	wrote(bytes: number): string {
		this.#written += bytes;
		const every = Math.min(this.#isQuick ? QUERY_EVERY.quick : QUERY_EVERY.usual, this.#window / 2);
		return this.#state === 'responds' && this.#unasked >= every ? this.#query() : '';
	}

	/** @returns a query to write where one is missing for the last bytes, or '' */
	ask(): string {
		return this.#state === 'responds' && this.#unasked > 0 ? this.#query() : '';
	}

	/** Bytes written behind the last query. */
	get #unasked(): number {
		return this.#written - (this.#open.at(-1)?.written ?? this.#confirmed);
	}

	#query(): string {
		this.#open.push({written: this.#written, atMs: performance.now()});
		this.#giveUp ??= setTimeout(this.#unanswered, GIVE_UP_MS).unref();
		return QUERY;
	}

	/** How many bytes may be written now; zero or less while too much is unread. */
	get room(): number {
		return this.#state === 'responds' ? this.#window - (this.#written - this.#confirmed) : Number.POSITIVE_INFINITY;
	}

	/** Whether a response is pending. */
	get isWaiting(): boolean {
		return this.#open.length > 0;
	}

	/** Takes the terminal's response to the oldest query. */
	respond(): void {
		const query = this.#open.shift();
		if (query === undefined) return;
		clearTimeout(this.#giveUp);
		this.#giveUp = this.isWaiting ? setTimeout(this.#unanswered, GIVE_UP_MS).unref() : undefined;
		this.#state = 'responds';
		this.#missed = 0;
		this.#confirmed = Math.max(this.#confirmed, query.written);
		const tookMs = performance.now() - query.atMs;
		this.#isQuick = tookMs < QUICK_MS;
		this.#adjust(tookMs);
		if (!this.isWaiting) for (const resolve of this.#waiting) resolve();
		this.#onConfirmed();
	}

	/** Changes the window, at most once for the bytes that were unread at the last change. */
	#adjust(tookMs: number): void {
		if (this.#confirmed < this.#adjustFrom) return;
		const isUsed = this.#written - this.#confirmed > this.#window / 2;
		if (tookMs > SLOW_MS) this.#window = Math.max(this.#window / 2, WINDOW.least);
		else if (isUsed && tookMs < QUICK_MS) this.#window = Math.min(this.#window * 2, WINDOW.most);
		else return;
		this.#adjustFrom = this.#written;
	}

	/** Resolves when no response is pending, or after half a second. */
	async quiet(): Promise<void> {
		if (!this.isWaiting) return;
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
		this.#onConfirmed();
	};
}
