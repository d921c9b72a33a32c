import * as z from 'zod';
import {numeric, once, queryList} from './schema.ts';
import {evmAddress, hexBytes, openEnum, signature65, typedData} from './wire-scalars.ts';

/** Prediction markets (spec 4.11 to 4.13, contract gaps 6): alpha, may change without notice. */

export const MARKET_STATUSES = ['active', 'closed', 'resolved'] as const;
export type MarketStatus = (typeof MARKET_STATUSES)[number];

/** Bounds (spec 8). */
export const PREDICTION = {batchItems: 50, minWithdraw: 0.01, maxWithdraw: 1e9, chainId: 137} as const;

/** Facts about the answer itself (spec 2.4b); lists of other services lack them (contract gaps 6.4). */
const node = once(() => ({
	/** The server that responded. */
	hostname: z.string().optional(),
	/** Milliseconds spent. */
	took: z.number().optional(),
}));
const figure = once(() => z.number().nullish());
const text = once(() => z.string().nullish());

const outcomeSchema = once(() =>
	z.object({
		id: z.string().optional(),
		outcomeId: z.string(),
		label: z.string(),
		/** 0 to 1. */
		priceUSD: z.number(),
		priceChange24hPercentage: figure(),
		priceChange7dPercentage: figure(),
		volume24hUSD: figure(),
		volume7dUSD: figure(),
		totalVolumeUSD: figure(),
		liquidityUSD: figure(),
		openInterestUSD: figure(),
		holdersCount: figure(),
	}),
);

/** A market in full (spec 2.4b, contract gaps 6.1). */
export const marketSchema = once(() =>
	z.object({
		/** `<platform>:<marketId>`. */
		id: z.string(),
		platform: z.string(),
		marketId: z.string(),
		slug: text(),
		chainId: text(),
		contractAddress: text(),
		negRisk: z.boolean().optional(),
		question: z.string(),
		description: text(),
		category: text(),
		tags: z.array(z.string()).optional(),
		type: openEnum(['binary', 'categorical', 'scalar']).optional(),
		status: openEnum(MARKET_STATUSES).nullish(),
		eventId: text(),
		eventSlug: text(),
		eventTitle: text(),
		outcomes: z.array(outcomeSchema()),
		stats: z.object({
			totalVolumeUSD: figure(),
			volume24hUSD: figure(),
			volume7dUSD: figure(),
			liquidityUSD: figure(),
			tradesCount: figure(),
			trades24h: figure(),
			openInterestUSD: figure(),
			holdersCount: figure(),
		}),
		metadata: z
			.object({
				createdAt: text(),
				resolvedAt: text(),
				endDate: text(),
				resolved: z.boolean(),
				resolvedOutcome: text(),
				logo: text(),
				url: text(),
				creator: text(),
				resolver: text(),
				rewardPool: figure(),
				platformFee: figure(),
			})
			.optional(),
		reference: z
			.object({
				type: text(),
				symbol: text(),
				marketType: text(),
				priceToBeat: z.object({price: z.number(), timestamp: z.union([z.number(), z.string()])}).nullish(),
				finalPrice: figure(),
				current: figure(),
			})
			.nullish(),
	}),
);

const marketName = once(() => z.object({platform: z.string().min(1), marketId: z.string().min(1)}));

/** Body of POST /api/2/pm/markets/batch (spec 4.11). */
export const marketsBatchBodySchema = once(() =>
	z.looseObject({items: z.array(marketName()).min(1).max(PREDICTION.batchItems)}),
);

/** Unknown markets are left out. */
export const marketsBatchResponseSchema = once(() => z.object({payload: z.array(marketSchema()), ...node()}));

/** Query of GET /api/2/pm/market/details. */
export const marketDetailsQuerySchema = once(() =>
	z.looseObject({platform: z.string().min(1), marketId: z.string().min(1)}),
);
export const marketDetailsResponseSchema = once(() => z.object({data: marketSchema(), ...node()}));

const pagination = once(() =>
	z.object({page: z.number(), offset: z.number(), limit: z.number(), pageEntries: z.number()}),
);
const page = (maximum: number, standard: number) => ({
	limit: numeric().pipe(z.int().min(1).max(maximum)).default(standard),
	offset: numeric().pipe(z.int().min(0)).default(0),
});

