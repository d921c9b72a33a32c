import {setImmediate as nextTurn, setTimeout as pause} from 'node:timers/promises';
import {explain, PulsetopError} from '../../errors.ts';
import type {EventLog} from './event-log.ts';
import {JournalFailed} from './journal-file.ts';
import type {LogEntry} from './log-entry.ts';
import type {LogMarket} from './log-market.ts';

export interface EntryReaderOptions {
	readonly log: EventLog;
	readonly market: Pick<LogMarket, 'position' | 'apply'>;
	/** Called with each entry after its effects. */
	readonly applied?: (entry: LogEntry) => void;
	/** Called with a line for each failure. */
	readonly fault: (line: string) => void;
}

/** Entries of one read: an entry of the history has a thousand events. */
const PAGE = 32;
/** Entries are applied in slices of this length, so that requests are not delayed. */
const SLICE_MS = 8;
/** Without a notification the log is polled at this interval. */
const POLL_MS = 250;
/** Delay before a retry after a failure of the database or of the journal. */
const RETRY_MS = 500;
/** Leaders write at least every half second: a longer silence is reported. */
const STALE_MS = 2000;
/** Longest part of the log in one step of the views, by the log's clock: a reader would not miss what came and went in less. */
const STEP_MS = 5000;
/** A market that lags the newest entry by more is not ready. */
const READY_MS = 2000;

/**
 * Applies the log of replicas to a market, entry by entry, from the market's position on. While the database is unreachable the
 * market stays as it is; reading resumes by itself.
 */
export class EntryReader {
	readonly #options: EntryReaderOptions;
	readonly #stopping = new AbortController();
	#running: Promise<void> | undefined;
	#wake: (() => void) | undefined;
	/** Something was written since the last reading began. */
	#isWoken = false;
	/** When the last entry was applied, by the monotonic clock. */
	#appliedMs = performance.now();
	/** Time of the last entry that was applied, by the clock of the log: that of the market may be an entry ahead. */
	#atMs = 0;
	/** Time of the first entry that was applied since the last step of the views; undefined before it. */
	#stepMs: number | undefined;
	/** See MarketLog. */
	unbrokenSeq = 0;
	/** Time of the newest known entry; undefined before the first read. */
	#headMs: number | undefined;
	/** The end of the log is read again after this time, by the monotonic clock. */
	#readHeadMs = 0;
	#hasEnded = false;
	/** True when the next entry exists and cannot be decoded. */
	#isUnreadable = false;
	readonly #waiting = new Set<{readonly seq: number; readonly resolve: () => void}>();

	constructor(options: EntryReaderOptions) {
		this.#options = options;
	}

	/** Starts to read, in the background. Called once. */
	start(): void {
		const {log, market, fault} = this.#options;
		this.#atMs = market.position.atMs;
		const stopListening = log.onWritten(() => {
			this.#isWoken = true;
			this.#wake?.();
		});
		this.#running = this.#run()
			.catch((error: unknown) => {
				this.#hasEnded = true;
				fault(`the market log is no longer read: ${error instanceof Error ? error.stack : String(error)}`);
			})
			.finally(stopListening);
	}

	/** Resolves when nothing more is applied. */
	async stop(): Promise<void> {
		this.#stopping.abort();
		this.#wake?.();
		await this.#running;
	}

