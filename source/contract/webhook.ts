import * as z from 'zod';
import {numeric, once} from './schema.ts';

/** Events that a webhook can receive (contract gaps 8). */
export const WEBHOOK_EVENTS = ['swap', 'transfer', 'swap-enriched', 'block', 'order', 'launchpad'] as const;
export type WebhookEvent = (typeof WEBHOOK_EVENTS)[number];

const apiKey = once(() => z.string().min(1));

/** A tree of filters; parseWebhookFilters reads it. */
const filters = once(() => z.record(z.string(), z.unknown()).nullish());

/** A subscription as the service lists it (spec 2.3). The member `url` of a request is `webhookUrl` here. */
export const webhookSchema = once(() =>
	z.object({
		id: z.string(),
		name: z.string(),
		chainIds: z.array(z.string()),
		events: z.array(z.string()),
		webhookUrl: z.string(),
		apiKey: z.string(),
		createdAt: z.string(),
		filters: z.record(z.string(), z.unknown()).nullable(),
	}),
);

/** Query of GET /api/1/webhook (spec 4.15). */
export const webhookListQuerySchema = once(() => z.looseObject({apiKey: apiKey()}));

export const webhookListResponseSchema = once(() =>
	z.object({success: z.boolean(), count: z.int(), data: z.array(webhookSchema())}),
);

/** Body of POST /api/1/webhook. Strict: other fields are refused. */
export const webhookCreateBodySchema = once(() =>
	z.strictObject({
		name: z.string().min(1).max(200),
		chainIds: z.array(z.string().min(1)).min(1).max(50),
		events: z.array(z.enum(WEBHOOK_EVENTS)).min(1),
		apiKey: apiKey(),
		url: z.url({protocol: /^https?$/}).max(2000),
		filters: filters(),
	}),
);

/** The record with the secret that signs deliveries: `whsec_` and 64 hex digits, shown here and never again. */
export const webhookCreateResponseSchema = once(() =>
	webhookSchema().extend({webhookSecret: z.string().regex(/^whsec_[0-9a-f]{64}$/)}),
);

/** Body of PATCH /api/1/webhook: only the filters of `streamId` (the record's id) change. */
export const webhookUpdateBodySchema = once(() =>
	z.strictObject({
		streamId: z.string().min(1),
		apiKey: apiKey(),
		/** `merge`: the new tree AND the old. */
		mode: z.enum(['replace', 'merge']).default('replace'),
		filters: filters(),
	}),
);

export const webhookUpdateResponseSchema = once(() =>
	z.object({success: z.boolean(), message: z.string(), data: webhookSchema()}),
);

export const webhookDeleteParamsSchema = once(() => z.object({id: z.string().min(1)}));
export const webhookDeleteQuerySchema = once(() => z.looseObject({apiKey: apiKey().optional()}));
export const webhookDeleteResponseSchema = once(() =>
	z.object({success: z.boolean(), message: z.string(), id: z.string()}),
);

/** How deliveries are signed and repeated (contract gaps 8). */
export const WEBHOOK_DELIVERY = {
	/** `t=<unix s>,v1=<hex HMAC-SHA256(secret, t + "." + raw body)>`. */
	signatureHeader: 'X-Webhook-Signature',
	/** The webhook's id. */
	idHeader: 'X-Webhook-Id',
	/** The same in every attempt of one delivery: a receiver recognises a repeated delivery by it. */
	deliveryHeader: 'X-Webhook-Delivery',
	retries: 2,
	firstDelayMs: 1000,
	maxDelayMs: 30_000,
	totalMs: 300_000,
} as const;

