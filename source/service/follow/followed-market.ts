import type {ChainCoverage} from '../../contract/coverage.ts';
import {entryKey} from '../../contract/entry.ts';
import {PACING_MS} from '../../pacing.ts';
import {Engine} from '../market/engine.ts';
import type {EventSink, EventSource, SourceReport} from '../market/event-source.ts';
import type {GapEvent, LaunchEvent, MarketEvent, Profile} from '../market/events.ts';
import type {Directory} from '../market/labels.ts';
import type {Market} from '../market/market.ts';
import {marketView} from '../market/market-view.ts';
import {ChainClock} from './chain-clock.ts';
import type {FollowOptions} from './follow-options.ts';
import {coverageOf} from './followed-coverage.ts';
import {gapEvent, Journal} from './journal.ts';
import {JournalFailed} from './journal-file.ts';
import {JournalLoader} from './journal-loader.ts';
import {MarketImage} from './market-image.ts';
import type {MetadataFetch} from './metadata-fetch.ts';
import {MetadataQueue, type TokenPlace} from './metadata-queue.ts';
import {TakenBack} from './taken-back.ts';

export interface FollowedMarketOptions {
	readonly options: FollowOptions;
	readonly sources: readonly EventSource[];
	/** Factories and programs that the sources read. */
	readonly factories?: Market['factories'];
	/** Quote coins that are known from the start; they are in no journal. */
	readonly quotes?: readonly LaunchEvent[];
	/** Undefined: the journal ends with the process. */
	readonly dataDir: string | undefined;
	/** This machine's clock, Unix ms, and its monotonic clock. */
	readonly nowMs?: () => number;
	readonly passedMs?: () => number;
	/** Called with a line for each thing that went wrong without stopping the market. */
	readonly log?: (line: string) => void;
	/** About how many bytes of events the journal keeps. */
	readonly mostBytes?: number;
	/** Reads the documents that tokens name; without it what they say is unknown. */
	readonly metadata?: MetadataFetch | undefined;
	/** In a replica: one of the replicas reads the documents of a chain, and all learn of them through the log. */
	readonly documents?: SharedDocuments;
	/** Limit of rows, above which the tokens with the oldest last trade are dropped, if it is an hour ago. */
	readonly mostRows?: number;
	/** Facts about wallets from outside their chains; default: none are known. */
	readonly directory?: Directory;
	/**
	 * Set in a replica: where it stands in the market log, moved on by the source that reads the log. Every figure is a function of the
	 * log up to there, whatever was loaded when.
	 */
	readonly place?: LogPlace;
}

/** How replicas share what documents say. */
export interface SharedDocuments {
	/** Whether this replica reads those of a chain now. */
	reads(chainId: string): boolean;
	/** Writes what one says into the log, from where it comes to `describe`. */
	found(token: TokenPlace, profile: Profile): void;
}

/** Where a replica's market stands in the market log. */
export interface LogPlace {
	readonly epoch: string;
	/** The newest entry whose effects are there. */
	seq: number;
	/** The clock of the log, and with it of the market. */
	atMs: number;
	/** When the service began, Unix ms: what happened before is not announced. */
	readonly startMs: number;
}

/** Name of the journal's file in a replica. */
export const REPLICA_FILE = 'replica.db';

/** A market of real chains: figures of what its sources see, and of what its journal remembers. */
export interface FollowedMarket extends Market {
	/** Starts the sources, runs by the clock, and loads the rest of the journal in the background. The timer keeps no process alive. */
	start(options?: {readonly onFilled?: () => void}): void;
	/** Resolves when no source changes anything more. */
	stop(): Promise<void>;
	/** Stops, and lets go of the journal. */
	close(): Promise<void>;
	/**
	 * Moves the clock on: windows slide. `start` does this ten times a second.
	 * @throws JournalFailed in a replica when old events could not be dropped: the same call again drops them
	 */
	advance(nowMs: number): void;
	/** Loads the rest of the journal at once. */
	fill(): void;
	/** True once all of the journal is loaded. */
	readonly isFilled: boolean;
	readonly engine: Engine;
	/** How much is seen of each chain, in the order of the options. */
	coverage(): readonly ChainCoverage[];
	readonly journal: Journal;
	/** Adds what is news to what is known of a token from outside its chain. @throws JournalFailed when it could not be stored */
	describe(token: TokenPlace, profile: Profile): void;
	/** Asks for the documents of a chain's young tokens of which none is known, as their reader before may have left them. */
	readDocuments(chainId: string): void;
}

