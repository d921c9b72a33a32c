import {setImmediate as nextTurn, setTimeout as sleep} from 'node:timers/promises';
import type {EventLog} from '../log/event-log.ts';
import type {LogEntry} from '../log/log-entry.ts';
import {formatPosition, parsePosition} from '../log/position.ts';
import type {Market, MarketLog} from '../market/market.ts';
import type {Leases} from '../store/lease.ts';
import {deliveryId} from './delivery-id.ts';
import type {DeliveryQueue, EnqueueState, NewDelivery} from './delivery-queue.ts';
import type {Enqueuer, WebhookBeginning} from './enqueuer.ts';
import {EventMatcher} from './event-matcher.ts';
import {LogEvents, type LoggedEvent} from './log-events.ts';
import type {Webhook} from './webhook-store.ts';

export interface LogEnqueuerOptions {
	readonly market: Market;
	/** Position of this replica's market. */
	readonly marketLog: MarketLog;
	readonly log: EventLog;
	readonly leases: Leases;
	readonly queue: DeliveryQueue;
	readonly webhooks: () => Promise<readonly Webhook[]>;
	/** Called after deliveries were added to the queue. */
	readonly onEnqueued: () => void;
	readonly onError: (error: unknown) => void;
}

/** Polling interval for new entries of the market. */
const ROUND_MS = 100;
/** Interval of updates of the position without matches, and of polling for webhooks while there are none. */
const IDLE_MS = 500;
/** Delay before a retry after a failure of the database. */
const RETRY_MS = 1000;
/** Maximum number of entries in one read. */
const ENTRIES = 32;
/** Maximum number of deliveries added at once. */
const ROWS = 1000;
/** Entries read before the first one, since later ones depend on them: positions in blocks, pools, reorganised events. */
const EARLIER_ENTRIES = 1000;
/** Events this much older than the webhook are history, though their entry may be newer. */
const HISTORY_MS = 60_000;

/** Events of an entry that is not enqueued yet. */
interface Pending {
	readonly seq: number;
	readonly events: readonly LoggedEvent[];
}

/**
 * Enqueues the events of the market log for webhooks, each once: one replica at a time holds the lease for this work, and the
 * transaction that adds the rows stores the position in the log, so that the next replica continues after these rows.
 */
export class LogEnqueuer implements Enqueuer {
	readonly #options: LogEnqueuerOptions;
	readonly #ending = new AbortController();
	#ended: Promise<void> = Promise.resolve();
	#hasFailed = false;

	constructor(options: LogEnqueuerOptions) {
		this.#options = options;
	}

	async start(): Promise<void> {
		this.#ended = this.#run();
	}

	async beginning(): Promise<WebhookBeginning> {
		const {log} = this.#options;
		const {nowMs, seq} = await log.head();
		return {createdAtMs: nowMs, since: formatPosition({epoch: log.epoch, seq})};
	}

	/** The version of the webhooks tells whichever replica enqueues. */
	async reload(): Promise<void> {}

	/** Releases the lease. */
	async stop(): Promise<void> {
		this.#ending.abort();
		await this.#ended;
	}

	async #run(): Promise<void> {
		const {marketLog, leases} = this.#options;
		const ending = this.#ending.signal;
		while (!ending.aborted) {
			// A market that lags lacks the tokens of the newest events.
			if (marketLog.isReady()) {
				const unready = new AbortController();
				const act = (signal: AbortSignal) => this.#enqueue(signal).finally(() => unready.abort());
				const either = AbortSignal.any([ending, unready.signal]);
				await leases
					.hold('webhooks', lease => act(AbortSignal.any([either, lease.signal])), either, {isFenced: true})
					.catch(this.#failed);
			}
			await pause(ROUND_MS, ending);
		}
	}

	/** Enqueues until the lease is lost or the market lags. */
	async #enqueue(signal: AbortSignal): Promise<void> {
		const {marketLog} = this.#options;
		let round: Round | undefined;
		while (!signal.aborted && marketLog.isReady()) {
			let waitMs = ROUND_MS;
			try {
				round ??= await Round.open(this.#options, signal);
				if (signal.aborted) return;
				if (await round.next(signal)) waitMs = round.isIdle ? IDLE_MS : ROUND_MS;
				else round = undefined;
				this.#hasFailed = false;
			} catch (error) {
				this.#failed(error);
				round = undefined;
				waitMs = RETRY_MS;
			}
			await pause(waitMs, signal);
		}
	}

	readonly #failed = (error: unknown): void => {
		if (!this.#hasFailed) this.#options.onError(error);
		this.#hasFailed = true;
	};
}

/** The work of one replica under the lease, from the stored position on. */
class Round {
	readonly #options: LogEnqueuerOptions;
	readonly #events: LogEvents;
	#matcher = new EventMatcher();
	#state: EnqueueState;
	/** The newest entry read. */
	#seq = 0;
	#pending: Pending[] = [];
	#rows: NewDelivery[] = [];
	#movedMs = performance.now();

