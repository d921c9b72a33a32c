import type {Health} from '../contract/health.ts';
import {serveEndpoint} from './endpoint-route.ts';
import type {RouteModule} from './service-context.ts';

/** GET /health: whether the service answers, the clock of its market, and what kind of market it is. */
export const healthRoutes: RouteModule = {
	register(app, {market, provePractice}) {
		const practiceOf = (nonce: string | undefined) => (nonce === undefined ? undefined : provePractice?.(nonce));
		const health = ({query: {nonce}}: {query: {nonce?: string | undefined}}): Health => ({
			status: 'ok',
			time: new Date(market.nowMs()).toISOString(),
			rows: market.table.length,
			...(market.invented !== undefined && {market: market.invented}),
			practice: practiceOf(nonce),
			history: market.isFilled === false ? 'loading' : 'complete',
		});
		serveEndpoint(app, 'health', health, {auth: false});
	},
};
