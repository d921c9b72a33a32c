import {addressOfKey, entryKey} from '../../contract/entry.ts';
import {Engine} from '../market/engine.ts';
import type {ChainGap, ChainResume, EventBatch, SourceFact, SourceReport} from '../market/event-source.ts';
import type {LaunchEvent, MarketEvent, Profile, TokenPlace} from '../market/events.ts';
import type {Directory} from '../market/labels.ts';
import type {Market} from '../market/market.ts';
import {marketView} from '../market/market-view.ts';
import {gapEvent, Journal} from './journal.ts';
import {JournalFailed, type JournalPosition} from './journal-file.ts';
import {JournalLoader} from './journal-loader.ts';
import type {LogEntry, LogRecord} from './log-entry.ts';
import {MarketImage} from './market-image.ts';
import {TakenBack} from './taken-back.ts';

export interface LogMarketOptions {
	/** Chains of the log. Tokens of others stay in the journal until they are followed again or too old. */
	readonly chainIds: readonly string[];
	/** Quote coins that are known from the start; they are in no log. */
	readonly quotes?: readonly LaunchEvent[] | undefined;
	/** Facts about wallets from outside their chains; default: none are known. */
	readonly directory?: Directory | undefined;
	/** Limit of rows, above which the tokens with the oldest last trade are dropped, if it is an hour ago. */
	readonly maxRows?: number | undefined;
	/** Undefined: the journal ends with the process. */
	readonly dataDir: string | undefined;
	/** About how many bytes of events the journal keeps. */
	readonly maxBytes?: number;
	/** Where a market without a journal begins. Events before its time are the past, which is not announced. */
	readonly begin: JournalPosition;
	/** The log outlives this process: the journal keeps the position in it, and no entry takes effect before the whole journal is loaded. */
	readonly isShared?: boolean;
	/** Whether the log's clock is right, as far as the chains say: otherwise nothing is old by it. Default: it is. */
	readonly isClockTrue?: (reports: ReadonlyMap<string, SourceReport>) => boolean;
	/** Called with the events of each batch after their effects, those of the past too. */
	readonly appended?: (events: readonly MarketEvent[]) => void;
	/** Called with the keys of tokens from which a reorganisation took something. */
	readonly takenBack?: (keys: readonly string[]) => void;
	/** Called when the holders of a token are looked at, and its events do not give them. */
	readonly holdersWanted?: (chainId: string, token: string) => void;
	/** Called with a line for each thing that went wrong without stopping the market. */
	readonly log: (line: string) => void;
}

/**
 * The market that a log amounts to: each entry is stored in the journal and applied to the engine, in one turn. Every figure is a
 * function of the entries up to the position, whatever was loaded when.
 */
export interface LogMarket {
	/** The market as the rest of the service sees it. */
	readonly view: Omit<Market, 'log' | 'coverage'>;
	readonly engine: Engine;
	readonly journal: Journal;
	/** The newest applied entry. Its time is the market's clock. */
	readonly position: Readonly<JournalPosition>;
	/** The last report of each chain's source, by chain. */
	readonly reports: ReadonlyMap<string, SourceReport>;
	/**
	 * Applies the next entry; its time windows slide first.
	 * @throws JournalFailed when it could not be stored: with a `cause` the same call again may succeed, without one the entry is
	 * impossible after those before, for every market of the log. RangeError when an event of it is impossible
	 */
	apply(entry: LogEntry): void;
	/** Where the source of each chain stopped, and its facts. */
	resumeOf(): ReadonlyMap<string, ChainResume>;
	/** Facts of a chain, as `ChainResume.facts` has them. */
	factsOf(chainId: string): readonly SourceFact[];
	/** The profile of a token; undefined for an unknown token. */
	profileOf(token: TokenPlace): Profile | undefined;
	/** Loads the journal in slices, in the background. Called once. */
	load(done: () => void): void;
	/** Loads the rest of the journal at once. */
	fill(): void;
	/** Whether all of the journal is loaded. */
	readonly isFilled: boolean;
	/** Sets the clock, back too: figures of all that the journal has, as of then. @param newFromMs events before are the past */
	beginAgain(atMs: number, newFromMs: number): void;
	/** Stops loading, keeps what makes the next start fast, and closes the journal. Nothing may be applied afterwards. */
	close(): void;
}

