import {bridgeRoutes} from './bridge/routes.ts';
import {chainRoutes} from './chain/routes.ts';
import {healthRoutes} from './health.ts';
import {labelsRoutes} from './labels/routes.ts';
import {metadataRoutes} from './metadata/routes.ts';
import {perpRoutes} from './perp/routes.ts';
import {predictionRoutes} from './prediction/routes.ts';
import {pulseRoutes} from './pulse/routes.ts';
import type {RouteModule} from './service-context.ts';
import {sparklineRoutes} from './sparkline/routes.ts';
import {webhookRoutes} from './webhook/routes.ts';

/** All parts of the service that answer over HTTP. */
export const routeModules: readonly RouteModule[] = [
	healthRoutes,
	pulseRoutes,
	labelsRoutes,
	sparklineRoutes,
	metadataRoutes,
	bridgeRoutes,
	perpRoutes,
	chainRoutes,
	webhookRoutes,
	predictionRoutes,
];
