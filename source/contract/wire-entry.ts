import * as z from 'zod';
import {once} from './schema.ts';

/** A pulse entry as in a response or a frame: plain JSON, read through the table of fields, not by a schema. */
export type WireEntry = Readonly<Record<string, unknown>>;

/**
 * An entry within a larger schema: any object. Parsing some 280 fields of each of 150 entries would cost more than all the
 * rest of the client; `entrySchema` in entry-schema.ts checks them one by one where needed.
 */
export const wireEntry = once(() =>
	z.custom<WireEntry>(value => typeof value === 'object' && value !== null && !Array.isArray(value), {
		error: 'must be an object',
	}),
);
