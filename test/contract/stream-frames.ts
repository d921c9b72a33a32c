import * as z from 'zod';
import {once} from '../../source/contract/schema.ts';
import {wireEntry} from '../../source/contract/wire-entry.ts';

/*
 * What the service sends on the socket (contract gaps 1.3, 4.5, 5.1, 6.4). Order of a subscription: the `subscribed` ack,
 * one `init`, then changes, with a `sync` from time to time. What only replicas say is optional.
 */

/** Up to where in the log of the replicas the reader has all changes: in full states, and in the last frame of a round. */
const at = once(() =>
	z
		.string()
		.regex(/^[\da-z]{1,32}\.\d{1,15}$/)
		.optional(),
);

/** For how many milliseconds the market has learnt nothing new. */
const stale = once(() => z.int().min(0).optional());

const subscriptionId = once(() => z.string().optional());
const views = once(() => z.record(z.string(), z.object({data: z.array(wireEntry())})));

const snapshot = once(() => ({
	/** The whole of every listed view. */
	payload: views(),
	subscriptionId: subscriptionId(),
	at: at(),
	stale: stale(),
}));

/** The first state. `recovered` answers a `resume`; with true, `missed` has what entered since and is not in the views any more. */
const initFrameSchema = once(() =>
	z.union([
		z.strictObject({type: z.literal('init'), ...snapshot(), recovered: z.literal(false).optional()}),
		z.strictObject({
			type: z.literal('init'),
			...snapshot(),
			at: z.string(),
			recovered: z.literal(true),
			missed: views(),
		}),
	]),
);

/** A full state that replaces the one before. */
const syncFrameSchema = once(() => z.strictObject({type: z.literal('sync'), ...snapshot()}));

const tokenFrameSchema = once(() =>
	z.object({
		type: z.enum(['new-token', 'update-token']),
		payload: z.object({viewName: z.string(), token: wireEntry()}),
		subscriptionId: subscriptionId(),
		at: at(),
	}),
);

const removeTokenFrameSchema = once(() =>
	z.object({
		type: z.literal('remove-token'),
		/** `<chainId>|<address>`. */
		payload: z.object({viewName: z.string(), tokenKey: z.string()}),
		subscriptionId: subscriptionId(),
		at: at(),
	}),
);

const poolFrameSchema = once(() =>
	z.object({
		type: z.enum(['new-pool', 'update-pool']),
		payload: z.object({viewName: z.string(), pool: wireEntry()}),
		subscriptionId: subscriptionId(),
		at: at(),
	}),
);

const removePoolFrameSchema = once(() =>
	z.object({
		type: z.literal('remove-pool'),
		payload: z.object({viewName: z.string(), poolAddress: z.string()}),
		subscriptionId: subscriptionId(),
		at: at(),
	}),
);

/**
 * Changed entries of several views, merged by key. Seen with rows from older services; a replica sends it without any, to say where
 * its market is.
 */
const updateFrameSchema = once(() =>
	z.strictObject({
		type: z.literal('update'),
		payload: views(),
		subscriptionId: subscriptionId(),
		at: at(),
		stale: stale(),
	}),
);

/** Answers: to a subscription, to the end of one, to a pause. */
const ackFrameSchema = once(() =>
	z.object({event: z.enum(['subscribed', 'unsubscribed']), type: z.string(), subscriptionId: subscriptionId()}),
);

const pausedFrameSchema = once(() =>
	z.object({
		event: z.enum(['paused', 'unpaused']),
		type: z.literal('pulse-v2-pause'),
		views: z.array(z.string()),
		subscriptionId: subscriptionId(),
	}),
);

const pongFrameSchema = once(() => z.object({event: z.literal('pong')}));

const errorFrameSchema = once(() =>
	z.object({
		event: z.literal('error'),
		type: z.string().optional(),
		message: z.string(),
		subscriptionId: subscriptionId(),
	}),
);

export const pulseFrameSchema = once(() =>
	z.union([
		initFrameSchema(),
		syncFrameSchema(),
		tokenFrameSchema(),
		removeTokenFrameSchema(),
		poolFrameSchema(),
		removePoolFrameSchema(),
		updateFrameSchema(),
		ackFrameSchema(),
		pausedFrameSchema(),
		pongFrameSchema(),
		errorFrameSchema(),
	]),
);
