import type {ChainCoverage} from '../contract/coverage.ts';
import type {Market} from './market/market.ts';

/**
 * How much is seen of each chain, with the lag of this moment; undefined where the tokens come from no node. By the market's own
 * clock a lag does not grow while nothing is read: in a replica that is the clock of the log.
 */
export function coverageNow({coverage}: Pick<Market, 'coverage'>): ChainCoverage[] | undefined {
	return coverage?.().map(chain =>
		chain.blockTime === null ? chain : {...chain, lagMs: Math.max(Date.now() - Date.parse(chain.blockTime), 0)},
	);
}
