import * as z from 'zod';
import {money} from '../trading/schemas.ts';

const {hash, ms, review, text, who} = money;
const {checks, lines} = review;

const order = z.strictObject({
	key: text.describe('its name: what perp cancel takes'),
	dex: z.enum(['dexA', 'dexB']),
	chainId: text,
	marketId: text,
	index: text.describe('its number'),
	orderType: z.enum(['order', 'tp', 'sl']),
	side: text.describe('BUY or SELL').optional(),
	kind: text,
	sizeUSD: z.number().optional(),
	leverage: z.number().optional(),
	price: z.number().optional(),
	collateralAsset: text.optional(),
});

const cancelPhase = z.enum([
	'choosing',
	'built',
	'reviewed',
	'signing',
	'sending',
	'running',
	'claimed',
	'unaccepted',
	'unclear',
	'done',
	'refused',
	'failed',
]);

/** Entries of OUTPUT_SCHEMAS. */
export const PERP_SCHEMAS = {
	'perp-orders': z.strictObject({
		schema: z.literal('pulsetop.perp-orders/1'),
		...who,
		orders: z.array(order),
		unread: z
			.array(z.strictObject({id: text, exchange: text, unknown: z.enum(['exchange', 'number'])}))
			.optional()
			.describe('listed, but of an exchange or with a number that is not known here'),
		cancels: z
			.array(z.strictObject({key: text, atMs: ms, phase: cancelPhase, title: text, text}))
			.describe('sent by an earlier run, whose end it did not see'),
	}),
	'perp-plan': z
		.strictObject({
			schema: z.literal('pulsetop.perp-plan/1'),
			...who,
			planHash: hash.describe('what --yes --plan takes'),
			order,
			body: z.record(text, z.unknown()).describe('the request for the payload, without its signature'),
			text: text.describe('what the wallet would sign, by EIP-191'),
			digest: hash,
			isReady: z.boolean().describe('whether it can be executed as it is; else the exit code is 3'),
			checks: checks.describe('those that need no payload'),
		})
		.describe('what perp cancel --dry-run prints'),
	'perp-cancel': z.strictObject({
		schema: z.literal('pulsetop.perp-cancel/1'),
		...who,
		order,
		phase: cancelPhase,
		title: text,
		text,
		claim: z.enum(['done', 'failed']).optional().describe('the end that the service says and nothing shows yet'),
		txHash: text.optional(),
		processId: text.optional(),
		said: text.optional(),
		httpStatus: z.number().int().optional(),
		lines,
		checks,
		signed: z.array(z.strictObject({what: text, text})).describe('every text that was signed'),
	}),
} as const;
