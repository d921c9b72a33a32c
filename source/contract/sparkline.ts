import * as z from 'zod';
import {once} from './schema.ts';

/** Query of GET /api/1/market/sparkline (spec 4.14). A contract address as `asset` needs `blockchain`. */
export const sparklineQuerySchema = once(() =>
	z.looseObject({
		asset: z.string().min(1).optional(),
		blockchain: z.string().min(1).optional(),
		symbol: z.string().min(1).optional(),
		id: z.string().min(1).optional(),
		timeFrame: z.string().min(1).default('24h'),
		/** `true`: the url points at a PNG instead of an SVG. */
		png: z.string().optional(),
	}),
);

/** Where the picture is. */
export const sparklineResponseSchema = once(() => z.object({url: z.string().min(1)}));
