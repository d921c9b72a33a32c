import type {Database, StoredRow} from '../store/database.ts';
import {DEAD_LETTERS_KEPT, type Delivery, deliveryOf, type LastAttempt} from './webhook-store.ts';

/** Progress of the enqueuer, and the webhooks it knows. */
export interface EnqueueState {
	/** The last enqueued entry of the market log: `EPOCH.SEQ`. */
	readonly position: string;
	/** Grows with each webhook that is made, changed or removed. */
	readonly version: number;
}

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
	readonly webhookId: string;
	readonly status: number | null;
	readonly reason: string;
}

/** The last attempt of each webhook. */
export type LastAttempts = ReadonlyMap<string, LastAttempt>;

/** An attempt ends within 11 seconds. */
const LEASE_MS = 15_000;

/**
 * The queue of all webhooks, shared by the replicas: rows of PostgreSQL that any replica takes. Each call is atomic.
 */
export class SharedQueue {
	readonly #database: Database;
	readonly #owner: string;
	readonly #leaseMs: number;

	/**
	 * @param owner id of this process in the rows that it takes
	 * @param options.leaseMs duration of the lease of a taken delivery
	 */
	constructor(database: Database, owner: string, {leaseMs = LEASE_MS}: {readonly leaseMs?: number | undefined} = {}) {
		this.#database = database;
		this.#owner = owner;
		this.#leaseMs = leaseMs;
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
	async depths(webhookIds: readonly string[]): Promise<Map<string, number>> {
		if (webhookIds.length === 0) return new Map();
		const rows = await this.#database.all(
			`SELECT webhook_id, count(*) AS n FROM webhook_deliveries
			WHERE webhook_id IN (SELECT value FROM json_array_elements_text(?::TEXT::JSON) AS hook (value)) GROUP BY webhook_id`,
			[JSON.stringify(webhookIds)],
		);
		return new Map(rows.map(row => [String(row['webhook_id']), Number(row['n'])]));
	}

