import {createHash, randomUUID} from 'node:crypto';
import type {WebhookDeliveries, WebhookEvent, WebhookRecord} from '../../contract/webhook.ts';
import {parseWebhookFilters, passesWebhook, type WebhookFilter} from '../../contract/webhook-filter.ts';
import {InvalidRequest} from '../../contract/wire-error.ts';
import {Refused} from '../http-error.ts';
import type {MarketEvent} from '../market/events.ts';
import type {Market} from '../market/market.ts';
import type {Database} from '../store/database.ts';
import {EventBodies} from './event-bodies.ts';
import {fieldsOf, isDelivered} from './event-fields.ts';
import {OUTBOX, Outbox, type StoredLane} from './outbox.ts';
import {createPoster, type Poster} from './poster.ts';
import {makeWebhookSecret} from './signature.ts';
import {checkTarget} from './target-guard.ts';
import {createWebhookStore, NO_TALLY, type Webhook, type WebhookStore} from './webhook-store.ts';
import {type WorkClock, wallClock} from './work-clock.ts';

/** Most webhooks of one key. */
const WEBHOOKS_PER_KEY = 100;

type Tree = Readonly<Record<string, unknown>> | null;

/** Input of a new webhook. */
export interface NewWebhook {
	readonly name: string;
	readonly chainIds: readonly string[];
	readonly events: readonly WebhookEvent[];
	readonly url: string;
	readonly filters?: Readonly<Record<string, unknown>> | null | undefined;
}

/** The webhooks of a service. Every call is for one key; webhooks of other keys do not exist for it (404). */
export interface Webhooks {
	list(apiKey: string): WebhookRecord[];
	/** @throws InvalidRequest `events`, `filters`, `url`; Refused 409 when there are too many */
	create(apiKey: string, webhook: NewWebhook): Promise<WebhookRecord & {readonly webhookSecret: string}>;
	/** @throws Refused 404, InvalidRequest `filters` */
	update(apiKey: string, id: string, mode: 'replace' | 'merge', filters: Tree | undefined): Promise<WebhookRecord>;
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

interface Live {
	readonly webhook: Webhook;
	readonly chainIds: ReadonlySet<string>;
	readonly events: ReadonlySet<string>;
	readonly filter: WebhookFilter;
	/** Earlier events are history for this webhook. */
	readonly sinceMs: number;
}

/** The webhook events that each market event can become. */
const FORMS: Readonly<Record<MarketEvent['type'], readonly WebhookEvent[]>> = {
	trade: ['swap', 'swap-enriched', 'block'],
	transfer: ['transfer', 'block'],
	launch: ['launchpad', 'block'],
	migrate: ['launchpad', 'block'],
	liquidity: [],
	fund: [],
	profile: [],
	reserves: [],
	holders: [],
	gap: [],
};

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
	readonly #startMs: number;
	readonly #live = new Map<string, Live>();
	/** `<event>|<chainId>` with a subscriber. */
	#subscribed = new Set<string>();
	#bodies: EventBodies | undefined;
	#stopListening: (() => void) | undefined;
	#willForget = false;

	constructor(
		{market, database: _, allowPrivate, isOneOwner = false, clock = wallClock, poster, ...limits}: WebhooksOptions,
		store: WebhookStore,
	) {
		this.#market = market;
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
	}

	list(apiKey: string): WebhookRecord[] {
		return this.#of(apiKey).map(({webhook}) => recordOf(webhook, apiKey));
	}

