import * as z from 'zod';
import {once} from './schema.ts';
import {wireEntry} from './wire-entry.ts';

/** Answer of the pulse endpoints: views by name, without an envelope (contract gaps 3.3). */
export const pulseAnswerSchema = once(() =>
	z.record(
		z.string(),
		z.object({
			data: z.array(wireEntry()),
			/** The count of all matches, when the request asked for it. */
			pagination: z.int().min(0).optional(),
		}),
	),
);

/** Answer of POST /api/2/pulse/pagination: counts of all matches by view name; a cached hint (spec 4.3). */
export const paginationAnswerSchema = once(() => z.record(z.string(), z.object({pagination: z.int().min(0)})));

export type PulseAnswer = z.output<ReturnType<typeof pulseAnswerSchema>>;
export type PaginationAnswer = z.output<ReturnType<typeof paginationAnswerSchema>>;
