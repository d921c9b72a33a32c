import {randomUUID} from 'node:crypto';
import type {WebhookDeliveries, WebhookRecord} from '../../contract/webhook.ts';
import type {Market, MarketLog} from '../market/market.ts';
import type {Replica} from '../replicas/replica.ts';
import type {Database} from '../store/database.ts';
import {DeliveryQueue} from './delivery-queue.ts';
import type {Enqueuer} from './enqueuer.ts';
import {LogEnqueuer} from './log-enqueuer.ts';
import {MarketEnqueuer} from './market-enqueuer.ts';
import {Outbox} from './outbox.ts';
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
import {createWebhookStore, type Webhook, type WebhookStore} from './webhook-store.ts';

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
	/** Present when several processes share the webhooks and their queue. */
	readonly replica?: (Pick<Replica, 'id' | 'leases' | 'log'> & {readonly marketLog: MarketLog}) | undefined;
	readonly allowPrivate: boolean;
	/** All webhooks belong to every caller: keys last one run only, so webhooks of an earlier run would have no owner to end them. */
	readonly isOneOwner?: boolean;
	/** Replaces HTTP in tests. */
	readonly poster?: Poster;
	/** See QueueOptions. */
	readonly queue?: number;
	readonly leaseMs?: number;
	/** See OutboxOptions. */
	readonly parallel?: number;
	readonly onError: (error: unknown) => void;
}

/** Opens the stored webhooks, whose whole state is in the database. @throws StoreFailed */
export async function createWebhooks(options: WebhooksOptions): Promise<Webhooks> {
	const webhooks = new StoredWebhooks(options, await createWebhookStore(options.database));
	await webhooks.start();
	return webhooks;
}

/** A clock that nobody sets, the same for all processes of this machine. */
function monotonicMs(): number {
	return Number(process.hrtime.bigint() / 1_000_000n);
}

class StoredWebhooks implements Webhooks {
	readonly #options: WebhooksOptions;
	readonly #store: WebhookStore;
	readonly #queue: DeliveryQueue;
	readonly #poster: Poster;
	readonly #outbox: Outbox;
	readonly #enqueuer: Enqueuer;
	/** Ids of the webhooks as of the last change. */
	#known: ReadonlySet<string> = new Set();

	constructor(options: WebhooksOptions, store: WebhookStore) {
		const {market, database, replica, allowPrivate, parallel, onError} = options;
		this.#options = options;
		this.#store = store;
		this.#queue = new DeliveryQueue(database, {
			owner: replica?.id ?? randomUUID(),
			max: options.queue,
			leaseMs: options.leaseMs,
			...(replica === undefined && {now: monotonicMs}),
		});
		this.#poster =
			options.poster ?? createPoster({allowPrivate, ...(parallel !== undefined && {connections: parallel})});
		this.#outbox = new Outbox({
			queue: this.#queue,
			poster: this.#poster,
			parallel,
			...(replica === undefined && {dateOf: Date.now}),
			onWebhooksChanged: () => this.#dropRemoved(),
			onError,
		});
		const enqueues = {
			market,
			queue: this.#queue,
			max: options.queue,
			webhooks: () => store.webhooks(),
			onEnqueued: () => this.#outbox.wake(),
			onError,
		};
		this.#enqueuer = replica ? new LogEnqueuer({...enqueues, ...replica}) : new MarketEnqueuer(enqueues);
	}

	/** @throws StoreFailed */
	async start(): Promise<void> {
		await this.#enqueuer.start();
		this.#outbox.wake();
	}

	async list(apiKey: string): Promise<WebhookRecord[]> {
		return (await this.#of(apiKey)).map(webhook => recordOf(webhook, apiKey));
	}

	async create(apiKey: string, asked: NewWebhook) {
		const beginning = await this.#enqueuer.beginning();
		const webhook = await newWebhook(apiKey, asked, {...beginning, allowPrivate: this.#options.allowPrivate});
		await this.#change(async () => {
			checkCount((await this.#of(apiKey)).length);
			await this.#store.insert(webhook);
		});
		return {...recordOf(webhook, apiKey), webhookSecret: webhook.secret};
	}

	async update(
		apiKey: string,
		id: string,
		mode: 'replace' | 'merge',
		filters: FilterTree | undefined,
	): Promise<WebhookRecord> {
		const changed = await this.#change(async () => {
			const webhook = withFilters(await this.#find(apiKey, id), mode, filters);
			await this.#store.setFilters(id, webhook.filters);
			return webhook;
		});
		return recordOf(changed, apiKey);
	}

	async remove(apiKey: string, id: string): Promise<void> {
		await this.#change(async () => {
			await this.#find(apiKey, id);
			await this.#store.remove(id);
		});
		this.#poster.drop(id);
	}

	async deliveries(
		apiKey: string,
		id: string,
		page: {readonly limit: number; readonly offset: number},
	): Promise<WebhookDeliveries> {
		await this.#find(apiKey, id);
		const [tally, depths, count, letters] = await Promise.all([
			this.#store.tally(id),
			this.#queue.depths([id]),
			this.#store.countDeadLetters(id),
			this.#store.deadLetters(id, page),
		]);
		return deliveriesOf(id, {...tally, pending: depths.get(id) ?? 0}, count, letters);
	}

	async redeliver(apiKey: string, id: string): Promise<number> {
		await this.#find(apiKey, id);
		const revived = await this.#queue.revive(id);
		this.#outbox.wake();
		return revived;
	}

	async close(): Promise<void> {
		await this.#enqueuer.stop();
		await this.#outbox.stop();
	}

	/** Changes webhooks, serialised with other processes. */
	async #change<T>(act: () => Promise<T>): Promise<T> {
		const {since} = await this.#enqueuer.beginning();
		await this.#queue.state(since ?? '');
		const result = await this.#options.database.transaction(
			async () => {
				// Locks the row that all changes lock: `act` sees what the ones before it committed.
				await this.#queue.webhooksChange();
				return act();
			},
			{isolation: 'read-committed'},
		);
		await this.#enqueuer.reload();
		return result;
	}

	async #of(apiKey: string): Promise<Webhook[]> {
		return this.#store.webhooks(this.#options.isOneOwner ? undefined : {owner: ownerOf(apiKey)});
	}

	async #find(apiKey: string, id: string): Promise<Webhook> {
		const [webhook] = await this.#store.webhooks({id});
		if (webhook === undefined || !(this.#options.isOneOwner || webhook.owner === ownerOf(apiKey)))
			throw noSuchWebhook();
		return webhook;
	}

	/** Closes connections to webhooks that any process has removed. */
	async #dropRemoved(): Promise<void> {
		const there = new Set((await this.#store.webhooks()).map(({id}) => id));
		for (const id of this.#known) if (!there.has(id)) this.#poster.drop(id);
		this.#known = there;
	}
}
