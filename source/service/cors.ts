import type {FastifyInstance} from 'fastify';

/*
 * Headers that a browser needs before it lets a page of another site send requests (CORS): pulse has no limit there (contract
 * gaps 3.3).
 */

/** Headers of every answer, errors too: a page with a key may read it, and how long to wait. */
export const CORS_HEADERS = {
	'access-control-allow-origin': '*',
	'access-control-expose-headers': 'retry-after, x-ratelimit-limit, x-ratelimit-remaining, x-ratelimit-reset',
} as const;

/** Answers the request that a browser sends, without a key, before the real one. */
export function servePreflight(app: FastifyInstance, url: string): void {
	if (app.hasRoute({method: 'OPTIONS', url})) return;
	app.route({
		method: 'OPTIONS',
		url,
		config: {auth: false, pages: true},
		handler: async (_request, reply) =>
			reply
				.code(204)
				.headers({
					'access-control-allow-methods': 'GET, POST',
					'access-control-allow-headers': 'authorization, content-type',
					'access-control-max-age': '600',
				})
				.send(),
	});
}
