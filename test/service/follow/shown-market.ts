import {createFollowedMarket, type FollowedMarket} from '../../../source/service/follow/followed-market.ts';
import type {MetadataFetch} from '../../../source/service/follow/metadata-fetch.ts';
import type {EventSource} from '../../../source/service/market/event-source.ts';
import {ROW} from '../../../source/service/market/market.ts';
import {blockMs, CHAIN} from './made-events.ts';

export const NOW_MS = blockMs(1000);

/** A followed market of the made chain, at a fixed time. */
export function openFollowed(
	source: EventSource,
	dataDir: string | undefined,
	{
		nowMs = NOW_MS,
		clock = () => nowMs,
		log = () => {},
		metadata,
	}: {nowMs?: number; clock?: () => number; log?: (line: string) => void; metadata?: MetadataFetch | undefined} = {},
): FollowedMarket {
	const options = {chains: [{chainId: CHAIN, name: 'base', urls: ['wss://node.example/v2/secret-key']}]};
	return createFollowedMarket({options, sources: [() => source], dataDir, nowMs: clock, log, metadata});
}

/** All that a client can see of the tokens, by token and pool. */
export function shown(market: FollowedMarket): Record<string, unknown> {
	market.fill();
	market.advance(NOW_MS);
	const entries: Record<string, unknown> = {};
	for (let row = 0; row < market.table.length; row++) {
		if ((market.table.bits[row]! & ROW.live) === 0) continue;
		const {id: _, ...entry} = market.poolEntry(row, 1000);
		entries[`${market.table.key(row)} in ${market.table.addresses(row).pool}`] = JSON.parse(JSON.stringify(entry));
	}
	return entries;
}
