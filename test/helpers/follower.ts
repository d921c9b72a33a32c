import type {ChainCoverage} from '../../source/contract/coverage.ts';
import {createEvmSource} from '../../source/service/follow/evm/evm-source.ts';
import {createFollowedMarket} from '../../source/service/follow/followed-market.ts';
import {createSolanaSource} from '../../source/service/follow/solana/solana-source.ts';
import type {EventSource} from '../../source/service/market/event-source.ts';
import {DETAIL_HOLDERS, ROW} from '../../source/service/market/market.ts';

/** A market that follows one chain, on a clock that a test moves. Plain data: it crosses to another process. */
export interface FollowerOptions {
	readonly chainId: string;
	readonly name: string;
	readonly urls: readonly string[];
	readonly dataDir?: string;
	readonly confirmations?: number;
	readonly maxTokens?: number;
	/** Solana: US dollars for one SOL. */
	readonly nativeUSD?: number;
	/** Default: the whole chain of a world. */
	readonly backfillMs?: number;
	readonly nowMs: number;
}

export type Entry = Readonly<Record<string, unknown>>;

export interface Follower {
	/** Moves the clock. */
	at(nowMs: number): void;
	readonly coverage: ChainCoverage;
	/** Every token as its row says it now, by key. */
	entries(): ReadonlyMap<string, Entry>;
	close(): Promise<void>;
}

const DAY_MS = 86_400_000;

/** Follows a chain; what the source says besides goes to `log`. */
export function openFollower(
	{chainId, name, urls, dataDir, confirmations = 0, maxTokens, nativeUSD, backfillMs = DAY_MS, nowMs}: FollowerOptions,
	log: (line: string) => void = () => {},
): Follower {
	let clockMs = nowMs;
	const chain = {
		chainId,
		name,
		urls,
		confirmations,
		...(maxTokens !== undefined && {maxTokens}),
		...(nativeUSD !== undefined && {nativeUSD}),
	};
	const open = (): EventSource =>
		chainId.startsWith('solana:')
			? createSolanaSource(chain, {log, nowMs: () => clockMs})
			: createEvmSource({chain, backfillMs, log, nowMs: () => clockMs});
	const market = createFollowedMarket({
		options: {chains: [chain], backfillMs},
		sources: [open],
		dataDir,
		nowMs: () => clockMs,
		log,
	});
	market.start();
	return {
		at(toMs) {
			clockMs = Math.max(clockMs, toMs);
		},
		get coverage() {
			return market.coverage()[0]!;
		},
		entries() {
			market.fill();
			market.advance(clockMs);
			const {table} = market;
			const live = Array.from({length: table.length}, (_, row) => row).filter(row => {
				const bits = table.bits[row]!;
				return bits & ROW.live && bits & ROW.main;
			});
			return new Map(
				live
					.map(row => [table.key(row), asSent(market.assetEntry(row, DETAIL_HOLDERS))] as const)
					.sort(([a], [b]) => (a < b ? -1 : 1)),
			);
		},
		close: () => market.close(),
	};
}

/** An entry as a client gets it. */
function asSent(entry: Entry): Entry {
	return JSON.parse(JSON.stringify(entry)) as Entry;
}
