import * as z from 'zod';
import {money} from '../trading/schemas.ts';

const {intent, mode, review, signedPlan, text, who} = money;

/** Entries of OUTPUT_SCHEMAS. */
export const BRIDGE_SCHEMAS = {
	'bridge-quote': z.strictObject({
		schema: z.literal('pulsetop.bridge-quote/1'),
		...who,
		request: z.strictObject({
			originChainId: text,
			destinationChainId: text,
			originToken: text,
			destinationToken: text.optional(),
			amountRaw: text.regex(/^\d+$/),
			decimals: z.number().int(),
			symbol: text,
			recipient: text,
			slippage: z.number().optional().describe('percent that was asked for'),
		}),
		quote: z.record(text, z.unknown()).describe('as the service gave it'),
		quotedAtMs: z.number(),
		...review,
	}),
	'bridge-plan': z
		.strictObject({
			schema: z.literal('pulsetop.bridge-plan/1'),
			...who,
			...signedPlan,
			...review,
		})
		.describe('what bridge execute --dry-run prints'),
	'bridge-execute': z.strictObject({schema: z.literal('pulsetop.bridge-execute/1'), ...who, intent}),
	'bridge-status': z.strictObject({schema: z.literal('pulsetop.bridge-status/1'), mode, intents: z.array(intent)}),
	'bridge-list': z.strictObject({schema: z.literal('pulsetop.bridge-list/1'), mode, intents: z.array(intent)}),
} as const;
