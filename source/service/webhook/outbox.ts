import {WEBHOOK_DELIVERY} from '../../contract/webhook.ts';
import type {DeliveryQueue, GivenUp, Retried, TakenDelivery} from './delivery-queue.ts';
import type {Outcome, Poster} from './poster.ts';
import {retryDelayMs} from './retry-plan.ts';
import {signDelivery} from './signature.ts';
import type {LastAttempt} from './webhook-store.ts';

export interface OutboxOptions {
	readonly queue: DeliveryQueue;
	readonly poster: Poster;
	/** Maximum number of concurrent deliveries of one webhook in all processes, those that wait for a retry included. */
	readonly parallel?: number | undefined;
	/** The date of a time of the queue, Unix ms, for signatures. */
	readonly dateOf?: ((ms: number) => number) | undefined;
	/** Called at the start, and after any process has made, changed or removed a webhook. */
	readonly onWebhooksChanged: () => Promise<void>;
	/** Called at the first failure of the database in a row. */
	readonly onError: (error: unknown) => void;
}

const PARALLEL = 8;
/** Polling interval for deliveries of other processes and of dead ones. */
const POLL_MS = 500;
/** Delay before a retry after a failure of the database. */
const RETRY_MS = 1000;
/** Results within this time are stored together, while further ones are awaited. */
const SETTLE_MS = 20;
/** Maximum number of concurrent deliveries of a process. */
const MAX_RUNNING = 256;
/** Timeout of deliveries in progress when the service stops. */
const STOP_MS = 1000;

/** The results of attempts that are not stored yet. */
interface Results {
	arrived: string[];
	retried: Retried[];
	dead: GivenUp[];
	last: Map<string, LastAttempt>;
}

const noResults = (): Results => ({arrived: [], retried: [], dead: [], last: new Map()});

/**
 * Sends the due deliveries of the queue, at least once: a delivery is removed after a success, or when it becomes a dead letter.
 * The deliveries of a dead process are taken by another when their leases expire. The order is not kept.
 */
export class Outbox {
	readonly #queue: DeliveryQueue;
	readonly #poster: Poster;
	readonly #parallel: number;
	readonly #dateOf: (ms: number) => number;
	readonly #options: OutboxOptions;
	readonly #running = new Set<Promise<void>>();
	#results = noResults();
	#version: number | undefined;
	#timer: NodeJS.Timeout | undefined;
	#settleTimer: NodeJS.Timeout | undefined;
	readonly #retryTimers = new Set<NodeJS.Timeout>();
	/** Settles with the last queued statement. */
	#turn: Promise<unknown> = Promise.resolve();
	#isTaking = false;
	/** Whether `wake` was called since the last poll began. */
	#isWanted = false;
	#isStopping = false;
	/** Work that failed when it was done last: it may be possible to read the store, and not to write it. */
	readonly #failing = new Set<'take' | 'settle'>();

	constructor(options: OutboxOptions) {
		this.#options = options;
		this.#queue = options.queue;
		this.#poster = options.poster;
		this.#parallel = options.parallel ?? PARALLEL;
		this.#dateOf = options.dateOf ?? (ms => ms);
	}

