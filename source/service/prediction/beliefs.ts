import type {Random} from '../market/simulator/random.ts';
import type {MarketPlan, PriceRule} from './market-plan.ts';
import {normalCdf} from './reference-prices.ts';

/** What informed traders of a market believe, and which outcome comes true. */
export interface Beliefs {
	/** The probability of each outcome, as known at a time; times must not go back. Sums to 1. */
	at(timeMs: number): readonly number[];
	/** The outcome that comes true; beliefs no longer change afterwards. */
	settle(): number;
}

/** The highest probability before the end. */
const SUREST = 0.996;

/** The beliefs of a market: from the price that decides it, or from hidden scores. @param random of the market's own stream */
export function beliefsOf(plan: MarketPlan, random: Random): Beliefs {
	if (plan.rule !== null) return priceBeliefs(plan.rule, plan.endMs);
	return new Wandering(plan, random);
}

/** The first outcome is that the price ends above the strike ("up" also when it ends on it). */
function priceBeliefs({price, strikeUSD, kind}: PriceRule, endMs: number): Beliefs {
	return {
		at(timeMs) {
			const above = bounded(price.chanceAbove(strikeUSD, timeMs, Math.max(0, endMs - timeMs)));
			return [above, 1 - above];
		},
		settle() {
			const final = price.at(endMs);
			return final > strikeUSD || (kind === 'up-down' && final === strikeUSD) ? 0 : 1;
		},
	};
}

/**
 * A hidden score for each outcome moves at random; at the end the highest wins. The remaining time makes the rest
 * uncertain, so beliefs are a martingale: they never move for a reason that is known already.
 */
class Wandering implements Beliefs {
	readonly #plan: MarketPlan;
	readonly #random: Random;
	readonly #scores: number[];
	/** The elapsed part of the time, 0 to 1. */
	#elapsed = 0;

	constructor(plan: MarketPlan, random: Random) {
		this.#plan = plan;
		this.#random = random;
		const count = plan.outcomes.length === 2 ? 1 : plan.outcomes.length;
		this.#scores = Array.from({length: count}, () => normal(random) * 0.7);
	}

	at(timeMs: number): readonly number[] {
		const {createdMs, endMs} = this.#plan;
		this.#wander(Math.min(0.999, (timeMs - createdMs) / (endMs - createdMs)));
		const open = Math.sqrt(1 - this.#elapsed);
		if (this.#scores.length === 1) {
			const yes = bounded(normalCdf(this.#scores[0]! / open));
			return [yes, 1 - yes];
		}
		// An approximation of the chance to be the highest: differences of scores have twice the variance.
		const weights = this.#scores.map(score => Math.exp((score * 1.2) / open));
		const sum = weights.reduce((total, weight) => total + weight, 0);
		const shares = weights.map(weight => Math.max(1 - SUREST, weight / sum));
		const whole = shares.reduce((total, share) => total + share, 0);
		return shares.map(share => share / whole);
	}

	settle(): number {
		this.#wander(1);
		if (this.#scores.length === 1) return this.#scores[0]! > 0 ? 0 : 1;
		return this.#scores.indexOf(Math.max(...this.#scores));
	}

	#wander(elapsed: number): void {
		const step = Math.sqrt(Math.max(0, elapsed - this.#elapsed));
		for (let i = 0; i < this.#scores.length; i++) this.#scores[i]! += normal(this.#random) * step;
		this.#elapsed = Math.max(elapsed, this.#elapsed);
	}
}

const bounded = (chance: number): number => Math.min(SUREST, Math.max(1 - SUREST, chance));

function normal(random: Random): number {
	return Math.sqrt(-2 * Math.log(1 - random.unit())) * Math.cos(2 * Math.PI * random.unit());
}
