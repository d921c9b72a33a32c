import {CHAINS} from '../chains.ts';
import type {LaunchEvent, MarketEvent} from '../events.ts';
import {addressOn} from './addresses.ts';
import {Crowd} from './crowd.ts';
import {DueQueue} from './due-queue.ts';
import {FIRST_TOKENS, historyByInterest} from './history.ts';
import {Launches, type Plan} from './plan.ts';
import {Random} from './random.ts';
import type {TokenContext} from './token-context.ts';
import {TokenProcess} from './token-process.ts';

export interface SimulatorOptions {
	readonly seed: number;
	/** 1 is about 200 trades a second. */
	readonly rate: number;
	/** The market's start: earlier events are history. */
	readonly startMs: number;
	readonly emit: (event: MarketEvent) => void;
}

/**
 * The default source of events: an invented market with the statistics of real launch feeds, the same for the same seed
 * and start. History is loaded token by token, the interesting ones first, so that the first rows are there at once.
 */
export class Simulator implements TokenContext {
	readonly seed: number;
	readonly startMs: number;
	readonly density: number;
	readonly crowd: Crowd;
	readonly emit: (event: MarketEvent) => void;
	readonly #launches: Launches;
	#next: Plan;
	readonly #due = new DueQueue();
	/** The tokens of the history that are not loaded yet, after the next one. */
	readonly #history: Iterator<Plan, undefined>;
	#nextUntold: Plan | undefined;
	#emitted = 0;

	constructor({seed, rate, startMs, emit}: SimulatorOptions) {
		this.seed = seed;
		this.startMs = startMs;
		this.emit = emit;
		// A busier market has more trades in each token at once, and a few more tokens over time.
		this.density = rate ** 0.85;
		this.crowd = new Crowd(seed, startMs);
		this.#launches = new Launches(seed, startMs, rate ** 0.15);
		this.#next = this.#launches.next();
		this.#history = historyByInterest(seed, startMs);
		this.#nextUntold = this.#history.next().value;
	}

	/** True while some tokens of the history are not loaded. */
	get hasHistory(): boolean {
		return this.#nextUntold !== undefined;
	}

	/** Emits the events of the next token of the history up to `nowMs`. */
	emitNext(nowMs: number): void {
		// Coins without viewers are emitted after the first rows.
		if (this.#emitted++ === FIRST_TOKENS) this.#emitFixtures();
		const plan = this.#nextUntold;
		this.#nextUntold = this.#history.next().value;
		if (plan) this.#live(new TokenProcess(this, plan), nowMs);
	}

	/** Emits all due events until `nowMs`, in order of time. */
	run(nowMs: number): void {
		for (;;) {
			const process = this.#due.peek();
			const dueMs = process?.nextMs ?? Number.POSITIVE_INFINITY;
			if (Math.min(dueMs, this.#next.launchMs) > nowMs) return;
			if (this.#next.launchMs < dueMs) {
				const born = new TokenProcess(this, this.#next);
				this.#next = this.#launches.next();
				born.step();
				this.#due.push(born);
				continue;
			}
			process!.step();
			this.#due.settle();
		}
	}

	#live(process: TokenProcess, nowMs: number): void {
		while (process.nextMs <= nowMs) process.step();
		if (process.nextMs < Number.POSITIVE_INFINITY) this.#due.push(process);
	}

	/** Quote coins, and the wrappers of some pool shares, which are tokens as well. */
	#emitFixtures(): void {
		const random = new Random(this.seed, 9030);
		for (const chain of CHAINS) {
			for (const [coin, usd] of [
				[chain.native, chain.nativeUSD],
				[chain.stable, 1],
			] as const) {
				if (!coin) continue;
				this.emit({
					...this.#fixture(chain.id, 'quote'),
					token: coin.address,
					symbol: coin.symbol,
					name: coin.name,
					decimals: coin.decimals,
					priceUSD: usd,
				});
			}
			for (let n = 0; n < 6; n++) {
				const token = addressOn(chain.id, random);
				const name = `${chain.native.symbol}-${random.pick(['PEPE', 'FROG', 'CAT', 'USDC'])} LP`;
				this.emit({
					...this.#fixture(chain.id, 'lp'),
					timeMs: this.startMs - random.index(40_000_000),
					token,
					symbol: 'LP',
					name,
					decimals: 18,
					supply: random.skewed(1000, 1),
					priceUSD: random.skewed(20, 1),
				});
			}
		}
	}

	#fixture(chainId: string, kind: 'quote' | 'lp'): LaunchEvent {
		return {
			type: 'launch',
			timeMs: this.startMs - 3e10,
			block: 0,
			chainId,
			token: '',
			kind,
			symbol: null,
			name: null,
			decimals: 0,
			supply: null,
			deployer: null,
			pool: null,
			reserveToken: 0,
			reserveQuote: 0,
			quoteUSD: Number.NaN,
			priceUSD: 0,
			curveSale: null,
			holdersReported: false,
			profile: {screener: null},
		};
	}
}
