import * as z from 'zod';
import {numeric, once, patterned, queryList} from './schema.ts';
import {hexBytes, openEnum, signature65} from './wire-scalars.ts';

export const DEXES = ['dexA', 'dexB'] as const;
export type Dex = (typeof DEXES)[number];

/** Actions of a payload (spec 2.5); each is built at /api/2/perp/payloads/<action>. */
export const PERP_ACTIONS = [
	'withdraw',
	'create-account',
	'deposit',
	'create-order',
	'close-position',
	'cancel-order',
	'update-margin',
	'edit-order',
] as const;
export type PerpAction = (typeof PERP_ACTIONS)[number];

/** Message and status of a failed build (spec 4.7, 7; contract gaps 5.2); the reason is a member of its own. */
export const PERP_FAILURES: Readonly<Record<PerpAction, {readonly status: number; readonly message: string}>> = {
	withdraw: {status: 400, message: 'withdraw payload generation failed'},
	'create-account': {status: 400, message: 'create-account payload generation failed'},
	deposit: {status: 400, message: 'deposit payload generation failed'},
	'create-order': {status: 500, message: 'could not build create-order payload'},
	'close-position': {status: 400, message: 'close-position payload generation failed'},
	'cancel-order': {status: 400, message: 'cancel-order payload generation failed'},
	'update-margin': {status: 400, message: 'update-margin payload action failed'},
	'edit-order': {status: 400, message: 'edit-order payload action failed'},
};

/** Refusals common to all payload endpoints and to execute, word for word (spec 7). */
export const PERP_REFUSALS = {
	expired: {status: 403, message: 'timestamp expired'},
	replayed: {status: 403, message: 'signature already used'},
	malformed: {status: 400, message: 'zod validation failed'},
} as const;

/** A timestamp may be this far from the server's clock (spec 5). */
export const PERP_SKEW_MS = 30_000;

const dex = once(() => z.enum(DEXES));
const index = once(() => patterned(/^\d+$/, 'be a whole number as text'));
const positiveText = once(() =>
	patterned(/^\d{1,30}(\.\d{1,30})?$/, 'be a decimal number as text').refine(text => Number(text) > 0, {
		error: 'must be more than 0',
	}),
);

/** Every payload request is signed (EIP-191) over its path and this timestamp; see perpPayloadText. */
const signed = once(() => ({
	/** Unix ms. */
	timestamp: z.number().min(0),
	signature: signature65(),
}));

function requiredForDexA(context: z.core.$RefinementCtx, body: {dex: Dex; [name: string]: unknown}, name: string) {
	if (body.dex === 'dexA' && body[name] === undefined) {
		context.addIssue({code: 'custom', path: [name], message: 'is required for dexA'});
	}
}

/** Body of cancel-order (spec 4.7). */
export const cancelOrderBodySchema = once(() =>
	z
		.looseObject({
			...signed(),
			dex: dex(),
			chainId: z.string().min(1),
			orderIndex: index(),
			marketId: z.string().min(1).optional(),
			orderType: z.enum(['order', 'tp', 'sl']).optional(),
		})
		.superRefine((body, context) => {
			if (body.dex !== 'dexB') return;
			if (body.marketId === undefined)
				context.addIssue({code: 'custom', path: ['marketId'], message: 'is required for dexB'});
			if (body.orderType !== undefined) {
				context.addIssue({code: 'custom', path: ['orderType'], message: 'must be left out for dexB'});
			}
		}),
);

/** Body of create-order (contract gaps 5.2). */
export const createOrderBodySchema = once(() =>
	z
		.looseObject({
			...signed(),
			baseToken: z.string().min(1),
			quote: z.string().min(1),
			leverage: z.number().positive(),
			long: z.boolean(),
			reduceOnly: z.boolean(),
			collateralAmount: z.number().min(0),
			orderType: z.enum(['market', 'limit', 'stop_limit']).default('market'),
			openPrice: z.number().positive().optional(),
			tp: z.number().min(0).optional(),
			sl: z.number().min(0).optional(),
			amountRaw: z.union([z.string(), z.number()]).optional(),
			/** Percent. */
			maxSlippageP: z.number().min(0).max(100).optional(),
			chainIds: z.array(z.string()).optional(),
			dexes: z.array(dex()).optional(),
			/** 0 cross, 1 isolated. */
			marginMode: z.int().min(0).max(1).optional(),
			referrer: z.string().optional(),
			marketId: z.string().optional(),
		})
		.superRefine((body, context) => {
			if (body.orderType !== 'market' && body.openPrice === undefined) {
				context.addIssue({
					code: 'custom',
					path: ['openPrice'],
					message: 'is required unless the order is a market order',
				});
			}
		}),
);

/** Body of close-position (contract gaps 5.2). */
export const closePositionBodySchema = once(() =>
	z
		.looseObject({
			...signed(),
			dex: dex(),
			chainId: z.string().min(1),
			marketId: z.string().min(1),
			positionId: index().optional(),
			closePercentage: z.number().positive().max(100).optional(),
			amountRaw: z.union([z.string(), z.number()]).optional(),
			params: z.record(z.string(), z.unknown()).optional(),
		})
		.superRefine((body, context) => {
			requiredForDexA(context, body, 'positionId');
			if ((body.closePercentage === undefined) === (body.amountRaw === undefined)) {
				const message = 'or amountRaw must be given, and not both';
				context.addIssue({code: 'custom', path: ['closePercentage'], message});
			}
		}),
);

