/** A market that both exchanges offer. */
export interface PerpMarket {
	/** In the API. */
	readonly marketId: string;
	/** In dexA's contract. */
	readonly number: number;
	readonly base: string;
	readonly quote: string;
	/** The mean of its price, in US dollars. */
	readonly aroundUSD: number;
}

export const PERP_MARKETS: readonly PerpMarket[] = [
	{marketId: 'BTC-USD', number: 1, base: 'BTC', quote: 'USD', aroundUSD: 100_000},
	{marketId: 'ETH-USD', number: 2, base: 'ETH', quote: 'USD', aroundUSD: 3_000},
	{marketId: 'SOL-USD', number: 3, base: 'SOL', quote: 'USD', aroundUSD: 150},
];

/** Decimals of prices, on the contract and in the books. */
export const PRICE_DECIMALS = 8;

/** Decimals of collateral. */
export const COLLATERAL_DECIMALS = 6;

/**
 * Periods of the waves that make a price, in ms, and their heights as parts of the price. Their common period is long.
 */
const WAVES = [
	[173_000, 0.0008],
	[1_021_000, 0.002],
	[7_919_000, 0.006],
	[86_400_000, 0.02],
] as const;

/** The market of an id, or of base and quote (`USDC` equals `USD`). */
export function perpMarket(marketId: string): PerpMarket | undefined {
	return PERP_MARKETS.find(market => market.marketId === marketId.toUpperCase());
}

/** The market of a base and a quote symbol (`USDC` and `USDT` equal `USD`); undefined for others. */
export function perpMarketOf(base: string, quote: string): PerpMarket | undefined {
	return perpMarket(`${base}-${quote.replace(/^USD[CT]$/i, 'USD')}`);
}

/**
 * A practice market's price: a few slow waves around a level, a function of the market and the time, so that it is the
 * same for every caller and after every start.
 * @returns with 8 decimals
 */
export function priceAt({aroundUSD, number}: PerpMarket, nowMs: number): bigint {
	const moved = WAVES.reduce(
		(sum, [periodMs, height]) => sum + height * Math.sin((2 * Math.PI * nowMs) / periodMs + number),
		0,
	);
	return BigInt(Math.round(aroundUSD * (1 + moved) * 10 ** PRICE_DECIMALS));
}
