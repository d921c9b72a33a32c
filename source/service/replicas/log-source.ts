import {setImmediate as nextTurn, setTimeout as pause} from 'node:timers/promises';
import {explain, PulsetopError} from '../../errors.ts';
import type {LogPlace} from '../follow/followed-market.ts';
import {JournalFailed} from '../follow/journal-file.ts';
import type {EventSink, EventSource} from '../market/event-source.ts';
import type {EventLog} from './event-log.ts';
import type {LogEntry} from './log-entry.ts';

export interface LogSourceOptions {
	readonly log: EventLog;
	/** Where the market stands; moved on here. */
	readonly place: LogPlace;
	/** Moves the market's clock on to that of the place. */
	readonly advance: () => void;
	/** Called with each entry after its effects. */
	readonly applied?: (entry: LogEntry) => void;
	/** Passed on from the market: details of a token are looked at. */
	readonly holdersWanted?: (chainId: string, token: string) => void;
	/** Called with a line for each thing that went wrong. */
	readonly fault: (line: string) => void;
}

/** Entries that are read at once: of the history each has a thousand events. */
const PAGE = 32;
/** Work is done in slices too short to delay requests. */
const SLICE_MS = 8;
/** Without a word that something was written, the log is asked. */
const POLL_MS = 250;
/** After a failure of the database or of the journal. */
const RETRY_MS = 500;
/** Leaders write something every half second. */
const STALE_MS = 2000;
/** So far behind the newest entry a market is not ready. */
const READY_MS = 2000;

/**
 * Reads the market log into a replica's market, entry by entry, from where the market stands. While the database is away the
 * market keeps what it has; it goes on by itself.
 */
export class LogSource implements EventSource {
	readonly #options: LogSourceOptions;
	readonly #stopping = new AbortController();
	#running: Promise<void> | undefined;
	#wake: (() => void) | undefined;
	/** Something was written since the last reading began. */
	#isWoken = false;
	/** When an entry was read last, or the log was found to have none, by the clock of `performance`. */
	#readMs = performance.now();
	/** Time of the newest entry that is known; undefined before the log was asked. */
	#headMs: number | undefined;
	/** The end of the log is asked for again after that time. */
	#askMs = 0;
	#hasEnded = false;
	readonly #waiting = new Set<{readonly seq: number; readonly resolve: () => void}>();

	constructor(options: LogSourceOptions) {
		this.#options = options;
	}

	start(sink: EventSink): void {
		const {log, fault} = this.#options;
		const stopListening = log.onWritten(() => {
			this.#isWoken = true;
			this.#wake?.();
		});
		this.#running = this.#run(sink)
			.catch((error: unknown) => {
				this.#hasEnded = true;
				fault(`the market log is not read any more: ${error instanceof Error ? error.stack : String(error)}`);
			})
			.finally(stopListening);
	}

	async stop(): Promise<void> {
		this.#stopping.abort();
		this.#wake?.();
		await this.#running;
	}

	holdersWanted(chainId: string, token: string): void {
		this.#options.holdersWanted?.(chainId, token);
	}

	/** How long nothing new was read, in milliseconds; undefined while entries come as they should. */
	staleMs(): number | undefined {
		const silentMs = performance.now() - this.#readMs;
		return silentMs > STALE_MS ? Math.round(silentMs) : undefined;
	}

	/** Whether the market is within two seconds of the newest entry that is known. */
	isReady(): boolean {
		return this.#headMs !== undefined && !this.#hasEnded && this.#headMs - this.#options.place.atMs <= READY_MS;
	}

