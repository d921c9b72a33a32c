import type {OwnPrices} from './own-prices.ts';
import type {OpenTrade} from './settled.ts';
import type {TradeTarget} from './target.ts';

/** What a plan knows of its trade besides what every transfer has. */
export interface TradeFacts {
	/** The row as it is now: the token of the request, with newer figures where the row was there. */
	readonly target: TradeTarget;
	/** Other tokens of the account that are on their way out: raw units of what this trade spends. */
	readonly busyRaw: bigint;
	/** What the program knows of the price besides feed and quote. */
	readonly own: OwnPrices;
	/** A trade of the same token and side that is under way. */
	readonly underWay?: OpenTrade;
	/** When the last trade of the same token and side ended, Unix ms of this machine. */
	readonly endedAtMs?: number;
	/** Percent: the worst case may be no more, where the person said so. */
	readonly maxLoss?: number;
}
