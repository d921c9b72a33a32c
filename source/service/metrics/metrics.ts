import type {FastifyInstance} from 'fastify';
import type {ServiceContext} from '../service-context.ts';
import {RequestCounts} from './request-counts.ts';

/** Open sockets, their subscriptions, and the views that are kept up to date. */
export interface StreamFigures {
	readonly sockets: number;
	readonly subscriptions: number;
	/** Equal ones are one. On a replica those of the other replicas' subscribers are among them. */
	readonly views: number;
}

/**
 * GET /metrics in Prometheus' text format 0.0.4. It needs an API key like every call. Responses are counted from the start of the
 * process; all other values are computed for each scrape.
 */
export function serveMetrics(app: FastifyInstance, context: ServiceContext, streams: () => StreamFigures): void {
	const requests = new RequestCounts();
	app.addHook('onResponse', async (request, reply) => {
		// All unknown paths share one label: callers choose them, and labels must stay few.
		const route = request.is404 ? 'unknown' : (request.routeOptions.url ?? 'unknown');
		requests.note(request.method, route, reply.statusCode, reply.elapsedTime / 1000);
	});
	app.get('/metrics', async (_, reply) => {
		const {metricsText} = await import('./metrics-text.ts');
		reply.header('content-type', 'text/plain; version=0.0.4; charset=utf-8');
		return metricsText({context, requests, streams: streams()});
	});
}
