import * as z from 'zod';
import {ms, text, token, view} from '../output/document-parts.ts';

/** Entries of OUTPUT_SCHEMAS. */
export const WATCH_SCHEMAS = {
	watch: z
		.strictObject({
			atMs: ms.describe("the service's time"),
			view,
			rule: text,
			token,
			buy: text
				.optional()
				.describe(
					'the command that reviews a buy of the token and signs nothing, where it can be bought; no alert runs it',
				),
		})
		.describe('a line of `watch --json`'),
} as const;
