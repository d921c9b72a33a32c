import {setImmediate as nextTurn} from 'node:timers/promises';
import {planSeries, type Series} from './market-plan.ts';
import {PredictionMarket} from './prediction-market.ts';
import {Traders} from './traders.ts';

/** The one platform that this service offers. */
export const PLATFORM = 'platformA';

/** Catching up runs in slices too short to delay requests. */
const SLICE_MS = 8;
/** The list of markets is refreshed after this long. */
const ROLL_MS = 1000;

/**
 * All prediction markets of a seed. Nothing runs in the background: each call brings the markets it reads up to the
 * clock, and calls at the same time give the same result in every run of the program.
 */
export class PredictionExchange {
	readonly traders: Traders;
	readonly #seed: number;
	readonly #nowMs: () => number;
	#series: readonly Series[] | undefined;
	#markets = new Map<string, PredictionMarket>();
	#rolledMs = Number.NEGATIVE_INFINITY;

	constructor({seed, nowMs}: {readonly seed: number; readonly nowMs: () => number}) {
		this.#seed = seed;
		this.#nowMs = nowMs;
		this.traders = new Traders(seed);
	}

	/** The clock's time. */
	nowMs(): number {
		return this.#nowMs();
	}

	/** A market as of now; undefined for an unknown one. */
	find(platform: string, marketId: string): PredictionMarket | undefined {
		if (platform !== PLATFORM) return undefined;
		this.#roll();
		const market = this.#markets.get(marketId);
		market?.advance(this.#nowMs());
		return market;
	}

	/** All markets as of now. The first time it takes some tenths of a second, in slices. */
	async all(): Promise<readonly PredictionMarket[]> {
		this.#roll();
		const markets = [...this.#markets.values()];
		let sliceMs = performance.now();
		for (const market of markets) {
			market.advance(this.#nowMs());
			if (performance.now() - sliceMs < SLICE_MS) continue;
			await nextTurn();
			sliceMs = performance.now();
		}
		return markets;
	}

	/** Opens due markets, and forgets those whose time is over. */
	#roll(): void {
		const nowMs = this.#nowMs();
		if (Math.abs(nowMs - this.#rolledMs) < ROLL_MS) return;
		this.#rolledMs = nowMs;
		const markets = new Map<string, PredictionMarket>();
		this.#series ??= planSeries(this.#seed);
		for (const series of this.#series) {
			for (const plan of series.at(nowMs)) {
				markets.set(plan.marketId, this.#markets.get(plan.marketId) ?? new PredictionMarket(plan, this.#seed));
			}
		}
		this.#markets = markets;
	}
}
