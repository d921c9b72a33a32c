import type {ChainCoverage} from '../../source/contract/coverage.ts';

/** The coverage of a chain that is live, with some figures of the test. */
export function coverageOf(name: string, given: Partial<ChainCoverage> = {}): ChainCoverage {
	return {
		chainId: {base: 'evm:8453', bnb: 'evm:56'}[name] ?? `evm:${name.length}`,
		name,
		node: 'node.example.com',
		nodes: 1,
		state: 'live',
		why: null,
		head: 101,
		block: 100,
		blockTime: null,
		lagMs: 1200,
		finalized: 60,
		since: '2026-11-21T11:00:00.000Z',
		gaps: [],
		gapCount: 0,
		reorgs: 0,
		unknownEvents: 0,
		unknownBlocks: 0,
		tokens: 3,
		maxTokens: 1000,
		droppedTokens: 0,
		callsPerMinute: 60,
		bytesPerSecond: 1000,
		priced: ['WETH'],
		unpriced: [],
		...given,
	};
}
