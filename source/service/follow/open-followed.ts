import type {EventSource} from '../market/event-source.ts';
import type {FollowedChain, FollowOptions} from './follow-options.ts';
import {createFollowedMarket, type FollowedMarket} from './followed-market.ts';

/**
 * Opens the market of the chains that are followed; nothing is asked of a node before its `start`.
 * @param dataDir undefined: nothing survives this run
 * @param log called with a line for each thing that went wrong without stopping the market
 * @throws JournalInUse when another process follows chains into the same data directory, JournalFailed
 */
export async function openFollowedMarket(
	options: FollowOptions,
	{dataDir, log}: {readonly dataDir: string | undefined; readonly log: (line: string) => void},
): Promise<FollowedMarket> {
	const backfillMs = options.backfillMs ?? 0;
	const sources = await Promise.all(options.chains.map(chain => openSource(chain, {backfillMs, log})));
	return createFollowedMarket({options, sources, dataDir, log});
}

export type OpenFollowedMarket = typeof openFollowedMarket;

interface SourceOptions {
	readonly backfillMs: number;
	readonly log: (line: string) => void;
}

/** Loads the reader of one kind of chain. */
async function openSource(chain: FollowedChain, options: SourceOptions): Promise<EventSource> {
	if (chain.chainId.startsWith('solana:')) {
		const {createSolanaSource} = await import('./solana/solana-source.ts');
		return createSolanaSource(chain, {log: options.log});
	}
	const {createEvmSource} = await import('./evm/evm-source.ts');
	return createEvmSource({chain, ...options});
}
