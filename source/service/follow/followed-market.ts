import type {ChainCoverage} from '../../contract/coverage.ts';
import {PACING_MS} from '../../pacing.ts';
import {JournalFailed} from '../log/journal-file.ts';
import {LocalLog} from '../log/local-log.ts';
import {createLogMarket, type LogMarket, type LogMarketOptions} from '../log/log-market.ts';
import {takeBackRest} from '../log/take-back-rest.ts';
import type {EventSink, EventSource, SourceReport} from '../market/event-source.ts';
import type {Market} from '../market/market.ts';
import {ChainClock} from './chain-clock.ts';
import type {FollowOptions} from './follow-options.ts';
import {coverageOfMarket} from './followed-coverage.ts';
import type {MetadataFetch} from './metadata-fetch.ts';
import {TokenDocuments} from './token-documents.ts';

export interface FollowedMarketOptions extends Pick<LogMarketOptions, 'quotes' | 'dataDir' | 'maxBytes' | 'maxRows'> {
	readonly options: FollowOptions;
	/** Open the source of each chain, in the order of the options: at the start, and some seconds after it has ended by itself. */
	readonly sources: readonly (() => EventSource)[];
	/** Factories and programs that the sources read. */
	readonly factories?: Market['factories'];
	/** This machine's clock, Unix ms, and its monotonic clock. */
	readonly nowMs?: () => number;
	readonly passedMs?: () => number;
	/** Called with a line for each thing that went wrong without stopping the market. */
	readonly log?: (line: string) => void;
	/** Reads the documents that tokens name; without it what they say is unknown. */
	readonly metadata?: MetadataFetch | undefined;
}

/** A market of real chains: figures of what its sources see, and of what its journal remembers. */
export interface FollowedMarket extends Market, Pick<LogMarket, 'engine' | 'journal'> {
	/** Starts the sources, runs by the clock, and loads the rest of the journal in the background. The timer keeps no process alive. */
	start(options?: {readonly onFilled?: () => void}): void;
	/** Stops the sources, and lets go of the journal. */
	close(): Promise<void>;
	/** Moves the clock on: windows slide. `start` does this ten times a second. */
	advance(nowMs: number): void;
	/** Loads the rest of the journal at once. */
	fill(): void;
	/** True once all of the journal is loaded. */
	readonly isFilled: boolean;
	/** Its log, into which the sources write. */
	readonly ownLog: LocalLog;
	/** How much is seen of each chain, in the order of the options. */
	coverage(): readonly ChainCoverage[];
}

/** A clock that was set back by less is waited for. */
const MAX_AHEAD_MS = 10_000;
/** After a source has ended by itself it rests for this time, twice as long each time. */
const MIN_REST_MS = 5000;
const MAX_REST_MS = 60_000;
/** States of a chain by whose clock old events may be deleted. */
const TRUE_STATES: ReadonlySet<SourceReport['state']> = new Set(['live', 'backfilling', 'starting']);

/**
 * A market that follows chains, from a log of this process alone. What the journal has of the newest and of the last traded tokens
 * is there when this returns; `start` or `fill` loads the rest.
 * @throws JournalInUse when another process follows chains into the same data directory, JournalFailed
 */