	private constructor(options: LogEnqueuerOptions, state: EnqueueState) {
		this.#options = options;
		this.#state = state;
		this.#events = new LogEvents(options.market);
	}

	/** The round must not be used when the signal is aborted: entries are missing then. */
	static async open(options: LogEnqueuerOptions, signal: AbortSignal): Promise<Round> {
		const {log, queue} = options;
		const head = await log.head();
		const round = new Round(options, await queue.state(formatPosition({epoch: log.epoch, seq: head.seq})));
		const sinceSeqs = await round.#load();
		if (!round.isIdle) await round.#begin(sinceSeqs, head.firstSeq, signal);
		return round;
	}

	/** Whether there is no webhook: nothing is read then. */
	get isIdle(): boolean {
		return this.#matcher.isEmpty;
	}

	/** Enqueues the new entries of the market. Returns false when another replica has taken over. */
	async next(signal: AbortSignal): Promise<boolean> {
		const {marketLog, queue} = this.#options;
		if (this.isIdle) return (await queue.state(this.#state.position)).version === this.#state.version;
		const untilSeq = marketLog.seq();
		while (this.#seq < untilSeq && !signal.aborted) {
			const entries = await this.#page(untilSeq);
			if (entries.length === 0) break;
			for (const entry of entries) {
				const pending = {seq: entry.seq, events: this.#events.read(entry, this.#matcher.sinceMs)};
				this.#seq = entry.seq;
				this.#pending.push(pending);
				this.#match(pending);
				if (this.#rows.length >= ROWS && !(await this.#flush())) return false;
			}
		}
		if (this.#pending.length === 0) return true;
		const isDue = this.#rows.length > 0 || performance.now() - this.#movedMs >= IDLE_MS;
		return isDue ? this.#flush() : true;
	}

	/** Loads the current webhooks. Returns the position in the log from which each gets events. */
	async #load(): Promise<number[]> {
		this.#matcher = new EventMatcher();
		const webhooks = await this.#options.webhooks();
		return webhooks.map(webhook => {
			const sinceSeq = this.#seqOf(webhook.since);
			this.#matcher.set(webhook, {sinceMs: webhook.createdAtMs - HISTORY_MS, sinceSeq});
			return sinceSeq;
		});
	}

	/** Reads up to the first entry that is not enqueued and that a webhook gets. */
	async #begin(sinceSeqs: readonly number[], firstSeq: number, signal: AbortSignal): Promise<void> {
		const {onError} = this.#options;
		const wanted = Math.max(this.#seqOf(this.#state.position), Math.min(...sinceSeqs));
		const from = Math.max(wanted, firstSeq - 1);
		if (from > wanted) onError(new Error(`entries ${wanted + 1} to ${from} of the market log are not kept any more`));
		this.#seq = Math.max(from - EARLIER_ENTRIES, firstSeq - 1, 0);
		while (this.#seq < from && !signal.aborted) {
			const entries = await this.#page(from);
			if (entries.length === 0) break;
			for (const entry of entries) this.#events.read(entry, this.#matcher.sinceMs);
			this.#seq = entries.at(-1)!.seq;
		}
		this.#seq = from;
	}

	/** The next entries, up to one. Other work of the process comes first, even where entries are read from memory. */
	async #page(untilSeq: number): Promise<readonly LogEntry[]> {
		await nextTurn();
		return this.#options.log.read(this.#seq, Math.min(ENTRIES, untilSeq - this.#seq));
	}

	/** Seq of a position; 0 for a position of another log. */
	#seqOf(text: string | null): number {
		const position = text === null ? undefined : parsePosition(text);
		return position?.epoch === this.#options.log.epoch ? position.seq : 0;
	}

	#match({seq, events}: Pending): void {
		const {epoch} = this.#options.log;
		for (const {index, deliverable} of events) {
			for (const match of this.#matcher.match(deliverable, seq)) {
				const id = deliveryId(match.webhookId, `${epoch}.${seq}.${index}`, match.event);
				this.#rows.push({...match, id});
			}
		}
	}

	/** Adds the matches and stores the position. Returns false when another replica has changed it. */
	async #flush(): Promise<boolean> {
		const {log, queue, onEnqueued} = this.#options;
		const position = formatPosition({epoch: log.epoch, seq: this.#seq});
		for (;;) {
			if (await queue.addFrom(this.#state, position, this.#rows)) {
				if (this.#rows.length > 0) onEnqueued();
				this.#state = {...this.#state, position};
				this.#pending = [];
				this.#rows = [];
				this.#movedMs = performance.now();
				return true;
			}
			const state = await queue.state(position);
			if (state.position !== this.#state.position) return false;
			this.#state = state;
			await this.#load();
			this.#rows = [];
			for (const pending of this.#pending) this.#match(pending);
		}
	}
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
	return sleep(ms, undefined, {ref: false, signal}).catch(() => {});
}
