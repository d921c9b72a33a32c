import {healthRoutes} from './health.ts';
import {pulseRoutes} from './pulse/routes.ts';
import type {RouteModule} from './service-context.ts';

/** Everything that answers over HTTP. */
export const routeModules: readonly RouteModule[] = [healthRoutes, pulseRoutes];
