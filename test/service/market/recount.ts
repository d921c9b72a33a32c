import type {MarketEvent, TradeEvent} from '../../../source/service/market/events.ts';

/** What a window holds, counted the slow way. */
export interface WindowCount {
	readonly volumeBuy: number;
	readonly volumeSell: number;
	readonly fees: number;
	readonly buys: number;
	readonly sells: number;
	readonly buyers: number;
	readonly sellers: number;
	readonly traders: number;
	readonly organicVolume: number;
	readonly organicTrades: number;
	readonly organicBuyers: number;
	readonly organicSellers: number;
	readonly organicTraders: number;
}

/** A trade of which everything is known. */
type KnownTrade = TradeEvent & {readonly wallet: string; readonly valueUSD: number; readonly feeUSD: number};

/**
 * The figures of one token, counted from the whole list of events each time: no buckets, no running sums, no state.
 * Written from the spec and the rules in words, to check the engine against.
 */
export class Recount {
	readonly #events: readonly MarketEvent[];
	readonly #token: string;

	constructor(events: readonly MarketEvent[], token: string) {
		this.#events = events.filter(event => 'token' in event && event.token === token);
		this.#token = token;
	}

	trades(): KnownTrade[] {
		return this.#events.filter((event): event is KnownTrade => event.type === 'trade');
	}

	/** Trades after `sinceMs`. */
	window(sinceMs: number): WindowCount {
		const all = this.trades();
		const organic = all.filter((_, index) => !this.#isByBot(all, index));
		const inside = all.filter(({timeMs}) => timeMs > sinceMs);
		const organicInside = organic.filter(({timeMs}) => timeMs > sinceMs);
		const sum = (trades: readonly KnownTrade[], figure: (trade: KnownTrade) => number): number =>
			trades.reduce((total, trade) => total + figure(trade), 0);
		const people = (trades: readonly KnownTrade[]): number => new Set(trades.map(({wallet}) => wallet)).size;
		const buys = inside.filter(({side}) => side === 'buy');
		const sells = inside.filter(({side}) => side === 'sell');
		return {
			volumeBuy: sum(buys, ({valueUSD}) => valueUSD),
			volumeSell: sum(sells, ({valueUSD}) => valueUSD),
			fees: sum(inside, ({feeUSD}) => feeUSD),
			buys: buys.length,
			sells: sells.length,
			buyers: people(buys),
			sellers: people(sells),
			traders: people(inside),
			organicVolume: sum(organicInside, ({valueUSD}) => valueUSD),
			organicTrades: organicInside.length,
			organicBuyers: people(organicInside.filter(({side}) => side === 'buy')),
			organicSellers: people(organicInside.filter(({side}) => side === 'sell')),
			organicTraders: people(organicInside),
		};
	}

	/** Balances above nothing, by wallet. */
	balances(): Map<string, number> {
		const balances = new Map<string, number>();
		const add = (wallet: string, amount: number): void => {
			balances.set(wallet, (balances.get(wallet) ?? 0) + amount);
		};
		for (const event of this.#events) {
			if (event.type === 'launch' && event.deployer) add(event.deployer, (event.supply ?? 0) - event.reserveToken!);
			if (event.type === 'trade') add(event.wallet!, event.side === 'buy' ? event.amountToken : -event.amountToken);
			if (event.type === 'transfer') {
				add(event.from!, -event.amountToken);
				if (event.to !== BURN) add(event.to!, event.amountToken);
			}
		}
		for (const [wallet, balance] of balances) if (balance < 1e-9) balances.delete(wallet);
		return balances;
	}

	burnt(): number {
		return this.#events.reduce(
			(sum, event) => sum + (event.type === 'transfer' && event.to === BURN ? event.amountToken : 0),
			0,
		);
	}

	/** Percent of the supply that is not burnt, held by the `count` largest holders. */
	top(count: number): number {
		const largest = [...this.balances().values()].sort((a, b) => b - a).slice(0, count);
		return this.#percent(largest.reduce((sum, balance) => sum + balance, 0));
	}

	/** Percent held by a set of wallets. */
	heldBy(wallets: ReadonlySet<string>): number {
		let sum = 0;
		for (const [wallet, balance] of this.balances()) if (wallets.has(wallet)) sum += balance;
		return this.#percent(sum);
	}

	/** Bought for the first time within three blocks after the launch block, the deployer aside. */
	snipers(): Set<string> {
		const {block, deployer} = this.#launch();
		const early = this.#firstBuys().filter(trade => trade.block - block <= 3 && trade.wallet !== deployer);
		return new Set(early.map(({wallet}) => wallet));
	}

	/** Were given tokens by the deployer. */
	insiders(): Set<string> {
		const {deployer} = this.#launch();
		const gifts = this.#events.filter(
			event => event.type === 'transfer' && event.from === deployer && event.to !== BURN,
		);
		return new Set(gifts.map(event => (event.type === 'transfer' ? event.to! : '')));
	}

	#launch() {
		const event = this.#events.find(candidate => candidate.type === 'launch');
		if (event?.type !== 'launch') throw new Error(`${this.#token} was never launched`);
		return event;
	}

	#firstBuys(): KnownTrade[] {
		const seen = new Set<string>();
		return this.trades().filter(({side, wallet}) => side === 'buy' && !seen.has(wallet) && seen.add(wallet));
	}

	#percent(amount: number): number {
		return (amount / ((this.#launch().supply ?? Number.NaN) - this.burnt())) * 100;
	}

	/** Is the wallet of this trade a bot by now: three times within 3 s on the other side of its own last such trade? */
	#isByBot(all: readonly KnownTrade[], index: number): boolean {
		const own = all.slice(0, index + 1).filter(({wallet}) => wallet === all[index]!.wallet);
		let trips = 0;
		for (const [at, trade] of own.entries()) {
			const opposite = own.slice(0, at).findLast(({side}) => side !== trade.side);
			if (opposite && Math.floor(trade.timeMs / 1000) - Math.floor(opposite.timeMs / 1000) <= 3) trips++;
		}
		return trips >= 3;
	}
}

export const BURN = '1nc1nerator11111111111111111111111111111111';
