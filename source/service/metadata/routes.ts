import {openApiDocument} from '../../contract/openapi.ts';
import {servedEndpoints, serveEndpoint} from '../endpoint-route.ts';
import type {RouteModule} from '../service-context.ts';
import {systemMetadataOf} from './system-metadata.ts';

/** GET /api/1/system-metadata (contract gaps 7) and GET /openapi.json: the calls that this service really serves. */
export const metadataRoutes: RouteModule = {
	register(app, {auth, market}) {
		let document: unknown;
		serveEndpoint(app, 'systemMetadata', (_input, _request, reply) => {
			reply.header('cache-control', 'max-age=300');
			return {data: systemMetadataOf(market)};
		});
		app.get('/openapi.json', {config: {auth: false}}, async () => {
			document ??= openApiDocument({ids: servedEndpoints(app), auth, operation: true});
			return document;
		});
	},
};
