/** A trade with a market maker. */
export interface MarketTrade {
	/** Position in the log. */
	readonly index: number;
	readonly timeMs: number;
	readonly outcome: number;
	readonly isBuy: boolean;
	readonly shares: number;
	readonly amountUSD: number;
	/** Number of a trader, see traderAddress. */
	readonly trader: number;
}

const FIRST_ROOM = 64;

/** All trades of a market, oldest first, in columns: every figure of the market is added up from here. */
export class TradeLog {
	readonly outcomes: number;
	length = 0;
	times = new Float64Array(FIRST_ROOM);
	outcome = new Uint8Array(FIRST_ROOM);
	/** 1 for a buy. */
	buys = new Uint8Array(FIRST_ROOM);
	shares = new Float64Array(FIRST_ROOM);
	usd = new Float64Array(FIRST_ROOM);
	traders = new Uint16Array(FIRST_ROOM);
	/** Prices of all outcomes after each trade. */
	prices: Float64Array;

	constructor(outcomes: number) {
		this.outcomes = outcomes;
		this.prices = new Float64Array(FIRST_ROOM * outcomes);
	}

	add(trade: Omit<MarketTrade, 'index'>, prices: readonly number[]): void {
		if (this.length === this.times.length) this.#grow();
		const at = this.length++;
		this.times[at] = trade.timeMs;
		this.outcome[at] = trade.outcome;
		this.buys[at] = trade.isBuy ? 1 : 0;
		this.shares[at] = trade.shares;
		this.usd[at] = trade.amountUSD;
		this.traders[at] = trade.trader;
		this.prices.set(prices, at * this.outcomes);
	}

	trade(index: number): MarketTrade {
		return {
			index,
			timeMs: this.times[index]!,
			outcome: this.outcome[index]!,
			isBuy: this.buys[index] === 1,
			shares: this.shares[index]!,
			amountUSD: this.usd[index]!,
			trader: this.traders[index]!,
		};
	}

	/** Price of an outcome after the trade at `index`; the opening price before the first. */
	price(index: number, outcome: number): number {
		return index < 0 ? 1 / this.outcomes : this.prices[index * this.outcomes + outcome]!;
	}

	/** Index of the first trade at or after a time; `length` when all trades are earlier. */
	since(timeMs: number): number {
		let low = 0;
		let high = this.length;
		while (low < high) {
			const middle = (low + high) >> 1;
			if (this.times[middle]! < timeMs) low = middle + 1;
			else high = middle;
		}
		return low;
	}

	/** Grows by half, so that many short logs waste little. */
	#grow(): void {
		const room = Math.ceil(this.times.length * 1.5);
		const grow = <T extends Float64Array | Uint8Array | Uint16Array>(
			make: (size: number) => T,
			old: T,
			size = room,
		): T => {
			const grown = make(size);
			grown.set(old);
			return grown;
		};
		this.times = grow(size => new Float64Array(size), this.times);
		this.outcome = grow(size => new Uint8Array(size), this.outcome);
		this.buys = grow(size => new Uint8Array(size), this.buys);
		this.shares = grow(size => new Float64Array(size), this.shares);
		this.usd = grow(size => new Float64Array(size), this.usd);
		this.traders = grow(size => new Uint16Array(size), this.traders);
		this.prices = grow(size => new Float64Array(size), this.prices, room * this.outcomes);
	}
}
