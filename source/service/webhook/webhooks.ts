import type {WebhookDeliveries, WebhookRecord} from '../../contract/webhook.ts';
import type {MarketEvent} from '../market/events.ts';
import type {Market} from '../market/market.ts';
import type {Database} from '../store/database.ts';
import {blockIdentity, deliveryId, EventIdentities} from './delivery-id.ts';
import {EventBodies, isDelivered} from './event-bodies.ts';
import {EventMatcher} from './event-matcher.ts';
import {OUTBOX, Outbox, type StoredLane} from './outbox.ts';
import {createPoster, type Poster} from './poster.ts';
import {
	checkCount,
	deliveriesOf,
	type FilterTree,
	type NewWebhook,
	newWebhook,
	noSuchWebhook,
	ownerOf,
	recordOf,
	withFilters,
} from './webhook-record.ts';
import {createWebhookStore, NO_TALLY, type Webhook, type WebhookStore} from './webhook-store.ts';
import {type WorkClock, wallClock} from './work-clock.ts';

/** The webhooks of a service. Every call is for one key; webhooks of other keys do not exist for it (404). */
export interface Webhooks {
	list(apiKey: string): Promise<WebhookRecord[]>;
	/** @throws InvalidRequest `events`, `filters`, `url`; Refused 409 when there are too many */
	create(apiKey: string, webhook: NewWebhook): Promise<WebhookRecord & {readonly webhookSecret: string}>;
	/** @throws Refused 404, InvalidRequest `filters` */
	update(
		apiKey: string,
		id: string,
		mode: 'replace' | 'merge',
		filters: FilterTree | undefined,
	): Promise<WebhookRecord>;
	/** @throws Refused 404 */
	remove(apiKey: string, id: string): Promise<void>;
	/** @throws Refused 404 */
	deliveries(
		apiKey: string,
		id: string,
		page: {readonly limit: number; readonly offset: number},
	): Promise<WebhookDeliveries>;
	/** Puts dead letters back into the queue; returns how many. @throws Refused 404 */
	redeliver(apiKey: string, id: string): Promise<number>;
	close(): Promise<void>;
}

export interface WebhooksOptions {
	readonly market: Market;
	readonly database: Database;
	readonly allowPrivate: boolean;
	/** All webhooks belong to every caller: keys last one run only, so webhooks of an earlier run would have no owner to end them. */
	readonly isOneOwner?: boolean;
	readonly clock?: WorkClock;
	/** Replaces HTTP in tests. */
	readonly poster?: Poster;
	/** See OutboxOptions. */
	readonly queue?: number;
	readonly parallel?: number;
	readonly onError?: (error: unknown) => void;
}

/** Opens the stored webhooks; listens to the market while there is one. */
export async function createWebhooks(options: WebhooksOptions): Promise<Webhooks> {
	const webhooks = new LiveWebhooks(options, await createWebhookStore(options.database));
	await webhooks.start();
	return webhooks;
}

class LiveWebhooks implements Webhooks {
	readonly #market: Market;
	readonly #store: WebhookStore;
	readonly #outbox: Outbox;
	readonly #clock: WorkClock;
	readonly #allowPrivate: boolean;
	readonly #isOneOwner: boolean;
	#startMs: number;
	readonly #webhooks = new Map<string, Webhook>();
	readonly #matcher = new EventMatcher();
	readonly #identities: EventIdentities;
	#bodies: EventBodies | undefined;
	#stopListening: (() => void) | undefined;
	#stopBeginnings: (() => void) | undefined;
	#willForget = false;

	constructor(
		{market, database: _, allowPrivate, isOneOwner = false, clock = wallClock, poster, ...limits}: WebhooksOptions,
		store: WebhookStore,
	) {
		this.#market = market;
		this.#identities = new EventIdentities(market.invented === 'simulated');
		this.#store = store;
		this.#clock = clock;
		this.#allowPrivate = allowPrivate;
		this.#isOneOwner = isOneOwner;
		this.#startMs = market.nowMs();
		const sending = poster ?? createPoster({allowPrivate, connections: limits.parallel ?? OUTBOX.parallel});
		this.#outbox = new Outbox({store: this.#store, poster: sending, clock, ...limits});
	}

