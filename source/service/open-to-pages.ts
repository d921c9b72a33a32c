import type {FastifyInstance} from 'fastify';

/*
 * What a browser wants to hear before it lets a page of another site ask (CORS): pulse has no limit there (contract gaps 3.3).
 */

/** Beside every answer, errors too: whoever has a key may read it, and how long to wait. */
export const FOR_PAGES = {
	'access-control-allow-origin': '*',
	'access-control-expose-headers': 'retry-after, x-ratelimit-limit, x-ratelimit-remaining, x-ratelimit-reset',
} as const;

/** What a browser asks before the question itself, without a key. */
export function answerPreflight(app: FastifyInstance, url: string): void {
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