/** Body of edit-order (contract gaps 5.2): 0 clears on dexA. */
export const editOrderBodySchema = once(() =>
	z
		.looseObject({
			...signed(),
			dex: dex(),
			chainId: z.string().min(1),
			marketId: z.string().optional(),
			positionId: index().optional(),
			newTp: z.number().min(0).optional(),
			newSl: z.number().min(0).optional(),
		})
		.superRefine((body, context) => {
			requiredForDexA(context, body, 'positionId');
			if (body.newTp === undefined && body.newSl === undefined) {
				context.addIssue({code: 'custom', path: ['newTp'], message: 'is required, or newSl'});
			}
		}),
);

/** Body of update-margin (contract gaps 5.2): an amount on dexB, a leverage on dexA. */
export const updateMarginBodySchema = once(() =>
	z
		.looseObject({
			...signed(),
			dex: dex(),
			chainId: z.string().min(1),
			marketId: z.string().optional(),
			positionId: index().optional(),
			usdcAmount: z.number().positive().optional(),
			increase: z.boolean().optional(),
			newLeverage: z.number().positive().optional(),
		})
		.superRefine((body, context) => {
			for (const name of ['positionId', 'newLeverage']) requiredForDexA(context, body, name);
			for (const name of ['usdcAmount', 'increase'] as const) {
				if (body.dex === 'dexB' && body[name] === undefined) {
					context.addIssue({code: 'custom', path: [name], message: 'is required for dexB'});
				}
			}
		}),
);

/** Body of withdraw (contract gaps 5.2). The payload requires another signature: `MessageToSign`. */
export const withdrawBodySchema = once(() =>
	z.looseObject({...signed(), dex: dex(), chainId: z.string().min(1), amountUsdc: positiveText()}),
);

/** Body of deposit (contract gaps 5.2). */
export const depositBodySchema = once(() =>
	z.looseObject({
		...signed(),
		dex: dex(),
		chainId: z.string().min(1),
		originChainId: z.string().min(1),
		amountUsdc: positiveText(),
	}),
);

/** Body of create-account (contract gaps 5.2). */
export const createAccountBodySchema = once(() =>
	z.looseObject({
		...signed(),
		dex: dex(),
		chainId: z.string().min(1),
		accountIndex: z.int().min(0).optional(),
		apiKeyIndex: z.int().min(0).optional(),
	}),
);

export const PERP_TRANSPORTS = ['offchain-api', 'evm-tx'] as const;
export type PerpTransport = (typeof PERP_TRANSPORTS)[number];

/** The envelope of every payload (spec 2.5). It goes to execute unchanged, so nothing is in it that is not known. */
export const envelopeSchema = once(() =>
	z.strictObject({
		action: openEnum(PERP_ACTIONS),
		dex: openEnum(DEXES),
		/** `<namespace>:<number>`. */
		chainId: z.string(),
		marketId: z.string().optional(),
		transport: z.enum(PERP_TRANSPORTS),
		payloadStr: z.string(),
	}),
);

export const payloadResponseSchema = once(() =>
	z.strictObject({success: z.boolean().optional(), data: envelopeSchema()}),
);

/** The content of `payloadStr` (contract gaps 5.2): the metadata again, and the payload. */
export const payloadContentSchema = once(() =>
	z.looseObject({
		action: z.string(),
		dex: z.string(),
		chainId: z.string(),
		marketId: z.string().optional(),
		transport: z.enum(PERP_TRANSPORTS),
		payload: z.record(z.string(), z.unknown()),
	}),
);

const quantity = once(() => z.union([z.string(), z.number()]));

/** The transaction in the payload of an `evm-tx` (spec 4.8): `payload.data`. */
export const payloadTransactionSchema = once(() =>
	z.looseObject({
		from: z.string().optional(),
		to: z.string(),
		callData: hexBytes(),
		value: quantity().optional(),
		chainId: quantity().optional(),
		nonce: quantity().optional(),
		gas: quantity().optional(),
		gasPrice: quantity().optional(),
		maxFeePerGas: quantity().optional(),
		maxPriorityFeePerGas: quantity().optional(),
	}),
);

/** Body of POST /api/2/perp/execute-v2 (spec 4.9). */
export const perpExecuteBodySchema = once(() =>
	z.looseObject({
		action: z.enum(PERP_ACTIONS),
		dex: dex(),
		chainId: z.string().min(1),
		marketId: z.string().optional(),
		transport: z.enum(PERP_TRANSPORTS),
		payloadStr: z.string().min(2),
		...signed(),
		/** Only for evm-tx; a deposit carries its transactions inside the payload. */
		signedTx: hexBytes().optional(),
	}),
);

