import {LAUNCHPADS, type Launchpad} from '../chains.ts';
import {Random} from './random.ts';

/** The outcome of a token. Most die within minutes; a few per cent graduate. */
export type Fate = 'dud' | 'short' | 'runner' | 'graduate';

export interface Plan {
	/** 0, 1, 2... after the start of the market, -1, -2... before it. */
	readonly index: number;
	readonly launchMs: number;
	readonly pad: Launchpad;
	readonly fate: Fate;
	/** Trades a second at first, and the seconds after which a third of the rate is left. */
	readonly pace: number;
	readonly paceFadesS: number;
	/** Until this age a graduate keeps some of its trades; 0 for all others. */
	readonly popularS: number;
}

const WEIGHT = LAUNCHPADS.reduce((sum, pad) => sum + pad.weight, 0);

/** The plan of one token: follows from the seed and the token's number. */
function planToken(seed: number, index: number, launchMs: number): Plan {
	const random = new Random(seed, 9001, index);
	const pad = padAt(random.unit() * WEIGHT);
	const luck = random.unit();
	const to = (
		fate: Fate,
		slowest: number,
		fastest: number,
		paceFadesS: number,
		spread: number,
		popularS = 0,
	): Plan => ({
		index,
		launchMs,
		pad,
		fate,
		pace: random.between(slowest, fastest),
		paceFadesS: random.skewed(paceFadesS, spread),
		popularS: popularS === 0 ? 0 : random.skewed(popularS, 0.6),
	});
	if (luck < 0.58) return to('dud', 0.1, 0.4, 25, 0.6);
	if (luck < 0.87) return to('short', 0.3, 1.2, 110, 0.6);
	if (luck < 0.962) return to('runner', 0.3, 0.8, 900, 0.5);
	return to('graduate', 0.5, 2, 1800, 0.6, 7200);
}

function padAt(weight: number): Launchpad {
	let left = weight;
	for (const pad of LAUNCHPADS) {
		left -= pad.weight;
		if (left < 0) return pad;
	}
	return LAUNCHPADS[0]!;
}

/** Launches a second: the current rate in the last hour, a lower one before, where only history is needed. */
const RECENT_PER_S = 0.4;
const EARLIER_PER_S = 0.054;
const RECENT_S = 3600;
const HISTORY_S = 86_400 - 600;

/** All tokens launched in the 24 hours before the start, newest first; each is planned when it is needed. */
export function* planHistory(seed: number, startMs: number): Generator<Plan, undefined> {
	const random = new Random(seed, 9002);
	let ageS = 0;
	for (let index = -1; ; index--) {
		ageS += random.wait(ageS < RECENT_S ? RECENT_PER_S : EARLIER_PER_S);
		if (ageS > HISTORY_S) return;
		yield planToken(seed, index, Math.round(startMs - ageS * 1000));
	}
}

/** The plans of tokens that were launched at a time, before or after the start. */
export function* plansAt(seed: number, startMs: number, pace: number, launchMs: number): Generator<Plan, void> {
	if (launchMs <= startMs) {
		for (const plan of planHistory(seed, startMs)) {
			if (plan.launchMs < launchMs) break;
			if (plan.launchMs === launchMs) yield plan;
		}
	}
	const launches = new Launches(seed, startMs, pace);
	for (let plan = launches.next(); plan.launchMs <= launchMs; plan = launches.next()) {
		if (plan.launchMs === launchMs) yield plan;
	}
}

/** The tokens launched after the start, one by one. */
export class Launches {
	readonly #seed: number;
	readonly #random: Random;
	readonly #perS: number;
	#timeMs: number;
	#count = 0;

	/** @param pace launches as a multiple of the default rate */
	constructor(seed: number, startMs: number, pace: number) {
		this.#seed = seed;
		this.#random = new Random(seed, 9003);
		this.#perS = RECENT_PER_S * pace;
		this.#timeMs = startMs;
	}

	next(): Plan {
		this.#timeMs += this.#random.wait(this.#perS) * 1000;
		return planToken(this.#seed, this.#count++, Math.round(this.#timeMs));
	}
}
