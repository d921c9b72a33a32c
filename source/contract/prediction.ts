import * as z from 'zod';
import {once} from './schema.ts';
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

export type Market = z.output<ReturnType<typeof marketSchema>>;
export type PredictionTransaction = z.output<ReturnType<typeof predictionTransactionSchema>>;
export type DeployBuild = z.output<ReturnType<typeof deployBuildResponseSchema>>['data'];
export type PredictionAccountStatus = z.output<ReturnType<typeof predictionAccountResponseSchema>>['data'];