	/**
	 * Time since the last entry was applied or, where that is longer, how much older it is than the newest known entry, in
	 * milliseconds; undefined while entries are applied as they are written.
	 */
	staleMs(): number | undefined {
		const staleMs = Math.max(performance.now() - this.#appliedMs, this.#lagMs ?? 0);
		return staleMs > STALE_MS ? Math.round(staleMs) : undefined;
	}

	/** Whether the market is within READY_MS of the newest known entry, and the log can be read further. */
	isReady(): boolean {
		const lagMs = this.#lagMs;
		return lagMs !== undefined && this.isReadable && lagMs <= READY_MS;
	}

	/** The views take what has changed since the last call. */
	endStep(): void {
		if (this.#stepMs !== undefined && this.#atMs - this.#stepMs > STEP_MS) this.unbrokenSeq = this.#seq;
		this.#stepMs = undefined;
	}

	/** False while the next entry cannot be read though the database answers. */
	get isReadable(): boolean {
		return !this.#hasEnded && !this.#isUnreadable;
	}

	/** Resolves when an entry is applied. @throws the signal's reason */
	async untilApplied(seq: number, signal: AbortSignal): Promise<void> {
		signal.throwIfAborted();
		if (this.#seq >= seq) return;
		const {promise, resolve, reject} = Promise.withResolvers<void>();
		const waiting = {seq, resolve};
		const onAbort = (): void => reject(signal.reason);
		this.#waiting.add(waiting);
		signal.addEventListener('abort', onAbort);
		try {
			await promise;
		} finally {
			this.#waiting.delete(waiting);
			signal.removeEventListener('abort', onAbort);
		}
	}

	async #run(): Promise<void> {
		const {fault} = this.#options;
		let hasFailed = false;
		let ahead: Promise<LogEntry[]> | undefined;
		while (!this.#isStopped) {
			try {
				const entries = await (ahead ?? this.#read(this.#seq));
				this.#isUnreadable = false;
				// The next page is read while this one is applied.
				ahead = entries.length === PAGE ? this.#read(entries.at(-1)!.seq) : undefined;
				await this.#apply(entries);
				hasFailed = false;
				if (!ahead) await this.#untilWritten();
			} catch (error) {
				ahead = undefined;
				if (this.#isStopped) return;
				if ((error as {code?: unknown}).code === 'log-too-short') {
					this.#hasEnded = true;
					fault(
						`the market log cannot be read on from entry ${this.#seq}: ${explain(error).why}. Start this replica again`,
					);
					return;
				}
				if (!(error instanceof PulsetopError)) throw error;
				// Retried like other failures: the table may be repaired.
				if ((error as {code?: unknown}).code === 'log-unreadable') this.#isUnreadable = true;
				if (!hasFailed) fault(`the market log: ${error.message}: ${error.why}. ${error.advice}`);
				hasFailed = true;
				// The entries that are tried again may be held in memory: only the database knows how far the log goes on meanwhile.
				this.#readHeadMs = 0;
				await this.#pause(RETRY_MS);
			}
		}
	}

	get #seq(): number {
		return this.#options.market.position.seq;
	}

	/** How much older the last applied entry is than the newest known one; undefined before the first read. */
	get #lagMs(): number | undefined {
		return this.#headMs === undefined ? undefined : this.#headMs - this.#atMs;
	}

	get #isSilent(): boolean {
		return performance.now() - this.#appliedMs > STALE_MS;
	}

	get #isStopped(): boolean {
		return this.#stopping.signal.aborted;
	}

	#read(afterSeq: number): Promise<LogEntry[]> {
		this.#isWoken = false;
		const reading = this.#readPage(afterSeq);
		// Awaited only after the page before it is applied: a failure until then is not unhandled.
		reading.catch(() => {});
		return reading;
	}

	async #readPage(afterSeq: number): Promise<LogEntry[]> {
		const {log} = this.#options;
		// After a silence, whether this process or the database was away, any number of entries may be there.
		const isDue = this.#isSilent || performance.now() >= this.#readHeadMs;
		const head = isDue ? await log.head() : undefined;
		// Near the end of the log the entries themselves say where it ends.
		if (head) this.#readHeadMs = Number.POSITIVE_INFINITY;
		const entries = await log.read(afterSeq, PAGE);
		// Not before the entries are there: a market that has all the others would not be ready meanwhile.
		if (head) this.#headMs = head.seq === 0 ? 0 : head.atMs;
		const last = entries.at(-1);
		if (last) this.#headMs = Math.max(this.#headMs ?? 0, last.atMs);
		// Also where the silence began in the middle of this reading.
		if (this.#isSilent) this.#readHeadMs = 0;
		// The first of many full pages sets the time: if each did, the end would stay the one of the beginning.
		else if (entries.length === PAGE) this.#readHeadMs = Math.min(this.#readHeadMs, performance.now() + RETRY_MS);
		return entries;
	}

	async #apply(entries: readonly LogEntry[]): Promise<void> {
		let untilMs = performance.now() + SLICE_MS;
		for (const entry of entries) {
			if (performance.now() >= untilMs) {
				await nextTurn();
				untilMs = performance.now() + SLICE_MS;
			}
			if (this.#isStopped) return;
			this.#applyEntry(entry);
			this.#atMs = entry.atMs;
			this.#stepMs ??= entry.atMs;
			this.#appliedMs = performance.now();
			for (const waiting of this.#waiting) if (waiting.seq <= entry.seq) waiting.resolve();
		}
	}

	#applyEntry(entry: LogEntry): void {
		const {market, applied, fault} = this.#options;
		try {
			market.apply(entry);
		} catch (error) {
			// A failure of the journal's file is retried; an invalid entry is invalid for every replica and is skipped.
			const isInvalid = (error instanceof JournalFailed && error.cause === undefined) || error instanceof RangeError;
			if (!isInvalid) throw error;
			fault(`entry ${entry.seq} of the market log has no effect: ${error.message}`);
		}
		applied?.(entry);
	}

	async #untilWritten(): Promise<void> {
		const {promise, resolve} = Promise.withResolvers<void>();
		const timer = setTimeout(resolve, POLL_MS).unref();
		this.#wake = resolve;
		if (this.#isStopped || this.#isWoken) resolve();
		await promise;
		clearTimeout(timer);
		this.#wake = undefined;
	}

	#pause(ms: number): Promise<unknown> {
		return pause(ms, undefined, {signal: this.#stopping.signal, ref: false}).catch(() => {});
	}
}
