import type {OpenTrade} from '../positions/settled.ts';
import type {TradedFacts} from '../traded-token.ts';
import type {OwnPrices} from './own-prices.ts';

/** The facts of a trade beside those of every transfer. */
export interface TradeFacts extends TradedFacts {
	/** Other tokens of the account that are on their way out: raw units of the token that this trade spends. */
	readonly busyRaw: bigint;
	/** Other sources of the price than feed and quote. */
	readonly own: OwnPrices;
	/** A trade of the same token and side that is under way. */
	readonly underWay?: OpenTrade;
	/** When the last trade of the same token and side ended, Unix ms of this machine. */
	readonly endedAtMs?: number;
	/** Percent: the worst case may be no more, where the person said so. */
	readonly maxLoss?: number;
}
