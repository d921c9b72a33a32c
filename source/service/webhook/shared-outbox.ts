import {WEBHOOK_DELIVERY} from '../../contract/webhook.ts';
import type {Outcome, Poster} from './poster.ts';
import {retryDelayMs} from './retry-plan.ts';
import type {GivenUp, Retried, SharedQueue, TakenDelivery} from './shared-queue.ts';
import {signDelivery} from './signature.ts';
import type {LastAttempt} from './webhook-store.ts';

export interface SharedOutboxOptions {
	readonly queue: SharedQueue;
	readonly poster: Poster;
	/** Deliveries of one webhook that are sent or wait for a retry at a time, by all replicas together. */
	readonly parallel: number;
	/** Called at the start, and when webhooks were made, changed or removed by any replica. */
	readonly onWebhooksChanged: () => Promise<void>;
	/** Called when the database fails, once until it works again. */
	readonly onError: (error: unknown) => void;
}

/** Another replica's deliveries, and those of one that died, are noticed after this at the latest. */
const POLL_MS = 500;
/** A database that failed is asked again after this. */
const RETRY_MS = 1000;
/** Results are stored together. */
const SETTLE_MS = 20;
/** Deliveries that one process sends at a time. */
const MOST_RUNNING = 256;
/** How long deliveries in progress may take when the service stops. */
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
 * Sends what is due in the queue that replicas share, at least once: a delivery is removed when it has arrived or is given up.
 * One whose replica dies is taken by another when its lease is over. The order is not kept.
 */
export class SharedOutbox {
	readonly #queue: SharedQueue;
	readonly #poster: Poster;
	readonly #options: SharedOutboxOptions;
	readonly #running = new Set<Promise<void>>();
	#results = noResults();
	#version: number | undefined;
	#timer: NodeJS.Timeout | undefined;
	#settleTimer: NodeJS.Timeout | undefined;
	readonly #retryTimers = new Set<NodeJS.Timeout>();
	/** Ends when the statements that were asked for so far are over. */
	#turn: Promise<unknown> = Promise.resolve();
	#isTaking = false;
	/** Asked for since the last look began. */
	#isWanted = false;
	#isStopping = false;
	#hasFailed = false;

	constructor(options: SharedOutboxOptions) {
		this.#options = options;
		this.#queue = options.queue;
		this.#poster = options.poster;
	}

	start(): void {
		this.wake();
	}

	/** Takes what is due now. */
	wake(): void {
		this.#isWanted = true;
		if (this.#isTaking || this.#isStopping) return;
		this.#isTaking = true;
		clearTimeout(this.#timer);
		void this.#inTurn(() => this.#take()).then(isDone => {
			this.#isTaking = false;
			if (this.#isStopping) return;
			if (isDone && this.#isWanted) this.wake();
			else this.#timer = setTimeout(() => this.wake(), isDone ? POLL_MS : RETRY_MS).unref();
		});
	}

	/** Takes no more, waits a moment for deliveries in progress, stores their results and gives the others back. */
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
		await this.#inTurn(() => this.#queue.release());
	}

	async #take(): Promise<void> {
		this.#isWanted = false;
		const {version, webhookIds} = await this.#queue.due();
		if (version !== this.#version) {
			await this.#options.onWebhooksChanged();
			this.#version = version;
		}
		const room = MOST_RUNNING - this.#running.size;
		if (webhookIds.length === 0 || room < this.#options.parallel || this.#isStopping) return;
		const atATime = Math.floor(room / this.#options.parallel);
		// Replicas that wake together begin with different webhooks.
		const from = Math.floor(Math.random() * webhookIds.length);
		const some = [...webhookIds.slice(from), ...webhookIds.slice(0, from)].slice(0, atATime);
		for (const delivery of await this.#queue.take(some, this.#options.parallel)) this.#send(delivery);
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
			[signatureHeader]: signDelivery(secret, Math.floor(takenAtMs / 1000), body),
			[idHeader]: webhookId,
			[deliveryHeader]: id,
		};
		return this.#poster.post(webhookId, url, headers, body);
	}

	/** @param spentMs by this attempt; the database's clock says the rest */
	#note(delivery: TakenDelivery, {isDone, isFinal, status, reason}: Outcome, spentMs: number): void {
		const {id, webhookId, event, takenAtMs, firstTakenAtMs} = delivery;
		const attempts = delivery.attempts + 1;
		this.#results.last.set(webhookId, {atMs: takenAtMs + spentMs, event, isDone, status, reason});
		const delayMs = isFinal ? undefined : retryDelayMs(attempts, takenAtMs - firstTakenAtMs + spentMs);
		if (isDone) this.#results.arrived.push(id);
		else if (delayMs === undefined) this.#results.dead.push({id, webhookId, status, reason: reason ?? ''});
		else this.#results.retried.push({id, delayMs});
		if (!this.#isStopping) this.#settleTimer ??= setTimeout(() => void this.#settle(), SETTLE_MS);
	}

	async #settle(): Promise<void> {
		clearTimeout(this.#settleTimer);
		this.#settleTimer = undefined;
		const results = this.#results;
		this.#results = noResults();
		const {arrived, retried, dead, last} = results;
		const delaysMs = new Set(retried.map(({delayMs}) => delayMs));
		// What is stored is over: the rest comes again.
		const isStored = await this.#inTurn(async () => {
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

	/** Works with the queue alone, after what was asked for before. Returns whether it could. */
	#inTurn(act: () => Promise<void>): Promise<boolean> {
		const result = this.#turn.then(act).then(
			() => {
				this.#hasFailed = false;
				return true;
			},
			(error: unknown) => {
				if (!this.#hasFailed) this.#options.onError(error);
				this.#hasFailed = true;
				return false;
			},
		);
		this.#turn = result;
		return result;
	}
}
