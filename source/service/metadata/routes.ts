import {serveEndpoint} from '../endpoint-route.ts';
import type {RouteModule} from '../service-context.ts';
import {SYSTEM_METADATA} from './system-metadata.ts';

/** GET /api/1/system-metadata (contract gaps 7). */
export const metadataRoutes: RouteModule = {
	register(app) {
		serveEndpoint(app, 'systemMetadata', (_request, reply) => {
			reply.header('cache-control', 'max-age=300');
			return {data: SYSTEM_METADATA};
		});
	},
};
