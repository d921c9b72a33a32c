import type {WebhookDeliveries, WebhookRecord} from '../../contract/webhook.ts';
import type {Market, MarketLog} from '../market/market.ts';
import {formatPosition} from '../replicas/position.ts';
import type {Replica} from '../replicas/replica.ts';
import {LogEnqueuer} from './log-enqueuer.ts';
import {OUTBOX} from './outbox.ts';
import {createPoster, type Poster} from './poster.ts';
import {SharedOutbox} from './shared-outbox.ts';
import {SharedQueue} from './shared-queue.ts';
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
import type {Webhooks} from './webhooks.ts';

export interface ReplicaWebhooksOptions {
	readonly market: Market;
	readonly marketLog: MarketLog;
	readonly replica: Pick<Replica, 'id' | 'database' | 'leases' | 'log'>;
	readonly allowPrivate: boolean;
	/** See WebhooksOptions. */
	readonly isOneOwner?: boolean;
	/** Replaces HTTP in tests. */
	readonly poster?: Poster;
	/** See OutboxOptions; of all replicas together. */
	readonly queue?: number;
	readonly parallel?: number;
	/** See SharedQueue. */
	readonly leaseMs?: number;
	readonly onError: (error: unknown) => void;
}

/** Opens the webhooks that several replicas share; their whole state is in the database. @throws StoreFailed */
export async function createReplicaWebhooks(options: ReplicaWebhooksOptions): Promise<Webhooks> {
	const webhooks = new ReplicaWebhooks(options, await createWebhookStore(options.replica.database));
	webhooks.start();
	return webhooks;
}

class ReplicaWebhooks implements Webhooks {
	readonly #replica: ReplicaWebhooksOptions['replica'];
	readonly #store: WebhookStore;
	readonly #queue: SharedQueue;
	readonly #poster: Poster;
	readonly #outbox: SharedOutbox;
	readonly #enqueuer: LogEnqueuer;
	readonly #options: ReplicaWebhooksOptions & {readonly queue: number};
	/** Ids of the webhooks as of the last change. */
	#known: ReadonlySet<string> = new Set();

	constructor(options: ReplicaWebhooksOptions, store: WebhookStore) {
		const {
			replica,
			market,
			marketLog,
			allowPrivate,
			queue = OUTBOX.queue,
			parallel = OUTBOX.parallel,
			onError,
		} = options;
		this.#options = {...options, queue};
		this.#replica = replica;
		this.#store = store;
		this.#queue = new SharedQueue(replica.database, replica.id, {leaseMs: options.leaseMs});
		this.#poster = options.poster ?? createPoster({allowPrivate, connections: parallel});
		this.#outbox = new SharedOutbox({
			queue: this.#queue,
			poster: this.#poster,
			parallel,
			onWebhooksChanged: () => this.#dropRemoved(),
			onError,
		});
		this.#enqueuer = new LogEnqueuer({
			market,
			marketLog,
			log: replica.log,
			leases: replica.leases,
			queue: this.#queue,
			webhooks: () => store.webhooks(),
			most: queue,
			onEnqueued: () => this.#outbox.wake(),
			onError,
		});
	}

	start(): void {
		this.#outbox.start();
		this.#enqueuer.start();
	}

	async list(apiKey: string): Promise<WebhookRecord[]> {
		return (await this.#of(apiKey)).map(webhook => recordOf(webhook, apiKey));
	}

	async create(apiKey: string, asked: NewWebhook) {
		const {log} = this.#replica;
		const head = await log.head();
		const webhook = await newWebhook(apiKey, asked, {
			allowPrivate: this.#options.allowPrivate,
			createdAtMs: head.nowMs,
			since: formatPosition({epoch: log.epoch, seq: head.seq}),
		});
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
		const revived = await this.#queue.revive(id, this.#options.queue);
		this.#outbox.wake();
		return revived;
	}

	async close(): Promise<void> {
		await this.#enqueuer.stop();
		await this.#outbox.stop();
	}

	/** Changes webhooks, serialised with the other replicas. */
	async #change<T>(act: () => Promise<T>): Promise<T> {
		const {log, database} = this.#replica;
		await this.#queue.state(formatPosition({epoch: log.epoch, seq: (await log.head()).seq}));
		return database.transaction(
			async () => {
				// Locks the row that all changes lock: `act` sees what the ones before it committed.
				await this.#queue.webhooksChange();
				return act();
			},
			{isolation: 'read-committed'},
		);
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

	/** Closes connections to webhooks that any replica has removed. */
	async #dropRemoved(): Promise<void> {
		const there = new Set((await this.#store.webhooks()).map(({id}) => id));
		for (const id of this.#known) if (!there.has(id)) this.#poster.drop(id);
		this.#known = there;
	}
}
