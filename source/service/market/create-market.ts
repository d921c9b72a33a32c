import {PACING_MS} from '../../pacing.ts';
import {Engine} from './engine.ts';
import type {MarketEvent} from './events.ts';
import type {Market} from './market.ts';
import {marketView} from './market-view.ts';
import {simulatedDirectory} from './simulator/directory.ts';
import {URGENT} from './simulator/history.ts';
import {Simulator} from './simulator/simulator.ts';

export interface MarketOptions {
	/** The same seed and start give the same market. */
	readonly seed?: number;
	/** How busy it is: 1 is about 200 trades a second. */
	readonly rate?: number;
	/** Wall time in Unix ms; tests pass a clock of their own and call `advance`. */
	readonly nowMs?: () => number;
}

/** A market that lives: with its source of events and, once started, with a timer. */
export interface LiveMarket extends Market {
	/**
	 * Starts to live by the clock, and tells the rest of the history in the background. The timer keeps no process alive.
	 * @param historyInMs begins with the history after this time, at once by default; null leaves it to `fill`
	 * @param onFilled told once all of the history is told
	 */
	start(options?: {readonly historyInMs?: number | null; readonly onFilled?: () => void}): void;
	stop(): void;
	/** Lets everything happen that is due until `nowMs`. `start` does this ten times a second. */
	advance(nowMs: number): void;
	/** Tells all of the history that is still untold, at once. */
	fill(): void;
	/** True once all of the history is told. */
	readonly isFilled: boolean;
	readonly engine: Engine;
}

/** About what 24 hours of history hold: with more the memory of a day that is watched would grow and grow. */
const MOST_ROWS = 6500;
/** Work is done in slices that are in nobody's way. */
const SLICE_MS = 8;
/** After a pause (a suspended machine) the market catches up in steps of at least a second, a part of each tick. */
const CATCH_UP_STEP_MS = 1000;
const CATCH_UP_STEPS = 100;
const CATCH_UP_MS = 50;

/**
 * A simulated market whose newest and most interesting tokens are there when this returns; `start` or `fill` tells the
 * rest of its 24 hours of history.
 */
export function createMarket({seed = 1, rate = 1, nowMs = Date.now}: MarketOptions = {}): LiveMarket {
	const startMs = nowMs();
	const engine = new Engine(startMs, {mostRows: MOST_ROWS});
	const listeners = new Set<(event: MarketEvent) => void>();
	const emit = (event: MarketEvent): void => {
		engine.apply(event);
		// History is no news, even when it is told late. (Who funded a wallet is told when it first acts, with an old date.)
		if (isTelling && (event.type === 'fund' || event.timeMs < startMs)) return;
		for (const listener of listeners) listener(event);
	};
	let isTelling = true;
	const simulator = new Simulator({seed, rate, startMs, emit});
	let timer: NodeJS.Timeout | undefined;
	let slice: NodeJS.Immediate | undefined;
	let tellFilled = (): void => {};
	let historyTimer: NodeJS.Timeout | undefined;

	const tellSlice = (): void => {
		const until = performance.now() + SLICE_MS;
		isTelling = true;
		while (simulator.hasUntold && performance.now() < until) simulator.tellNext(engine.nowMs());
		isTelling = false;
		engine.advance(engine.nowMs());
	};
	const tellOn = (): void => {
		slice = undefined;
		tellSlice();
		// Not unref'd: a loop that waits for input would forget it, and it ends by itself within a second or two.
		if (simulator.hasUntold) slice = setImmediate(tellOn);
		else tellFilled();
	};
	const advance = (toMs: number): void => {
		simulator.run(toMs);
		engine.advance(toMs);
	};
	const tick = (): void => {
		const until = performance.now() + CATCH_UP_MS;
		const toMs = nowMs();
		const stepMs = Math.max(CATCH_UP_STEP_MS, (toMs - engine.nowMs()) / CATCH_UP_STEPS);
		do advance(Math.min(toMs, engine.nowMs() + stepMs));
		while (engine.nowMs() < toMs && performance.now() < until);
	};

	for (let n = 0; n < URGENT; n++) simulator.tellNext(startMs);
	engine.advance(startMs);
	isTelling = false;

	return {
		...marketView(engine, simulatedDirectory(simulator.crowd)),
		engine,
		invented: 'simulated',
		start: ({historyInMs = 0, onFilled = () => {}} = {}) => {
			if (timer) return;
			tellFilled = onFilled;
			timer = setInterval(tick, PACING_MS.market).unref();
			if (historyInMs !== null) historyTimer = setTimeout(tellOn, historyInMs);
		},
		stop: () => {
			clearInterval(timer);
			clearTimeout(historyTimer);
			clearImmediate(slice);
			timer = undefined;
			slice = undefined;
		},
		advance,
		fill: () => {
			while (simulator.hasUntold) tellSlice();
		},
		get isFilled() {
			return !simulator.hasUntold;
		},
		onEvent: listener => {
			listeners.add(listener);
			return () => listeners.delete(listener);
		},
	};
}
