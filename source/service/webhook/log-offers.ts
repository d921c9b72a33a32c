import {createHash} from 'node:crypto';
import type {Market, MarketLog} from '../market/market.ts';
import type {EventLog} from '../replicas/event-log.ts';
import type {Leases} from '../replicas/lease.ts';
import {formatPosition, parsePosition} from '../replicas/position.ts';
import {EventMatcher} from './event-matcher.ts';
import {LogEvents, type LoggedEvent} from './log-events.ts';
import type {OfferState, SharedQueue} from './shared-queue.ts';
import type {Delivery, Webhook} from './webhook-store.ts';

export interface LogOffersOptions {
	readonly market: Market;
	/** Where the market of this replica stands. */
	readonly marketLog: MarketLog;
	readonly log: EventLog;
	readonly leases: Leases;
	readonly queue: SharedQueue;
	readonly webhooks: () => Promise<readonly Webhook[]>;
	/** Most deliveries in the queue of one webhook; further ones are dropped and counted. */
	readonly most: number;
	/** Called when deliveries were added to the queue. */
	readonly onOffered: () => void;
	readonly onError: (error: unknown) => void;
}

/** The market's newest entries are offered this often. */
const ROUND_MS = 100;
/** Without matches the position moves this often, and without webhooks it is looked for one. */
const IDLE_MS = 500;
/** A database or a market that is not there is asked again after this. */
const RETRY_MS = 1000;
/** Entries that are read at once. */
const ENTRIES = 500;
/** Deliveries that are added at once. */
const ROWS = 1000;
/** Entries before the first one, read for what later ones need: places in blocks, pools, what may be taken back. */
const EARLIER_ENTRIES = 1000;
/** What happened longer before the webhook was made is history, though it comes with a later entry. */
const HISTORY_MS = 60_000;

type Row = Pick<Delivery, 'id' | 'webhookId' | 'event' | 'body'>;

/** Events of an entry that is not offered yet. */
interface Pending {
	readonly seq: number;
	readonly events: readonly LoggedEvent[];
}

/**
 * Offers the events of the market log to webhooks, each once: one replica does it at a time, and the position in the log moves
 * with the rows that it adds, so that the next one goes on behind them.
 */
export class LogOffers {
	readonly #options: LogOffersOptions;
	readonly #ending = new AbortController();
	#ended: Promise<void> = Promise.resolve();
	#hasFailed = false;

	constructor(options: LogOffersOptions) {
		this.#options = options;
	}

	start(): void {
		this.#ended = this.#run();
	}

	/** Gives the lease back. */
	async stop(): Promise<void> {
		this.#ending.abort();
		await this.#ended;
	}

	async #run(): Promise<void> {
		const {marketLog, leases} = this.#options;
		const ending = this.#ending.signal;
		while (!ending.aborted) {
			// A market that is behind has not the tokens of the newest events.
			if (marketLog.isReady()) {
				const unready = new AbortController();
				const act = (signal: AbortSignal) => this.#offer(signal).finally(() => unready.abort());
				const either = AbortSignal.any([ending, unready.signal]);
				await leases
					.hold('webhooks', lease => act(AbortSignal.any([either, lease.signal])), either)
					.catch(this.#failed);
			}
			await pause(ROUND_MS, ending);
		}
	}

