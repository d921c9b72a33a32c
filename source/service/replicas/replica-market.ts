import {setTimeout as pause} from 'node:timers/promises';
import type {FollowOptions} from '../follow/follow-options.ts';
import {createFollowedMarket, type FollowedMarketOptions, type LogPlace} from '../follow/followed-market.ts';
import type {Journal} from '../follow/journal.ts';
import {openChains, openMetadata} from '../follow/open-followed.ts';
import {CHAINS} from '../market/chains.ts';
import type {Market, MarketLog} from '../market/market.ts';
import {simulatedDirectory} from '../market/simulator/directory.ts';
import type {AppliedMarket} from './applied-market.ts';
import type {EventLog} from './event-log.ts';
import type {Leaders, LedStream} from './leader.ts';
import type {LogEntry} from './log-entry.ts';
import {LogSource} from './log-source.ts';
import {SimulatedStream} from './simulated-stream.ts';

export interface ReplicaMarketOptions {
	readonly log: EventLog;
	/** Time of the service's first start, by the database's clock, Unix ms: the same for all replicas. */
	readonly startMs: number;
	/** Source of the events: chains that are followed, or a simulation. */
	readonly sources: {readonly follow: FollowOptions} | SimulatedSources;
	/** Directory of the journal, of this replica alone. */
	readonly directory: string;
	/** Called with a line for each failure that does not stop the market. */
	readonly fault: (line: string) => void;
}

/** A simulated market, the same for all replicas of a service. */
export interface SimulatedSources {
	readonly seed: number;
	readonly rate: number;
	/** See SimulationOptions. */
	readonly historyTokens?: number | undefined;
}

/** The market of a replica, computed from the market log. */
export interface ReplicaMarket extends Market, AppliedMarket {
	readonly log: MarketLog;
	/** The streams that a replica can lead. */
	readonly streams: readonly LedStream[];
	/** A backup of it is the snapshot that a new replica starts from. */
	readonly journal: Pick<Journal, 'backup'>;
	/** False while the journal is loaded, or the first leader writes the history. */
	readonly isFilled: boolean;
	/** Loads the journal, then reads the log. */
	start(leaders?: MarketLeaders): void;
	close(): Promise<void>;
}

/** The part of Leaders that a market uses. */
export type MarketLeaders = Pick<Leaders, 'leads' | 'holdersWanted' | 'describe'>;

/** About the tokens of 24 hours of the simulated history. */
const MOST_SIMULATED_ROWS = 6500;
const WARM_EVERY_MS = 50;

/** The parts that differ between a market of chains and a simulated one. */
interface Parts {
	readonly market: Pick<
		FollowedMarketOptions,
		'options' | 'factories' | 'quotes' | 'mostRows' | 'directory' | 'metadata'
	>;
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
	let leaders: MarketLeaders | undefined;
	const source = new LogSource({
		log,
		place,
		advance: () => followed.advance(place.atMs),
		applied: ({record}: LogEntry) => {
			if (record.kind === 'batch') simulated?.written(record.batch.chainId, record.batch.cursor);
		},
		describe: (token, profile) => followed.describe(token, profile),
		holdersWanted: (chainId, token) => leaders?.holdersWanted(chainId, token),
		fault,
	});
	const followed = createFollowedMarket({
		...parts.market,
		sources: [source],
		dataDir: directory,
		place,
		log: fault,
		documents: {
			reads: chainId => leaders?.leads(chainId) ?? false,
			found: (token, profile) => leaders?.describe(token, profile),
		},
	});
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
		// The log is empty: the first leader starts at once.
		return simulated === undefined || simulated.isWarm || place.seq === 0;
	};

	return {
		table: followed.table,
		...(simulated
			? {invented: 'simulated'}
			: {coverage: followed.coverage, chainIds, factories: parts.market.factories ?? []}),
		log: {
			epoch: log.epoch,
			// The market has no position before the whole journal is loaded.
			seq: () => (followed.isFilled ? place.seq : 0),
			unbrokenSeq: () => source.unbrokenSeq,
			staleMs: () => source.staleMs(),
			isReady: () => followed.isFilled && simulated?.hasBegun !== false && source.isReady(),
			isReadable: () => source.isReadable,
		},
		get isFilled() {
			return isFilled();
		},
		nowMs: followed.nowMs,
		takeChanged: () => {
			source.endStep();
			return followed.takeChanged();
		},
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
		beganToLead: chainId => followed.readDocuments(chainId),
		start: given => {
			leaders = given;
			followed.start();
			simulated?.start();
		},
		isReadable: () => source.isReadable,
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
			metadata: await openMetadata(options),
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
			directory: simulatedDirectory(() => simulated.crowd),
		},
		streams: [simulated],
		simulated,
	};
}
