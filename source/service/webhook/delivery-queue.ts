import type {Database, Stored, StoredRow} from '../store/database.ts';
import {type StoreClock, storeClock} from '../store/store-clock.ts';
import {listOf} from '../store/table.ts';
import {type Delivery, deliveryOf, type LastAttempt} from './webhook-store.ts';

/** Progress of the enqueuer, and the webhooks it knows. */
export interface EnqueueState {
	/** The last enqueued entry of the market log: `EPOCH.SEQ`. */
	readonly position: string;
	/** Grows with each webhook that is made, changed or removed. */
	readonly version: number;
}

/** An event for a webhook that is to be sent. */
export type NewDelivery = Pick<Delivery, 'id' | 'webhookId' | 'event' | 'body'>;

/** A delivery taken for an attempt, with its target. */
export interface TakenDelivery extends Delivery {
	readonly url: string;
	readonly secret: string;
	/** Time of this attempt, Unix ms. */
	readonly takenAtMs: number;
	/** Time of the first attempt, Unix ms. */
	readonly firstTakenAtMs: number;
}

/** A delivery that is retried after a delay. */
export interface Retried {
	readonly id: string;
	readonly delayMs: number;
}

/** A delivery that becomes a dead letter. */
export interface GivenUp {
	readonly id: string;
	readonly status: number | null;
	readonly reason: string;
}

/** The last attempt of each webhook. */
export type LastAttempts = ReadonlyMap<string, LastAttempt>;

export interface QueueOptions {
	/** Id of this process in the rows that it takes. */
	readonly owner: string;
	/** Maximum number of waiting and running deliveries of one webhook; further ones are dropped and counted. */
	readonly max?: number | undefined;
	/** Duration of the lease of a taken delivery. */
	readonly leaseMs?: number | undefined;
	/** Replaces the clock of the database for due times, in a process with an embedded store. */
	readonly now?: (() => number) | undefined;
}

export const QUEUE_MAX = 1000;
/** Number of dead letters kept for a webhook, the newest ones. */
export const DEAD_LETTERS_KEPT = 1000;
/** An attempt ends within 11 seconds. */
const LEASE_MS = 15_000;

/** A lost change of these transactions costs a second delivery, which receivers drop by its id. */
const REPEATABLE = {isolation: 'read-committed', isDurable: false} as const;

/**
 * The queue of all webhooks: rows of the store, which any process of the store takes under a lease. Each call is atomic.
 * @throws StoreFailed from every function
 */
export class DeliveryQueue {
	readonly #database: Database;
	readonly #owner: string;
	readonly #max: number;
	readonly #leaseMs: number;
	readonly #clock: StoreClock;

	constructor(database: Database, {owner, max = QUEUE_MAX, leaseMs = LEASE_MS, now}: QueueOptions) {
		this.#database = database;
		this.#owner = owner;
		this.#max = max;
		this.#leaseMs = leaseMs;
		this.#clock = storeClock(database, now);
	}