/** Query of GET /api/2/pm/search (contract gaps 6.4). */
export const marketSearchQuerySchema = once(() =>
	z.looseObject({
		query: z.string().optional(),
		platform: z.string().optional(),
		category: z.string().optional(),
		status: z.enum(MARKET_STATUSES).optional(),
		sortBy: z.enum(['volume', 'liquidity', 'created', 'trending', 'total_volume']).default('volume'),
		...page(100, 20),
	}),
);

/** Query of GET /api/2/pm/trending (contract gaps 6.4). */
export const marketTrendingQuerySchema = once(() =>
	z.looseObject({
		period: z.enum(['1h', '24h', '7d', '30d']).default('24h'),
		rankBy: z.enum(['volume', 'trades']).default('volume'),
		...page(100, 20),
	}),
);

/** A market in a list. */
export const listedMarketSchema = once(() =>
	z.object({
		platform: z.string(),
		marketId: z.string(),
		slug: text(),
		question: z.string(),
		category: text(),
		status: openEnum(MARKET_STATUSES).nullish(),
		volume24hUSD: figure(),
		totalVolumeUSD: figure(),
		liquidityUSD: figure(),
		endDate: text(),
		createdAt: text(),
		logo: text(),
		tradesCount: figure(),
		trendingScore: figure(),
		volumeChange24hPercentage: figure(),
		rank: figure(),
		eventId: text(),
		eventSlug: text(),
		eventTitle: text(),
		outcomes: z.array(z.object({outcomeId: z.string(), label: z.string(), priceUSD: z.number()})),
	}),
);
export const marketListResponseSchema = once(() =>
	z.object({data: z.array(listedMarketSchema()), pagination: pagination().optional(), ...node()}),
);

/** Query of GET /api/2/pm/event/details (contract gaps 6.4). */
export const marketEventQuerySchema = once(() =>
	z.looseObject({platform: z.string().min(1), eventId: z.string().min(1)}),
);

/** Markets that belong together: the strikes of one day, the hours of one price. */
export const marketEventResponseSchema = once(() =>
	z.object({
		data: z.object({
			eventId: z.string(),
			eventSlug: z.string(),
			eventTitle: z.string(),
			platform: z.string(),
			category: text(),
			volume24hUSD: z.number(),
			totalVolumeUSD: z.number(),
			liquidityUSD: z.number(),
			markets: z.array(listedMarketSchema()),
		}),
		...node(),
	}),
);

/** Answer of GET /api/2/pm/categories. */
export const marketCategoriesResponseSchema = once(() =>
	z.object({
		data: z.array(
			z.object({
				id: z.string(),
				name: z.string(),
				marketsCount: z.number(),
				activeMarkets: z.number(),
				volume24h: z.number(),
				volumeTotal: z.number(),
			}),
		),
		...node(),
	}),
);

/** Query of GET /api/2/pm/market/price: the market's current quotes (contract gaps 6.4, the form is an extension). */
export const marketPriceResponseSchema = once(() =>
	z.object({
		data: z.object({
			platform: z.string(),
			marketId: z.string(),
			status: openEnum(MARKET_STATUSES),
			/** Unix ms. */
			timestamp: z.number(),
			outcomes: z.array(
				z.object({
					outcomeId: z.string(),
					label: z.string(),
					priceUSD: z.number(),
					/** Bid and ask of one share; null when trading has ended. */
					bestBidUSD: z.number().nullable(),
					bestAskUSD: z.number().nullable(),
					spreadUSD: z.number().nullable(),
				}),
			),
		}),
		...node(),
	}),
);

/** Lengths of a candle, and their milliseconds. */
export const CANDLE_MS = {
	'1m': 60_000,
	'5m': 300_000,
	'15m': 900_000,
	'1h': 3_600_000,
	'4h': 14_400_000,
	'1d': 86_400_000,
} as const;
type CandlePeriod = keyof typeof CANDLE_MS;

/**
 * Query of GET /api/2/pm/market/ohlcv (contract gaps 6.4, the form is an extension): the newest candles before `to`.
 */