	/** Opens the stored webhooks with their waiting events. */
	async start(): Promise<void> {
		for (const webhook of await this.#store.webhooks()) {
			const {id} = webhook;
			const [waiting, tally] = [await this.#store.pending(id), await this.#store.tally(id)];
			this.#admit(webhook, {sinceMs: this.#startMs, waiting, tally});
		}
		this.#listen();
		this.#stopBeginnings = this.#market.onBeginsAgain?.(() => {
			this.#startMs = this.#market.nowMs();
			this.#matcher.beginAgain(this.#startMs);
		});
	}

	async list(apiKey: string): Promise<WebhookRecord[]> {
		return this.#of(apiKey).map(webhook => recordOf(webhook, apiKey));
	}

	async create(apiKey: string, asked: NewWebhook) {
		const start = {createdAtMs: this.#clock.nowMs(), since: null};
		const webhook = await newWebhook(apiKey, asked, {...start, allowPrivate: this.#allowPrivate});
		checkCount(this.#of(apiKey).length);
		await this.#store.insert(webhook);
		this.#admit(webhook, {sinceMs: this.#market.nowMs(), waiting: [], tally: NO_TALLY});
		this.#listen();
		return {...recordOf(webhook, apiKey), webhookSecret: webhook.secret};
	}

	async update(
		apiKey: string,
		id: string,
		mode: 'replace' | 'merge',
		filters: FilterTree | undefined,
	): Promise<WebhookRecord> {
		const webhook = withFilters(this.#find(apiKey, id), mode, filters);
		await this.#store.setFilters(id, webhook.filters);
		this.#webhooks.set(id, webhook);
		this.#matcher.change(webhook);
		return recordOf(webhook, apiKey);
	}

	async remove(apiKey: string, id: string): Promise<void> {
		this.#find(apiKey, id);
		await this.#store.remove(id);
		this.#outbox.drop(id);
		this.#webhooks.delete(id);
		this.#matcher.delete(id);
		this.#listen();
	}

	async deliveries(
		apiKey: string,
		id: string,
		page: {readonly limit: number; readonly offset: number},
	): Promise<WebhookDeliveries> {
		this.#find(apiKey, id);
		const count = await this.#store.countDeadLetters(id);
		return deliveriesOf(id, this.#outbox.status(id)!, count, await this.#store.deadLetters(id, page));
	}

	async redeliver(apiKey: string, id: string): Promise<number> {
		this.#find(apiKey, id);
		return this.#outbox.revive(id);
	}

	async close(): Promise<void> {
		this.#stopBeginnings?.();
		this.#stopListening?.();
		this.#stopListening = undefined;
		await this.#outbox.stop();
	}

	#of(apiKey: string): Webhook[] {
		return [...this.#webhooks.values()].filter(webhook => this.#isOf(webhook, apiKey));
	}

	#isOf({owner}: Webhook, apiKey: string): boolean {
		return this.#isOneOwner || owner === ownerOf(apiKey);
	}

	#find(apiKey: string, id: string): Webhook {
		const webhook = this.#webhooks.get(id);
		if (webhook === undefined || !this.#isOf(webhook, apiKey)) throw noSuchWebhook();
		return webhook;
	}

	/** @param stored.sinceMs by the market's clock, which may differ from this machine's */
	#admit(webhook: Webhook, {sinceMs, ...stored}: {readonly sinceMs: number} & StoredLane): void {
		this.#webhooks.set(webhook.id, webhook);
		this.#matcher.set(webhook, {sinceMs});
		this.#outbox.open(webhook, stored);
	}

	/** Listens to the market while there is a webhook, and only then. */
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
				this.#outbox.enqueue({...match, id: deliveryId(match.webhookId, named, match.event)});
			}
		}
	}

	/** The market's table is current again when this turn of the event loop is over. */
	#forgetSoon(): void {
		if (this.#willForget) return;
		this.#willForget = true;
		setImmediate(() => {
			this.#willForget = false;
			this.#bodies?.forget();
		});
	}
}
