import * as z from 'zod';
import {pulseBodySchema} from './pulse-request.ts';
import {once, parseRequest} from './schema.ts';
import {InvalidRequest} from './wire-error.ts';

/*
 * The frames of a client on the socket (contract gaps 1.2, 4.5, 5.1): JSON text frames, path `/`. The frames of the service
 * are read by client/stream/frames.ts, and in full by test/contract/stream-frames.ts.
 */

/** Bounds of the socket's protocol. */
export const STREAM = {
	/** Longest subscription id. */
	idLength: 255,
	/** A client pings this often. */
	pingEveryMs: 30_000,
	/** The service closes (1001) a socket that was silent for this long. */
	silentMs: 90_000,
	/** Close code after a missing or wrong key. */
	unauthorized: 4401,
	/** Most intents in one bridge-status subscription. */
	intents: 20,
} as const;

const id = once(() => z.string().min(1).max(STREAM.idLength));
const key = once(() => z.string().optional());

const pulsePayload = once(() =>
	pulseBodySchema().extend({
		subscriptionId: id().optional(),
		/** Legacy name of subscriptionId. */
		personalizedId: id().optional(),
		instanceTracking: z.boolean().optional(),
		/** The newest `at` that the client has of this subscription, on any socket (docs/replicas.md). No value is refused. */
		resume: z.unknown().optional(),
	}),
);

/** `{"type":"pulse-v2",...}`: the payload is the body of POST /api/2/pulse with an id. */
const subscribeFrameSchema = once(() =>
	z.looseObject({type: z.literal('pulse-v2'), authorization: key(), payload: pulsePayload()}),
);

/** One subscription, all of a type (no id), everything (no payload), or one view of a subscription. */
const unsubscribeFrameSchema = once(() =>
	z.looseObject({
		type: z.literal('unsubscribe'),
		authorization: key(),
		payload: z
			.looseObject({type: z.string().optional(), subscriptionId: id().optional(), viewName: z.string().optional()})
			.optional(),
	}),
);

const pauseFrameSchema = once(() =>
	z.looseObject({
		type: z.enum(['pulse-v2-pause', 'pulse-pause']),
		authorization: key(),
		payload: z.looseObject({
			action: z.enum(['pause', 'unpause']),
			views: z.array(z.string()).min(1),
			subscriptionId: id().optional(),
		}),
	}),
);

const bridgeStatusFrameSchema = once(() =>
	z.looseObject({
		type: z.literal('bridge-status'),
		authorization: key(),
		payload: z.looseObject({
			intentId: z.string().min(1).optional(),
			intentIds: z.array(z.string().min(1)).min(1).max(STREAM.intents).optional(),
			subscriptionId: id().optional(),
		}),
	}),
);

const perpFrameSchema = once(() =>
	z.looseObject({
		event: z.enum(['perp-positions-open', 'perp-positions-unfilled']),
		authorization: key(),
		data: z.looseObject({
			wallet: z.string().min(1),
			subscriptionTracking: z.boolean().optional(),
			subscriptionId: id().optional(),
		}),
	}),
);

const unsubscribeEventSchema = once(() =>
	z.looseObject({event: z.literal('unsubscribe'), data: z.looseObject({subscriptionId: id()})}),
);

/** A frame of a client. `key` is the raw API key, if the frame carries one. */
export type ClientRequest =
	| {readonly kind: 'ping'}
	| {
			readonly kind: 'subscribe';
			readonly key: string | undefined;
			readonly subscriptionId: string | undefined;
			/** Where the client goes on, any text; undefined for a new subscription. */
			readonly resume: string | undefined;
			/** For parsePulseBody. */
			readonly body: Readonly<Record<string, unknown>>;
	  }
	| {
			readonly kind: 'unsubscribe';
			readonly key: string | undefined;
			/** Only subscriptions of this type; of all types when undefined. */
			readonly type: string | undefined;
			/** Only this one; all when undefined. */
			readonly subscriptionId: string | undefined;
			/** Only this view of it. */
			readonly viewName: string | undefined;
	  }
	| {
			readonly kind: 'pause' | 'unpause';
			readonly key: string | undefined;
			readonly subscriptionId: string | undefined;
			readonly views: readonly string[];
	  }
	| {
			readonly kind: 'bridge-status';
			readonly key: string | undefined;
			readonly subscriptionId: string | undefined;
			readonly intentIds: readonly string[];
	  }
	| {
			readonly kind: 'perp-positions-open' | 'perp-positions-unfilled';
			readonly key: string | undefined;
			readonly subscriptionId: string | undefined;
			readonly wallet: string;
	  };

