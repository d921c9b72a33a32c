import type * as z from 'zod';
import {parseRequest} from '../../../source/contract/schema.ts';
import {InvalidRequest} from '../../../source/contract/wire-error.ts';

/** Where a function refuses its input: the path of its InvalidRequest, or undefined when it accepts. */
export function refusedAt(act: () => unknown): string | undefined {
	try {
		act();
		return undefined;
	} catch (error) {
		if (error instanceof InvalidRequest) return error.path;
		throw error;
	}
}

/** Where a schema refuses an input. */
export function schemaRefusesAt(schema: z.ZodType, input: unknown): string | undefined {
	return refusedAt(() => parseRequest(schema, input));
}
