import type {Plan} from './plan.ts';
import type {Random} from './random.ts';

/** Older history has fewer and larger trades, so that loading takes a second instead of minutes. */
const DENSE_MS = 2_400_000;
const SPARSE = 0.06;
/** The lowest density of the history: a market that stands still has a history too. */
const MIN_PAST = 0.1;
/** Trades as a multiple of the plan's while a graduate is popular. */
const POPULAR = 6;
const TAIL_PER_S = 0.006;

/** The times of a token's trades: fast at first, ever slower, in clusters; more in a busy market. */
export class Pace {
	readonly #plan: Plan;
	readonly #startMs: number;
	readonly #density: number;
	#burst = 0;

	/**
	 * @param startMs the market's start: earlier events are history
	 * @param density trades as a multiple of the default, from the start on
	 */
	constructor(plan: Plan, startMs: number, density: number) {
		this.#plan = plan;
		this.#startMs = startMs;
		this.#density = density;
	}

	/** Trades as a multiple of the default at a time. The history of a quiet market is quiet, too; old history is sparse. */
	densityAt(timeMs: number, isBonded: boolean): number {
		if (timeMs >= this.#startMs) return this.#density;
		// With few trades no curve would ever be sold.
		if (this.#plan.fate === 'graduate' && !isBonded) return 1;
		const density = Math.min(1, Math.max(MIN_PAST, this.#density));
		if (timeMs >= this.#startMs - DENSE_MS) return density;
		return density * (this.#plan.fate === 'dud' ? 0.5 : SPARSE);
	}

	/** The time of the next trade; Infinity when there is no further one. */
	nextMs(nowMs: number, isBonded: boolean, random: Random): number {
		const density = this.densityAt(nowMs, isBonded);
		if (this.#burst > 0) {
			this.#burst--;
			return nowMs + Math.ceil((random.wait(2) * 1000) / density);
		}
		if (random.chance(0.04)) this.#burst = 2 + random.index(10);
		const nextMs = nowMs + Math.ceil(this.#waitS(nowMs, density, isBonded, random) * 1000);
		const changeMs =
			nowMs < this.#startMs - DENSE_MS
				? this.#startMs - DENSE_MS
				: nowMs < this.#startMs
					? this.#startMs
					: Number.POSITIVE_INFINITY;
		// The waiting time is memoryless: after a change of density it is drawn again.
		return nextMs <= changeMs ? nextMs : this.nextMs(changeMs, isBonded, random);
	}

	/** Waiting time at a rate that falls by two thirds every `paceFadesS`. */
	#waitS(nowMs: number, density: number, isBonded: boolean, random: Random): number {
		const {pace, paceFadesS, launchMs, fate, popularS} = this.#plan;
		const ageS = (nowMs - launchMs) / 1000;
		const hasMadeIt = fate === 'graduate' && isBonded;
		const rate = pace * (hasMadeIt ? POPULAR : 1) * Math.exp(-ageS / paceFadesS) * density;
		const used = random.wait(1) / (rate * paceFadesS);
		const waitS = used < 1 ? -paceFadesS * Math.log(1 - used) : Number.POSITIVE_INFINITY;
		if (fate !== 'graduate') return waitS;
		const tailS = random.wait(TAIL_PER_S * density);
		return ageS + tailS < popularS ? Math.min(waitS, tailS) : waitS;
	}
}