	/** Takes due deliveries now. */
	wake(): void {
		this.#isWanted = true;
		if (this.#isTaking || this.#isStopping) return;
		this.#isTaking = true;
		clearTimeout(this.#timer);
		void this.#inTurn('take', () => this.#take()).then(isDone => {
			this.#isTaking = false;
			if (this.#isStopping) return;
			if (isDone && this.#isWanted) this.wake();
			else this.#timer = setTimeout(() => this.wake(), isDone ? POLL_MS : RETRY_MS).unref();
		});
	}

	/** Stops taking deliveries, waits for those in progress, stores their results and releases the others. */
	async stop(): Promise<void> {
		this.#isStopping = true;
		clearTimeout(this.#timer);
		clearTimeout(this.#settleTimer);
		for (const timer of this.#retryTimers) clearTimeout(timer);
		let timer: NodeJS.Timeout | undefined;
		const late = new Promise<void>(resolve => {
			timer = setTimeout(resolve, STOP_MS);
		});
		await Promise.race([Promise.all(this.#running), late]);
		clearTimeout(timer);
		await this.#poster.close();
		await Promise.all(this.#running);
		await this.#settle();
		await this.#inTurn('settle', () => this.#queue.release());
	}

	async #take(): Promise<void> {
		this.#isWanted = false;
		const {version, webhookIds} = await this.#queue.due();
		if (version !== this.#version) {
			await this.#options.onWebhooksChanged();
			this.#version = version;
		}
		const room = MAX_RUNNING - this.#running.size;
		if (webhookIds.length === 0 || room < this.#parallel || this.#isStopping) return;
		const atATime = Math.floor(room / this.#parallel);
		// Processes that poll at the same time begin with different webhooks.
		const from = Math.floor(Math.random() * webhookIds.length);
		const some = [...webhookIds.slice(from), ...webhookIds.slice(0, from)].slice(0, atATime);
		for (const delivery of await this.#queue.take(some, this.#parallel)) this.#send(delivery);
	}

	#send(delivery: TakenDelivery): void {
		const beganMs = performance.now();
		const sending = this.#attempt(delivery).then(outcome => {
			this.#running.delete(sending);
			const spentMs = performance.now() - beganMs;
			if (!this.#isStopping || outcome.isDone) this.#note(delivery, outcome, Math.round(spentMs));
		});
		this.#running.add(sending);
	}

	#attempt({id, webhookId, url, secret, body, takenAtMs}: TakenDelivery): Promise<Outcome> {
		const {signatureHeader, idHeader, deliveryHeader} = WEBHOOK_DELIVERY;
		const headers = {
			[signatureHeader]: signDelivery(secret, Math.floor(this.#dateOf(takenAtMs) / 1000), body),
			[idHeader]: webhookId,
			[deliveryHeader]: id,
		};
		return this.#poster.post(webhookId, url, headers, body);
	}

	/** @param spentMs duration of this attempt; the times before are those of the queue */
	#note(delivery: TakenDelivery, {isDone, isFinal, status, reason}: Outcome, spentMs: number): void {
		const {id, webhookId, event, takenAtMs, firstTakenAtMs} = delivery;
		const attempts = delivery.attempts + 1;
		this.#results.last.set(webhookId, {atMs: this.#dateOf(takenAtMs + spentMs), event, isDone, status, reason});
		const delayMs = isFinal ? undefined : retryDelayMs(attempts, takenAtMs - firstTakenAtMs + spentMs);
		if (isDone) this.#results.arrived.push(id);
		else if (delayMs === undefined) this.#results.dead.push({id, status, reason: reason ?? ''});
		else this.#results.retried.push({id, delayMs});
		if (this.#isStopping) return;
		if (this.#running.size === 0) void this.#settle();
		else this.#settleTimer ??= setTimeout(() => void this.#settle(), SETTLE_MS);
	}

	async #settle(): Promise<void> {
		clearTimeout(this.#settleTimer);
		this.#settleTimer = undefined;
		const results = this.#results;
		this.#results = noResults();
		const {arrived, retried, dead, last} = results;
		const delaysMs = new Set(retried.map(({delayMs}) => delayMs));
		// Stored results are not stored again when a later statement fails.
		const isStored = await this.#inTurn('settle', async () => {
			if (arrived.length > 0) await this.#queue.arrived(arrived, last);
			results.arrived = [];
			if (retried.length > 0) await this.#queue.retry(retried, last);
			results.retried = [];
			if (dead.length > 0) await this.#queue.giveUp(dead, last);
		});
		if (isStored) {
			for (const delayMs of delaysMs) this.#wakeIn(delayMs);
			if (last.size > 0) this.wake();
			return;
		}
		const later = this.#results;
		this.#results = {
			arrived: [...results.arrived, ...later.arrived],
			retried: [...results.retried, ...later.retried],
			dead: [...dead, ...later.dead],
			last: new Map([...last, ...later.last]),
		};
		if (!this.#isStopping) this.#settleTimer ??= setTimeout(() => void this.#settle(), RETRY_MS);
	}

	#wakeIn(delayMs: number): void {
		const timer = setTimeout(() => {
			this.#retryTimers.delete(timer);
			this.wake();
		}, delayMs).unref();
		this.#retryTimers.add(timer);
	}

	/** Runs statements after the earlier ones. Returns whether they succeeded. */
	#inTurn(work: 'take' | 'settle', act: () => Promise<void>): Promise<boolean> {
		const result = this.#turn.then(act).then(
			() => {
				this.#failing.delete(work);
				return true;
			},
			(error: unknown) => {
				if (!this.#failing.has(work)) this.#options.onError(error);
				this.#failing.add(work);
				return false;
			},
		);
		this.#turn = result;
		return result;
	}
}
