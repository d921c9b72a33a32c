import {dateOf, steadyNow} from '../../steady-clock.ts';
import type {MarketEvent} from '../market/events.ts';
import type {Market} from '../market/market.ts';
import {blockIdentity, deliveryId, EventIdentities} from './delivery-id.ts';
import {type DeliveryQueue, type NewDelivery, QUEUE_MAX} from './delivery-queue.ts';
import type {Enqueuer, WebhookBeginning} from './enqueuer.ts';
import {EventBodies, isDelivered} from './event-bodies.ts';
import {EventMatcher} from './event-matcher.ts';
import type {Webhook} from './webhook-store.ts';

export interface MarketEnqueuerOptions {
	readonly market: Market;
	readonly queue: DeliveryQueue;
	readonly webhooks: () => Promise<readonly Webhook[]>;
	/** Maximum number of deliveries of one webhook that wait here while the store fails; default 1000. */
	readonly max?: number | undefined;
	/** Called after deliveries were added to the queue. */
	readonly onEnqueued: () => void;
	/** Called at the first failure of the store in a row. */
	readonly onError: (error: unknown) => void;
}

/** Delay before a retry after a failure of the store. */
const RETRY_MS = 1000;

/**
 * Enqueues the events of the market of a process that serves alone, as they happen. It listens to the market while there is a
 * webhook, and only then.
 */
export class MarketEnqueuer implements Enqueuer {
	readonly #options: MarketEnqueuerOptions;
	readonly #market: Market;
	readonly #identities: EventIdentities;
	#webhooks: readonly Webhook[] = [];
	/** Time of the market at which each webhook began, by its id. */
	#sinceMs = new Map<string, number>();
	#matcher = new EventMatcher();
	/** Earlier events are history that is loaded late. */
	#startMs: number;
	#bodies: EventBodies | undefined;
	#stopListening: (() => void) | undefined;
	#stopBeginnings: (() => void) | undefined;
	#willForget = false;
	#hasFailed = false;
	/** Deliveries that are not in the queue yet. */
	#rows: NewDelivery[] = [];
	/** How many of them each webhook has. */
	readonly #waiting = new Map<string, number>();
	#dropped = new Map<string, number>();
	#immediate: NodeJS.Immediate | undefined;
	#retryTimer: NodeJS.Timeout | undefined;
	/** Settles with the last write. */
	#turn: Promise<void> = Promise.resolve();

	constructor(options: MarketEnqueuerOptions) {
		this.#options = options;
		this.#market = options.market;
		this.#identities = new EventIdentities(options.market.invented === 'simulated');
		this.#startMs = options.market.nowMs();
	}

	async beginning(): Promise<WebhookBeginning> {
		return {createdAtMs: dateOf(steadyNow()), since: null};
	}

	async start(): Promise<void> {
		await this.#options.queue.takeOver();
		this.#webhooks = await this.#options.webhooks();
		this.#match();
		this.#stopBeginnings = this.#market.onBeginsAgain?.(() => {
			// Maybe at an earlier time: all that comes from then on is new for every webhook.
			this.#startMs = this.#market.nowMs();
			this.#sinceMs.clear();
			this.#match();
		});
	}

	async reload(): Promise<void> {
		this.#webhooks = await this.#options.webhooks();
		this.#match();
	}

	async stop(): Promise<void> {
		this.#stopBeginnings?.();
		this.#stopListening?.();
		clearTimeout(this.#retryTimer);
		await this.#flush();
	}

	/** Matches events for the webhooks as they are now. One that was not there before begins now. */
	#match(): void {
		const matcher = new EventMatcher();
		const since = new Map<string, number>();
		for (const webhook of this.#webhooks) {
			const sinceMs = this.#sinceMs.get(webhook.id) ?? this.#market.nowMs();
			since.set(webhook.id, sinceMs);
			matcher.set(webhook, {sinceMs});
		}
		this.#matcher = matcher;
		this.#sinceMs = since;
		this.#listen();
	}

	#listen(): void {
		if (this.#matcher.isEmpty) {
			this.#stopListening?.();
			this.#stopListening = undefined;
			this.#bodies = undefined;
		} else if (this.#stopListening === undefined) {
			const bodies = new EventBodies(this.#market);
			this.#bodies = bodies;
			this.#stopListening = this.#market.onEvent(event => this.#onMarketEvent(event, bodies));
		}
	}

	#onMarketEvent(event: MarketEvent, bodies: EventBodies): void {
		bodies.notice(event);
		this.#forgetSoon();
		if (event.timeMs < this.#startMs) return;
		if (!isDelivered(event) || !this.#matcher.isWanted(event)) return;
		const identity = this.#identities.next(event);
		for (const deliverable of bodies.write(event)) {
			for (const match of this.#matcher.match(deliverable)) {
				const named = match.event === 'block' ? blockIdentity(event) : identity;
				const id = deliveryId(match.webhookId, named, match.event);
				this.#enqueue({...match, id});
			}
		}
	}

	#enqueue(delivery: NewDelivery): void {
		const {webhookId} = delivery;
		const waiting = this.#waiting.get(webhookId) ?? 0;
		if (waiting < (this.#options.max ?? QUEUE_MAX)) {
			this.#rows.push(delivery);
			this.#waiting.set(webhookId, waiting + 1);
		} else this.#dropped.set(webhookId, (this.#dropped.get(webhookId) ?? 0) + 1);
		if (this.#retryTimer === undefined) this.#immediate ??= setImmediate(() => void this.#flush());
	}

	#flush(): Promise<void> {
		clearImmediate(this.#immediate);
		this.#immediate = undefined;
		this.#turn = this.#turn.then(() => this.#write());
		return this.#turn;
	}

	async #write(): Promise<void> {
		const [rows, dropped] = [this.#rows, this.#dropped];
		if (rows.length + dropped.size === 0) return;
		[this.#rows, this.#dropped] = [[], new Map()];
		try {
			await this.#options.queue.add(rows, dropped);
			this.#waiting.clear();
			this.#hasFailed = false;
			this.#options.onEnqueued();
		} catch (error) {
			this.#rows = [...rows, ...this.#rows];
			for (const [id, n] of dropped) this.#dropped.set(id, n + (this.#dropped.get(id) ?? 0));
			if (!this.#hasFailed) this.#options.onError(error);
			this.#hasFailed = true;
			this.#retryTimer ??= setTimeout(() => {
				this.#retryTimer = undefined;
				void this.#flush();
			}, RETRY_MS).unref();
		}
	}

	/** The table of the market is current again when this turn of the event loop is over. */
	#forgetSoon(): void {
		if (this.#willForget) return;
		this.#willForget = true;
		setImmediate(() => {
			this.#willForget = false;
			this.#bodies?.forget();
		});
	}
}
