import * as z from 'zod';
import {error, ms, TOKEN, text, tokens, view} from '../output/document-parts.ts';

const total = z.number().int().nullable().describe('how many tokens match; null when the service does not say');
const isLocal = z
	.literal(true)
	.optional()
	.describe('the service does not filter: the filter was applied here, to the rows loaded');
const isUnsorted = z
	.literal(true)
	.optional()
	.describe('the service does not sort: the sort was applied here, to the rows loaded');

/** Entries of OUTPUT_SCHEMAS. */
export const FEED_SCHEMAS = {
	feed: z.strictObject({
		schema: z.literal('pulsetop.feed/1'),
		atMs: ms.describe("the service's time"),
		views: z.partialRecord(view, z.strictObject({total, isLocal, isUnsorted, tokens})),
		hasUnread: z.literal(true).optional().describe('rows were left out, since they have no address or no chain'),
	}),
	'feed-line': z.strictObject({view, ...TOKEN}).describe('a line of `feed --format jsonl`'),
	'feed-follow': z
		.discriminatedUnion('type', [
			z
				.strictObject({type: z.literal('snapshot'), view, atMs: ms, tokens})
				.describe('replaces what was known of the view'),
			z.strictObject({
				type: z.literal('change'),
				view,
				atMs: ms,
				upserts: tokens.describe('new or changed, complete'),
				removed: z.array(text).describe('keys'),
			}),
			z.strictObject({type: z.literal('total'), view, atMs: ms, total: z.number().int()}),
			z.strictObject({type: z.literal('problem'), view: view.optional(), atMs: ms, error}),
			z
				.strictObject({
					type: z.literal('resumed'),
					atMs: ms,
					movedTo: text.optional().describe('the address that serves now, of several'),
					recovered: z.boolean().optional().describe('whether all that happened meanwhile was in the lines before'),
					gapMs: z.number().optional().describe('from the last data before to the full views after'),
				})
				.describe('the stream is back after a loss'),
		])
		.describe('a line of `feed --follow`'),
} as const;
