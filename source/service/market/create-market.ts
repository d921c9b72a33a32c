import {PACING_MS} from '../../pacing.ts';
import {Engine} from './engine.ts';
import type {MarketEvent} from './events.ts';
import {type HeldToken, readHeldToken} from './held-token.ts';
import type {Market} from './market.ts';
import {marketView} from './market-view.ts';
import type {OutsideMarket} from './outside.ts';
import {createOutsideMarket} from './outside-market.ts';
import {simulatedDirectory} from './simulator/directory.ts';
import {FIRST_TOKENS} from './simulator/history.ts';
import {Simulator} from './simulator/simulator.ts';

export interface MarketOptions {
	/** The same seed and start give the same market. */
	readonly seed?: number;
	/** Activity: 1 is about 200 trades a second. */
	readonly rate?: number;
	/** Wall time in Unix ms; tests pass their own clock and call `advance`. */
	readonly nowMs?: () => number;
	/** Facts of the tokens that go on from an earlier run, as they were stored; what can't be read is left out. */
	readonly held?: readonly unknown[];
	/** Called with a line for each thing that went wrong without stopping the market, and when it begins again. */
	readonly log?: (line: string) => void;
}

/** A running market: with its source of events and, once started, with a timer. */
export interface LiveMarket extends Market {
	/**
	 * Starts to run by the clock, and loads the rest of the history in the background. The timer keeps no process
	 * alive.
	 * @param historyInMs delay before the rest of the history is loaded, 0 by default; null leaves that to `fill`
	 * @param onFilled called once all of the history is loaded
	 */
	start(options?: {readonly historyInMs?: number | null; readonly onFilled?: () => void}): void;
	stop(): void;
	/** Runs all events that are due until `nowMs`. `start` does this ten times a second. */
	advance(nowMs: number): void;
	/** Loads the rest of the history at once. */
	fill(): void;
	/** True once all of the history is loaded. */
	readonly isFilled: boolean;
	readonly outside: OutsideMarket;
	readonly engine: Engine;
	onBeginsAgain(listener: () => void): () => void;
}

/**
 * About the tokens of 24 hours of history: without a limit the memory of a market that runs for a day would keep
 * growing.
 */
const MAX_ROWS = 6500;
/** Work is done in slices too short to delay requests. */
const SLICE_MS = 8;
/** After a pause (a suspended machine) the market catches up in steps of at least a second, a part of each tick. */
const CATCH_UP_STEP_MS = 1000;
const CATCH_UP_STEPS = 100;
const CATCH_UP_MS = 50;
/**
 * After a longer pause, or when the clock was set back by more, the market begins again at the present: it plays some twenty
 * minutes a second, and cannot take back what was. Meanwhile a market that is ahead waits for the clock.
 */
const MAX_PAUSE_MS = 600_000;
const MAX_AHEAD_MS = 10_000;
/** Each beginning has tokens of its own: the same address must not name two tokens in one run. */
const SEED_STEP = 1_000_003;

/**
 * A simulated market whose newest and most interesting tokens are there when this returns; `start` or `fill` loads the
 * rest of its 24 hours of history. After a jump of the clock it begins again, with the tokens that wallets from outside hold.
 */
