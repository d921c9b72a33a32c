import {WEBHOOK_DELIVERY} from '../../contract/webhook.ts';
import type {Outcome, Poster} from './poster.ts';
import {retryDelayMs} from './retry-plan.ts';
import {signDelivery} from './signature.ts';
import type {DeadLetter, Delivery, Tally, Webhook, WebhookStore} from './webhook-store.ts';
import type {WorkClock} from './work-clock.ts';

export interface OutboxOptions {
	readonly store: WebhookStore;
	readonly poster: Poster;
	readonly clock: WorkClock;
	/** Waiting events of one webhook, those being sent included; further ones are dropped and counted. */
	readonly queue?: number;
	/**
	 * Attempts of one webhook at a time. A delivery that waits for its retry counts, so a failing target gets fewer
	 * requests.
	 */
	readonly parallel?: number;
	/** Called when the store fails. */
	readonly onError?: (error: unknown) => void;
}

export const OUTBOX = {queue: 1000, parallel: 8} as const;

/** Results of deliveries are stored together, so that each does not cost a write. */
const SAVE_MS = 200;
/** A store that failed is tried again after this. */
const STORE_RETRY_MS = 1000;
/** How long deliveries in progress may take when the service stops. */
const STOP_MS = 1000;

/** What an earlier run left of a webhook. */
export interface StoredLane {
	/** Waiting events, oldest first. */
	readonly waiting: readonly Delivery[];
	readonly tally: Tally;
}

interface Lane {
	readonly webhook: Webhook;
	readonly waiting: Delivery[];
	/** Ids of the accepted events, those being sent included. */
	readonly ids: Set<string>;
	running: number;
	tally: Tally;
	isOpen: boolean;
}

/**
 * Delivers events to webhooks, at least once: an accepted event is in the store before it is sent, and is removed when
 * it has arrived or is given up. The order is not kept.
 */
export class Outbox {
	readonly #store: WebhookStore;
	readonly #poster: Poster;
	readonly #clock: WorkClock;
	readonly #queue: number;
	readonly #parallel: number;
	readonly #onError: (error: unknown) => void;
	readonly #lanes = new Map<string, Lane>();
	#queued: Delivery[] = [];
	#tried: Pick<Delivery, 'id' | 'attempts'>[] = [];
	#done: string[] = [];
	#dead: DeadLetter[] = [];
	#dirty = new Set<Lane>();
	#immediate: NodeJS.Immediate | undefined;
	#cancelSave: (() => void) | undefined;
	readonly #wakers = new Set<() => void>();
	readonly #underWay = new Set<Promise<void>>();
	#isStopping = false;
	#hasFailed = false;
	/** Ends when the work with the store that was asked for so far is over. */
	#turn: Promise<unknown> = Promise.resolve();

	constructor({store, poster, clock, queue = OUTBOX.queue, parallel = OUTBOX.parallel, onError}: OutboxOptions) {
		this.#store = store;
		this.#poster = poster;
		this.#clock = clock;
		this.#queue = queue;
		this.#parallel = parallel;
		this.#onError = onError ?? (() => {});
	}

	/** Starts with the stored events of a webhook, and accepts new ones. */
	open(webhook: Webhook, {waiting, tally}: StoredLane): void {
		const ids = new Set(waiting.map(({id}) => id));
		const lane: Lane = {webhook, waiting: [...waiting], ids, running: 0, tally, isOpen: true};
		this.#lanes.set(webhook.id, lane);
		this.#pump(lane);
	}

	/** Stops sending to a webhook. The caller removes its rows from the store. */
	drop(id: string): void {
		const lane = this.#lanes.get(id);
		if (lane === undefined) return;
		lane.isOpen = false;
		this.#lanes.delete(id);
		this.#poster.drop(id);
		this.#dirty.delete(lane);
		this.#queued = this.#queued.filter(({webhookId}) => webhookId !== id);
		this.#dead = this.#dead.filter(({webhookId}) => webhookId !== id);
	}

	/**
	 * Accepts an event for a webhook; false when its queue is full. An event that waits already is accepted, and sent once.
	 * @param id see deliveryId
	 * @param body the JSON to post
	 */
	enqueue({id, webhookId, event, body}: Pick<Delivery, 'id' | 'webhookId' | 'event' | 'body'>): boolean {
		const lane = this.#lanes.get(webhookId);
		if (lane === undefined || this.#isStopping) return false;
		if (lane.ids.has(id)) return true;
		if (lane.ids.size >= this.#queue) {
			this.#count(lane, {dropped: lane.tally.dropped + 1});
			this.#saveLater();
			return false;
		}
		lane.ids.add(id);
		this.#queued.push({id, webhookId, event, body, createdAtMs: this.#clock.nowMs(), attempts: 0});
		// A store that failed gets time before the next write.
		if (!this.#hasFailed) this.#immediate ??= setImmediate(() => void this.#save());
		return true;
	}

	/**
	 * Sends dead letters again, the oldest first, as many as fit in the queue. Returns how many. @throws StoreFailed
	 */
	revive(id: string): Promise<number> {
		return this.#inTurn(async () => {
			const lane = this.#lanes.get(id);
			if (lane === undefined) return 0;
			const revived = await this.#store.revive(id, Math.max(0, this.#queue - lane.ids.size));
			for (const {id: revivedId} of revived) lane.ids.add(revivedId);
			lane.waiting.push(...revived);
			this.#pump(lane);
			return revived.length;
		});
	}

	/** The counts of a webhook; undefined for one that is not open. */
	status(id: string): (Tally & {readonly pending: number}) | undefined {
		const lane = this.#lanes.get(id);
		return lane && {...lane.tally, pending: lane.ids.size};
	}

