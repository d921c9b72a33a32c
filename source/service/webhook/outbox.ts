import {randomUUID} from 'node:crypto';
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
	/** Events of one webhook that may wait, those under way included; what finds the queue full is dropped and counted. */
	readonly queue?: number;
	/** Attempts of one webhook at a time. One that waits for its retry counts: a target that fails is asked less. */
	readonly parallel?: number;
	/** Is told of a store that fails. */
	readonly onError?: (error: unknown) => void;
}

export const OUTBOX = {queue: 1000, parallel: 8} as const;

/** Ends of deliveries are written down together, so that each does not cost a write of its own. */
const SAVE_MS = 200;
/** A store that failed is tried again after this. */
const STORE_RETRY_MS = 1000;
/** What is under way when the service stops may still arrive for this long. */
const STOP_MS = 1000;

interface Lane {
	readonly webhook: Webhook;
	readonly waiting: Delivery[];
	/** Accepted, under way included. */
	depth: number;
	running: number;
	tally: Tally;
	isOpen: boolean;
}

/**
 * Delivers events to webhooks, at least once: an event that was accepted is in the store before it is sent, and leaves it
 * when it has arrived or is given up. Order is not kept.
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

	constructor({store, poster, clock, queue = OUTBOX.queue, parallel = OUTBOX.parallel, onError}: OutboxOptions) {
		this.#store = store;
		this.#poster = poster;
		this.#clock = clock;
		this.#queue = queue;
		this.#parallel = parallel;
		this.#onError = onError ?? (() => {});
	}

	/** Begins with what the store holds for a webhook, and takes events for it from now on. */
	open(webhook: Webhook): void {
		const waiting = this.#store.pending(webhook.id);
		const tally = this.#store.tally(webhook.id);
		const lane: Lane = {webhook, waiting, depth: waiting.length, running: 0, tally, isOpen: true};
		this.#lanes.set(webhook.id, lane);
		this.#pump(lane);
	}

	/** Forgets a webhook: nothing more is sent to it. Its rows in the store are the caller's. */
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

	/** Accepts an event for a webhook; false when its queue is full. @param body the JSON to post */
	offer(id: string, event: string, body: string): boolean {
		const lane = this.#lanes.get(id);
		if (lane === undefined || this.#isStopping) return false;
		if (lane.depth >= this.#queue) {
			this.#count(lane, {dropped: lane.tally.dropped + 1});
			this.#saveLater();
			return false;
		}
		lane.depth++;
		this.#queued.push({
			id: randomUUID(),
			webhookId: id,
			event,
			body,
			createdAtMs: this.#clock.nowMs(),
			attempts: 0,
		});
		// A store that fails is given its time.
		if (!this.#hasFailed) this.#immediate ??= setImmediate(() => this.#save());
		return true;
	}

	/** Sends dead letters again, the oldest first, as many as the queue has room for. Returns how many. @throws StoreFailed */
	revive(id: string): number {
		const lane = this.#lanes.get(id);
		if (lane === undefined) return 0;
		const revived = this.#store.revive(id, Math.max(0, this.#queue - lane.depth));
		lane.depth += revived.length;
		lane.waiting.push(...revived);
		this.#pump(lane);
		return revived.length;
	}

	/** How a webhook is doing; undefined for one that is not open. */
	status(id: string): (Tally & {readonly pending: number}) | undefined {
		const lane = this.#lanes.get(id);
		return lane && {...lane.tally, pending: lane.depth};
	}

	/** Takes nothing more, lets what is under way arrive for a moment, and writes down what did. */
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
		this.#save();
		this.#cancelSave?.();
	}

	#pump(lane: Lane): void {
		while (lane.running < this.#parallel && lane.waiting.length > 0 && lane.isOpen && !this.#isStopping) {
			lane.running++;
			const delivering = this.#deliver(lane, lane.waiting.shift()!).then(isOver => {
				this.#underWay.delete(delivering);
				lane.running--;
				if (!isOver) return;
				lane.depth--;
				this.#saveLater();
				this.#pump(lane);
			});
			this.#underWay.add(delivering);
		}
	}

	/** Whether the delivery is over: it arrived, or was given up. */
	async #deliver(lane: Lane, delivery: Delivery): Promise<boolean> {
		const firstMs = this.#clock.nowMs();
		for (let {attempts} = delivery; ; ) {
			const outcome = await this.#attempt(lane.webhook, delivery);
			if (!lane.isOpen || (this.#isStopping && !outcome.isDone)) return false;
			this.#note(lane, delivery, outcome);
			if (outcome.isDone) {
				this.#done.push(delivery.id);
				return true;
			}
			attempts++;
			const nowMs = this.#clock.nowMs();
			const delayMs = outcome.isFinal ? undefined : retryDelayMs(attempts, nowMs - firstMs);
			if (delayMs === undefined) {
				const {status, reason} = outcome;
				this.#dead.push({...delivery, attempts, failedAtMs: nowMs, status, reason: reason ?? ''});
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
		this.#cancelSave ??= this.#clock.after(delayMs, () => this.#save());
	}

	/** Writes all that has happened down in one go; only then is what was accepted sent. */
	#save(): void {
		clearImmediate(this.#immediate);
		this.#immediate = undefined;
		this.#cancelSave?.();
		this.#cancelSave = undefined;
		const [queued, tried, done, dead, dirty] = [this.#queued, this.#tried, this.#done, this.#dead, this.#dirty];
		if (queued.length + tried.length + done.length + dead.length + dirty.size === 0) return;
		const tallies = new Map(Array.from(dirty, ({webhook, tally}) => [webhook.id, tally]));
		try {
			this.#store.write({queued, tried, done, dead, tallies});
		} catch (error) {
			this.#hasFailed = true;
			this.#onError(error);
			if (!this.#isStopping) this.#saveLater(STORE_RETRY_MS);
			return;
		}
		this.#hasFailed = false;
		[this.#queued, this.#tried, this.#done, this.#dead, this.#dirty] = [[], [], [], [], new Set()];
		for (const delivery of queued) this.#lanes.get(delivery.webhookId)?.waiting.push(delivery);
		for (const id of new Set(queued.map(({webhookId}) => webhookId))) {
			const lane = this.#lanes.get(id);
			if (lane) this.#pump(lane);
		}
	}
}