export function createMarket(options: MarketOptions = {}): LiveMarket {
	const {seed = 1, rate = 1, nowMs = Date.now, log = () => {}} = options;
	let startMs = nowMs();
	const engine = new Engine(startMs, {maxRows: MAX_ROWS});
	const listeners = new Set<(event: MarketEvent) => void>();
	const emit = (event: MarketEvent): void => {
		engine.apply(event);
		// Events of the history are not new, even when they are loaded late. (The funding of a wallet is emitted when
		// the wallet first acts, with an old date.)
		if (isLoadingHistory && (event.type === 'fund' || event.timeMs < startMs)) return;
		for (const listener of listeners) listener(event);
	};
	let isLoadingHistory = true;
	let simulator: Simulator;
	let timer: NodeJS.Timeout | undefined;
	let slice: NodeJS.Immediate | undefined;
	let reportFilled = (): void => {};
	let historyTimer: NodeJS.Timeout | undefined;
	const beginsAgain = new Set<() => void>();
	let beginnings = 0;

	const begin = (held: readonly HeldToken[]): void => {
		isLoadingHistory = true;
		simulator = new Simulator({seed: seed + beginnings++ * SEED_STEP, rate, startMs, emit, held});
		for (let n = 0; n < FIRST_TOKENS; n++) simulator.emitNext(startMs);
		engine.advance(startMs);
		isLoadingHistory = false;
	};
	const beginAgain = (toMs: number): void => {
		const [from, to] = [engine.nowMs(), toMs].map(ms => new Date(ms).toISOString());
		const loadsRest = slice !== undefined || !simulator.hasHistory;
		clearImmediate(slice);
		slice = undefined;
		const held = outside.allHeld();
		startMs = toMs;
		engine.beginAgain(toMs);
		begin(held);
		log(`the clock went from ${from} to ${to}: the simulated market begins again, with the tokens that wallets hold`);
		for (const listener of beginsAgain) listener();
		if (loadsRest) loadRest();
	};
	const loadSlice = (): void => {
		const until = performance.now() + SLICE_MS;
		isLoadingHistory = true;
		while (simulator.hasHistory && performance.now() < until) simulator.emitNext(engine.nowMs());
		isLoadingHistory = false;
		engine.advance(engine.nowMs());
	};
	const loadRest = (): void => {
		slice = undefined;
		loadSlice();
		// Not unref'd: the event loop of an idle program would skip the rest, which ends by itself within two seconds.
		if (simulator.hasHistory) slice = setImmediate(loadRest);
		else reportFilled();
	};
	const advance = (toMs: number): void => {
		simulator.run(toMs);
		engine.advance(toMs);
	};
	const fill = (): void => {
		while (simulator.hasHistory) loadSlice();
	};
	const tick = (): void => {
		const until = performance.now() + CATCH_UP_MS;
		const toMs = nowMs();
		const pauseMs = toMs - engine.nowMs();
		if (pauseMs > MAX_PAUSE_MS || pauseMs < -MAX_AHEAD_MS) {
			// A trade ends in the market that it began in, within a second.
			if (!outside.isHolding()) beginAgain(toMs);
			return;
		}
		const stepMs = Math.max(CATCH_UP_STEP_MS, pauseMs / CATCH_UP_STEPS);
		do advance(Math.min(toMs, engine.nowMs() + stepMs));
		while (engine.nowMs() < toMs && performance.now() < until);
	};
	const outside = createOutsideMarket({simulator: () => simulator, engine, fill, log});

	begin(options.held ? readableTokens(options.held, log) : []);

	return {
		...marketView(
			engine,
			simulatedDirectory(() => simulator.crowd),
		),
		engine,
		invented: 'simulated',
		start: ({historyInMs = 0, onFilled = () => {}} = {}) => {
			if (timer) return;
			reportFilled = onFilled;
			timer = setInterval(tick, PACING_MS.market).unref();
			if (historyInMs !== null) historyTimer = setTimeout(loadRest, historyInMs);
		},
		stop: () => {
			clearInterval(timer);
			clearTimeout(historyTimer);
			clearImmediate(slice);
			timer = undefined;
			slice = undefined;
		},
		advance,
		fill,
		outside,
		get isFilled() {
			return !simulator.hasHistory;
		},
		onEvent: listener => {
			listeners.add(listener);
			return () => listeners.delete(listener);
		},
		onBeginsAgain: listener => {
			beginsAgain.add(listener);
			return () => beginsAgain.delete(listener);
		},
	};
}

/** The held tokens whose facts can be used, each once. */
function readableTokens(stored: readonly unknown[], log: (line: string) => void): HeldToken[] {
	const tokens = new Map<string, HeldToken>();
	for (const [n, row] of stored.entries()) {
		const held = readHeldToken(row);
		const why = typeof held === 'string' ? held : tokens.has(held.key) ? `${held.key} is there twice` : undefined;
		if (why !== undefined) log(`held token ${n + 1} of ${stored.length} does not go on: ${why}`);
		else if (typeof held !== 'string') tokens.set(held.key, held);
	}
	return [...tokens.values()];
}