export const marketOhlcvQuerySchema = once(() =>
	z.looseObject({
		platform: z.string().min(1),
		marketId: z.string().min(1),
		/** The first outcome when left out. */
		outcomeId: z.string().optional(),
		period: z.enum(Object.keys(CANDLE_MS) as [CandlePeriod, ...CandlePeriod[]]).default('1h'),
		/** Unix ms; both ends of the time shown. */
		from: numeric().optional(),
		to: numeric().optional(),
		limit: numeric().pipe(z.int().min(1).max(1000)).default(200),
	}),
);
export const marketOhlcvResponseSchema = once(() =>
	z.object({
		data: z.array(
			z.object({
				/** Unix ms of the beginning. */
				timestamp: z.number(),
				open: z.number(),
				high: z.number(),
				low: z.number(),
				close: z.number(),
				/** Of all outcomes. */
				volumeUSD: z.number(),
				trades: z.int(),
			}),
		),
		outcomeId: z.string(),
		...node(),
	}),
);

/** Query of GET /api/2/pm/market/book (contract gaps 6.4). */
export const marketBookQuerySchema = once(() =>
	z.looseObject({
		platform: z.string().min(1),
		marketId: z.string().min(1),
		/** The first outcome when left out. */
		outcomeId: z.string().optional(),
	}),
);

const bookLevels = once(() => z.array(z.object({priceUSD: z.number(), sizeToken: z.number()})));

/** What can be sold and bought at which price, the best first. */
export const marketBookResponseSchema = once(() =>
	z.object({data: z.object({bids: bookLevels(), asks: bookLevels()}), outcomeId: z.string(), ...node()}),
);

/** Query of GET /api/2/pm/market/trades (contract gaps 6.4, the form is an extension): newest first. */
export const marketTradesQuerySchema = once(() =>
	z.looseObject({platform: z.string().min(1), marketId: z.string().min(1), ...page(100, 50)}),
);

/** A trade, without where it happened. */
export const marketTradeSchema = once(() =>
	z.object({
		id: z.string(),
		type: z.enum(['buy', 'sell']),
		outcomeId: z.string(),
		label: z.string(),
		/** After the trade. */
		priceUSD: z.number(),
		/** Shares. */
		sizeToken: z.number(),
		amountUSD: z.number(),
		wallet: z.string(),
		date: z.string(),
		/** Unix ms. */
		timestamp: z.number(),
	}),
);
export const marketTradesResponseSchema = once(() =>
	z.object({data: z.array(marketTradeSchema()), pagination: pagination().optional(), ...node()}),
);

/** Body of POST /api/2/pm/withdraw/build (spec 4.12). A number's shortest text is its exact decimal: use String(amount). */
export const withdrawBuildBodySchema = once(() =>
	z.looseObject({
		address: z.string().min(1),
		amount: z.number().min(PREDICTION.minWithdraw).max(PREDICTION.maxWithdraw),
	}),
);

/** Body of POST /api/2/pm/deposit/build (contract gaps 6.3). */
export const depositBuildBodySchema = once(() =>
	z.looseObject({address: z.string().min(1), amount: z.number().positive().max(PREDICTION.maxWithdraw)}),
);

/** A transaction for the user to sign and send. A member that is not known may mean more than is shown: it is refused. */
export const predictionTransactionSchema = once(() =>
	z.strictObject({
		to: evmAddress(),
		calldata: hexBytes(),
		chainId: z.number(),
		vaultAddress: evmAddress(),
		/** Ours: whether the account exists yet. A transaction to one that does not does nothing, and costs gas. */
		deployed: z.boolean().optional(),
	}),
);
export const predictionTransactionResponseSchema = once(() =>
	z.strictObject({data: predictionTransactionSchema(), ...node()}),
);

/** Body of POST /api/2/pm/deploy/build (spec 4.13). */
export const deployBuildBodySchema = once(() => z.looseObject({address: z.string().min(1)}));

/** Typed data to sign, and the address of the account that will be deployed (contract gaps 6.2), and nothing that is not known. */
export const deployBuildResponseSchema = once(() =>
	z.strictObject({
		data: typedData()
			.extend({
				types: z.record(z.string(), z.array(z.strictObject({name: z.string(), type: z.string()}))),
				vaultAddress: evmAddress(),
			})
			.strict(),
		...node(),
	}),
);

