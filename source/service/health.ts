import type {RouteModule} from './service-context.ts';

/** GET /health: whether the service answers, and the clock of its market. */
export const healthRoutes: RouteModule = {
	register(app, {market}) {
		app.get('/health', {config: {auth: false}}, async () => ({
			status: 'ok',
			time: new Date(market.nowMs()).toISOString(),
			rows: market.table.length,
		}));
	},
};
