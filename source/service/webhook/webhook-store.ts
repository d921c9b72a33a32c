import type {Database, Stored, StoredRow} from '../store/database.ts';
import {openTable} from '../store/table.ts';

/** A registered webhook. */
export interface Webhook {
	readonly id: string;
	/** The owner: a hash of the API key. The key itself is not stored. */
	readonly owner: string;
	readonly name: string;
	readonly chainIds: readonly string[];
	readonly events: readonly string[];
	readonly url: string;
	readonly secret: string;
	readonly createdAtMs: number;
	/** The filter tree of the request. */
	readonly filters: Readonly<Record<string, unknown>> | null;
	/** The position of the market log when it was made; null where one process serves alone. */
	readonly since: string | null;
}

/** One event for one webhook. */
export interface Delivery {
	readonly id: string;
	readonly webhookId: string;
	readonly event: string;
	/** The JSON that is posted. */
	readonly body: string;
	readonly createdAtMs: number;
	/** Number of failed attempts. */
	readonly attempts: number;
}

/** A delivery that was given up. */
export interface DeadLetter extends Delivery {
	readonly failedAtMs: number;
	/** HTTP status of the last attempt; null where nothing was received. */
	readonly status: number | null;
	readonly reason: string;
}

/** Counts of a webhook's events so far. */
export interface Tally {
	readonly delivered: number;
	readonly failedAttempts: number;
	/** Events that were dropped because the queue was full. */
	readonly dropped: number;
	readonly last: LastAttempt | null;
}

export interface LastAttempt {
	readonly atMs: number;
	readonly event: string;
	readonly isDone: boolean;
	readonly status: number | null;
	readonly reason: string | null;
}

/** Counts of a webhook without events. */
const NO_TALLY: Tally = {delivered: 0, failedAttempts: 0, dropped: 0, last: null};

/** Webhooks, their counts, and the events that could not be delivered. */
export interface WebhookStore {
	/** The oldest first; all of them, or those of an owner, or one. */
	webhooks(of?: {readonly owner: string} | {readonly id: string}): Promise<Webhook[]>;
	insert(webhook: Webhook): Promise<void>;
	setFilters(id: string, filters: Webhook['filters']): Promise<void>;
	/** Removes the webhook with its waiting events. */
	remove(id: string): Promise<void>;
	tally(id: string): Promise<Tally>;
	/** Newest first. */
	deadLetters(id: string, page: {readonly limit: number; readonly offset: number}): Promise<DeadLetter[]>;
	countDeadLetters(id: string): Promise<number>;
}

/** @throws StoreFailed from every function */
export async function createWebhookStore(database: Database): Promise<WebhookStore> {
	const webhooks = openTable(database, 'webhooks', {
		id: 'text',
		owner: 'text',
		name: 'text',
		chain_ids: 'text',
		events: 'text',
		url: 'text',
		secret: 'text',
		created_at_ms: 'integer',
		filters: ['text'],
		delivered: 'integer',
		failed_attempts: 'integer',
		dropped: 'integer',
		last: ['text'],
		since: ['text'],
	});
	const byId = (id: string) => ({sql: 'id = ?', parameters: [id]});

	return {
		webhooks: async of => {
			const [[column, value] = []] = Object.entries(of ?? {});
			const found = await webhooks.find({
				sql: `${column === undefined ? 'TRUE' : `${column} = ?`} ORDER BY created_at_ms, id`,
				parameters: value === undefined ? [] : [value],
			});
			return found.map(row => ({
				id: row.id,
				owner: row.owner,
				name: row.name,
				chainIds: JSON.parse(row.chain_ids) as string[],
				events: JSON.parse(row.events) as string[],
				url: row.url,
				secret: row.secret,
				createdAtMs: row.created_at_ms,
				filters: filtersOf(row.filters),
				since: row.since,
			}));
		},
		insert: webhook =>
			webhooks.insert({
				id: webhook.id,
				owner: webhook.owner,
				name: webhook.name,
				chain_ids: JSON.stringify(webhook.chainIds),
				events: JSON.stringify(webhook.events),
				url: webhook.url,
				secret: webhook.secret,
				created_at_ms: webhook.createdAtMs,
				filters: webhook.filters && JSON.stringify(webhook.filters),
				delivered: 0,
				failed_attempts: 0,
				dropped: 0,
				last: null,
				since: webhook.since,
			}),
		async setFilters(id, filters) {
			await webhooks.update({filters: filters && JSON.stringify(filters)}, byId(id));
		},
		remove: id =>
			database.transaction(async () => {
				await webhooks.delete(byId(id));
				for (const table of ['webhook_deliveries', 'webhook_dead_letters']) {
					await database.run(`DELETE FROM ${table} WHERE webhook_id = ?`, [id]);
				}
			}),
		async tally(id) {
			const [row] = await webhooks.find(byId(id));
			if (row === undefined) return NO_TALLY;
			const {delivered, failed_attempts: failedAttempts, dropped, last} = row;
			return {delivered, failedAttempts, dropped, last: last === null ? null : (JSON.parse(last) as LastAttempt)};
		},
		async deadLetters(id, {limit, offset}) {
			const sql = 'SELECT * FROM webhook_dead_letters WHERE webhook_id = ? ORDER BY seq DESC LIMIT ? OFFSET ?';
			return (await database.all(sql, [id, limit, offset])).map(letterOf);
		},
		async countDeadLetters(id) {
			const counted = await database.get('SELECT count(*) AS n FROM webhook_dead_letters WHERE webhook_id = ?', [id]);
			return Number(counted!['n']);
		},
	};
}

function filtersOf(text: string | null): Webhook['filters'] {
	return text === null ? null : (JSON.parse(text) as Record<string, unknown>);
}

const textOf = (value: Stored | undefined): string => String(value ?? '');

/** Reads a row of `webhook_deliveries` or `webhook_dead_letters`. */
export function deliveryOf(row: StoredRow): Delivery {
	return {
		id: textOf(row['id']),
		webhookId: textOf(row['webhook_id']),
		event: textOf(row['event']),
		body: textOf(row['body']),
		createdAtMs: Number(row['created_at_ms']),
		attempts: Number(row['attempts']),
	};
}

function letterOf(row: StoredRow): DeadLetter {
	const status = row['status'] ?? null;
	return {
		...deliveryOf(row),
		failedAtMs: Number(row['failed_at_ms']),
		status: status === null ? null : Number(status),
		reason: textOf(row['reason']),
	};
}
