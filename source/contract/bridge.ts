import * as z from 'zod';
import {SPONSORED_CHAINS} from './bridge-chains.ts';
import {numeric, once, patterned, queryBoolean} from './schema.ts';
import {
	decimalText,
	evmAddress,
	hash32,
	hexBytes,
	integerText,
	isoDate,
	openEnum,
	signature65,
	typedData,
} from './wire-scalars.ts';

/** Values of a bridge intent's status (spec 3, contract gaps 4.5). Unknown ones mean "in progress". */
export const BRIDGE_STATUSES = [
	'pending',
	'deposited',
	'filling',
	'filled',
	'settled',
	'retrying',
	'refunded',
	'failed',
] as const;
export type BridgeStatus = (typeof BRIDGE_STATUSES)[number];

const TERMINAL: ReadonlySet<string> = new Set<BridgeStatus>(['filled', 'settled', 'refunded', 'failed']);

/** Whether an intent in this status needs no more watching by its user. */
export function isTerminal(status: string): boolean {
	return TERMINAL.has(status);
}

/** Figures of the flow (spec 4.4, 8; contract gaps 4.4). */
export const BRIDGE = {
	sponsoredChains: SPONSORED_CHAINS,
	maxCalls: 4,
	/** Credits that an execute costs (spec 8). */
	credits: 1,
	claimMs: 15 * 60_000,
	solverMs: 30_000,
	/** How long /wait holds a request. */
	waitMs: 30_000,
	/** Suggested life of a signed batch. */
	deadlineS: 5 * 60,
} as const;

const amount = once(() =>
	z
		.union([z.string(), z.number().transform(String)])
		.pipe(patterned(/^\d{1,16}(\.\d{1,78})?$/, 'be a decimal number'))
		.refine(text => Number(text) > 0 && Number(text) <= 1e15, {error: 'must be more than 0 and at most 1e15'}),
);

/** Query of GET /api/2/bridge/quote (spec 4.5, contract gaps 4.1). */
export const quoteQuerySchema = once(() =>
	z
		.looseObject({
			originChainId: z.string().min(1),
			destinationChainId: z.string().min(1),
			/** Who receives. */
			walletAddress: z.string().min(1),
			/** In units of the token; exactly one of amount and amountRaw. */
			amount: amount().optional(),
			amountRaw: integerText().optional(),
			/** Absent or zero: the native token. */
			originToken: z.string().optional(),
			destinationToken: z.string().optional(),
			/** Who pays; the recipient when absent and the origin is an EVM chain. */
			senderAddress: z.string().min(1).optional(),
			feePayerAddress: z.string().min(1).optional(),
			/** Percent. */
			slippage: numeric().pipe(z.number().min(0).max(50)).default(1),
			gasless: queryBoolean().default(false),
			/** Second call of the signed-quote flow: the signed typed data, and the response of the first call. */
			signature: hexBytes().optional(),
			intentId: z.string().min(1).optional(),
			deadline: numeric().pipe(z.int().min(0)).optional(),
			minAmountOut: z.string().optional(),
		})
		.superRefine((query, context) => {
			const both = query.amount !== undefined && query.amountRaw !== undefined;
			const neither = query.amount === undefined && query.amountRaw === undefined;
			const message = both ? 'must not stand beside amountRaw' : 'is required, or amountRaw in its place';
			if (both || neither) context.addIssue({code: 'custom', path: ['amount'], message});
		}),
);

const transaction = once(() =>
	z.object({
		to: z.string(),
		data: z.string(),
		value: z.string().optional(),
		chainId: z.number().optional(),
		approvalAddress: z.string().optional(),
		approvalToken: z.string().optional(),
		approvalAmount: z.string().optional(),
	}),
);

export const quoteStepSchema = once(() =>
	z.object({
		type: openEnum(['approve', 'bridgeToken', 'swapAndBridge']).optional(),
		description: z.string().optional(),
		tx: transaction(),
	}),
);

/**
 * Additions of the embedded service to the quote of a launch, to show and never to rely on: other services do not send it.
 * A value of another form counts as absent, since a foreign service may use the same names in its own way.
 */