	/** Accepts nothing more, waits a moment for deliveries in progress, and stores their results. */
	async stop(): Promise<void> {
		this.#isStopping = true;
		for (const wake of this.#wakers) wake();
		let timer: NodeJS.Timeout | undefined;
		const late = new Promise<void>(resolve => {
			timer = setTimeout(resolve, STOP_MS);
		});
		await Promise.race([Promise.all(this.#underWay), late]);
		clearTimeout(timer);
		await this.#poster.close();
		await Promise.all(this.#underWay);
		await this.#save();
		this.#cancelSave?.();
	}

	#pump(lane: Lane): void {
		while (lane.running < this.#parallel && lane.waiting.length > 0 && lane.isOpen && !this.#isStopping) {
			lane.running++;
			const delivery = lane.waiting.shift()!;
			const delivering = this.#deliver(lane, delivery).then(isOver => {
				this.#underWay.delete(delivering);
				lane.running--;
				if (!isOver) return;
				lane.ids.delete(delivery.id);
				this.#saveLater();
				this.#pump(lane);
			});
			this.#underWay.add(delivering);
		}
	}

	/** Sends until the delivery has ended: true when it has arrived or was given up. */
	async #deliver(lane: Lane, delivery: Delivery): Promise<boolean> {
		const firstMs = this.#clock.passedMs();
		for (let {attempts} = delivery; ; ) {
			const outcome = await this.#attempt(lane.webhook, delivery);
			if (!lane.isOpen || (this.#isStopping && !outcome.isDone)) return false;
			this.#note(lane, delivery, outcome);
			if (outcome.isDone) {
				this.#done.push(delivery.id);
				return true;
			}
			attempts++;
			const tookMs = this.#clock.passedMs() - firstMs;
			const delayMs = outcome.isFinal ? undefined : retryDelayMs(attempts, tookMs);
			if (delayMs === undefined) {
				const {status, reason} = outcome;
				this.#dead.push({...delivery, attempts, failedAtMs: this.#clock.nowMs(), status, reason: reason ?? ''});
				return true;
			}
			this.#tried.push({id: delivery.id, attempts});
			this.#saveLater();
			await this.#wait(delayMs);
			if (!lane.isOpen || this.#isStopping) return false;
		}
	}

	#attempt({id, url, secret}: Webhook, {id: deliveryId, body}: Delivery): Promise<Outcome> {
		const {signatureHeader, idHeader, deliveryHeader} = WEBHOOK_DELIVERY;
		const timeS = Math.floor(this.#clock.nowMs() / 1000);
		const headers = {
			[signatureHeader]: signDelivery(secret, timeS, body),
			[idHeader]: id,
			[deliveryHeader]: deliveryId,
		};
		return this.#poster.post(id, url, headers, body);
	}

	#note(lane: Lane, {event}: Delivery, {isDone, status, reason}: Outcome): void {
		const {delivered, failedAttempts} = lane.tally;
		const last = {atMs: this.#clock.nowMs(), event, isDone, status, reason};
		this.#count(lane, {last, ...(isDone ? {delivered: delivered + 1} : {failedAttempts: failedAttempts + 1})});
	}

	#count(lane: Lane, change: Partial<Tally>): void {
		lane.tally = {...lane.tally, ...change};
		this.#dirty.add(lane);
	}

	#wait(delayMs: number): Promise<void> {
		return new Promise(resolve => {
			const wake = (): void => {
				cancel();
				this.#wakers.delete(wake);
				resolve();
			};
			const cancel = this.#clock.after(delayMs, wake);
			this.#wakers.add(wake);
		});
	}

	#saveLater(delayMs = SAVE_MS): void {
		this.#cancelSave ??= this.#clock.after(delayMs, () => void this.#save());
	}

	/** Works with the store alone, after what was asked for before. */
	#inTurn<T>(act: () => Promise<T>): Promise<T> {
		const result = this.#turn.then(act);
		this.#turn = result.catch(() => {});
		return result;
	}

	/** Stores all results at once; accepted events are sent only after that. */
	#save(): Promise<void> {
		clearImmediate(this.#immediate);
		this.#immediate = undefined;
		this.#cancelSave?.();
		this.#cancelSave = undefined;
		return this.#inTurn(() => this.#saveNow());
	}

	async #saveNow(): Promise<void> {
		const [queued, tried, done, dead, dirty] = [this.#queued, this.#tried, this.#done, this.#dead, this.#dirty];
		if (queued.length + tried.length + done.length + dead.length + dirty.size === 0) return;
		[this.#queued, this.#tried, this.#done, this.#dead, this.#dirty] = [[], [], [], [], new Set()];
		const tallies = new Map(Array.from(dirty, ({webhook, tally}) => [webhook.id, tally]));
		try {
			await this.#store.write({queued, tried, done, dead, tallies});
		} catch (error) {
			this.#hasFailed = true;
			const isOpen = ({webhookId}: Delivery): boolean => this.#lanes.has(webhookId);
			this.#queued = [...queued.filter(isOpen), ...this.#queued];
			this.#tried = [...tried, ...this.#tried];
			this.#done = [...done, ...this.#done];
			this.#dead = [...dead.filter(isOpen), ...this.#dead];
			this.#dirty = new Set([...[...dirty].filter(lane => lane.isOpen), ...this.#dirty]);
			this.#onError(error);
			if (!this.#isStopping) this.#saveLater(STORE_RETRY_MS);
			return;
		}
		this.#hasFailed = false;
		for (const delivery of queued) this.#lanes.get(delivery.webhookId)?.waiting.push(delivery);
		for (const id of new Set(queued.map(({webhookId}) => webhookId))) {
			const lane = this.#lanes.get(id);
			if (lane) this.#pump(lane);
		}
	}
}