/** Body of POST /api/2/pm/deploy/submit. */
export const deploySubmitBodySchema = once(() => z.looseObject({address: z.string().min(1), signature: signature65()}));

/** Query of GET /api/2/wallet/pm/status. */
export const predictionAccountQuerySchema = once(() => z.looseObject({wallet: z.string().min(1)}));
export const predictionAccountResponseSchema = once(() =>
	z.object({
		data: z.object({
			deployed: z.boolean(),
			vaultAddress: evmAddress(),
			usdceBalance: z.union([z.number(), z.string()]).nullish(),
			pusdBalance: z.union([z.number(), z.string()]).nullish(),
		}),
	}),
);

/** Query of GET /api/2/wallet/pm/positions (contract gaps 6.4). */
export const marketPositionsQuerySchema = once(() =>
	z.looseObject({
		wallet: z.string().min(1),
		platforms: queryList().optional(),
		status: z.enum(['active', 'resolved', 'redeemed', 'all']).default('active'),
		sortBy: z.enum(['amountUSD', 'totalPnlUSD', 'createdAt']).default('amountUSD'),
		...page(100, 50),
	}),
);

/** What a wallet holds of one outcome. */
export const marketPositionSchema = once(() =>
	z.object({
		platform: z.string(),
		market: z.object({
			marketId: z.string(),
			question: z.string(),
			category: text(),
			status: openEnum(MARKET_STATUSES),
			logo: text(),
			endDate: text(),
		}),
		outcomeId: z.string(),
		label: z.string(),
		balance: z.number(),
		costBasisUSD: figure(),
		avgBuyPriceUSD: figure(),
		avgSellPriceUSD: figure(),
		priceUSD: z.number(),
		amountUSD: z.number(),
		unrealizedPnlUSD: figure(),
		unrealizedPnlPercent: figure(),
		realizedPnlUSD: figure(),
		totalPnlUSD: figure(),
		totalFeesPaidUSD: figure(),
		buys: figure(),
		sells: figure(),
		volumeBuyUSD: figure(),
		volumeSellUSD: figure(),
		firstDate: text(),
		lastDate: text(),
		labels: z.array(z.string()).optional(),
	}),
);
export const marketPositionsResponseSchema = once(() =>
	z.object({data: z.array(marketPositionSchema()), wallet: z.string(), pagination: pagination().optional(), ...node()}),
);

/** Query of GET /api/2/wallet/pm/balances (contract gaps 6.4). A token is a share of an outcome; without tokens all balances. */
export const marketBalancesQuerySchema = once(() =>
	z.looseObject({wallet: z.string().min(1), tokenIds: queryList().optional()}),
);
export const marketBalancesResponseSchema = once(() =>
	z.object({
		data: z.object({
			vaultAddress: evmAddress(),
			/** Whole shares. */
			balances: z.array(z.object({tokenId: z.string(), balance: z.number()})),
		}),
		...node(),
	}),
);

export type Market = z.output<ReturnType<typeof marketSchema>>;
export type ListedMarket = z.output<ReturnType<typeof listedMarketSchema>>;
export type PredictionTransaction = z.output<ReturnType<typeof predictionTransactionSchema>>;
export type DeployBuild = z.output<ReturnType<typeof deployBuildResponseSchema>>['data'];
export type PredictionAccountStatus = z.output<ReturnType<typeof predictionAccountResponseSchema>>['data'];
export type MarketPosition = z.output<ReturnType<typeof marketPositionSchema>>;
export type MarketPrice = z.output<ReturnType<typeof marketPriceResponseSchema>>['data'];
export type MarketBook = z.output<ReturnType<typeof marketBookResponseSchema>>['data'];
export type MarketCandle = z.output<ReturnType<typeof marketOhlcvResponseSchema>>['data'][number];
export type PredictionTrade = z.output<ReturnType<typeof marketTradeSchema>>;
export type MarketEventDetails = z.output<ReturnType<typeof marketEventResponseSchema>>['data'];