	async create(apiKey: string, {name, chainIds, events, url, filters = null}: NewWebhook) {
		const undelivered = events.find(event => !isDelivered(event));
		if (undelivered !== undefined)
			throw new InvalidRequest('events', 'has one that this service never delivers', `got "${undelivered}"`);
		parseWebhookFilters(filters, 'filters', fieldsOf(events));
		await checkTarget(url, {allowPrivate: this.#allowPrivate});
		if (this.#of(apiKey).length >= WEBHOOKS_PER_KEY) {
			throw new Refused(409, `A key has at most ${WEBHOOKS_PER_KEY} webhooks`);
		}
		const webhook: Webhook = {
			id: randomUUID(),
			owner: ownerOf(apiKey),
			name,
			chainIds: [...new Set(chainIds)],
			events: [...new Set(events)],
			url,
			secret: makeWebhookSecret(),
			createdAtMs: this.#clock.nowMs(),
			filters,
		};
		await this.#store.insert(webhook);
		this.#admit(webhook, {sinceMs: this.#market.nowMs(), waiting: [], tally: NO_TALLY});
		this.#listen();
		return {...recordOf(webhook, apiKey), webhookSecret: webhook.secret};
	}

	async update(
		apiKey: string,
		id: string,
		mode: 'replace' | 'merge',
		filters: Tree | undefined,
	): Promise<WebhookRecord> {
		const live = this.#find(apiKey, id);
		const next = mode === 'merge' ? merged(live.webhook.filters, filters ?? null) : (filters ?? null);
		const filter = parseWebhookFilters(next, 'filters', fieldsOf(live.webhook.events));
		const webhook = {...live.webhook, filters: next};
		await this.#store.setFilters(id, next);
		this.#live.set(id, {...live, webhook, filter});
		return recordOf(webhook, apiKey);
	}

	async remove(apiKey: string, id: string): Promise<void> {
		this.#find(apiKey, id);
		await this.#store.remove(id);
		this.#outbox.drop(id);
		this.#live.delete(id);
		this.#listen();
	}

	async deliveries(
		apiKey: string,
		id: string,
		page: {readonly limit: number; readonly offset: number},
	): Promise<WebhookDeliveries> {
		this.#find(apiKey, id);
		const [deadLettersCount, deadLetters] = [
			await this.#store.countDeadLetters(id),
			await this.#store.deadLetters(id, page),
		];
		const {delivered, failedAttempts, dropped, pending, last} = this.#outbox.status(id)!;
		return {
			id,
			delivered,
			failedAttempts,
			pending,
			dropped,
			lastAttempt: last && {
				at: iso(last.atMs),
				event: last.event,
				success: last.isDone,
				status: last.status,
				reason: last.reason,
			},
			deadLettersCount,
			deadLetters: deadLetters.map(letter => ({
				id: letter.id,
				event: letter.event,
				createdAt: iso(letter.createdAtMs),
				failedAt: iso(letter.failedAtMs),
				attempts: letter.attempts,
				status: letter.status,
				reason: letter.reason,
				body: JSON.parse(letter.body) as unknown,
			})),
		};
	}

	async redeliver(apiKey: string, id: string): Promise<number> {
		this.#find(apiKey, id);
		return this.#outbox.revive(id);
	}

	async close(): Promise<void> {
		this.#stopListening?.();
		this.#stopListening = undefined;
		await this.#outbox.stop();
	}

	#of(apiKey: string): Live[] {
		return [...this.#live.values()].filter(({webhook}) => this.#isOf(webhook, apiKey));
	}

	#isOf({owner}: Webhook, apiKey: string): boolean {
		return this.#isOneOwner || owner === ownerOf(apiKey);
	}

	#find(apiKey: string, id: string): Live {
		const live = this.#live.get(id);
		if (live === undefined || !this.#isOf(live.webhook, apiKey)) throw new Refused(404, 'No such webhook');
		return live;
	}

	/** @param stored.sinceMs by the market's clock, which may differ from this machine's */
	#admit(webhook: Webhook, {sinceMs, ...stored}: {readonly sinceMs: number} & StoredLane): void {
		this.#live.set(webhook.id, {
			webhook,
			chainIds: new Set(webhook.chainIds),
			events: new Set(webhook.events),
			filter: parseWebhookFilters(webhook.filters),
			sinceMs,
		});
		this.#outbox.open(webhook, stored);
	}

	/** Listens to the market while there is a webhook, and only then. */
	#listen(): void {
		this.#subscribed = new Set(
			[...this.#live.values()].flatMap(({chainIds, events}) =>
				[...chainIds].flatMap(chainId => [...events].map(event => `${event}|${chainId}`)),
			),
		);
		if (this.#live.size === 0) {
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
		if (!FORMS[event.type].some(form => this.#subscribed.has(`${form}|${event.chainId}`))) return;
		for (const {event: form, chainId, timeMs, fields, body} of bodies.write(event)) {
			if (!this.#subscribed.has(`${form}|${chainId}`)) continue;
			const read = (field: string) => (Object.hasOwn(fields, field) ? fields[field] : undefined);
			let text: string | undefined;
			for (const {webhook, chainIds, events, filter, sinceMs} of this.#live.values()) {
				if (timeMs < sinceMs || !events.has(form) || !chainIds.has(chainId)) continue;
				if (!passesWebhook(filter, read)) continue;
				text ??= JSON.stringify(body);
				this.#outbox.offer(webhook.id, form, text);
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

/** Both trees, AND-ed; an existing list of conditions gets one more. */
function merged(old: Tree, more: Tree): Tree {
	if (old === null || more === null) return old ?? more;
	const and = Object.keys(old).length === 1 && Array.isArray(old['and']) ? [...old['and'], more] : [old, more];
	return {and};
}

/** The owner of a key's webhooks. The key itself is not stored. */
function ownerOf(apiKey: string): string {
	return createHash('sha256').update(`webhooks of ${apiKey}`).digest('hex');
}

function recordOf({id, name, chainIds, events, url, createdAtMs, filters}: Webhook, apiKey: string): WebhookRecord {
	return {
		id,
		name,
		chainIds: [...chainIds],
		events: [...events],
		webhookUrl: url,
		apiKey,
		createdAt: iso(createdAtMs),
		filters: filters && {...filters},
	};
}

function iso(timeMs: number): string {
	return new Date(timeMs).toISOString();
}