export function createFollowedMarket({
	options,
	sources,
	factories = [],
	nowMs: machineMs = Date.now,
	passedMs,
	log: say = () => {},
	metadata,
	...stored
}: FollowedMarketOptions): FollowedMarket {
	const clock = new ChainClock(passedMs);
	const nowMs = (): number => clock.at(machineMs());
	const chainIds = options.chains.map(({chainId}) => chainId);
	const market = createLogMarket({
		...stored,
		chainIds,
		begin: {epoch: 'local', seq: 0, atMs: nowMs()},
		// A clock that is days ahead makes everything old.
		isClockTrue: reports => reports.size === 0 || [...reports.values()].some(({state}) => TRUE_STATES.has(state)),
		appended: events => documents?.appended(events),
		takenBack: keys => documents?.takenBack(keys),
		holdersWanted: (chainId, token) => {
			for (const source of running) source.holdersWanted?.(chainId, token);
		},
		log: say,
	});
	const log = new LocalLog(market, nowMs);
	const documents =
		metadata &&
		new TokenDocuments({
			fetch: metadata,
			market,
			reads: () => true,
			write: ({chainId, token}, profile) => {
				try {
					log.write({kind: 'describe', chainId, token, profile});
				} catch (error) {
					if (!(error instanceof JournalFailed)) throw error;
					say(`what a token's maker says of it could not be stored: ${error.why}`);
				}
			},
		});
	const {report: writeReport, ...writes} = log.sink;
	const sink: EventSink = {
		...writes,
		report: report => {
			clock.note(report);
			writeReport(report);
		},
	};
	const running = new Set<EventSource>();
	const ending = new AbortController();
	const ended = new Promise<void>(resolve => ending.signal.addEventListener('abort', () => resolve()));
	const following: Promise<void>[] = [];
	let timer: NodeJS.Timeout | undefined;
	let closing: Promise<void> | undefined;

	/** The clock was ahead: what had slid out of the windows is read again, at the time that is right. */
	const beginAgain = (toMs: number): void => {
		const [from, to] = [market.position.atMs, toMs].map(ms => new Date(ms).toISOString());
		say(`the clock was ahead, at ${from}: the market of followed chains is made again as of ${to}`);
		market.beginAgain(toMs, clock.earliest(toMs));
	};
	const advance = (toMs: number): void => {
		if (toMs < market.position.atMs - MAX_AHEAD_MS) beginAgain(toMs);
		log.write({kind: 'clock'}, toMs);
	};

	/**
	 * Runs a source until the source ends, or the market does. A source that is opened again goes on behind the last batch of its
	 * chain, and finds again whatever was written later.
	 * @throws JournalFailed
	 */
	const run = async (source: EventSource, chainId: string, isFirst: boolean): Promise<void> => {
		running.add(source);
		try {
			if (!isFirst) await takeBackRest(chainId, sink, market);
			source.start(sink, market.resumeOf());
			await Promise.race([source.ended ?? ended, ended]);
		} finally {
			running.delete(source);
			await source.stop();
		}
	};
	/** Opens the source of a chain again and again: what it failed on, as a full disk, may pass. */
	const follow = async (open: () => EventSource, n: number): Promise<void> => {
		let restMs = MIN_REST_MS;
		for (let runs = 0; !ending.signal.aborted; runs++) {
			const startedMs = performance.now();
			try {
				await run(open(), chainIds[n]!, runs === 0);
			} catch (error) {
				// A journal that is still full was named by the source.
				if (!(error instanceof JournalFailed)) say(`${chainIds[n]} could not be followed: ${(error as Error).stack}`);
			}
			if (performance.now() - startedMs > MAX_REST_MS) restMs = MIN_REST_MS;
			await Promise.race([new Promise<void>(resolve => setTimeout(resolve, restMs).unref()), ended]);
			restMs = Math.min(MAX_REST_MS, restMs * 2);
		}
	};

	return {
		...market.view,
		engine: market.engine,
		journal: market.journal,
		ownLog: log,
		chainIds,
		factories,
		get isFilled() {
			return market.isFilled;
		},
		fill: () => {
			log.write({kind: 'clock'});
			market.fill();
		},
		start: ({onFilled = () => {}} = {}) => {
			if (timer) return;
			timer = setInterval(() => advance(nowMs()), PACING_MS.market).unref();
			market.load(onFilled);
			following.push(...sources.map(follow));
		},
		close: () => {
			clearInterval(timer);
			ending.abort();
			closing ??= Promise.all([...following, documents?.close()]).then(() => market.close());
			return closing;
		},
		advance,
		coverage: () =>
			// A chain from which nothing comes falls behind.
			coverageOfMarket(market, {chains: options.chains, documents: documents?.counts, nowMs: machineMs()}),
	};
}