/** See FollowedMarketOptions.mostRows. */
const MOST_ROWS = 50_000;
/** A clock that was set back by less is waited for. */
const MAX_AHEAD_MS = 10_000;
/** States of a chain by whose clock old events may be deleted. */
const TRUE_STATES: ReadonlySet<SourceReport['state']> = new Set(['live', 'backfilling', 'starting']);
/** Before the market is there, this much time is spent on the tokens that a screen shows first. */
const FIRST_MS = 300;
/** Work is done in slices too short to delay requests. */
const SLICE_MS = 8;
const PRUNE_MS = 60_000;
/** An image of a busy day has hundreds of megabytes: not so often that disks wear. */
const IMAGE_MS = 2 * 3_600_000;
/** With fewer new events no image is kept: a start applies 100,000 events a second. */
const MIN_IMAGE_EVENTS = {running: 100_000, ending: 20_000};
/** Each hour the fundings of wallets are dropped that have had nothing else for an hour. */
const FUNDINGS_MS = 3_600_000;
/** The documents of tokens up to this age are asked for again by a new reader. */
const UNREAD_MS = 300_000;
/** Minimum time between two queries of a token's holders. */
const HOLDERS_MS = 15_000;

/** What is known of wallets from outside their chains: nothing. */
const NO_DIRECTORY: Directory = {entityOf: () => undefined, platform: () => undefined};

/** Trades of a coin that prices others are not followed: no figure about them is known, ever. */
function unseen({chainId, token, block, timeMs}: LaunchEvent): GapEvent {
	return {type: 'gap', chainId, token, block, fromMs: timeMs, timeMs: Number.MAX_SAFE_INTEGER};
}

/**
 * A market that follows chains. What the journal has of the newest and of the last traded tokens is there when this returns;
 * `start` or `fill` loads the rest. A token that a source goes on with is loaded before that.
 * @throws JournalInUse when another process follows chains into the same data directory, JournalFailed
 */
