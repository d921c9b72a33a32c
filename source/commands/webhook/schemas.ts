import * as z from 'zod';
import {iso, wholeMs as ms, text} from '../output/document-parts.ts';

/*
 * The JSON output of the webhook commands: strict, like all schemas (output-schemas.ts). No schema has a member for an API
 * key; only `webhook` has one for a secret.
 */

const count = z.number().int();

const webhook = z.strictObject({
	id: text,
	name: text,
	url: text.describe('without user and query, which are masked'),
	events: z.array(text),
	chainIds: z.array(text),
	key: text.describe('the end of its API key'),
	createdAt: iso,
	filter: text.describe('as --filter takes it; empty for none'),
	filters: z.record(text, z.unknown()).nullable().describe('as the API has it'),
});

/** Entries of OUTPUT_SCHEMAS. */
export const WEBHOOK_SCHEMAS = {
	'webhook-list': z.strictObject({
		schema: z.literal('pulsetop.webhook-list/1'),
		webhooks: z.array(webhook),
		unread: z.int().positive().optional().describe("how many more the service counts, whose records can't be read"),
	}),
	webhook: z
		.strictObject({
			schema: z.literal('pulsetop.webhook/1'),
			webhook,
			secret: text
				.regex(/^whsec_[0-9a-f]{64}$/)
				.optional()
				.describe('with --show-secret'),
		})
		.describe('what webhook create and webhook update print'),
	'webhook-delete': z.strictObject({schema: z.literal('pulsetop.webhook-delete/1'), deleted: z.array(text)}),
	'webhook-deliveries': z.strictObject({
		schema: z.literal('pulsetop.webhook-deliveries/1'),
		redelivered: count.optional().describe('with --redeliver'),
		deliveries: z.strictObject({
			id: text,
			delivered: count,
			failedAttempts: count,
			pending: count,
			dropped: count.describe('events dropped because the queue was full'),
			lastAttempt: z
				.strictObject({at: iso, event: text, success: z.boolean(), status: count.nullable(), reason: text.nullable()})
				.nullable(),
			deadLettersCount: count,
			deadLetters: z.array(
				z.strictObject({
					id: text,
					event: text,
					createdAt: iso,
					failedAt: iso,
					attempts: count,
					status: count.nullable(),
					reason: text,
					body: z.unknown(),
				}),
			),
		}),
	}),
	'webhook-delivery': z
		.discriminatedUnion('type', [
			z.strictObject({
				type: z.literal('delivery'),
				atMs: ms,
				delivery: text.optional().describe('the same in every attempt of one delivery'),
				webhook: text.optional(),
				isRepeat: z.boolean().describe('whether it arrived before'),
				event: text,
				body: z.unknown().describe('as it was posted'),
			}),
			z.strictObject({
				type: z.literal('refused'),
				atMs: ms,
				why: z.enum(['missing', 'wrong', 'old']).describe('what is wrong with its signature'),
			}),
		])
		.describe('a line of webhook listen'),
} as const;
