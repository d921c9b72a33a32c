import * as z from 'zod';
import {once} from './schema.ts';

/** Which form an endpoint's errors have (contract gaps 9). */
export type ErrorForm = 'standard' | 'bridge';

/** Errors of bridge routes (spec 7). */
const bridgeErrorSchema = once(() => z.object({error: z.string(), intentId: z.string().optional()}));

/** Errors of all other routes: `error` is the words of the status (`Bad Request`). */
const standardErrorSchema = once(() => z.object({statusCode: z.int(), message: z.string(), error: z.string()}));

export function errorSchemaOf(form: ErrorForm): z.ZodType {
	return form === 'bridge' ? bridgeErrorSchema() : standardErrorSchema();
}