export function createFollowedMarket({
	options,
	sources,
	factories = [],
	quotes = [],
	dataDir,
	place,
	nowMs: machineMs = Date.now,
	passedMs,
	log = () => {},
	mostBytes,
	metadata,
	documents: shared,
	mostRows = MOST_ROWS,
	directory = NO_DIRECTORY,
}: FollowedMarketOptions): FollowedMarket {
	const replica = place && {
		name: REPLICA_FILE,
		place: {
			position: () => place,
			unkept: () => engine.settledKinds?.unkept() ?? {isAll: false, wallets: []},
			keep: () => engine.settledKinds?.keep(),
		},
	};
	const journal = new Journal({dataDir, log, replica, ...(mostBytes !== undefined && {mostBytes})});
	const left = journal.place();
	if (place && left) {
		if (left.epoch !== place.epoch) throw new JournalFailed('it is of another market log');
		place.seq = left.seq;
		place.atMs = left.atMs;
	}
	const chainClock = new ChainClock(passedMs);
	/** The time of the market: that of the log in a replica, else that of the chains. */
	const nowMs = place ? () => place.atMs : () => chainClock.at(machineMs());
	const makeEngine = (): Engine => new Engine(nowMs(), {mostRows, canForget: true, isExact: place !== undefined});
	const chainIds = new Set(options.chains.map(({chainId}) => chainId));
	const image = place || dataDir === undefined ? undefined : new MarketImage({dataDir, journal, chainIds, quotes, log});
	const restored = image?.restore(makeEngine);
	const engine = restored?.engine ?? makeEngine();
	/** Older events are the past, which is not announced. */
	let newFromMs = place ? place.startMs : nowMs();
	const applyQuotes = (): void => {
		for (const quote of quotes) {
			engine.apply(quote);
			engine.apply(unseen(quote));
		}
	};
	if (!restored) applyQuotes();
	const listeners = new Set<(event: MarketEvent) => void>();
	const reports = new Map<string, SourceReport>();
	const takenBack = new TakenBack();
	const loader = new JournalLoader({
		journal,
		chainIds,
		apply: event => engine.apply(event),
		known: restored?.known,
		log,
	});
	/** When the holders of a token were last asked for, by key. */
	const askedMs = new Map<string, number>();
	let isStarted = false;
	let reportFilled = (): void => {};
	/** In a replica: all is as it was at its place in the log. */
	let isRestored = false;
	let timer: NodeJS.Timeout | undefined;
	let slice: NodeJS.Immediate | undefined;
	let prunedMs = nowMs();
	let imageMs = nowMs();
	/** How many events the engine had applied when its image was kept. */
	let imageEvents = restored ? engine.applied : 0;
	/** In a replica: tokens that the market has dropped by itself, until the journal has forgotten them. */
	const freed: {readonly chainId: string; readonly address: string}[] = [];
	let closing: Promise<void> | undefined;

	const rebuild = (chainId: string, keys: readonly string[]): void => {
		for (const key of keys) {
			if (loader.isPending(key)) continue;
			engine.forget(chainId, addressOf(key));
			loader.reload(key);
		}
	};
	/**
	 * Whether events that are old by the clock may be deleted: a chain is live by it, or is being caught up with. A clock that is days ahead
	 * makes everything old.
	 */
	const isClockTrue = (): boolean =>
		place !== undefined || reports.size === 0 || [...reports.values()].some(({state}) => TRUE_STATES.has(state));
	/** Tokens that the market dropped by itself are over for the journal too: after a restart they must not come back. */
	const forgetDropped = (chainId: string, keys: ReadonlySet<string>): void => {
		if (!isClockTrue()) return;
		const gone = [...keys].filter(key => isToken(journal, key) && engine.rowOf(key) === undefined);
		if (gone.length > 0) journal.forget(chainId, gone.map(addressOf));
	};
	const announce = (events: readonly MarketEvent[]): void => {
		for (const event of events) {
			// The past is not new, even when it is read late; and what was announced before a reorganisation is not new after it.
			if (event.timeMs < newFromMs || takenBack.returns(event)) continue;
			for (const listener of listeners) notify(listener, event);
		}
	};
	/** What is stored and applied stays so, whatever a listener does: its fault is not the source's. */
	const notify = (listener: (event: MarketEvent) => void, event: MarketEvent): void => {
		try {
			listener(event);
		} catch (error) {
			log(`a listener failed on a ${event.type} of ${event.chainId}: ${(error as Error).stack}`);
		}
	};
	const isNews = ({chainId, token}: TokenPlace, profile: Profile): boolean => {
		const row = engine.rowOf(entryKey(chainId, token));
		return row !== undefined && !isPartOf(profile, engine.listing(row).token.profile);
	};
	const describe = (token: TokenPlace, profile: Profile): void => {
		if (!isNews(token, profile)) return;
		const event = journal.describe(token.chainId, token.token, profile);
		if (event === undefined) return;
		engine.apply(event);
		engine.advance(nowMs());
		announce([event]);
	};
	const found = (token: TokenPlace, profile: Profile): void => {
		if (shared) {
			if (isNews(token, profile)) shared.found(token, profile);
			return;
		}
		try {
			describe(token, profile);
		} catch (error) {
			if (!(error instanceof JournalFailed)) throw error;
			log(`what a token's maker says of it could not be stored: ${error.why}`);
		}
	};
	const documents = metadata && new MetadataQueue({fetch: metadata, found});
	const askFor = (events: readonly MarketEvent[]): void => {
		for (const event of events) {
			if (event.type !== 'launch' || !event.profile.uri || shared?.reads(event.chainId) === false) continue;
			documents?.launched(event, event.profile.uri);
		}
	};
	const readDocuments = (chainId: string): void => {
		for (const {key, launchMs} of documents ? journal.tokens() : []) {
			const row = launchMs < nowMs() - UNREAD_MS ? undefined : engine.rowOf(key);
			const token = row === undefined ? undefined : engine.listing(row).token;
			if (token?.chainId !== chainId || !token.profile.uri || isDescribed(token.profile)) continue;
			documents?.launched({chainId, token: token.address}, token.profile.uri);
		}
	};
	/** What was said of a token counts again when the block that it was stored with is taken back, but the token is not. */
	const describeAgain = (keys: readonly string[]): void => {
		for (const key of keys) {
			const row = engine.rowOf(key);
			const token = row === undefined ? undefined : engine.listing(row).token;
			const profile = token?.profile.uri ? documents?.known(token.profile.uri) : undefined;
			if (token && profile) found({chainId: token.chainId, token: token.address}, profile);
		}
	};
	const sink: EventSink = {
		append: async batch => {
			const keys = new Set(
				batch.events.flatMap(event => ('token' in event ? [entryKey(event.chainId, event.token)] : [])),
			);
			for (const key of keys) loader.load(key);
			const events = journal.together(() => {
				forgetDropped(batch.chainId, keys);
				return journal.append(batch);
			});
			for (const event of events) engine.apply(event);
			engine.advance(nowMs());
			announce(events);
			askFor(events);
		},
		takeBack: async (chainId, fromBlock) => {
			loader.finish();
			if (listeners.size > 0) takenBack.remember(journal.since(chainId, fromBlock), nowMs());
			const touched = journal.takeBack(chainId, fromBlock);
			loader.check();
			rebuild(chainId, touched);
			engine.advance(nowMs());
			describeAgain(touched);
			return journal.facts(chainId);
		},
		gap: async gap => {
			loader.finish();
			journal.gap(gap);
			for (const token of journal.tokens()) {
				if (token.chainId !== gap.chainId || token.kind === 'fundings' || loader.isPending(token.key)) continue;
				engine.apply(gapEvent(gap, token.address));
			}
			engine.advance(nowMs());
		},
		forget: async (chainId, tokens) => {
			loader.finish();
			journal.forget(chainId, tokens);
			loader.check();
			for (const token of tokens) engine.forget(chainId, token);
			engine.advance(nowMs());
		},
		report: coverage => {
			reports.set(coverage.chainId, coverage);
			chainClock.note(coverage);
		},
	};
	const prune = (): void => {
		if (!isClockTrue()) return;
		const isHourOver = Math.floor(nowMs() / FUNDINGS_MS) > Math.floor(prunedMs / FUNDINGS_MS);
		const beforeMs = prunedMs;
		prunedMs = nowMs();
		loader.finish();
		try {
			// Where rows are freed by a set time and not by the moment, what was freed must not come back with a restart.
			if (place) freed.push(...engine.freeRows());
			for (const [chainId, tokens] of Map.groupBy(freed, token => token.chainId)) {
				journal.forget(
					chainId,
					tokens.map(({address}) => address),
				);
			}
			freed.length = 0;
			for (const token of journal.prune(prunedMs)) engine.forget(token.chainId, token.address);
			if (isHourOver) engine.forgetFundings(prunedMs - FUNDINGS_MS, wallets => journal.forgetFundings(wallets));
		} catch (error) {
			// In a replica the entry is applied again: what others have dropped by then must not come back with a restart.
			if (place && error instanceof JournalFailed) {
				prunedMs = beforeMs;
				throw error;
			}
			log(`old events of the followed chains could not be dropped: ${(error as Error).message}`);
		}
		loader.check();
	};
	/** Keeps an image where reading it will be faster than applying the events again. */
	const keepImage = (minEvents: number): void => {
		if (image === undefined || !loader.isDone || engine.applied - imageEvents < minEvents) return;
		engine.advance(nowMs());
		image.keep(engine);
		imageEvents = engine.applied;
	};
	const loadRest = (): void => {
		slice = undefined;
		loadFor(SLICE_MS);
		// Not unref'd: the event loop of an idle program would skip the rest.
		if (!loader.isDone) {
			slice = setImmediate(loadRest);
			return;
		}
		if (place) {
			engine.restoreKinds(left?.kinds ?? []);
			isRestored = true;
			startSources();
		}
		reportFilled();
	};
	/** The clock was ahead: what had slid out of the windows is read again, at the time that is right. */
	const beginAgain = (toMs: number): void => {
		const [from, to] = [engine.nowMs(), toMs].map(ms => new Date(ms).toISOString());
		log(`the clock was ahead, at ${from}: the market of followed chains is made again as of ${to}`);
		newFromMs = Math.min(newFromMs, chainClock.earliest(toMs));
		prunedMs = Math.min(prunedMs, toMs);
		engine.beginAgain(toMs);
		applyQuotes();
		loader.beginAgain();
		loadFor(FIRST_MS);
		slice ??= setImmediate(loadRest);
	};
	const advance = (toMs: number): void => {
		if (!place && toMs < engine.nowMs() - MAX_AHEAD_MS) beginAgain(toMs);
		engine.advance(toMs);
		// In a replica at the same entry of the log as in all others.
		const isDue = place
			? Math.floor(nowMs() / PRUNE_MS) > Math.floor(prunedMs / PRUNE_MS)
			: Math.abs(nowMs() - prunedMs) >= PRUNE_MS;
		if (isDue) prune();
		if (image && Math.abs(nowMs() - imageMs) >= IMAGE_MS) {
			imageMs = nowMs();
			keepImage(MIN_IMAGE_EVENTS.running);
		}
	};
	const detailsWanted = (row: number): void => {
		const {token} = engine.listing(row);
		if (token.holdersReported || token.kind !== 'token') return;
		const key = engine.key(row);
		const toMs = performance.now();
		if (toMs - (askedMs.get(key) ?? Number.NEGATIVE_INFINITY) < HOLDERS_MS) return;
		for (const [old, atMs] of askedMs) if (toMs - atMs >= HOLDERS_MS) askedMs.delete(old);
		askedMs.set(key, toMs);
		for (const source of sources) source.holdersWanted?.(token.chainId, token.address);
	};
	const startSources = (): void => {
		const resume = new Map(
			[...chainIds].flatMap(chainId => {
				const known = journal.resume(chainId);
				return known ? [[chainId, known] as const] : [];
			}),
		);
		for (const source of sources) source.start(sink, resume);
	};
	const closeJournal = (): void => {
		try {
			// Entries of the log that changed no event are not read again.
			if (isRestored) journal.keepPlace();
		} finally {
			journal.close();
		}
	};
	const loadFor = (ms: number): void => {
		const until = performance.now() + ms;
		while (!loader.isDone && performance.now() < until) loader.step();
		engine.advance(nowMs());
	};

	if (!place) loadFor(FIRST_MS);

	return {
		...marketView(engine, directory),
		engine,
		journal,
		describe,
		readDocuments,
		detailsWanted,
		chainIds: [...chainIds],
		factories,
		start: ({onFilled = () => {}} = {}) => {
			if (isStarted) return;
			isStarted = true;
			reportFilled = onFilled;
			if (!place) timer = setInterval(() => advance(nowMs()), PACING_MS.market).unref();
			slice = setImmediate(loadRest);
			// What the log says of a token needs all that was there before, of other tokens too.
			if (!place) startSources();
		},
		stop: async () => {
			clearInterval(timer);
			clearImmediate(slice);
			await Promise.all([...sources.map(source => source.stop()), documents?.close()]);
		},
		close() {
			closing ??= this.stop().then(() => {
				keepImage(MIN_IMAGE_EVENTS.ending);
				try {
					closeJournal();
				} catch (error) {
					if (!(error instanceof JournalFailed)) throw error;
					log(`the next start reads the last entries of the market log again: ${error.why}`);
				}
			});
			return closing;
		},
		advance,
		fill: () => {
			while (!loader.isDone) loader.step();
			engine.advance(nowMs());
		},
		get isFilled() {
			return loader.isDone;
		},
		onEvent: listener => {
			listeners.add(listener);
			return () => listeners.delete(listener);
		},
		coverage: () =>
			options.chains.map(chain =>
				coverageOf(chain, {
					report: reports.get(chain.chainId),
					gaps: journal.gaps(chain.chainId),
					documents: documents?.counts,
					// A chain from which nothing comes falls behind.
					nowMs: place ? nowMs() : machineMs(),
				}),
			),
	};
}

/** Whether a profile says what only a document does. */
function isDescribed({description, logo, twitter, website, telegram}: Profile): boolean {
	return [description, logo, twitter, website, telegram].some(text => text !== undefined);
}

/** Whether all that a profile says is known. */
function isPartOf(profile: Profile, shown: Profile): boolean {
	return Object.entries(profile).every(([name, value]) => shown[name as keyof Profile] === value);
}

function isToken(journal: Journal, key: string): boolean {
	const kind = journal.token(key)?.kind;
	return kind !== undefined && kind !== 'fundings';
}

function addressOf(key: string): string {
	return key.slice(key.indexOf('|') + 1);
}
