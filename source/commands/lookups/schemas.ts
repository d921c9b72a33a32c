import * as z from 'zod';
import {ms, text, tokens} from '../output/document-parts.ts';

const entity = z.strictObject({
	name: text.optional(),
	type: text.optional(),
	description: text.optional(),
	labels: z.array(text),
	logo: text.optional(),
	twitter: text.optional(),
	website: text.optional(),
	github: text.optional(),
	discord: text.optional(),
	telegram: text.optional(),
});

const wallet = z.strictObject({
	address: text.describe('as requested'),
	labels: z.array(text).optional().describe('sniper, insider, bundler, proTrader, ...; absent when not reported'),
	entity: entity.optional(),
	platform: z.strictObject({id: text.optional(), name: text.optional(), logo: text.optional()}).optional(),
	funding: z
		.strictObject({
			from: text.optional(),
			fromTag: text.optional(),
			fromEntity: entity.optional(),
			date: ms.optional(),
			chainId: text.optional(),
			txHash: text.optional(),
			amount: z.number().optional(),
			currency: z
				.strictObject({
					symbol: text.optional(),
					name: text.optional(),
					decimals: z.number().optional(),
					address: text.optional(),
				})
				.optional(),
		})
		.optional(),
	atMs: ms,
});

/** Entries of OUTPUT_SCHEMAS. */
export const LOOKUP_SCHEMAS = {
	token: z.strictObject({schema: z.literal('pulsetop.token/1'), tokens}),
	labels: z.strictObject({
		schema: z.literal('pulsetop.labels/1'),
		token: text.optional().describe('what the labels are relative to'),
		wallets: z.array(wallet),
	}),
	sparkline: z.strictObject({
		schema: z.literal('pulsetop.sparkline/1'),
		asset: text,
		blockchain: text.optional(),
		timeFrame: text.optional(),
		points: z.array(z.number()).min(2).describe('at even steps in time, oldest first'),
		min: z.number(),
		max: z.number(),
		last: z.number(),
		unit: z.enum(['usd', 'relative']),
		span: z
			.strictObject({fromMs: z.number(), toMs: z.number()})
			.optional()
			.describe('times of the first and the last point, Unix ms, where the service gives them'),
	}),
} as const;
