import type {ChainCoverage} from '../contract/coverage.ts';
import type {Health} from '../contract/health.ts';
import {isCaughtUp} from './caught-up.ts';
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
			...(market.coverage && {follow: market.coverage().map(lagNow)}),
			practice: practiceOf(nonce),
			history: market.isFilled === false || !isCaughtUp(market) ? 'loading' : 'complete',
		});
		serveEndpoint(app, 'health', health, {auth: false});
	},
};

/** The lag at this moment: a source reports it only with its blocks. */
function lagNow(chain: ChainCoverage): ChainCoverage {
	return chain.blockTime === null ? chain : {...chain, lagMs: Math.max(Date.now() - Date.parse(chain.blockTime), 0)};
}