/** Response of execute-v2 (contract gaps 5.3). A `processId` means: still running, poll check-process. */
export const perpExecuteResponseSchema = once(() =>
	z.object({
		success: z.boolean().optional(),
		data: z
			.object({
				success: z.boolean().optional(),
				executionDetails: z
					.array(
						z.object({
							txHash: z.string().nullish(),
							type: z.string().optional(),
							status: z.string().optional(),
							orderStatuses: z
								.array(
									z.object({
										orderId: z.union([z.string(), z.number()]),
										status: z.string(),
										type: z.string().optional(),
									}),
								)
								.optional(),
						}),
					)
					.optional(),
				processId: z.string().optional(),
			})
			.optional(),
	}),
);

export const checkProcessQuerySchema = once(() => z.looseObject({processId: z.string().min(1)}));

/** Not wrapped in `data` (contract gaps 5.3). */
export const checkProcessResponseSchema = once(() =>
	z.object({
		processId: z.string(),
		status: openEnum(['pending', 'settled', 'failed']),
		message: z.string().optional(),
		errorMessage: z.string().optional(),
	}),
);

/** Query of the two listings (contract gaps 5.1). */
export const positionsQuerySchema = once(() =>
	z.looseObject({
		wallet: z.string().min(1),
		chainIds: queryList().optional(),
		chainId: z.string().optional(),
		dex: z.string().optional(),
		limit: numeric().pipe(z.int().min(1).max(500)).default(100),
		offset: numeric().pipe(z.int().min(0)).default(0),
		cursor: z.string().optional(),
		cursorDirection: z.enum(['before', 'after']).optional(),
		sortBy: z.enum(['lastActivity', 'realizedPnl']).optional(),
		order: z.enum(['asc', 'desc']).optional(),
	}),
);

const trigger = once(() => z.object({size: quantity().nullish(), price: z.number().nullish(), id: quantity()}));

const figure = once(() => z.number().nullish());

/** An open position (contract gaps 5.1). The members that identify it are always there, all others may be missing. */
export const positionSchema = once(() =>
	z.object({
		/** `pos-<dex>-<base>-<quote>-<collateral>-<wallet>-<index>`; the last segment is the index in payloads. */
		id: z.string(),
		marketId: z.string(),
		exchange: openEnum(DEXES),
		chainId: z.string(),
		address: z.string().nullish(),
		side: openEnum(['BUY', 'SELL']).nullish(),
		entryPriceQuote: figure(),
		currentPriceQuote: figure(),
		liquidationPriceQuote: figure(),
		currentLeverage: figure(),
		amountUSD: figure(),
		amountRaw: quantity().nullish(),
		collateralAsset: z.string().nullish(),
		/** Margin in US dollars. */
		collateral: figure(),
		realizedPnlUSD: figure(),
		unrealizedPnlUSD: figure(),
		realizedPnlPercent: figure(),
		unrealizedPnlPercent: figure(),
		feesOpeningUSD: figure(),
		feesClosingUSD: figure(),
		feesFundingUSD: figure(),
		openDate: z.string().nullish(),
		lastUpdate: z.string().nullish(),
		tp: z.array(trigger()).nullish(),
		sl: z.array(trigger()).nullish(),
	}),
);

/** An order that waits: a position that is not filled yet. */
export const unfilledOrderSchema = once(() => positionSchema().extend({type: openEnum(['LIMIT', 'STOP']).nullish()}));

export const positionsResponseSchema = once(() => z.object({data: z.array(positionSchema())}));
export const unfilledResponseSchema = once(() => z.object({data: z.array(unfilledOrderSchema())}));

/** The index that cancel-order and positionId take, out of a listing's `id`; undefined when it has none. */
export function indexOfPosition(id: string): string | undefined {
	return /-(\d+)$/.exec(id)?.[1];
}

export type CancelOrderBody = z.output<ReturnType<typeof cancelOrderBodySchema>>;
export type CreateOrderBody = z.output<ReturnType<typeof createOrderBodySchema>>;
export type ClosePositionBody = z.output<ReturnType<typeof closePositionBodySchema>>;
export type EditOrderBody = z.output<ReturnType<typeof editOrderBodySchema>>;
export type UpdateMarginBody = z.output<ReturnType<typeof updateMarginBodySchema>>;
export type WithdrawBody = z.output<ReturnType<typeof withdrawBodySchema>>;
export type DepositBody = z.output<ReturnType<typeof depositBodySchema>>;
export type CreateAccountBody = z.output<ReturnType<typeof createAccountBodySchema>>;
export type Envelope = z.output<ReturnType<typeof envelopeSchema>>;
export type PayloadContent = z.output<ReturnType<typeof payloadContentSchema>>;
export type PayloadTransaction = z.output<ReturnType<typeof payloadTransactionSchema>>;
export type PerpExecuteBody = z.output<ReturnType<typeof perpExecuteBodySchema>>;
export type PerpExecuteResponse = z.output<ReturnType<typeof perpExecuteResponseSchema>>;
export type PerpPosition = z.output<ReturnType<typeof positionSchema>>;
export type UnfilledOrder = z.output<ReturnType<typeof unfilledOrderSchema>>;