const launchFigures = once(() => ({
	/** US dollars for one token in its pool, before this trade. */
	priceUSD: decimalText().optional().catch(undefined),
	/** Percent by which the average price of this trade is worse than `priceUSD`, without fees and taxes. */
	priceImpact: z.number().optional().catch(undefined),
	/** Percent of the pool's money (buy) or tokens (sell) that this trade adds. */
	poolShare: z.number().optional().catch(undefined),
	/** Percent that the token itself takes of each purchase and sale. */
	buyTax: z.number().optional().catch(undefined),
	sellTax: z.number().optional().catch(undefined),
	/** When the pool was as this quote saw it, Unix ms of the service's market. */
	marketTimeMs: z.number().optional().catch(undefined),
}));

/** A quote (spec 4.5, contract gaps 4.2). Only a gasless one has `sponsorGate`. */
export const quoteSchema = once(() =>
	z.object({
		/** Opaque; the idempotency key of the execute, shown to the person and put into addresses. */
		intentId: patterned(/^[^\p{C}]{1,200}$/u, 'be 1 to 200 characters, none of them a control character'),
		estimatedAmountOut: z.string(),
		estimatedAmountOutUsd: z.string().optional(),
		minAmountOut: z.string(),
		recommendedSlippage: z.number().nullish(),
		appliedSlippage: z.number().nullish(),
		/** Here in the spec; in `fees` on the live service. Ours writes both. */
		totalFeeUsd: z.string().optional(),
		fees: z.object({
			bridgeFeeBps: z.number().optional(),
			gasFeeUsd: z.string().optional(),
			totalFeeUsd: z.string().optional(),
			originSponsorGasUsd: z.string().optional(),
		}),
		estimatedTimeMs: z.number().optional(),
		maxTradeUsd: z.number().nullish(),
		steps: z.array(quoteStepSchema()).optional(),
		deposit: z
			.object({
				evm: transaction().optional(),
				solana: z.record(z.string(), z.unknown()).optional(),
				hl: z.record(z.string(), z.unknown()).optional(),
			})
			.nullish(),
		typedData: typedData().nullish(),
		/** Unix seconds. */
		deadline: z.union([z.number(), z.string()]).nullish(),
		sponsorGate: z.object({batchExecutor: evmAddress(), gasToken: evmAddress(), minBalance: integerText()}).nullish(),
		...launchFigures(),
	}),
);

export const quoteResponseSchema = once(() => z.object({data: quoteSchema()}));

/** An EIP-7702 authorization as it travels: no `v`, since JSON has no big integers (spec 4.4). */
const authorizationSchema = once(() =>
	z.object({
		chainId: z.int().min(0),
		address: evmAddress(),
		nonce: z.int().min(0),
		yParity: z.int().min(0).max(1),
		r: patterned(/^0x[0-9a-fA-F]{1,64}$/, 'be at most 32 bytes of hex'),
		s: patterned(/^0x[0-9a-fA-F]{1,64}$/, 'be at most 32 bytes of hex'),
	}),
);

/** A call of a batch. Only "0" is a value that the service takes (spec 4.4). */
export const callSchema = once(() =>
	z.object({to: evmAddress(), value: integerText().meta({const: '0'}), data: hexBytes()}),
);

/** Body of POST /api/2/bridge/execute (spec 4.4). Shape only: the six checks are the service's. */
export const executeBodySchema = once(() =>
	z.looseObject({
		originChainId: z.string().min(1),
		intentId: z.string().min(1).max(200),
		authority: evmAddress(),
		calls: z.array(callSchema()).min(1).max(BRIDGE.maxCalls),
		batchNonce: integerText(),
		/** Unix seconds. */
		deadline: integerText(),
		gasToken: evmAddress(),
		minBalance: integerText(),
		batchSignature: signature65(),
		/** One tuple, or none when the account is delegated to the executor already. */
		authorizationList: z.array(authorizationSchema()).max(1).optional(),
		signature: z.string().optional(),
		executionKind: z.literal('sponsored7702').optional(),
		/** The last step's type (contract gaps 4.6). */
		entrypoint: z.enum(['bridgeToken', 'swapAndBridge']).optional(),
	}),
);

