import type {ChainCoverage} from '../../contract/coverage.ts';
import type {LogMarket} from '../log/log-market.ts';
import type {SourceReport} from '../market/event-source.ts';
import {type FollowedChain, maxTokensOf} from './follow-options.ts';
import type {MetadataCounts} from './metadata-queue.ts';

/** Gaps that a chain's coverage lists. */
const LISTED_GAPS = 20;

export interface CoverageParts {
	readonly chains: readonly FollowedChain[];
	/** Undefined where no documents are read. */
	readonly documents: MetadataCounts | undefined;
	readonly nowMs: number;
}

/** How much a market sees of each of its chains, in their order. */
export function coverageOfMarket(
	{reports, journal}: Pick<LogMarket, 'reports' | 'journal'>,
	{chains, documents, nowMs}: CoverageParts,
): ChainCoverage[] {
	return chains.map(chain => {
		const known = reports.get(chain.chainId) ?? unreported(chain);
		const gaps = journal.gaps(chain.chainId);
		return {
			...known,
			name: chain.name,
			nodes: chain.urls.length,
			...(documents && {documents: {...documents}}),
			lagMs: known.blockTime === null ? null : Math.max(0, nowMs - Date.parse(known.blockTime)),
			gapCount: gaps.length,
			gaps: gaps
				.slice(-LISTED_GAPS)
				.reverse()
				.map(({fromBlock, toBlock, fromMs, toMs, why}) => ({
					fromBlock,
					toBlock,
					from: iso(fromMs),
					to: iso(toMs),
					why,
				})),
		};
	});
}

function iso(timeMs: number): string {
	return new Date(timeMs).toISOString();
}

/** The report of a chain before its source reports anything. */
function unreported(chain: FollowedChain): SourceReport {
	return {
		chainId: chain.chainId,
		node: hostOf(chain.urls[0]),
		state: 'starting',
		why: 'no node was asked yet',
		head: null,
		block: null,
		blockTime: null,
		finalized: null,
		since: null,
		reorgs: 0,
		unknownEvents: 0,
		unknownBlocks: 0,
		tokens: 0,
		maxTokens: maxTokensOf(chain),
		droppedTokens: 0,
		callsPerMinute: 0,
		bytesPerSecond: 0,
		priced: [],
		unpriced: [],
	};
}

/** Host of an address, which is all of it that may be shown. */
function hostOf(url: string | undefined): string {
	return url !== undefined && URL.canParse(url) ? new URL(url).host : '';
}
