import {Engine} from './engine.ts';
import {Entries} from './entries.ts';
import type {MarketEvent} from './events.ts';
import {findRows} from './find.ts';
import {walletRecord} from './labels.ts';
import type {Market} from './market.ts';
import {priceHistory} from './price-history.ts';
import {simulatedDirectory} from './simulator/directory.ts';
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
	/** Starts the timers: events as they fall due, and the rest of the history in the background. They keep no process alive. */
	start(): void;
	stop(): void;
	/** Lets everything happen that is due until `nowMs`. `start` does this ten times a second. */
	advance(nowMs: number): void;
	/** Tells all of the history that is still untold, at once. `start` does this in slices. */
	fill(): void;
	/** True once all of the history is told. */
	readonly isFilled: boolean;
	/** Calls back with every event from now on, after it has taken effect. Returns the way to stop that. */
	onEvent(listener: (event: MarketEvent) => void): () => void;
	readonly engine: Engine;
}

const TICK_MS = 100;
/** A slice of history is short enough to be in nobody's way. */
const SLICE_MS = 8;

/**
 * A simulated market whose newest and most interesting tokens are there when this returns; `start` or `fill` tells the
 * rest of its 24 hours of history.
 */
export function createMarket({seed = 1, rate = 1, nowMs = Date.now}: MarketOptions = {}): LiveMarket {
	const startMs = nowMs();
	const engine = new Engine(startMs);
	const entries = new Entries(engine);
	const listeners = new Set<(event: MarketEvent) => void>();
	const emit = (event: MarketEvent): void => {
		engine.apply(event);
		for (const listener of listeners) listener(event);
	};
	const simulator = new Simulator({seed, rate, startMs, emit});
	const directory = simulatedDirectory(simulator.crowd);
	let timer: NodeJS.Timeout | undefined;
	let slice: NodeJS.Immediate | undefined;

	const tellFor = (budgetMs: number): void => {
		const until = performance.now() + budgetMs;
		while (simulator.untold > 0 && performance.now() < until) simulator.tellNext(engine.nowMs());
		engine.advance(engine.nowMs());
	};
	const advance = (toMs: number): void => {
		simulator.run(toMs);
		engine.advance(toMs);
	};
	const continueTelling = (): void => {
		slice = undefined;
		tellFor(SLICE_MS);
		if (simulator.untold > 0) slice = setImmediate(continueTelling).unref();
	};

	for (let n = simulator.urgent; n > 0; n--) simulator.tellNext(startMs);
	engine.advance(startMs);

	return {
		engine,
		table: engine.table,
		nowMs: () => engine.nowMs(),
		takeChanged: () => engine.takeChanged(),
		assetEntry: (row, holders = 0) => entries.asset(row, holders),
		poolEntry: (row, holders = 0) => entries.pool(row, holders),
		walletLabels: (addresses, tokenAddress) => {
			const token = tokenAddress === undefined ? undefined : engine.catalog.tokenAnywhere(tokenAddress);
			return addresses.map(address => walletRecord(engine, directory, address, token));
		},
		priceHistory: (key, sinceMs) => {
			const row = engine.table.rowOf(key);
			return row === undefined ? undefined : priceHistory(engine, engine.listing(row).token, sinceMs);
		},
		find: (text, chainId) => findRows(engine, text, chainId),
		start: () => {
			if (timer) return;
			timer = setInterval(() => advance(nowMs()), TICK_MS).unref();
			if (simulator.untold > 0) slice = setImmediate(continueTelling).unref();
		},
		stop: () => {
			clearInterval(timer);
			clearImmediate(slice);
			timer = undefined;
			slice = undefined;
		},
		advance,
		fill: () => {
			while (simulator.untold > 0) tellFor(SLICE_MS);
		},
		get isFilled() {
			return simulator.untold === 0;
		},
		onEvent: listener => {
			listeners.add(listener);
			return () => listeners.delete(listener);
		},
	};
}
