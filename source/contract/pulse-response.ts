import * as z from 'zod';
import {once} from './schema.ts';
import {wireEntry} from './wire-entry.ts';

/** Of every answer of a replica: the position of its market, as frames carry it in `at`. */
export const POSITION_HEADER = 'pulsetop-at';

/** Answer of POST pulse: views by name, without an envelope, as the sample of spec 4.1 has it. */
export const pulseResponseSchema = once(() =>
	z.record(
		z.string(),
		z.object({
			data: z.array(wireEntry()),
			/** The count of all matches, when requested. */
			pagination: z.int().min(0).optional(),
		}),
	),
);

/** Answer of GET pulse: the same in the envelope that spec 4.2 names. */
export const pulseDefaultResponseSchema = once(() =>
	z.object({type: z.literal('sync'), payload: pulseResponseSchema()}),
);

/** Answer of POST /api/2/pulse/pagination: counts of all matches by view name; a cached hint (spec 4.3). */
export const paginationResponseSchema = once(() => z.record(z.string(), z.object({pagination: z.int().min(0)})));
