import type {TradeTarget} from '../contract/trade-target.ts';

/** Input of a trade besides its request. */
export interface TradeInput {
	/**
	 * The row as it is now, read at every review and before the signature; undefined when it is gone: then the figures of the
	 * request count for as long as they are fresh.
	 */
	readonly tradeNow?: () => TradeTarget | undefined | Promise<TradeTarget | undefined>;
	/** Percent: the worst case may be no more. */
	readonly maxLoss?: number;
}

/** Facts of a trade in the plan of its transfer; trade/trade-facts.ts has the rest. */
export interface TradedFacts {
	/** The row as it is now: the token of the request, with newer figures where the row was there. */
	readonly target: TradeTarget;
}
