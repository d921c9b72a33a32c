import {setTimeout as pause} from 'node:timers/promises';
import type {FollowedChain, FollowOptions} from '../follow/follow-options.ts';
import {coverageOfMarket} from '../follow/followed-coverage.ts';
import type {MetadataFetch} from '../follow/metadata-fetch.ts';
import {openChains, openMetadata} from '../follow/open-followed.ts';
import {TokenDocuments} from '../follow/token-documents.ts';
import type {AppliedMarket} from '../log/applied-market.ts';
import {EntryReader} from '../log/entry-reader.ts';
import type {EventLog} from '../log/event-log.ts';
import type {Journal} from '../log/journal.ts';
import type {LogEntry} from '../log/log-entry.ts';
import {createLogMarket, type LogMarketOptions} from '../log/log-market.ts';
import {CHAINS} from '../market/chains.ts';
import type {Market, MarketLog} from '../market/market.ts';
import {simulatedDirectory} from '../market/simulator/directory.ts';
import type {Leaders, LedStream} from './leader.ts';
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
const MAX_SIMULATED_ROWS = 6500;
const WARM_EVERY_MS = 50;

/** The parts that differ between a market of chains and a simulated one. */
interface Parts {
	readonly market: Pick<LogMarketOptions, 'quotes' | 'maxRows' | 'directory'>;
	readonly chains: readonly FollowedChain[];
	readonly factories?: Market['factories'];
	readonly metadata?: MetadataFetch | undefined;
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
	const {simulated, streams, chains} = parts;
	const chainIds = chains.map(({chainId}) => chainId);
	let leaders: MarketLeaders | undefined;
	let closing: Promise<void> | undefined;
	const market = createLogMarket({
		...parts.market,
		chainIds,
		dataDir: directory,
		begin: {epoch: log.epoch, seq: 0, atMs: startMs},
		isShared: true,
		appended: events => documents?.appended(events),
		takenBack: keys => documents?.takenBack(keys),
		holdersWanted: (chainId, token) => leaders?.holdersWanted(chainId, token),
		log: fault,
	});
	const {resumeOf} = market;
	const documents =
		parts.metadata &&
		new TokenDocuments({
			fetch: parts.metadata,
			market,
			reads: chainId => leaders?.leads(chainId) ?? false,
			write: (token, profile) => leaders?.describe(token, profile),
		});
	const reader = new EntryReader({
		log,
		market,
		applied: ({record}: LogEntry) => {
			if (record.kind === 'batch') simulated?.written(record.batch.chainId, record.batch.cursor);
		},
		fault,
	});
	const seq = (): number => (market.isFilled ? market.position.seq : 0);
	for (const [chainId, {cursor}] of resumeOf()) simulated?.written(chainId, cursor);
	const isFilled = (): boolean => market.isFilled && simulated?.hasHistory !== true;
	const isWarm = (): boolean => {
		if (!market.isFilled || !reader.isReady()) return false;
		// The log is empty: the first leader starts at once.
		return simulated === undefined || simulated.isWarm || market.position.seq === 0;
	};

	return {
		...market.view,
		...(simulated
			? {invented: 'simulated'}
			: {
					chainIds,
					coverage: () => coverageOfMarket(market, {chains, documents: documents?.counts, nowMs: market.position.atMs}),
					factories: parts.factories ?? [],
				}),
		log: {
			epoch: log.epoch,
			// The market has no position before the whole journal is loaded.
			seq,
			unbrokenSeq: () => reader.unbrokenSeq,
			staleMs: () => reader.staleMs(),
			isReady: () => market.isFilled && simulated?.hasBegun !== false && reader.isReady(),
			isReadable: () => reader.isReadable,
		},
		get isFilled() {
			return isFilled();
		},
		takeChanged: () => {
			reader.endStep();
			return market.view.takeChanged();
		},
		streams,
		journal: market.journal,
		resumeOf,
		factsOf: market.factsOf,
		appliedSeq: seq,
		untilApplied: async (seq, signal) => {
			while (!market.isFilled) await pause(WARM_EVERY_MS, undefined, {ref: false, signal});
			await reader.untilApplied(seq, signal);
		},
		beganToLead: chainId => documents?.readAll(chainId),
		start: given => {
			leaders = given;
			// The log's entries of a token build on all earlier ones, also on those of other tokens.
			market.load(() => reader.start());
			simulated?.start();
		},
		isReadable: () => reader.isReadable,
		untilWarm: async signal => {
			while (!isWarm()) await pause(WARM_EVERY_MS, undefined, {ref: false, signal});
		},
		close: () => {
			closing ??= Promise.all([simulated?.stop(), reader.stop(), documents?.close()]).then(() => market.close());
			return closing;
		},
	};
}

async function followedParts({fault}: ReplicaMarketOptions, options: FollowOptions): Promise<Parts> {
	const opened = await openChains(options, fault);
	return {
		market: {quotes: opened.flatMap(({quotes}) => quotes)},
		chains: options.chains,
		factories: opened.flatMap(({factories}) => factories),
		metadata: await openMetadata(options),
		streams: options.chains.map(({chainId}, n) => ({name: chainId, chainId, open: async () => opened[n]!.open()})),
	};
}

function simulatedParts({log, startMs, fault}: ReplicaMarketOptions, sources: SimulatedSources): Parts {
	const clock = async (): Promise<number> => (await log.head()).nowMs;
	const simulated = new SimulatedStream({...sources, startMs, clock, fault});
	return {
		market: {maxRows: MAX_SIMULATED_ROWS, directory: simulatedDirectory(() => simulated.crowd)},
		chains: CHAINS.map(({id, name}) => ({chainId: id, name, urls: []})),
		streams: [simulated],
		simulated,
	};
}