/**
 * Reads one frame of a client.
 * @param frame the text of the frame, or the JSON value in it
 * @throws InvalidRequest: no JSON, an unknown type or event, a wrong field
 */
export function parseClientFrame(frame: unknown): ClientRequest {
	const value = typeof frame === 'string' ? parseJson(frame) : frame;
	const {type, event} = parseRequest(frameSchema(), value);
	if (type !== undefined) return byType(type, value);
	return byEvent(event, value);
}

function byType(type: string, value: unknown): ClientRequest {
	switch (type) {
		case 'pulse-v2': {
			const {authorization, payload} = parseRequest(subscribeFrameSchema(), value);
			const {subscriptionId, personalizedId, instanceTracking: _, resume, ...body} = payload;
			return {
				kind: 'subscribe',
				key: authorization,
				subscriptionId: subscriptionId ?? personalizedId,
				body,
				resume: resumeText(resume),
			};
		}
		case 'unsubscribe': {
			const {authorization, payload} = parseRequest(unsubscribeFrameSchema(), value);
			const {type, subscriptionId, viewName} = payload ?? {};
			return {kind: 'unsubscribe', key: authorization, type, subscriptionId, viewName};
		}
		case 'pulse-v2-pause':
		case 'pulse-pause': {
			const {authorization, payload} = parseRequest(pauseFrameSchema(), value);
			const {action: kind, subscriptionId, views} = payload;
			return {kind, key: authorization, subscriptionId, views};
		}
		case 'bridge-status': {
			const {authorization, payload} = parseRequest(bridgeStatusFrameSchema(), value);
			const {intentId, intentIds, subscriptionId} = payload;
			const ids = intentIds ?? (intentId === undefined ? [] : [intentId]);
			if (ids.length === 0)
				throw new InvalidRequest('payload.intentId', 'is required', 'one id, or a list in intentIds');
			return {kind: 'bridge-status', key: authorization, subscriptionId, intentIds: ids};
		}
		default:
			throw new InvalidRequest('type', 'is not a type of frame that is known here');
	}
}

/** A position that cannot be read is one that nothing is known of; it does not cost the subscription. */
function resumeText(resume: unknown): string | undefined {
	if (resume === undefined || resume === null) return undefined;
	return typeof resume === 'string' ? resume : '';
}

function byEvent(event: string | undefined, value: unknown): ClientRequest {
	switch (event) {
		case 'ping':
			return {kind: 'ping'};
		case 'unsubscribe': {
			const {subscriptionId} = parseRequest(unsubscribeEventSchema(), value).data;
			return {kind: 'unsubscribe', key: undefined, type: undefined, subscriptionId, viewName: undefined};
		}
		case 'perp-positions-open':
		case 'perp-positions-unfilled': {
			const {authorization, data} = parseRequest(perpFrameSchema(), value);
			return {kind: event, key: authorization, subscriptionId: data.subscriptionId, wallet: data.wallet};
		}
		case undefined:
			throw new InvalidRequest('type', 'is required', 'a frame has a type or an event');
		default:
			throw new InvalidRequest('event', 'is not an event that is known here');
	}
}

const frameSchema = once(() => z.looseObject({type: z.string().optional(), event: z.string().optional()}));

function parseJson(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		throw new InvalidRequest('', 'is not valid JSON', 'frames are JSON text');
	}
}
