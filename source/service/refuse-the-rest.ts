import {ENDPOINTS, type EndpointId} from '../contract/endpoints.ts';
import {servedEndpoints, serveRaw} from './endpoint-route.ts';
import {Refused} from './http-error.ts';
import type {RouteModule} from './service-context.ts';

/** The last module of a service with a part of the API: refuses every other call, and says why. */
export function refuseTheRest(why: string): RouteModule {
	return {
		register(app) {
			const served = new Set(servedEndpoints(app));
			for (const id of Object.keys(ENDPOINTS) as EndpointId[]) {
				if (served.has(id)) continue;
				serveRaw(app, id, () => {
					throw new Refused(404, why);
				});
			}
		},
	};
}