/** 200 means broadcast, not success. */
export const executeResponseSchema = once(() =>
	z.object({
		data: z.object({
			intentId: z.string(),
			status: z.literal('pending'),
			depositTxHash: hash32(),
			sponsoredGasLimit: integerText(),
			message: z.string(),
		}),
	}),
);

const moment = once(() => z.string().nullish());

/** A status row (spec 2.4, contract gaps 4.4). Only `status` is certain. */
export const bridgeStatusSchema = once(() =>
	z.object({
		id: z.string().optional(),
		intentId: z.string().optional(),
		status: openEnum(BRIDGE_STATUSES),
		failureReason: z
			.union([z.string(), z.looseObject({code: z.string().optional(), reason: z.string().optional()})])
			.nullish(),
		originChainId: z.string().optional(),
		destinationChainId: z.string().optional(),
		originToken: z.string().optional(),
		destinationToken: z.string().optional(),
		sender: z.string().optional(),
		recipient: z.string().optional(),
		/** In units of the token. */
		amountIn: z.string().nullish(),
		amountInUsd: z.number().nullish(),
		amountOut: z.string().nullish(),
		amountOutUsd: z.number().nullish(),
		depositTxHash: z.string().nullish(),
		fillTxHash: z.string().nullish(),
		settleTxHash: z.string().nullish(),
		fillTxHashPending: z.boolean().optional(),
		/** From the deposit seen to the fill confirmed. */
		latencyMs: z.number().nullish(),
		timestamps: z
			.object({depositDetected: moment(), fillSent: moment(), fillConfirmed: moment(), settled: moment()})
			.nullish(),
		createdAt: isoDate().optional(),
		message: z.string().optional(),
	}),
);

export const bridgeStatusResponseSchema = once(() => z.object({data: bridgeStatusSchema()}));

/** `intentId`, the on-chain id, or the hash of the deposit or fill. */
export const bridgeStatusParamsSchema = once(() => z.object({intentId: z.string().min(1).max(200)}));

/** Answer of GET /api/2/bridge/routes (contract gaps 4.3). */
export const routesResponseSchema = once(() =>
	z.object({
		data: z.object({
			routes: z.array(
				z.object({
					originChainId: z.string(),
					destinationChainId: z.string(),
					estimatedTimeMs: z.number(),
					feeBps: z.number(),
					maxTradeUsd: z.number().nullish(),
					/** Symbols, with commas between them; ours says `market` where launches of its market are bought and sold. */
					supportedTokens: z.string(),
				}),
			),
		}),
	}),
);

/** Query of GET /api/2/bridge/history (contract gaps 4.5). */
export const bridgeHistoryQuerySchema = once(() =>
	z.looseObject({
		wallet: z.string().optional(),
		intentId: z.string().optional(),
		limit: numeric().pipe(z.int().min(1).max(100)).default(50),
		cursor: z.string().optional(),
		status: z.string().optional(),
		originChainId: z.string().optional(),
		destinationChainId: z.string().optional(),
		createdAfter: z.string().optional(),
		createdBefore: z.string().optional(),
		order: z.enum(['asc', 'desc']).default('desc'),
	}),
);

/** Unlike the status, amounts here are raw base units and times Unix ms. */
export const bridgeHistoryResponseSchema = once(() =>
	z.object({
		data: z.array(
			z.looseObject({
				intentId: z.string(),
				status: openEnum(BRIDGE_STATUSES),
				amountIn: decimalText().nullish(),
				amountOut: decimalText().nullish(),
				createdAt: z.number().nullish(),
			}),
		),
		pagination: z.object({
			limit: z.number(),
			pageEntries: z.number(),
			nextCursor: z.string().nullable(),
			resumeCursor: z.string().nullable(),
		}),
	}),
);

export type QuoteRequest = z.output<ReturnType<typeof quoteQuerySchema>>;
export type Quote = z.output<ReturnType<typeof quoteSchema>>;
export type QuoteStep = z.output<ReturnType<typeof quoteStepSchema>>;
export type Call = z.output<ReturnType<typeof callSchema>>;
export type ExecuteBody = z.output<ReturnType<typeof executeBodySchema>>;
export type ExecuteResult = z.output<ReturnType<typeof executeResponseSchema>>['data'];
export type BridgeStatusRow = z.output<ReturnType<typeof bridgeStatusSchema>>;
