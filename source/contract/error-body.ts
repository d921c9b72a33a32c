import * as z from 'zod';
import {once} from './schema.ts';

/** Which form an endpoint's errors have (contract gaps 9). */
export type ErrorForm = 'standard' | 'bridge';

/** Errors of bridge routes (spec 7). */
const bridgeErrorSchema = once(() => z.object({error: z.string(), intentId: z.string().optional()}));

/**
 * Errors of all other routes: `error` is the words of the status (`Bad Request`). Where the spec fixes the message (spec 7), why
 * it was refused and where in the request stand in `reason` and `field`.
 */
const standardErrorSchema = once(() =>
	z.object({
		statusCode: z.int(),
		message: z.string(),
		error: z.string(),
		reason: z.string().optional(),
		field: z.string().optional(),
	}),
);

export function errorSchemaOf(form: ErrorForm): z.ZodType {
	return form === 'bridge' ? bridgeErrorSchema() : standardErrorSchema();
}