	/** @param position start of a new queue */
	async state(position: string): Promise<EnqueueState> {
		const sql = 'SELECT position, version FROM webhook_progress';
		let row = await this.#database.get(sql);
		if (row === undefined) {
			await this.#database.run(
				'INSERT INTO webhook_progress (id, position, version) VALUES (1, ?, 0) ON CONFLICT DO NOTHING',
				[position],
			);
			row = await this.#database.get(sql);
		}
		return {position: String(row!['position']), version: Number(row!['version'])};
	}

	/** Increments the version, in the transaction that changes webhooks; the row's lock serialises such transactions. */
	async webhooksChange(): Promise<void> {
		await this.#database.run('UPDATE webhook_progress SET version = version + 1');
	}

	/** Number of waiting and running deliveries of each of these webhooks; webhooks without any are left out. */
	depths(webhookIds: readonly string[]): Promise<Map<string, number>> {
		return this.#count(webhookIds, 'TRUE');
	}

	/**
	 * Adds deliveries, as many as fit in the queues of their webhooks; the others are counted as dropped. One that waits already is
	 * not added again, and one of a removed webhook not at all.
	 * @param lost number of further events of each webhook that were dropped before
	 */
	add(deliveries: readonly NewDelivery[], lost: ReadonlyMap<string, number> = new Map()): Promise<void> {
		return this.#database.transaction(
			async () => {
				const depths = await this.depths([...new Set(deliveries.map(({webhookId}) => webhookId))]);
				const dropped = new Map(lost);
				const accepted = deliveries.filter(({webhookId}) => {
					const depth = depths.get(webhookId) ?? 0;
					if (depth >= this.#max) dropped.set(webhookId, (dropped.get(webhookId) ?? 0) + 1);
					else depths.set(webhookId, depth + 1);
					return depth < this.#max;
				});
				await this.#insert(accepted);
				if (dropped.size === 0) return;
				await this.#database.run(
					`UPDATE webhooks SET dropped = dropped + extra.n
					FROM ${this.#rows({id: 'text', n: 'integer'})} AS extra WHERE webhooks.id = extra.id`,
					[JSON.stringify(Array.from(dropped, ([id, n]) => ({id, n})))],
				);
			},
			{isolation: 'read-committed'},
		);
	}

	/**
	 * Adds deliveries, and stores the position of their entries.
	 * @returns false, with nothing added, when another process has changed the position or a webhook
	 */
	addFrom(from: EnqueueState, position: string, deliveries: readonly NewDelivery[]): Promise<boolean> {
		return this.#database.transaction(
			async () => {
				const moved = await this.#database.run(
					'UPDATE webhook_progress SET position = ? WHERE position = ? AND version = ?',
					[position, from.position, from.version],
				);
				if (moved > 0 && deliveries.length > 0) await this.add(deliveries);
				return moved > 0;
			},
			{isolation: 'read-committed'},
		);
	}

	/** Webhooks with due deliveries, and the version of the webhooks. */
	async due(): Promise<{readonly version: number; readonly webhookIds: readonly string[]}> {
		const now = this.#clock();
		const rows = await this.#database.all(
			`WITH clock AS MATERIALIZED (SELECT ${now.sql} AS ms)
			SELECT version, webhooks.id FROM webhook_progress LEFT JOIN webhooks ON EXISTS (
				SELECT 1 FROM webhook_deliveries WHERE webhook_id = webhooks.id AND due_ms <= (SELECT ms FROM clock)
			)`,
			now.parameters,
		);
		const ids = rows.flatMap(row => (row['id'] === null ? [] : [String(row['id'])]));
		return {version: Number(rows[0]?.['version'] ?? 0), webhookIds: ids};
	}

	/**
	 * Takes due deliveries of these webhooks, the oldest first. At most `parallel` of a webhook are taken or wait for a retry at a
	 * time, in all processes together. A taken delivery without a result can be taken again when its lease has expired.
	 */
	take(webhookIds: readonly string[], parallel: number): Promise<TakenDelivery[]> {
		return this.#database.transaction(async () => {
			const now = this.#clock();
			const {sql, parameters} = listOf(webhookIds);
			// The lock makes count and update atomic for a webhook; concurrent calls skip it.
			const hooks = await this.#database.all(
				`SELECT id, url, secret, ${now.sql} AS ms FROM webhooks WHERE id IN (${sql})
				ORDER BY id ${this.#database.dialect.skipLocked}`,
				[...now.parameters, ...parameters],
			);
			if (hooks.length === 0) return [];
			const ms = Number(hooks[0]!['ms']);
			const busy = await this.#count(
				hooks.map(({id}) => String(id)),
				'due_ms > ?',
				[ms],
			);
			const taken: TakenDelivery[] = [];
			for (const {id, url, secret} of hooks) {
				const room = parallel - (busy.get(String(id)) ?? 0);
				if (room <= 0) continue;
				const rows = await this.#database.all(
					`UPDATE webhook_deliveries SET owner = ?, due_ms = ?, first_ms = COALESCE(first_ms, ?)
					WHERE seq IN (SELECT seq FROM webhook_deliveries WHERE webhook_id = ? AND due_ms <= ? ORDER BY seq LIMIT ?)
					RETURNING *`,
					[this.#owner, ms + this.#leaseMs, ms, id!, ms, room],
				);
				for (const row of rows.sort(bySeq)) {
					const firstTakenAtMs = Number(row['first_ms']);
					taken.push({...deliveryOf(row), url: String(url), secret: String(secret), takenAtMs: ms, firstTakenAtMs});
				}
			}
			return taken;
		}, REPEATABLE);
	}

	/** Removes successful deliveries. Here and below, rows that another process has taken meanwhile are left alone. */
	arrived(ids: readonly string[], last: LastAttempts): Promise<void> {
		return this.#settle('delivered', last, () => this.#remove(ids));
	}

	/** Counts a failed attempt of each, and makes it due after its delay. */
	retry(retried: readonly Retried[], last: LastAttempts): Promise<void> {
		const now = this.#clock();
		return this.#settle('failed_attempts', last, () =>
			this.#database.all(
				`UPDATE webhook_deliveries SET attempts = attempts + 1, owner = NULL, due_ms = ${now.sql} + later.delay_ms
				FROM ${this.#rows({id: 'text', delay_ms: 'integer'})} AS later
				WHERE webhook_deliveries.id = later.id AND owner = ? RETURNING webhook_id`,
				[...now.parameters, JSON.stringify(retried.map(({id, delayMs}) => ({id, delay_ms: delayMs}))), this.#owner],
			),
		);
	}

	/** Counts a failed attempt of each, and makes it a dead letter. */
	giveUp(dead: readonly GivenUp[], last: LastAttempts): Promise<void> {
		const {nowMs} = this.#database.dialect;
		const whys = new Map(dead.map(({id, ...why}) => [id, why]));
		return this.#settle('failed_attempts', last, async () => {
			const rows = await this.#remove([...whys.keys()]);
			for (const row of rows.sort(bySeq)) {
				const {id, webhookId, event, body, createdAtMs, attempts} = deliveryOf(row);
				const {status, reason} = whys.get(id)!;
				// A letter that fails again is the newest.
				await this.#database.run('DELETE FROM webhook_dead_letters WHERE id = ?', [id]);
				await this.#database.run(
					`INSERT INTO webhook_dead_letters
					(id, webhook_id, event, body, created_at_ms, attempts, status, reason, failed_at_ms)
					VALUES (?, ?, ?, ?, ?, ?, ?, ?, ${nowMs})`,
					[id, webhookId, event, body, createdAtMs, attempts + 1, status, reason],
				);
			}
			for (const id of new Set(rows.map(row => String(row['webhook_id'])))) await this.#forgetOldLetters(id);
			return rows;
		});
	}

	/** Moves the oldest dead letters back into the queue, as many as fit. Returns the number of those that did not wait there. */
	revive(webhookId: string): Promise<number> {
		return this.#database.transaction(async () => {
			const waiting = (await this.depths([webhookId])).get(webhookId) ?? 0;
			const letters = await this.#database.all(
				'SELECT * FROM webhook_dead_letters WHERE webhook_id = ? ORDER BY seq LIMIT ?',
				[webhookId, Math.max(0, this.#max - waiting)],
			);
			if (letters.length === 0) return 0;
			const revived = letters.map(deliveryOf);
			const {sql, parameters} = listOf(revived.map(({id}) => id));
			await this.#database.run(`DELETE FROM webhook_dead_letters WHERE id IN (${sql})`, parameters);
			return this.#insert(revived);
		});
	}

	/** Releases the deliveries that this process has taken. */
	async release(): Promise<void> {
		const now = this.#clock();
		await this.#database.run(`UPDATE webhook_deliveries SET owner = NULL, due_ms = ${now.sql} WHERE owner = ?`, [
			...now.parameters,
			this.#owner,
		]);
	}

	/** Makes everything due that an earlier run left, whose times may be of another clock: for a process that serves alone. */
	async takeOver(): Promise<void> {
		const now = this.#clock();
		const sql = `UPDATE webhook_deliveries SET owner = NULL, due_ms = ${now.sql}, first_ms = NULL`;
		await this.#database.run(sql, now.parameters);
	}

	/** @returns the number of those that did not wait already */
	#insert(deliveries: readonly (NewDelivery & Partial<Delivery>)[]): Promise<number> {
		const now = this.#clock();
		const {nowMs} = this.#database.dialect;
		const rows = this.#rows({
			n: 'integer',
			id: 'text',
			webhook_id: 'text',
			event: 'text',
			body: 'text',
			created_at_ms: 'integer',
		});
		return this.#database.run(
			`INSERT INTO webhook_deliveries (id, webhook_id, event, body, created_at_ms, attempts, due_ms)
			SELECT id, webhook_id, event, body, COALESCE(created_at_ms, ${nowMs}), 0, ${now.sql} FROM ${rows} AS fresh
			WHERE EXISTS (SELECT 1 FROM webhooks WHERE webhooks.id = webhook_id) ORDER BY n ON CONFLICT (id) DO NOTHING`,
			[
				...now.parameters,
				JSON.stringify(
					deliveries.map(({id, webhookId, event, body, createdAtMs = null}, n) => {
						return {n, id, webhook_id: webhookId, event, body, created_at_ms: createdAtMs};
					}),
				),
			],
		);
	}

	/** @returns the removed rows */
	#remove(ids: readonly string[]): Promise<StoredRow[]> {
		const {sql, parameters} = listOf(ids);
		return this.#database.all(`DELETE FROM webhook_deliveries WHERE id IN (${sql}) AND owner = ? RETURNING *`, [
			...parameters,
			this.#owner,
		]);
	}

	/** Changes rows, and adds their number to a column of their webhooks. */
	#settle(
		column: 'delivered' | 'failed_attempts',
		last: LastAttempts,
		change: () => Promise<readonly StoredRow[]>,
	): Promise<void> {
		return this.#database.transaction(async () => {
			const counts = Map.groupBy(await change(), row => String(row['webhook_id']));
			// One order of locks for all processes.
			const counted = [...counts].sort(([a], [b]) => (a < b ? -1 : 1));
			const rows = counted.map(([id, {length}]) => ({id, n: length, last: lastText(last.get(id))}));
			await this.#database.run(
				`UPDATE webhooks SET ${column} = ${column} + extra.n, last = COALESCE(extra.last, webhooks.last)
				FROM ${this.#rows({id: 'text', n: 'integer', last: 'text'})} AS extra WHERE webhooks.id = extra.id`,
				[JSON.stringify(rows)],
			);
		}, REPEATABLE);
	}

	async #count(webhookIds: readonly string[], condition: string, values: readonly Stored[] = []) {
		if (webhookIds.length === 0) return new Map<string, number>();
		const {sql, parameters} = listOf(webhookIds);
		const rows = await this.#database.all(
			`SELECT webhook_id, count(*) AS n FROM webhook_deliveries
			WHERE webhook_id IN (${sql}) AND ${condition} GROUP BY webhook_id`,
			[...parameters, ...values],
		);
		return new Map(rows.map(row => [String(row['webhook_id']), Number(row['n'])]));
	}

	async #forgetOldLetters(webhookId: string): Promise<void> {
		await this.#database.run(
			`DELETE FROM webhook_dead_letters WHERE webhook_id = ? AND seq <=
			(SELECT seq FROM webhook_dead_letters WHERE webhook_id = ? ORDER BY seq DESC LIMIT 1 OFFSET ?)`,
			[webhookId, webhookId, DEAD_LETTERS_KEPT],
		);
	}

	#rows(columns: Readonly<Record<string, 'text' | 'integer'>>): string {
		return this.#database.dialect.rows(columns);
	}
}

/** Statements that return the rows they change do so in any order. */
function bySeq(a: StoredRow, b: StoredRow): number {
	return Number(a['seq']) - Number(b['seq']);
}

function lastText(last: LastAttempt | undefined): string | null {
	return last === undefined ? null : JSON.stringify(last);
}
