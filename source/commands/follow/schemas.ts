import * as z from 'zod';
import {text} from '../output/document-parts.ts';

/* The JSON output of the commands about followed chains: strict, like all schemas (output-schemas.ts). */

const count = z.number().int();
const ms = z.number().describe('milliseconds');

const node = z.strictObject({
	host: text.describe('of its address, nothing else is printed'),
	hasAnswered: z.boolean(),
	chainNumber: count.nullable(),
	chain: text.nullable().describe('the name that --follow takes; null for a chain that cannot be followed'),
	head: z.strictObject({number: count, ageMs: ms.describe('negative: in the future')}).nullable(),
	blockMs: ms.nullable().describe('time between two blocks, over the last ones'),
	finalized: count.nullable().describe('newest block that the node calls finalized'),
	safe: count.nullable(),
	calls: z.array(
		z.strictObject({
			name: text,
			works: z.boolean().nullable().describe('null: not tried'),
			words: text.describe('what it answered, or why not'),
			ms: ms.nullable(),
		}),
	),
	range: z
		.strictObject({
			blocks: count.describe('most blocks that one eth_getLogs took'),
			refused: count.nullable().describe('the least that it refused'),
			why: text.nullable(),
		})
		.nullable(),
	logsHaveTimes: z.boolean().nullable(),
	sample: z
		.strictObject({
			fromBlock: count,
			toBlock: count,
			venues: z.array(
				z.strictObject({
					venue: text,
					name: text,
					known: count,
					skipped: count,
					unknown: count.describe('events that no decoder knows: above 0 the program may be too old'),
					blocksWithUnknown: count,
				}),
			),
		})
		.nullable()
		.describe('events of launchpads and exchanges in the last blocks'),
	load: z
		.strictObject({callsPerMinute: z.number(), bytesPerSecond: z.number()})
		.nullable()
		.describe('expected, before tokens are followed'),
	verdict: z.enum(['good', 'poor', 'unusable']),
	problems: z.array(text),
});

/** Entries of OUTPUT_SCHEMAS. */
export const FOLLOW_SCHEMAS = {
	'follow-coverage': z.strictObject({
		schema: z.literal('pulsetop.follow-coverage/1'),
		host: text.describe('of its address, nothing else is printed'),
		chain: text,
		chainNumber: count,
		fromBlock: count,
		toBlock: count,
		pools: z.strictObject({made: count, named: count.describe('by exchanges that are followed')}),
		tokens: z
			.strictObject({
				made: count.describe('minted by one transaction alone'),
				looked: count.describe('of them, those whose receipts were looked at'),
				named: count.describe('by launchpads that are followed'),
			})
			.nullable()
			.describe('null: the node gives no receipts'),
		factories: z.array(
			z.strictObject({
				address: text,
				makes: z.enum(['pools', 'tokens']),
				topic: text.describe('first topic of the event that says so'),
				count,
				share: z.number().describe('of all pools, or of all tokens that were looked at: 0 to 1'),
				transaction: text.describe('one that has the event'),
			}),
		),
	}),
	'follow-check': z.strictObject({schema: z.literal('pulsetop.follow-check/1'), nodes: z.array(node)}),
};
