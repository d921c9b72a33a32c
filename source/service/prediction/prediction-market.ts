import type {MarketStatus} from '../../contract/prediction.ts';
import {Random} from '../market/simulator/random.ts';
import {type Beliefs, beliefsOf} from './beliefs.ts';
import {Holdings} from './holdings.ts';
import {costOf, putPrices, sharesBetween, sharesFor} from './lmsr.ts';
import type {MarketPlan} from './market-plan.ts';
import {TradeLog} from './trade-log.ts';
import {TRADERS} from './traders.ts';

/** The smallest trade. */
const LEAST_USD = 1;
const MOST_USD = 25_000;

/**
 * One market from its opening to its resolution. Traders trade with a market maker (lmsr): informed ones push the price
 * towards their belief, the others trade at random. Everything follows from the plan and the clock: how often the
 * market is read makes no difference.
 */
export class PredictionMarket {
	readonly plan: MarketPlan;
	readonly log: TradeLog;
	/** Shares that traders hold, by outcome. */
	readonly shares: number[];
	readonly #random: Random;
	readonly #beliefs: Beliefs;
	readonly #prices: number[];
	readonly #holdings: Holdings;
	#nextMs: number;
	#nowMs: number;
	#winner: number | undefined;

	constructor(plan: MarketPlan, seed: number) {
		const count = plan.outcomes.length;
		this.plan = plan;
		this.log = new TradeLog(count);
		this.shares = new Array(count).fill(0);
		this.#prices = new Array(count).fill(1 / count);
		this.#holdings = new Holdings(count);
		this.#random = new Random(seed, ...plan.seeds);
		this.#beliefs = beliefsOf(plan, new Random(seed, 8090, ...plan.seeds));
		this.#nowMs = plan.createdMs;
		this.#nextMs = this.#after(plan.createdMs);
	}

	/** Prices of all outcomes: above 0 and summing to 1 while the market trades, then 1 for the winner. */
	get prices(): readonly number[] {
		return this.#prices;
	}

	get status(): MarketStatus {
		if (this.#nowMs < this.plan.endMs) return 'active';
		return this.#nowMs < this.plan.resolveMs ? 'closed' : 'resolved';
	}

	/** The outcome that came true; undefined before the resolution. */
	get winner(): number | undefined {
		return this.status === 'resolved' ? this.#winner : undefined;
	}

	/** Number of traders with shares. */
	get holdersCount(): number {
		return this.#holdings.people;
	}

	/** Number of traders with shares of an outcome. */
	holdersOf(outcome: number): number {
		return this.#holdings.peopleOf[outcome]!;
	}

	/** Runs all events that are due until a time; earlier times change nothing. */
	advance(nowMs: number): void {
		if (nowMs <= this.#nowMs) return;
		this.#nowMs = nowMs;
		const {endMs, resolveMs} = this.plan;
		while (this.#nextMs <= nowMs && this.#nextMs < endMs) {
			this.#trade(this.#nextMs);
			this.#nextMs = this.#after(this.#nextMs);
		}
		if (nowMs < resolveMs || this.#winner !== undefined) return;
		const winner = this.#beliefs.settle();
		this.#winner = winner;
		for (let outcome = 0; outcome < this.#prices.length; outcome++) this.#prices[outcome] = outcome === winner ? 1 : 0;
	}

	#after(timeMs: number): number {
		const {createdMs, endMs, trades} = this.plan;
		// Trades come in clusters: short waits among long ones, with the same mean.
		const mean = (endMs - createdMs) / trades;
		const wait = this.#random.chance(0.7) ? mean * 0.25 : mean * 2.75;
		return timeMs + Math.max(1, Math.round(this.#random.wait(1 / wait)));
	}

	#trade(timeMs: number): void {
		const random = this.#random;
		const luck = random.unit();
		if (luck < 0.22 && this.#sell(timeMs)) return;
		if (luck < 0.72) this.#inform(timeMs);
		else this.#buy(timeMs, this.#anyOutcome(), random.skewed(14, 1.3));
	}

	/** An informed trader pushes the price a part of the way to the believed probability. */
	#inform(timeMs: number): void {
		const believed = this.#beliefs.at(timeMs);
		let outcome = 0;
		for (let i = 1; i < believed.length; i++) {
			if (believed[i]! - this.#prices[i]! > believed[outcome]! - this.#prices[outcome]!) outcome = i;
		}
		const price = this.#prices[outcome]!;
		const gap = believed[outcome]! - price;
		if (gap < 0.002) {
			this.#buy(timeMs, outcome, this.#random.skewed(8, 1));
			return;
		}
		const {depth} = this.plan;
		const shares = sharesBetween(price, price + gap * this.#random.between(0.15, 0.75), depth);
		this.#buy(timeMs, outcome, costOf(shares, price, depth));
	}

	#buy(timeMs: number, outcome: number, amountUSD: number): void {
		const price = this.#prices[outcome]!;
		const spent = cents(Math.min(MOST_USD, Math.max(LEAST_USD, amountUSD)));
		const shares = sharesFor(spent, price, this.plan.depth);
		const trader = this.#random.index(this.#random.chance(0.5) ? TRADERS / 10 : TRADERS);
		this.#settle(timeMs, trader, outcome, shares, spent);
	}

	/** A trader sells all shares of an outcome, or half; false when the picked traders have none. */
	#sell(timeMs: number): boolean {
		const trader = this.#holdings.anyTrader(this.#random);
		const outcome = trader === undefined ? -1 : this.#holdings.firstOf(trader);
		if (trader === undefined || outcome < 0) return false;
		const held = this.#holdings.of(trader, outcome);
		const shares = this.#random.chance(0.7) ? held : held / 2;
		const amountUSD = -costOf(-shares, this.#prices[outcome]!, this.plan.depth);
		if (amountUSD < LEAST_USD) return false;
		this.#settle(timeMs, trader, outcome, -shares, amountUSD);
		return true;
	}

	/** @param shares negative for a sale */
	#settle(timeMs: number, trader: number, outcome: number, shares: number, amountUSD: number): void {
		this.#holdings.add(trader, outcome, shares);
		this.shares[outcome] = Math.max(0, this.shares[outcome]! + shares);
		putPrices(this.#prices, this.shares, this.plan.depth);
		this.log.add({timeMs, outcome, isBuy: shares > 0, shares: Math.abs(shares), amountUSD, trader}, this.#prices);
	}

	#anyOutcome(): number {
		let luck = this.#random.unit();
		for (let outcome = 0; outcome < this.#prices.length; outcome++) {
			// Unlikely outcomes are bought more than their probability justifies.
			luck -= this.#prices[outcome]! * 0.8 + 0.2 / this.#prices.length;
			if (luck < 0) return outcome;
		}
		return this.#prices.length - 1;
	}
}

function cents(amountUSD: number): number {
	return Math.round(amountUSD * 100) / 100;
}
