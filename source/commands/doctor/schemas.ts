import * as z from 'zod';
import {text} from '../output/document-parts.ts';

/** Entries of OUTPUT_SCHEMAS. */
export const DOCTOR_SCHEMAS = {
	doctor: z.strictObject({
		schema: z.literal('pulsetop.doctor/1'),
		findings: z.array(
			z.strictObject({
				subject: z.enum(['program', 'configuration', 'files', 'terminal', 'network', 'service', 'chains', 'money']),
				state: z.enum(['good', 'note', 'bad']),
				words: text,
				advice: text.optional(),
			}),
		),
	}),
} as const;
