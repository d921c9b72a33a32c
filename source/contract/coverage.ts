import * as z from 'zod';
import {once} from './schema.ts';

/** States of a chain that is followed, from the start on. */
const COVERAGE_STATES = ['starting', 'backfilling', 'live', 'behind', 'stalled', 'unreachable'] as const;

/** How much of a chain is seen, as a service that follows it reports it (GET /health, an extension). Null is unknown. */
export const chainCoverageSchema = once(() =>
	z.object({
		/** `evm:8453`. */
		chainId: z.string(),
		/** The name that `--follow` takes: `base`. */
		name: z.string(),
		/** Host of the node in use; never the rest of its address, which may hold a key. */
		node: z.string(),
		/** How many nodes are configured. */
		nodes: z.number(),
		state: z.enum(COVERAGE_STATES),
		/** Why the state is not `live`, in a sentence; null while it is. */
		why: z.string().nullable(),
		/** Newest block of the node. */
		head: z.number().nullable(),
		/** Newest block whose events are in the market, and its time (ISO). */
		block: z.number().nullable(),
		blockTime: z.string().nullable(),
		/** Milliseconds between the time of `block` and now. */
		lagMs: z.number().nullable(),
		finalized: z.number().nullable(),
		/** Since when the chain is seen without the gaps below (ISO). */
		since: z.string().nullable(),
		/** Newest first, at most 20; `gapCount` has them all. */
		gaps: z.array(
			z.object({fromBlock: z.number(), toBlock: z.number(), from: z.string(), to: z.string(), why: z.string()}),
		),
		gapCount: z.number(),
		/** Blocks that were taken back since the start. */
		reorgs: z.number(),
		/** Events of launchpads that no decoder knows, since the start: above 0 the decoder may be too old. */
		unknownEvents: z.number(),
		unknownBlocks: z.number(),
		/** Tokens followed now, how many at most, and how many were dropped for want of room. */
		tokens: z.number(),
		maxTokens: z.number(),
		droppedTokens: z.number(),
		/** Calls to nodes in the last minute, and bytes received a second in it. */
		callsPerMinute: z.number(),
		bytesPerSecond: z.number(),
		/** Calls a second that the node in use was found to take, where it refused more; null where it did not. */
		callLimit: z.number().nullable().optional(),
		/** Quote coins whose price in US dollars is known now, and those whose price is not. */
		priced: z.array(z.string()),
		unpriced: z.array(z.string()),
		/** Documents that tokens of all chains name, since the start, where they may be read; `skipped` were never asked for, for want of time. */
		documents: z.object({read: z.number(), unread: z.number(), skipped: z.number()}).optional(),
	}),
);

export type ChainCoverage = z.output<ReturnType<typeof chainCoverageSchema>>;
