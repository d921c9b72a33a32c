import type {FastifyInstance} from 'fastify';
import type {ServiceContext} from '../service-context.ts';
import {RequestCounts} from './request-counts.ts';

/** Open sockets and their subscriptions. */
export interface StreamFigures {
	readonly sockets: number;
	readonly subscriptions: number;
}

/**
 * GET /metrics: how the process stands, in Prometheus' text format 0.0.4. It needs a key as every call. Answers are counted from the
 * start; everything else is computed when it is asked for.
 */
export function serveMetrics(app: FastifyInstance, context: ServiceContext, streams: () => StreamFigures): void {
	const requests = new RequestCounts();
	app.addHook('onResponse', async (request, reply) => {
		// Paths that no route has are one, whatever callers make up.
		const route = request.is404 ? 'unknown' : (request.routeOptions.url ?? 'unknown');
		requests.note(request.method, route, reply.statusCode, reply.elapsedTime / 1000);
	});
	app.get('/metrics', async (_, reply) => {
		const {metricsText} = await import('./metrics-text.ts');
		reply.header('content-type', 'text/plain; version=0.0.4; charset=utf-8');
		return metricsText({context, requests, streams: streams()});
	});
}
