import {healthRoutes} from './health.ts';
import {labelsRoutes} from './labels/routes.ts';
import {metadataRoutes} from './metadata/routes.ts';
import {pulseRoutes} from './pulse/routes.ts';
import {refuseTheRest} from './refuse-the-rest.ts';
import type {RouteModule} from './service-context.ts';
import {sparklineRoutes} from './sparkline/routes.ts';
import {webhookRoutes} from './webhook/routes.ts';

/** The routes of a service that follows chains: practice money and invented predictions have no place beside real tokens. */
export const followedModules: readonly RouteModule[] = [
	healthRoutes,
	pulseRoutes,
	labelsRoutes,
	sparklineRoutes,
	metadataRoutes,
	webhookRoutes,
	refuseTheRest(
		'This service follows real chains: it has their launches and moves no money. Ask a hosted service, or pulsetop serve without --follow to practise',
	),
];