/** Name of the journal's file in a replica. */
export const REPLICA_FILE = 'replica.db';

/** See LogMarketOptions.maxRows. */
const MAX_ROWS = 50_000;
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
/** Minimum time between two queries of a token's holders. */
const HOLDERS_MS = 15_000;

/** Facts about wallets from outside their chains: there are none. */
const NO_DIRECTORY: Directory = {entityOf: () => undefined, platform: () => undefined};

/**
 * A market that has what its journal has: in a log of this process alone the newest and the last traded tokens of it are there when
 * this returns, and `load` or `fill` adds the rest. A token that the log goes on with is loaded before that.
 * @throws JournalInUse when another process has the journal, JournalFailed
 */
export function createLogMarket({
	chainIds,
	quotes = [],
	directory = NO_DIRECTORY,
	maxRows = MAX_ROWS,
	dataDir,
	maxBytes,
	begin,
	isShared = false,
	isClockTrue = () => true,
	appended = () => {},
	takenBack: reportTakenBack = () => {},
	holdersWanted = () => {},
	log,
}: LogMarketOptions): LogMarket {
	const position = {...begin};
	const shared = {
		name: REPLICA_FILE,
		kept: {
			position: () => position,
			unkept: () => engine.settledKinds?.unkept() ?? {isAll: false, wallets: []},
			keep: () => engine.settledKinds?.keep(),
		},
	};
	const journal = new Journal({
		dataDir,
		log,
		...(maxBytes !== undefined && {maxBytes}),
		...(isShared && {replica: shared}),
	});
	const left = journal.position();
	if (left) {
		if (left.epoch !== position.epoch) throw new JournalFailed('it is of another market log');
		position.seq = left.seq;
		position.atMs = left.atMs;
	}
	const makeEngine = (): Engine => new Engine(position.atMs, {maxRows, isExact: true});
	const followed = new Set(chainIds);
	const image =
		isShared || dataDir === undefined
			? undefined
			: new MarketImage({dataDir, journal, chainIds: followed, quotes, log});
	const restored = image?.restore(makeEngine);
	const engine = restored?.engine ?? makeEngine();
	let newFromMs = begin.atMs;
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
		chainIds: followed,
		apply: event => engine.apply(event),
		known: restored?.known,
		log,
	});
	/** When the holders of a token were last asked for, by key. */
	const askedMs = new Map<string, number>();
	let reportLoaded = (): void => {};
	let slice: NodeJS.Immediate | undefined;
	let prunedMs = position.atMs;
	let imageMs = position.atMs;
	/** How many events the engine had applied when its image was kept. */
	let imageEvents = restored ? engine.applied : 0;
	/** Tokens that the market has dropped by itself, until the journal has forgotten them. */
	const freed: {readonly chainId: string; readonly address: string}[] = [];

	const announce = (events: readonly MarketEvent[]): void => {
		for (const event of events) {
			// The past is not new, even when it is read late; and what was announced before a reorganisation is not new after it.
			if (event.timeMs < newFromMs || takenBack.returns(event)) continue;
			for (const listener of listeners) notify(listener, event);
		}
	};
	/** A fault of a listener is not the source's: the event is stored and applied. */
	const notify = (listener: (event: MarketEvent) => void, event: MarketEvent): void => {
		try {
			listener(event);
		} catch (error) {
			log(`a listener failed on a ${event.type} of ${event.chainId}: ${(error as Error).stack}`);
		}
	};
	const profileOf = ({chainId, token}: TokenPlace): Profile | undefined => {
		const row = engine.rowOf(entryKey(chainId, token));
		return row === undefined ? undefined : engine.listing(row).token.profile;
	};

	/** Tokens that the market dropped by itself are over for the journal too: after a restart they must not come back. */
	const forgetDropped = (chainId: string, keys: ReadonlySet<string>): void => {
		if (!isClockTrue(reports)) return;
		const gone = [...keys].filter(key => isToken(journal, key) && engine.rowOf(key) === undefined);
		if (gone.length > 0) journal.forget(chainId, gone.map(addressOfKey));
	};
	const append = (batch: EventBatch): void => {
		const keys = new Set(
			batch.events.flatMap(event => ('token' in event ? [entryKey(event.chainId, event.token)] : [])),
		);
		for (const key of keys) loader.load(key);
		const events = journal.together(() => {
			forgetDropped(batch.chainId, keys);
			return journal.append(batch);
		});
		for (const event of events) engine.apply(event);
		engine.advance(position.atMs);
		announce(events);
		appended(events);
	};
	const takeBack = (chainId: string, fromBlock: number): void => {
		loader.finish();
		if (listeners.size > 0) takenBack.remember(journal.since(chainId, fromBlock), position.atMs);
		const touched = journal.takeBack(chainId, fromBlock);
		loader.check();
		for (const key of touched) {
			if (loader.isPending(key)) continue;
			engine.forget(chainId, addressOfKey(key));
			loader.reload(key);
		}
		engine.advance(position.atMs);
		reportTakenBack(touched);
	};
	const addGap = (gap: ChainGap): void => {
		loader.finish();
		journal.gap(gap);
		for (const token of journal.tokens()) {
			if (token.chainId !== gap.chainId || token.kind === 'fundings' || loader.isPending(token.key)) continue;
			engine.apply(gapEvent(gap, token.address));
		}
		engine.advance(position.atMs);
	};
	const forget = (chainId: string, tokens: readonly string[]): void => {
		loader.finish();
		journal.forget(chainId, tokens);
		loader.check();
		for (const token of tokens) engine.forget(chainId, token);
		engine.advance(position.atMs);
	};
	const describe = (token: TokenPlace, profile: Profile): void => {
		const known = profileOf(token);
		if (known === undefined || isPartOf(profile, known)) return;
		const event = journal.describe(token.chainId, token.token, profile);
		if (event === undefined) return;
		engine.apply(event);
		engine.advance(position.atMs);
		announce([event]);
	};
	const write = (record: LogRecord): void => {
		if (record.kind === 'batch') append(record.batch);
		else if (record.kind === 'take-back') takeBack(record.chainId, record.fromBlock);
		else if (record.kind === 'gap') addGap(record.gap);
		else if (record.kind === 'forget') forget(record.chainId, record.tokens);
		else if (record.kind === 'describe') describe(record, record.profile);
		else if (record.kind === 'report') reports.set(record.report.chainId, record.report);
	};

	/** Drops what is old. @throws JournalFailed when nothing was dropped that a restart would not bring back */
	const prune = (): void => {
		const isHourOver = Math.floor(position.atMs / FUNDINGS_MS) > Math.floor(prunedMs / FUNDINGS_MS);
		loader.finish();
		try {
			// Rows are freed at a set time, and what was freed must not come back with a restart.
			freed.push(...engine.freeRows());
			for (const [chainId, tokens] of Map.groupBy(freed, token => token.chainId)) {
				journal.forget(
					chainId,
					tokens.map(({address}) => address),
				);
			}
			freed.length = 0;
			for (const token of journal.prune(position.atMs)) engine.forget(token.chainId, token.address);
			if (isHourOver) engine.forgetFundings(position.atMs - FUNDINGS_MS, wallets => journal.forgetFundings(wallets));
		} catch (error) {
			// In a shared log the entry is applied again: what others have dropped by then must not come back with a restart.
			if (isShared && error instanceof JournalFailed) throw error;
			log(`old events of the followed chains could not be dropped: ${(error as Error).message}`);
		}
		prunedMs = position.atMs;
		loader.check();
	};
	/** Keeps an image where reading it will be faster than applying the events again. */
	const keepImage = (minEvents: number): void => {
		if (image === undefined || !loader.isDone || engine.applied - imageEvents < minEvents) return;
		engine.advance(position.atMs);
		image.keep(engine);
		imageEvents = engine.applied;
	};
	/** At the same entry of the log in every market of it: time windows slide, and what is old is dropped. */
	const advance = (): void => {
		engine.advance(position.atMs);
		if (minuteOf(position.atMs) > minuteOf(prunedMs) && isClockTrue(reports)) prune();
		if (image && Math.abs(position.atMs - imageMs) >= IMAGE_MS) {
			imageMs = position.atMs;
			keepImage(MIN_IMAGE_EVENTS.running);
		}
	};
	let isSettled = false;
	/** Shares of holders are as all of the journal makes them: until the next whole minute, as they were at the position. */
	const settle = (): void => {
		if (!isSettled) engine.restoreKinds(left?.kinds ?? []);
		isSettled = true;
	};
	const loadFor = (ms: number): void => {
		const until = performance.now() + ms;
		while (!loader.isDone && performance.now() < until) loader.step();
		engine.advance(position.atMs);
	};
	const loadRest = (): void => {
		slice = undefined;
		loadFor(SLICE_MS);
		// Not unref'd: the event loop of an idle program would skip the rest.
		if (!loader.isDone) {
			slice = setImmediate(loadRest);
			return;
		}
		settle();
		reportLoaded();
	};

	if (!isShared) loadFor(FIRST_MS);

	return {
		view: {
			...marketView(engine, directory),
			detailsWanted: row => {
				const {token} = engine.listing(row);
				if (token.holdersReported || token.kind !== 'token') return;
				const key = engine.key(row);
				const toMs = performance.now();
				if (toMs - (askedMs.get(key) ?? Number.NEGATIVE_INFINITY) < HOLDERS_MS) return;
				for (const [old, atMs] of askedMs) if (toMs - atMs >= HOLDERS_MS) askedMs.delete(old);
				askedMs.set(key, toMs);
				holdersWanted(token.chainId, token.address);
			},
			onEvent: listener => {
				listeners.add(listener);
				return () => listeners.delete(listener);
			},
		},
		engine,
		journal,
		position,
		reports,
		apply: ({seq, atMs, record}) => {
			const before = position.seq;
			position.atMs = Math.max(position.atMs, atMs);
			advance();
			position.seq = seq;
			try {
				write(record);
			} catch (error) {
				if (error instanceof JournalFailed && error.cause !== undefined) position.seq = before;
				throw error;
			}
		},
		resumeOf: () =>
			new Map(
				chainIds.flatMap(chainId => {
					const known = journal.resume(chainId);
					return known ? [[chainId, known] as const] : [];
				}),
			),
		factsOf: chainId => journal.facts(chainId),
		profileOf,
		load: done => {
			reportLoaded = done;
			slice = setImmediate(loadRest);
		},
		fill: () => {
			while (!loader.isDone) loader.step();
			settle();
			engine.advance(position.atMs);
		},
		get isFilled() {
			return loader.isDone;
		},
		beginAgain: (atMs, fromMs) => {
			position.atMs = atMs;
			newFromMs = Math.min(newFromMs, fromMs);
			prunedMs = Math.min(prunedMs, position.atMs);
			isSettled = false;
			engine.beginAgain(position.atMs);
			applyQuotes();
			loader.beginAgain();
			loadFor(FIRST_MS);
			slice ??= setImmediate(loadRest);
		},
		close: () => {
			clearImmediate(slice);
			keepImage(MIN_IMAGE_EVENTS.ending);
			try {
				// Entries of the log that changed no event are not read again.
				if (isShared && isSettled) journal.keepPosition();
			} catch (error) {
				if (!(error instanceof JournalFailed)) throw error;
				log(`the next start reads the last entries of the market log again: ${error.why}`);
			} finally {
				journal.close();
			}
		},
	};
}

/** Trades of a coin that prices others are not followed: no figure about them is known, ever. */
function unseen({chainId, token, block, timeMs}: LaunchEvent): MarketEvent {
	return {type: 'gap', chainId, token, block, fromMs: timeMs, timeMs: Number.MAX_SAFE_INTEGER};
}

function minuteOf(timeMs: number): number {
	return Math.floor(timeMs / PRUNE_MS);
}

/** Whether all that a profile says is known. */
export function isPartOf(profile: Profile, shown: Profile): boolean {
	return Object.entries(profile).every(([name, value]) => shown[name as keyof Profile] === value);
}

function isToken(journal: Journal, key: string): boolean {
	const kind = journal.token(key)?.kind;
	return kind !== undefined && kind !== 'fundings';
}
