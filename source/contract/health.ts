import * as z from 'zod';
import {chainCoverageSchema} from './coverage.ts';
import {PRACTICE_NONCE} from './practice-proof.ts';
import {once, patterned} from './schema.ts';

/** Where the tokens of a service come from, where they are not those of real chains. */
export const INVENTED_MARKETS = ['simulated', 'recorded'] as const;
export type InventedMarket = (typeof INVENTED_MARKETS)[number];

/**
 * Why a service should get no requests now: it has not read its market yet, it is more than two seconds behind the log of its replicas,
 * the log cannot be read (entries are damaged, dropped or of a newer program), the database does not answer, or the service is stopping.
 */
export const NOT_READY = ['starting', 'behind', 'log-unreadable', 'database-away', 'draining'] as const;
export type NotReady = (typeof NOT_READY)[number];

/** Query of GET /health: the nonce of a program that wants the proof of practice. */
export const healthQuerySchema = once(() =>
	z.object({nonce: patterned(PRACTICE_NONCE, 'be 64 hexadecimal digits').optional()}),
);

/**
 * Response of GET /health, which no document of the API knows: an extension, and no key is needed. A hosted service may answer
 * anything there, or nothing: a missing member is unknown.
 */
export const healthSchema = once(() =>
	z.object({
		status: z.literal('ok'),
		/** The clock of the market. */
		time: z.string(),
		/** Pools that are known now. */
		rows: z.number(),
		/** Every token is invented (`simulated`) or of the past (`recorded`); left out where tokens are real. */
		market: z.enum(INVENTED_MARKETS).optional(),
		/** Proof for the nonce of the request that money is practice money here (practice-proof.ts): only `serve` on loopback has it. */
		practice: z.object({address: z.string(), proof: z.string()}).optional(),
		/** The chains that the tokens are read from, where the service follows chains. */
		follow: z.array(chainCoverageSchema()).optional(),
		/** Whether requests should be sent here; GET /health/ready says it with its status. */
		ready: z.boolean().optional(),
		/** Why not; left out where it is ready. */
		notReady: z.enum(NOT_READY).optional(),
		/** `loading`: the past is still being read, so counts still grow. */
		history: z.enum(['loading', 'complete']),
	}),
);

/** Response of GET /health/live: 200 while the process works. An extension. */
export const liveSchema = once(() => z.object({live: z.literal(true)}));

/** Response of GET /health/ready: 200 while requests should be sent to the process, else 503 with the reason. An extension. */
export const readySchema = once(() => z.object({ready: z.boolean(), reason: z.enum(NOT_READY).optional()}));

export type Health = z.output<ReturnType<typeof healthSchema>>;
