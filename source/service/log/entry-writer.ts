import {PulsetopError} from '../../errors.ts';
import type {ChainGap, EventBatch, EventSink, SourceFact, SourceReport} from '../market/event-source.ts';
import type {Profile, TokenPlace} from '../market/events.ts';
import {type Lease, LeaseLost} from '../store/lease.ts';
import type {AppliedMarket} from './applied-market.ts';
import type {EventLog} from './event-log.ts';
import type {LogRecord} from './log-entry.ts';

/** The market of a leader does not apply what is in the log: another replica may lead. */
export class MarketLags extends PulsetopError {
	readonly code = 'market-lags';

	constructor(lease: string, {seq, ms}: {readonly seq: number; readonly ms: number}) {
		super('This replica does not lead', {
			why: `its market did not get beyond entry ${seq} of the log within ${ms / 1000} s: another replica may have ${lease}`,
			next: 'retry-later',
			advice: 'What keeps its market from going on, such as a full disk, is in its own line of this log.',
		});
	}
}

export interface EntryWriterOptions {
	readonly log: EventLog;
	readonly lease: Lease;
	readonly market: AppliedMarket;
	/** Longest time between two entries, which advance the clock of the log, in milliseconds. */
	readonly tickMs: number;
	/** How long the market may apply nothing of what is written, in milliseconds. */
	readonly catchUpMs: number;
}

/** Time between two reports of a chain: only the newest is written. */
const REPORT_MS = 1000;
/** Maximum number of records in a write. */
const MAX_RECORDS = 256;

interface Waiting {
	readonly record: LogRecord;
	readonly written: (seq: number) => void;
	readonly failed: (error: unknown) => void;
}

/**
 * The sink of a leader's source: writes into the market log in the order of its calls. After a failed write, whose outcome is
 * unknown, nothing more is written: the next leader continues from what is in the log.
 */
export class EntryWriter implements EventSink {
	/** Resolves with the reason of its end: a failed write, or the loss of the lease. */
	readonly ended: Promise<unknown>;
	readonly #options: EntryWriterOptions;
	readonly #timer: NodeJS.Timeout;
	readonly #end: (why: unknown) => void;
	/** Reports that are not written yet, by chain. */
	readonly #reports = new Map<string, SourceReport>();
	#waiting: Waiting[] = [];
	#isWriting = false;
	#failure: {readonly error: unknown} | undefined;
	#reportedMs = Number.NEGATIVE_INFINITY;
	/** The market's newest entry at the last tick. */
	#tickSeq = 0;
	/** The newest entry of this sink. */
	#writtenSeq = 0;
	/** When the market last applied something, or had all entries of this sink, by the monotonic clock. */
	#movedMs = performance.now();
	/** Aborted with the reason of the end. */
	readonly #ending = new AbortController();

	constructor(options: EntryWriterOptions) {
		this.#options = options;
		const {promise, resolve} = Promise.withResolvers<unknown>();
		this.ended = promise;
		this.#end = resolve;
		this.#timer = setInterval(() => this.#tick(), options.tickMs).unref();
		const {signal, name} = options.lease;
		const lost = (): void => this.#fail(new LeaseLost(name));
		if (signal.aborted) lost();
		else signal.addEventListener('abort', lost, {once: true});
	}

	/** Whether `ended` is resolved. */
	get hasEnded(): boolean {
		return this.#failure !== undefined;
	}

	async append(batch: EventBatch): Promise<void> {
		await this.#write({kind: 'batch', batch});
	}

	async takeBack(chainId: string, fromBlock: number): Promise<readonly SourceFact[]> {
		const {market, catchUpMs} = this.#options;
		const seq = await this.#write({kind: 'take-back', chainId, fromBlock});
		// The chain stands still meanwhile, for all replicas.
		const late = setTimeout(() => this.#lags(), catchUpMs).unref();
		try {
			await market.untilApplied(seq, this.#ending.signal);
		} finally {
			clearTimeout(late);
		}
		return market.factsOf(chainId);
	}

	async gap(gap: ChainGap): Promise<void> {
		await this.#write({kind: 'gap', gap});
	}

	async forget(chainId: string, tokens: readonly string[]): Promise<void> {
		await this.#write({kind: 'forget', chainId, tokens});
	}

	/** Appends the content of a token's document. @throws StoreFailed and LeaseLost */
	async describe({chainId, token}: TokenPlace, profile: Profile): Promise<void> {
		await this.#write({kind: 'describe', chainId, token, profile});
	}

	report(report: SourceReport): void {
		this.#reports.set(report.chainId, report);
		this.#writeReports();
	}

	#write(record: LogRecord): Promise<number> {
		if (this.#failure) return Promise.reject(this.#failure.error);
		return new Promise((written, failed) => {
			this.#waiting.push({record, written, failed});
			void this.#writeAll();
		});
	}

	/** One write at a time; records that arrive during a write are batched into the next one. */
	async #writeAll(): Promise<void> {
		if (this.#isWriting) return;
		this.#isWriting = true;
		// Records of the same turn of the event loop are one write.
		await Promise.resolve();
		while (this.#waiting.length > 0) {
			const some = this.#waiting.slice(0, MAX_RECORDS);
			this.#waiting = this.#waiting.slice(MAX_RECORDS);
			try {
				const {log, lease} = this.#options;
				const last = await log.append(
					lease,
					some.map(({record}) => record),
				);
				this.#writtenSeq = last;
				for (const [n, {written}] of some.entries()) written(last - some.length + 1 + n);
			} catch (error) {
				for (const {failed} of some) failed(error);
				this.#fail(error);
			}
		}
		this.#isWriting = false;
	}

	#tick(): void {
		const {market, lease, catchUpMs} = this.#options;
		// A newer replica that leads another stream may write kinds of records that this one does not know.
		if (!market.isReadable()) {
			this.#fail(new Error(`the market log cannot be read further: another replica may lead ${lease.name}`));
			return;
		}
		const seq = market.appliedSeq();
		// A market that applies nothing, as on a full disk, cannot give the source the facts of its own entries.
		if (seq !== this.#tickSeq || seq >= this.#writtenSeq) this.#movedMs = performance.now();
		if (performance.now() - this.#movedMs > catchUpMs) {
			this.#lags();
			return;
		}
		this.#writeReports();
		// Another leader's entries advance the clock too.
		const isIdle = seq === this.#tickSeq && !this.#isWriting;
		this.#tickSeq = seq;
		if (isIdle) this.#write({kind: 'clock'}).catch(() => {});
	}

	#writeReports(): void {
		const atMs = performance.now();
		if (this.#reports.size === 0 || atMs - this.#reportedMs < REPORT_MS) return;
		this.#reportedMs = atMs;
		const reports = [...this.#reports.values()];
		this.#reports.clear();
		for (const report of reports) this.#write({kind: 'report', report}).catch(() => {});
	}

	#lags(): void {
		const {market, lease, catchUpMs} = this.#options;
		this.#fail(new MarketLags(lease.name, {seq: market.appliedSeq(), ms: catchUpMs}));
	}

	#fail(error: unknown): void {
		this.#failure ??= {error};
		this.#ending.abort(this.#failure.error);
		clearInterval(this.#timer);
		for (const {failed} of this.#waiting.splice(0)) failed(this.#failure.error);
		this.#end(this.#failure.error);
	}
}
