import {setTimeout as pause} from 'node:timers/promises';
import type {FollowOptions} from '../follow/follow-options.ts';
import {createFollowedMarket, type FollowedMarketOptions, type LogPlace} from '../follow/followed-market.ts';
import type {Journal} from '../follow/journal.ts';
import {openChains} from '../follow/open-followed.ts';
import {CHAINS} from '../market/chains.ts';
import type {Market, MarketLog} from '../market/market.ts';
import {simulatedDirectory} from '../market/simulator/directory.ts';
import type {AppliedMarket} from './applied-market.ts';
import type {EventLog} from './event-log.ts';
import type {LedStream} from './leader.ts';
import type {LogEntry} from './log-entry.ts';
import {LogSource} from './log-source.ts';
import {SimulatedStream} from './simulated-stream.ts';

export interface ReplicaMarketOptions {
	readonly log: EventLog;
	/** When the service began, by the database's clock, Unix ms: the same for all replicas. */
	readonly startMs: number;
	/** What the market is made of: chains that are followed, or a simulation. */
	readonly sources: {readonly follow: FollowOptions} | SimulatedSources;
	/** Where the journal is: of this replica alone. */
	readonly directory: string;
	/** Called with a line for each thing that went wrong without stopping the market. */
	readonly fault: (line: string) => void;
}

/** A simulated market. All replicas of a service have the same. */
export interface SimulatedSources {
	readonly seed: number;
	readonly rate: number;
	/** How many tokens the history has; default: those of 24 hours. */
	readonly historyTokens?: number | undefined;
}

/** The market of a replica: what the market log makes of it. */
export interface ReplicaMarket extends Market, AppliedMarket {
	readonly log: MarketLog;
	/** What a replica may lead. */
	readonly streams: readonly LedStream[];
	/** Its copy is what another replica can begin with. */
	readonly journal: Pick<Journal, 'backup'>;
	/** False while the journal is being loaded, or the first leader writes the history. */
	readonly isFilled: boolean;
	/** Loads the journal, then reads the log. */
	start(options?: ReplicaStart): void;
	close(): Promise<void>;
}

export interface ReplicaStart {
	/** Called where details of a token are looked at that its chain could be asked for. */
	readonly holdersWanted?: (chainId: string, token: string) => void;
}

/** About the tokens of 24 hours of the simulated history. */
const MOST_SIMULATED_ROWS = 6500;
const WARM_EVERY_MS = 50;

/** What differs between markets of chains and of a simulation. */
interface Parts {
	readonly market: Pick<FollowedMarketOptions, 'options' | 'factories' | 'quotes' | 'mostRows' | 'directory'>;
	readonly streams: readonly LedStream[];
	readonly simulated?: SimulatedStream;
}

/**
 * Opens the market of a replica; nothing is read before its `start`.
 * @throws JournalInUse, JournalFailed
 */
export async function openReplicaMarket(options: ReplicaMarketOptions): Promise<ReplicaMarket> {
	const {log, startMs, sources, directory, fault} = options;
	const parts = 'follow' in sources ? await followedParts(options, sources.follow) : simulatedParts(options, sources);
	const {simulated, streams} = parts;
	const place: LogPlace = {epoch: log.epoch, seq: 0, atMs: startMs, startMs};
	let holdersWanted: ReplicaStart['holdersWanted'];
	const source = new LogSource({
		log,
		place,
		advance: () => followed.advance(place.atMs),
		applied: ({record}: LogEntry) => {
			if (record.kind === 'batch') simulated?.written(record.batch.chainId, record.batch.cursor);
		},
		holdersWanted: (chainId, token) => holdersWanted?.(chainId, token),
		fault,
	});
	const followed = createFollowedMarket({...parts.market, sources: [source], dataDir: directory, place, log: fault});
	const {journal} = followed;
	const chainIds = parts.market.options.chains.map(({chainId}) => chainId);
	const resumeOf: AppliedMarket['resumeOf'] = () =>
		new Map(
			chainIds.flatMap(chainId => {
				const known = journal.resume(chainId);
				return known ? [[chainId, known] as const] : [];
			}),
		);
	for (const [chainId, {cursor}] of resumeOf()) simulated?.written(chainId, cursor);
	const isFilled = (): boolean => followed.isFilled && simulated?.hasHistory !== true;
	const isWarm = (): boolean => {
		if (!followed.isFilled || !source.isReady()) return false;
		// Nothing was written yet: the first leader begins at once.
		return simulated === undefined || simulated.isWarm || place.seq === 0;
	};

	return {
		table: followed.table,
		...(simulated
			? {invented: 'simulated'}
			: {coverage: followed.coverage, chainIds, factories: parts.market.factories ?? []}),
		log: {
			epoch: log.epoch,
			// Before all of the journal is there, the market is at no place of the log.
			seq: () => (followed.isFilled ? place.seq : 0),
			staleMs: () => source.staleMs(),
			isReady: () => followed.isFilled && simulated?.hasBegun !== false && source.isReady(),
		},
		get isFilled() {
			return isFilled();
		},
		nowMs: followed.nowMs,
		takeChanged: followed.takeChanged,
		assetEntry: followed.assetEntry,
		poolEntry: followed.poolEntry,
		...(followed.detailsWanted && {detailsWanted: followed.detailsWanted}),
		walletLabels: followed.walletLabels,
		priceHistory: followed.priceHistory,
		find: followed.find,
		onEvent: followed.onEvent,
		streams,
		journal,
		appliedSeq: () => (followed.isFilled ? place.seq : 0),
		untilApplied: async (seq, signal) => {
			while (!followed.isFilled) await pause(WARM_EVERY_MS, undefined, {ref: false, signal});
			await source.untilApplied(seq, signal);
		},
		resumeOf,
		factsOf: chainId => journal.facts(chainId),
		start: (start = {}) => {
			holdersWanted = start.holdersWanted;
			followed.start();
			simulated?.start();
		},
		untilWarm: async signal => {
			while (!isWarm()) await pause(WARM_EVERY_MS, undefined, {ref: false, signal});
		},
		close: async () => {
			await simulated?.stop();
			await followed.close();
		},
	};
}

async function followedParts({fault}: ReplicaMarketOptions, options: FollowOptions): Promise<Parts> {
	const chains = await openChains(options, fault);
	return {
		market: {
			options,
			factories: chains.flatMap(({factories}) => factories),
			quotes: chains.flatMap(({quotes}) => quotes),
		},
		streams: options.chains.map(({chainId}, n) => ({name: chainId, chainId, open: async () => chains[n]!.open()})),
	};
}

function simulatedParts({log, startMs, fault}: ReplicaMarketOptions, sources: SimulatedSources): Parts {
	const clock = async (): Promise<number> => (await log.head()).nowMs;
	const simulated = new SimulatedStream({...sources, startMs, clock, fault});
	return {
		market: {
			options: {chains: CHAINS.map(({id, name}) => ({chainId: id, name, urls: []}))},
			mostRows: MOST_SIMULATED_ROWS,
			directory: simulatedDirectory(simulated.crowd),
		},
		streams: [simulated],
		simulated,
	};
}
