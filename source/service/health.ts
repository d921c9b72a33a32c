import type {Health} from '../contract/health.ts';
import {isCaughtUp} from './caught-up.ts';
import {coverageNow} from './coverage-now.ts';
import {serveEndpoint} from './endpoint-route.ts';
import type {RouteModule} from './service-context.ts';

/**
 * GET /health: whether the service answers, the clock of its market, and what kind of market it is. For balancers, without
 * a key: GET /health/live is 200 while the process works, GET /health/ready while it should get requests, else 503 with the reason.
 */
export const healthRoutes: RouteModule = {
	register(app, {market, provePractice, readiness}) {
		const practiceOf = (nonce: string | undefined) => (nonce === undefined ? undefined : provePractice?.(nonce));
		const health = async ({query: {nonce}}: {query: {nonce?: string | undefined}}): Promise<Health> => {
			const notReady = await readiness.reason();
			const follow = coverageNow(market);
			return {
				status: 'ok',
				time: new Date(market.nowMs()).toISOString(),
				rows: market.table.length,
				...(market.invented !== undefined && {market: market.invented}),
				...(follow && {follow}),
				practice: practiceOf(nonce),
				ready: notReady === undefined,
				...(notReady !== undefined && {notReady}),
				history: market.isFilled === false || !isCaughtUp(market) ? 'loading' : 'complete',
			};
		};
		serveEndpoint(app, 'health', health, {auth: false});
		const config = {auth: false};
		app.get('/health/live', {config}, async () => ({live: true}));
		app.get('/health/ready', {config}, async (_, reply) => {
			const reason = await readiness.reason();
			if (reason === undefined) return {ready: true};
			reply.code(503).header('retry-after', '1');
			return {ready: false, reason};
		});
	},
};