/** Body of a delivered swap. */
export const swapEventSchema = once(() =>
	z.object({
		type: z.literal('swap'),
		chainId: z.string(),
		transactionHash: z.string(),
		/** Null when the trader is unknown. */
		transactionSenderAddress: z.string().nullable(),
		transactionIndex: z.number(),
		blockHash: z.string(),
		blockHeight: z.number(),
		logIndex: z.number(),
		/** Unix ms. */
		timestamp: z.number(),
		date: z.string(),
		poolAddress: z.string(),
		poolType: z.string(),
		swapType: z.string(),
		swapSenderAddress: z.string().nullable(),
		addressToken0: z.string(),
		addressToken1: z.string(),
		rawAmount0: z.string(),
		rawAmount1: z.string(),
		amount0: z.number(),
		amount1: z.number(),
		/** Null while the price of token 1 is unknown, as the next two. */
		amountUSD: z.number().nullable(),
		priceUSDToken0: z.number().nullable(),
		priceUSDToken1: z.number().nullable(),
		ratio: z.number(),
	}),
);

/** Body of a delivered launchpad event: a token is created, or leaves its curve (`bonded`). */
export const launchpadEventSchema = once(() =>
	z.object({
		type: z.literal('launchpad'),
		action: z.enum(['created', 'bonded']),
		chainId: z.string(),
		transactionHash: z.string(),
		transactionIndex: z.number(),
		blockHash: z.string(),
		blockHeight: z.number(),
		logIndex: z.number(),
		/** Unix ms. */
		timestamp: z.number(),
		date: z.string(),
		tokenAddress: z.string(),
		symbol: z.string().nullable(),
		name: z.string().nullable(),
		decimals: z.number(),
		totalSupply: z.number().nullable(),
		deployer: z.string().nullable(),
		/** The pool that it trades in from now on. */
		poolAddress: z.string(),
		poolType: z.string(),
		factory: z.string().nullable(),
		/** The quote coin of the pool. */
		addressQuote: z.string(),
		/** At the opening; null for `bonded`. */
		priceUSD: z.number().nullable(),
	}),
);

const paging = once(() => ({
	limit: numeric().pipe(z.int().min(1).max(100)).default(20),
	offset: numeric().pipe(z.int().min(0)).default(0),
}));

/** Query of GET /api/1/webhook/{id}/deliveries, an extension of the API. */
export const webhookDeliveriesQuerySchema = once(() => z.looseObject({apiKey: apiKey().optional(), ...paging()}));

/** The health of a webhook, and its failed deliveries, newest first. */
export const webhookDeliveriesResponseSchema = once(() =>
	z.object({
		success: z.boolean(),
		data: z.object({
			id: z.string(),
			delivered: z.int(),
			failedAttempts: z.int(),
			/** Accepted and not over: waiting, under way, or between two attempts. */
			pending: z.int(),
			/** Events that found the queue full. */
			dropped: z.int(),
			lastAttempt: z
				.object({
					at: z.string(),
					event: z.string(),
					success: z.boolean(),
					status: z.int().nullable(),
					reason: z.string().nullable(),
				})
				.nullable(),
			deadLettersCount: z.int(),
			deadLetters: z.array(
				z.object({
					id: z.string(),
					event: z.string(),
					createdAt: z.string(),
					failedAt: z.string(),
					attempts: z.int(),
					status: z.int().nullable(),
					reason: z.string(),
					/** The body of the delivery. */
					body: z.unknown(),
				}),
			),
		}),
	}),
);

/** Body of POST /api/1/webhook/{id}/redeliver, an extension of the API: dead letters go back into the queue. */
export const webhookRedeliverBodySchema = once(() => z.strictObject({apiKey: apiKey()}));
export const webhookRedeliverResponseSchema = once(() =>
	z.object({success: z.boolean(), id: z.string(), count: z.int()}),
);

export type WebhookRecord = z.output<ReturnType<typeof webhookSchema>>;
export type WebhookCreateBody = z.input<ReturnType<typeof webhookCreateBodySchema>>;
export type SwapEvent = z.output<ReturnType<typeof swapEventSchema>>;
export type LaunchpadEvent = z.output<ReturnType<typeof launchpadEventSchema>>;
export type WebhookDeliveries = z.output<ReturnType<typeof webhookDeliveriesResponseSchema>>['data'];