	/** Resolves when the effects of an entry are there. @throws the signal's reason */
	async untilApplied(seq: number, signal: AbortSignal): Promise<void> {
		signal.throwIfAborted();
		if (this.#options.place.seq >= seq) return;
		const {promise, resolve, reject} = Promise.withResolvers<void>();
		const waiting = {seq, resolve};
		const give = (): void => reject(signal.reason);
		this.#waiting.add(waiting);
		signal.addEventListener('abort', give);
		try {
			await promise;
		} finally {
			this.#waiting.delete(waiting);
			signal.removeEventListener('abort', give);
		}
	}

	async #run(sink: EventSink): Promise<void> {
		const {place, fault} = this.#options;
		let hasFailed = false;
		let ahead: Promise<LogEntry[]> | undefined;
		while (!this.#isStopped) {
			try {
				const entries = await (ahead ?? this.#read(place.seq));
				hasFailed = false;
				// Where there is more, it is read while this is applied.
				ahead = entries.length === PAGE ? this.#read(entries.at(-1)!.seq) : undefined;
				await this.#apply(entries, sink);
				if (!ahead) await this.#untilWritten();
			} catch (error) {
				ahead = undefined;
				if (this.#isStopped) return;
				if ((error as {code?: unknown}).code === 'log-too-short') {
					this.#hasEnded = true;
					fault(
						`the market log cannot be read on from entry ${place.seq}: ${explain(error).why}. Start this replica again`,
					);
					return;
				}
				if (!(error instanceof PulsetopError)) throw error;
				if (!hasFailed) fault(`the market log: ${error.message}: ${error.why}`);
				hasFailed = true;
				await this.#pause(RETRY_MS);
			}
		}
	}

	get #isStopped(): boolean {
		return this.#stopping.signal.aborted;
	}

	#read(afterSeq: number): Promise<LogEntry[]> {
		this.#isWoken = false;
		const reading = this.#readPage(afterSeq);
		// Awaited after what was read before is applied.
		reading.catch(() => {});
		return reading;
	}

	async #readPage(afterSeq: number): Promise<LogEntry[]> {
		const {log} = this.#options;
		if (performance.now() >= this.#askMs) {
			const {seq, atMs} = await log.head();
			this.#headMs = seq === 0 ? 0 : atMs;
			// At the end of the log what is read says where that is.
			this.#askMs = Number.POSITIVE_INFINITY;
		}
		const entries = await log.read(afterSeq, PAGE);
		const last = entries.at(-1);
		if (last) {
			this.#headMs = Math.max(this.#headMs ?? 0, last.atMs);
			this.#readMs = performance.now();
		}
		if (entries.length === PAGE) this.#askMs = performance.now() + RETRY_MS;
		return entries;
	}

	/** Applies entries in slices. */
	async #apply(entries: readonly LogEntry[], sink: EventSink): Promise<void> {
		let untilMs = performance.now() + SLICE_MS;
		for (const entry of entries) {
			if (performance.now() >= untilMs) {
				await nextTurn();
				untilMs = performance.now() + SLICE_MS;
			}
			if (this.#isStopped) return;
			await this.#applyEntry(entry, sink);
			for (const waiting of this.#waiting) if (waiting.seq <= entry.seq) waiting.resolve();
		}
	}

	async #applyEntry(entry: LogEntry, sink: EventSink): Promise<void> {
		const {place, advance, applied, fault} = this.#options;
		place.atMs = entry.atMs;
		// Windows slide and old tokens go before the entry has effects, in every replica alike.
		advance();
		const before = place.seq;
		place.seq = entry.seq;
		try {
			await this.#tell(entry, sink);
		} catch (error) {
			// Where the file failed, it is tried again; what is wrong with the entry itself is so for every replica.
			if (error instanceof JournalFailed && error.cause !== undefined) {
				place.seq = before;
				throw error;
			}
			if (!(error instanceof JournalFailed || error instanceof RangeError)) throw error;
			fault(`entry ${entry.seq} of the market log has no effect: ${error.message}`);
		}
		applied?.(entry);
	}

	async #tell({record}: LogEntry, sink: EventSink): Promise<void> {
		switch (record.kind) {
			case 'batch':
				return sink.append(record.batch);
			case 'take-back':
				await sink.takeBack(record.chainId, record.fromBlock);
				return;
			case 'gap':
				return sink.gap(record.gap);
			case 'forget':
				return sink.forget(record.chainId, record.tokens);
			case 'report':
				return sink.report(record.report);
			case 'clock':
				return;
		}
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
