import {addressOfKey, chainOfKey, entryKey} from '../../../contract/entry.ts';
import {CHAINS} from '../chains.ts';
import type {LaunchEvent, MarketEvent} from '../events.ts';
import {type HeldToken, launchpadOf} from '../held-token.ts';
import {addressOn} from './addresses.ts';
import {Crowd} from './crowd.ts';
import {DueQueue} from './due-queue.ts';
import {historyByInterest} from './history.ts';
import {Launches, type Plan, plansAt} from './plan.ts';
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
	/** Tokens of an earlier run that go on in this one. */
	readonly held?: readonly HeldToken[];
}

/** How many tokens are kept that the simulated wallets no longer trade and that were only looked up. */
const MAX_RECALLED = 32;

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
	/** Launches as a multiple of the default rate. */
	readonly #launchPace: number;
	/** Addresses of held tokens and of their pools, by entryKey. */
	readonly #taken: ReadonlySet<string>;
	/** Tokens on hold, and those whose course a trade from outside has changed: only these can't be computed again. */
	readonly #touched = new Map<string, TokenProcess>();
	/** Tokens that the crowd has left, computed again; oldest first. */
	readonly #recalled = new Map<string, TokenProcess>();

	constructor({seed, rate, startMs, emit, held = []}: SimulatorOptions) {
		this.seed = seed;
		this.startMs = startMs;
		this.emit = emit;
		// A busier market has more trades in each token at once, and a few more tokens over time.
		this.density = rate ** 0.85;
		this.crowd = new Crowd(seed, startMs);
		this.#launchPace = rate ** 0.15;
		this.#launches = new Launches(seed, startMs, this.#launchPace);
		this.#next = this.#launches.next();
		this.#history = historyByInterest(seed, startMs);
		this.#nextUntold = this.#history.next().value;
		this.#taken = new Set(held.flatMap(takenBy));
		this.#emitFixtures();
		for (const token of held) this.#adopt(token);
	}

	isTaken(chainId: string, address: string): boolean {
		return this.#taken.size > 0 && this.#taken.has(entryKey(chainId, address));
	}

	/**
	 * The process of a token on an EVM chain; undefined when no such token was launched. A token that the crowd has left is
	 * computed again: keeping each of them would take megabytes for the few that are traded from outside.
	 */
	find(key: string, launchMs: number): TokenProcess | undefined {
		const known = this.#touched.get(key) ?? this.#recalled.get(key);
		if (known) return known;
		const [chainId, address] = [chainOfKey(key), addressOfKey(key)];
		const isIt = (process: TokenProcess): boolean =>
			process.pools.address === address && process.pools.chain.id === chainId;
		return this.#due.find(isIt) ?? this.#recall(key, launchMs, isIt);
	}

	/** Takes a token out of the course of events, until `goOn`. */
	park(process: TokenProcess): void {
		this.#touched.set(keyOf(process), process);
		this.#due.remove(process);
	}

	/** Puts a parked token back. */
	goOn(process: TokenProcess): void {
		if (!process.pools.outside) this.#touched.delete(keyOf(process));
		if (process.nextMs < Number.POSITIVE_INFINITY) this.#due.push(process);
	}

	/** The tokens that wallets from outside hold. */
	*held(): Generator<TokenProcess, void> {
		for (const process of this.#touched.values()) if (process.pools.outside?.isHeld) yield process;
	}

	/** True while some tokens of the history are not loaded. */
	get hasHistory(): boolean {
		return this.#nextUntold !== undefined;
	}

	/** Emits the events of the next token of the history up to `nowMs`. */
	emitNext(nowMs: number): void {
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

	#adopt(token: HeldToken): void {
		const {launchMs, fate, pace, paceFadesS, popularS} = token;
		const plan: Plan = {index: 0, launchMs, pad: launchpadOf(token)!, fate, pace, paceFadesS, popularS};
		const process = new TokenProcess(this, plan, token);
		this.#touched.set(token.key, process);
		this.#live(process, this.startMs);
	}

	/** Computes a token again, without its events: they follow from the seed and the token's number alone. */
	#recall(key: string, launchMs: number, isIt: (process: TokenProcess) => boolean): TokenProcess | undefined {
		let isLive = false;
		const {seed, startMs, density, crowd} = this;
		const context: TokenContext = {
			seed,
			startMs,
			density,
			crowd,
			emit: event => {
				if (isLive) this.emit(event);
			},
			isTaken: (chainId, address) => this.isTaken(chainId, address),
		};
		for (const plan of plansAt(seed, startMs, this.#launchPace, launchMs)) {
			const process = new TokenProcess(context, plan);
			process.step();
			if (!isIt(process)) continue;
			// The others are in the queue.
			while (process.nextMs < Number.POSITIVE_INFINITY) process.step();
			isLive = true;
			if (this.#recalled.size >= MAX_RECALLED) this.#recalled.delete(this.#recalled.keys().next().value!);
			this.#recalled.set(key, process);
			return process;
		}
		return undefined;
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

function keyOf({pools}: TokenProcess): string {
	return entryKey(pools.chain.id, pools.address);
}

/** The addresses that no other token and no other pool may have. */
function takenBy({chainId, address, pool, bonded}: HeldToken): readonly string[] {
	return [address, pool, ...(bonded ? [bonded.pool] : [])].map(taken => entryKey(chainId, taken));
}
