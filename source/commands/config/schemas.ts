import * as z from 'zod';
import {SETTINGS, settingsIn} from '../../config/settings.ts';
import {error, text} from '../output/document-parts.ts';

/** Entries of OUTPUT_SCHEMAS. */
export const CONFIG_SCHEMAS = {
	'config-show': z.strictObject({
		schema: z.literal('pulsetop.config-show/1'),
		file: z.strictObject({path: text, exists: z.boolean()}),
		settings: z.array(
			z.strictObject({
				path: z.enum([...settingsIn(SETTINGS)].map(([path]) => path)),
				value: z.unknown().optional().describe('absent when it is not set; "(set)" for a key'),
				origin: z.strictObject({from: z.enum(['flag', 'env', 'file', 'default']), name: text}),
			}),
		),
	}),
	'config-validate': z.strictObject({
		schema: z.literal('pulsetop.config-validate/1'),
		path: text,
		problems: z.array(error),
	}),
} as const;