	/** Offers until the lease is lost or the market is behind. */
	async #offer(signal: AbortSignal): Promise<void> {
		const {marketLog} = this.#options;
		let round: Round | undefined;
		while (!signal.aborted && marketLog.isReady()) {
			let waitMs = ROUND_MS;
			try {
				round ??= await Round.open(this.#options);
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

/** One replica's turn at offering, from the stored position on. */
class Round {
	readonly #options: LogOffersOptions;
	readonly #events: LogEvents;
	#matcher = new EventMatcher();
	#state: OfferState;
	/** The newest entry that was read. */
	#seq = 0;
	#pending: Pending[] = [];
	#rows: Row[] = [];
	#movedMs = performance.now();

	private constructor(options: LogOffersOptions, state: OfferState) {
		this.#options = options;
		this.#state = state;
		this.#events = new LogEvents(options.market);
	}

	static async open(options: LogOffersOptions): Promise<Round> {
		const {log, queue} = options;
		const head = await log.head();
		const round = new Round(options, await queue.state(formatPosition({epoch: log.epoch, seq: head.seq})));
		const sinceSeqs = await round.#load();
		if (!round.isIdle) await round.#begin(sinceSeqs, head.firstSeq);
		return round;
	}

	/** There is no webhook: nothing is read. */
	get isIdle(): boolean {
		return this.#matcher.isEmpty;
	}

	/** Offers what the market has by now. Returns false when this turn is over. */
	async next(signal: AbortSignal): Promise<boolean> {
		const {log, marketLog, queue} = this.#options;
		if (this.isIdle) return (await queue.state(this.#state.position)).version === this.#state.version;
		const untilSeq = marketLog.seq();
		while (this.#seq < untilSeq && !signal.aborted) {
			const entries = await log.read(this.#seq, Math.min(ENTRIES, untilSeq - this.#seq));
			if (entries.length === 0) break;
			for (const entry of entries) {
				const pending = {seq: entry.seq, events: this.#events.read(entry)};
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

	/** Takes the webhooks as they are now. Returns where in the log each begins. */
	async #load(): Promise<number[]> {
		this.#matcher = new EventMatcher();
		const webhooks = await this.#options.webhooks();
		return webhooks.map(webhook => {
			const sinceSeq = this.#seqOf(webhook.since);
			this.#matcher.set(webhook, {sinceMs: webhook.createdAtMs - HISTORY_MS, sinceSeq});
			return sinceSeq;
		});
	}

	/** Reads up to the first entry that is news for a webhook and was not offered. */
	async #begin(sinceSeqs: readonly number[], firstSeq: number): Promise<void> {
		const {log, onError} = this.#options;
		const wanted = Math.max(this.#seqOf(this.#state.position), Math.min(...sinceSeqs));
		const from = Math.max(wanted, firstSeq - 1);
		if (from > wanted) onError(new Error(`entries ${wanted + 1} to ${from} of the market log are not kept any more`));
		for (this.#seq = Math.max(from - EARLIER_ENTRIES, firstSeq - 1, 0); this.#seq < from; ) {
			const entries = await log.read(this.#seq, Math.min(ENTRIES, from - this.#seq));
			if (entries.length === 0) break;
			for (const entry of entries) this.#events.read(entry);
			this.#seq = entries.at(-1)!.seq;
		}
		this.#seq = from;
	}

	/** A position of another log is before all of this one. */
	#seqOf(text: string | null): number {
		const position = text === null ? undefined : parsePosition(text);
		return position?.epoch === this.#options.log.epoch ? position.seq : 0;
	}

	#match({seq, events}: Pending): void {
		const {epoch} = this.#options.log;
		for (const {index, deliverable} of events) {
			for (const match of this.#matcher.match(deliverable, seq)) {
				const id = idOf(match.webhookId, `${epoch}.${seq}.${index}`, match.event);
				this.#rows.push({...match, id});
			}
		}
	}

	/** Adds the matches and moves the position. Returns false when another replica has moved it. */
	async #flush(): Promise<boolean> {
		const {log, queue, onOffered} = this.#options;
		const position = formatPosition({epoch: log.epoch, seq: this.#seq});
		for (;;) {
			const {accepted, dropped} = await this.#withinLimits();
			if (await queue.offer(this.#state, position, accepted, dropped)) {
				this.#state = {...this.#state, position};
				this.#pending = [];
				this.#rows = [];
				this.#movedMs = performance.now();
				if (accepted.length > 0) onOffered();
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

	/** The matches that find room in the queues of their webhooks, and the number of the others. */
	async #withinLimits(): Promise<{accepted: Row[]; dropped: Map<string, number>}> {
		const {queue, most} = this.#options;
		const depths = await queue.depths([...new Set(this.#rows.map(({webhookId}) => webhookId))]);
		const dropped = new Map<string, number>();
		const accepted = this.#rows.filter(({webhookId}) => {
			const depth = depths.get(webhookId) ?? 0;
			if (depth >= most) dropped.set(webhookId, (dropped.get(webhookId) ?? 0) + 1);
			else depths.set(webhookId, depth + 1);
			return depth < most;
		});
		return {accepted, dropped};
	}
}

/** The id of a delivery, the same whoever offers it: a UUID of version 8. */
function idOf(webhookId: string, position: string, event: string): string {
	const hex = createHash('sha256').update(`${webhookId} ${position} ${event}`).digest('hex');
	return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
	return new Promise(resolve => {
		if (signal.aborted) return resolve();
		const end = (): void => {
			clearTimeout(timer);
			signal.removeEventListener('abort', end);
			resolve();
		};
		const timer = setTimeout(end, ms).unref();
		signal.addEventListener('abort', end);
	});
}