	/**
	 * Adds deliveries, and stores the position of their entries.
	 * @param dropped number of events of each webhook with a full queue
	 * @returns false, with nothing added, when another process has changed the position or a webhook
	 */
	async enqueue(
		from: EnqueueState,
		position: string,
		rows: readonly Pick<Delivery, 'id' | 'webhookId' | 'event' | 'body'>[],
		dropped: ReadonlyMap<string, number>,
	): Promise<boolean> {
		const {nowMs} = this.#database.dialect;
		const moved = await this.#database.get(
			`WITH moved AS (
				UPDATE webhook_progress SET position = ? WHERE position = ? AND version = ? RETURNING version
			), added AS (
				INSERT INTO webhook_deliveries (id, webhook_id, event, body, created_at_ms, attempts, due_ms)
				SELECT row.id, row.webhook_id, row.event, row.body, at.ms, 0, at.ms
				FROM json_to_recordset(?::TEXT::JSON) AS row (id TEXT, webhook_id TEXT, event TEXT, body TEXT),
					moved, (SELECT ${nowMs} AS ms) AS at
				ON CONFLICT (id) DO NOTHING
			), counted AS (
				UPDATE webhooks SET dropped = dropped + row.n
				FROM json_to_recordset(?::TEXT::JSON) AS row (id TEXT, n BIGINT), moved WHERE webhooks.id = row.id
			)
			SELECT version FROM moved`,
			[
				position,
				from.position,
				from.version,
				JSON.stringify(rows.map(({id, webhookId, event, body}) => ({id, webhook_id: webhookId, event, body}))),
				JSON.stringify(Array.from(dropped, ([id, n]) => ({id, n}))),
			],
		);
		return moved !== undefined;
	}

	/** Webhooks with due deliveries, and the version of the webhooks. */
	async due(): Promise<{readonly version: number; readonly webhookIds: readonly string[]}> {
		const rows = await this.#database.all(
			`WITH clock AS MATERIALIZED (SELECT ${this.#database.dialect.nowMs} AS ms)
			SELECT version, webhooks.id FROM webhook_progress LEFT JOIN webhooks ON EXISTS (
				SELECT 1 FROM webhook_deliveries WHERE webhook_id = webhooks.id AND due_ms <= (SELECT ms FROM clock)
			)`,
		);
		const ids = rows.flatMap(row => (row['id'] === null ? [] : [String(row['id'])]));
		return {version: Number(rows[0]?.['version'] ?? 0), webhookIds: ids};
	}

	/**
	 * Takes due deliveries of these webhooks, the oldest first. At most `parallel` of a webhook are taken or wait for a retry at a
	 * time, in all replicas together. A taken delivery without a result can be taken again when its lease has expired.
	 */
	take(webhookIds: readonly string[], parallel: number): Promise<TakenDelivery[]> {
		const {nowMs, skipLocked} = this.#database.dialect;
		const hooks = 'SELECT value FROM json_array_elements_text(?::TEXT::JSON) AS hook (value)';
		return this.#database.transaction(async () => {
			// The lock makes count and update atomic for a webhook; concurrent calls skip it.
			const own = await this.#database.all(`SELECT id FROM webhooks WHERE id IN (${hooks}) ORDER BY id ${skipLocked}`, [
				JSON.stringify(webhookIds),
			]);
			if (own.length === 0) return [];
			const rows = await this.#database.all(
				`WITH clock AS MATERIALIZED (SELECT ${nowMs} AS ms), due AS (
					SELECT taken.seq FROM (${hooks}) AS hook CROSS JOIN LATERAL (
						SELECT seq FROM webhook_deliveries
						WHERE webhook_id = hook.value AND due_ms <= (SELECT ms FROM clock) ORDER BY seq
						LIMIT greatest(0, ?::BIGINT - (SELECT count(*) FROM webhook_deliveries
							WHERE webhook_id = hook.value AND due_ms > (SELECT ms FROM clock)))
					) AS taken
				)
				UPDATE webhook_deliveries AS one
				SET owner = ?, due_ms = clock.ms + ?::BIGINT, first_ms = COALESCE(first_ms, clock.ms)
				FROM due, clock, webhooks WHERE one.seq = due.seq AND webhooks.id = one.webhook_id
				RETURNING one.*, webhooks.url, webhooks.secret, clock.ms`,
				[JSON.stringify(own.map(({id}) => id)), parallel, this.#owner, this.#leaseMs],
			);
			return rows.map(takenOf).sort((a, b) => a.seq - b.seq);
		});
	}

	/** Removes successful deliveries. Here and below, rows that another process has taken meanwhile are left alone. */
	async arrived(ids: readonly string[], last: LastAttempts): Promise<void> {
		await this.#database.run(
			`WITH changed AS (
				DELETE FROM webhook_deliveries AS one USING json_array_elements_text(?::TEXT::JSON) AS row (id)
				WHERE one.id = row.id AND one.owner = ? RETURNING one.webhook_id
			) ${counted('delivered')}`,
			[JSON.stringify(ids), this.#owner, lastJson(last)],
		);
	}

	/** Counts a failed attempt of each, and makes it due after its delay. */
	async retry(retried: readonly Retried[], last: LastAttempts): Promise<void> {
		await this.#database.run(
			`WITH changed AS (
				UPDATE webhook_deliveries AS one
				SET attempts = one.attempts + 1, owner = NULL, due_ms = ${this.#database.dialect.nowMs} + row.delay_ms
				FROM json_to_recordset(?::TEXT::JSON) AS row (id TEXT, delay_ms BIGINT)
				WHERE one.id = row.id AND one.owner = ? RETURNING one.webhook_id
			) ${counted('failed_attempts')}`,
			[JSON.stringify(retried.map(({id, delayMs}) => ({id, delay_ms: delayMs}))), this.#owner, lastJson(last)],
		);
	}

	/** Counts a failed attempt of each, and makes it a dead letter. */
	async giveUp(dead: readonly GivenUp[], last: LastAttempts): Promise<void> {
		const {nowMs} = this.#database.dialect;
		await this.#database.run(
			`WITH changed AS (
				DELETE FROM webhook_deliveries AS one
				USING json_to_recordset(?::TEXT::JSON) AS row (id TEXT, status BIGINT, reason TEXT)
				WHERE one.id = row.id AND one.owner = ? RETURNING one.*, row.status, row.reason
			), buried AS (
				INSERT INTO webhook_dead_letters
				(id, webhook_id, event, body, created_at_ms, attempts, failed_at_ms, status, reason)
				SELECT id, webhook_id, event, body, created_at_ms, attempts + 1, ${nowMs}, status, reason
				FROM changed ORDER BY seq ON CONFLICT (id) DO NOTHING
			) ${counted('failed_attempts')}`,
			[JSON.stringify(dead), this.#owner, lastJson(last)],
		);
		for (const id of new Set(dead.map(({webhookId}) => webhookId))) await this.#forgetOldLetters(id);
	}

	/** Moves the oldest dead letters back into the queue, as many as fit. Returns their number. */
	revive(webhookId: string, queue: number): Promise<number> {
		return this.#database.run(
			`WITH oldest AS (
				SELECT seq FROM webhook_dead_letters WHERE webhook_id = ? ORDER BY seq
				LIMIT greatest(0, ?::BIGINT - (SELECT count(*) FROM webhook_deliveries WHERE webhook_id = ?))
			), gone AS (
				DELETE FROM webhook_dead_letters AS letter USING oldest WHERE letter.seq = oldest.seq RETURNING letter.*
			)
			INSERT INTO webhook_deliveries (id, webhook_id, event, body, created_at_ms, attempts, due_ms)
			SELECT id, webhook_id, event, body, created_at_ms, 0, ${this.#database.dialect.nowMs} FROM gone ORDER BY seq`,
			[webhookId, queue, webhookId],
		);
	}

	/** Releases the deliveries that this process has taken. */
	async release(): Promise<void> {
		await this.#database.run(
			`UPDATE webhook_deliveries SET owner = NULL, due_ms = ${this.#database.dialect.nowMs} WHERE owner = ?`,
			[this.#owner],
		);
	}

	async #forgetOldLetters(webhookId: string): Promise<void> {
		await this.#database.run(
			`DELETE FROM webhook_dead_letters WHERE webhook_id = ? AND seq <=
			(SELECT seq FROM webhook_dead_letters WHERE webhook_id = ? ORDER BY seq DESC LIMIT 1 OFFSET ?)`,
			[webhookId, webhookId, DEAD_LETTERS_KEPT],
		);
	}
}

/** SQL that adds the number of rows of `changed` to a column of their webhooks; its parameter is lastJson. */
function counted(column: 'delivered' | 'failed_attempts'): string {
	return `UPDATE webhooks SET ${column} = ${column} + counted.n, last = COALESCE(row.last, webhooks.last)
		FROM (SELECT webhook_id, count(*) AS n FROM changed GROUP BY webhook_id) AS counted
		LEFT JOIN json_to_recordset(?::TEXT::JSON) AS row (id TEXT, last TEXT) ON row.id = counted.webhook_id
		WHERE webhooks.id = counted.webhook_id`;
}

function lastJson(last: LastAttempts): string {
	return JSON.stringify(Array.from(last, ([id, attempt]) => ({id, last: JSON.stringify(attempt)})));
}

function takenOf(row: StoredRow): TakenDelivery & {readonly seq: number} {
	return {
		...deliveryOf(row),
		seq: Number(row['seq']),
		url: String(row['url']),
		secret: String(row['secret']),
		takenAtMs: Number(row['ms']),
		firstTakenAtMs: Number(row['first_ms']),
	};
}
