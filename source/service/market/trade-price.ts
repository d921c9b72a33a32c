import type {TradeEvent} from './events.ts';

type Priced = Pick<TradeEvent, 'spotQuote' | 'quoteUSD' | 'valueUSD' | 'amountQuote' | 'amountToken'>;

/** US dollars for one token after a trade: the pool's price, or the trade's average without one (see TradeEvent). NaN is unknown. */
export function priceAfter({spotQuote, quoteUSD, valueUSD, amountToken}: Priced): number {
	return spotQuote === undefined ? (valueUSD ?? Number.NaN) / amountToken : spotQuote * (quoteUSD ?? Number.NaN);
}

/** The same in quote coins. */
export function quotePriceAfter({spotQuote, amountQuote, amountToken}: Priced): number {
	return spotQuote ?? amountQuote / amountToken;
}
