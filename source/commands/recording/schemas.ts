import * as z from 'zod';
import {ms, text, view} from '../output/document-parts.ts';

/** Entries of OUTPUT_SCHEMAS. */
export const RECORDING_SCHEMAS = {
	record: z.strictObject({
		schema: z.literal('pulsetop.record/1'),
		file: text,
		fromMs: ms,
		toMs: ms,
		views: z.array(view),
		events: z.number().int().describe('lines between the first and the last'),
		bytes: z.number().int(),
	}),
} as const;
