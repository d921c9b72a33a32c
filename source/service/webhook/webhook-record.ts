import {createHash, randomUUID} from 'node:crypto';
import type {WebhookDeliveries, WebhookEvent, WebhookRecord} from '../../contract/webhook.ts';
import {parseWebhookFilters} from '../../contract/webhook-filter.ts';
import {InvalidRequest} from '../../contract/wire-error.ts';
import {Refused} from '../http-error.ts';
import {fieldsOf, isDelivered} from './event-fields.ts';
import {makeWebhookSecret} from './signature.ts';
import {checkTarget} from './target-guard.ts';
import type {DeadLetter, Tally, Webhook} from './webhook-store.ts';

/** Most webhooks of one key. */
const WEBHOOKS_PER_KEY = 100;

/** The filters of a webhook, as the request has them. */
export type FilterTree = Readonly<Record<string, unknown>> | null;

/** Input of a new webhook. */
export interface NewWebhook {
	readonly name: string;
	readonly chainIds: readonly string[];
	readonly events: readonly WebhookEvent[];
	readonly url: string;
	readonly filters?: FilterTree | undefined;
}

/** Makes a webhook of a request. @throws InvalidRequest `events`, `filters`, `url` */
export async function newWebhook(
	apiKey: string,
	{name, chainIds, events, url, filters = null}: NewWebhook,
	{allowPrivate, createdAtMs, since}: Pick<Webhook, 'createdAtMs' | 'since'> & {readonly allowPrivate: boolean},
): Promise<Webhook> {
	const undelivered = events.find(event => !isDelivered(event));
	if (undelivered !== undefined)
		throw new InvalidRequest('events', 'has one that this service never delivers', `got "${undelivered}"`);
	parseWebhookFilters(filters, 'filters', fieldsOf(events));
	await checkTarget(url, {allowPrivate});
	return {
		id: randomUUID(),
		owner: ownerOf(apiKey),
		name,
		chainIds: [...new Set(chainIds)],
		events: [...new Set(events)],
		url,
		secret: makeWebhookSecret(),
		createdAtMs,
		filters,
		since,
	};
}

/** @param count webhooks that the key has @throws Refused 409 when one more is too many */
export function checkCount(count: number): void {
	if (count >= WEBHOOKS_PER_KEY) throw new Refused(409, `A key has at most ${WEBHOOKS_PER_KEY} webhooks`);
}

/** The answer where a key has no such webhook. */
export function noSuchWebhook(): Refused {
	return new Refused(404, 'No such webhook');
}

/** A webhook with other filters. @throws InvalidRequest `filters` */
export function withFilters(webhook: Webhook, mode: 'replace' | 'merge', filters: FilterTree | undefined): Webhook {
	const next = mode === 'merge' ? merged(webhook.filters, filters ?? null) : (filters ?? null);
	parseWebhookFilters(next, 'filters', fieldsOf(webhook.events));
	return {...webhook, filters: next};
}

/** Both trees, AND-ed; an existing list of conditions gets one more. */
function merged(old: FilterTree, more: FilterTree): FilterTree {
	if (old === null || more === null) return old ?? more;
	const and = Object.keys(old).length === 1 && Array.isArray(old['and']) ? [...old['and'], more] : [old, more];
	return {and};
}

/** The owner of a key's webhooks. The key itself is not stored. */
export function ownerOf(apiKey: string): string {
	return createHash('sha256').update(`webhooks of ${apiKey}`).digest('hex');
}

export function recordOf(
	{id, name, chainIds, events, url, createdAtMs, filters}: Webhook,
	apiKey: string,
): WebhookRecord {
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

/** How a webhook is doing, as the API says it. */
export function deliveriesOf(
	id: string,
	{delivered, failedAttempts, dropped, pending, last}: Tally & {readonly pending: number},
	deadLettersCount: number,
	deadLetters: readonly DeadLetter[],
): WebhookDeliveries {
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

function iso(timeMs: number): string {
	return new Date(timeMs).toISOString();
}
