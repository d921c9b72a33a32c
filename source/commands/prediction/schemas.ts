import * as z from 'zod';
import {iso, text} from '../output/document-parts.ts';
import {money} from '../trading/schemas.ts';

/*
 * The shapes of what the market commands print as JSON: strict, as all of them (see output-schemas.ts). What the service
 * does not report is absent. Alpha, as the API behind them.
 */

const usd = z.number().describe('US dollars');
const price = z.number().describe('US dollars for one share, 0 to 1');
const percent = z.number();

const market = z.strictObject({
	id: text,
	platform: text,
	marketId: text,
	slug: text.optional(),
	chainId: text.optional(),
	contractAddress: text.optional(),
	negRisk: z.boolean().optional(),
	question: text,
	description: text.optional(),
	category: text.optional(),
	tags: z.array(text).optional(),
	type: text.optional(),
	status: text.optional(),
	eventId: text.optional(),
	eventSlug: text.optional(),
	eventTitle: text.optional(),
	outcomes: z.array(
		z.strictObject({
			id: text.optional(),
			outcomeId: text,
			label: text,
			priceUSD: price,
			priceChange24hPercentage: percent.optional(),
			priceChange7dPercentage: percent.optional(),
			volume24hUSD: usd.optional(),
			volume7dUSD: usd.optional(),
			totalVolumeUSD: usd.optional(),
			liquidityUSD: usd.optional(),
			openInterestUSD: usd.optional(),
			holdersCount: z.number().optional(),
		}),
	),
	stats: z.strictObject({
		totalVolumeUSD: usd.optional(),
		volume24hUSD: usd.optional(),
		volume7dUSD: usd.optional(),
		liquidityUSD: usd.optional(),
		tradesCount: z.number().optional(),
		trades24h: z.number().optional(),
		openInterestUSD: usd.optional(),
		holdersCount: z.number().optional(),
	}),
	metadata: z
		.strictObject({
			createdAt: iso.optional(),
			resolvedAt: iso.optional(),
			endDate: iso.optional(),
			resolved: z.boolean(),
			resolvedOutcome: text.optional(),
			logo: text.optional(),
			url: text.optional(),
			creator: text.optional(),
			resolver: text.optional(),
			rewardPool: z.number().optional(),
			platformFee: z.number().optional(),
		})
		.optional(),
	reference: z
		.strictObject({
			type: text.optional(),
			symbol: text.optional(),
			marketType: text.optional(),
			priceToBeat: z.strictObject({price: z.number(), timestamp: z.union([z.number(), text])}).optional(),
			finalPrice: z.number().optional(),
			current: z.number().optional(),
		})
		.optional(),
});

const {address, amount, hash, mode, review, who} = money;
const action = z.enum(['deploy', 'deposit', 'withdraw']);
const transaction = z.strictObject({
	chainId: z.number().int(),
	to: address,
	data: text,
	value: z.literal('0'),
	nonce: z.number().int(),
});

/** Entries of OUTPUT_SCHEMAS. */
export const MARKET_SCHEMAS = {
	'market-show': z.strictObject({
		schema: z.literal('pulsetop.market-show/1'),
		markets: z.array(market),
		missing: z.array(text).describe('ids without a readable record in the response'),
	}),
	'market-status': z.strictObject({
		schema: z.literal('pulsetop.market-status/1'),
		mode,
		wallet: z.strictObject({name: text.optional(), address}),
		account: z.strictObject({
			address,
			isDeployed: z.boolean(),
			balances: z.strictObject({usdce: text.optional(), pusd: text.optional()}).describe('as the service reports them'),
		}),
	}),
	'market-plan': z
		.strictObject({
			schema: z.literal('pulsetop.market-plan/1'),
			...who,
			planHash: hash.describe('what --yes --plan takes'),
			action,
			amount: amount.optional(),
			account: address,
			typedData: z.record(text, z.unknown()).optional().describe('EIP-712, of a deployment'),
			digest: hash.optional().describe('what the wallet would sign first, for a deployment'),
			transaction: transaction
				.optional()
				.describe('what the wallet would sign and send; that of a deployment follows from its signature'),
			...review,
		})
		.describe('what market deploy, deposit and withdraw print with --dry-run'),
	'market-act': z
		.strictObject({
			schema: z.literal('pulsetop.market-act/1'),
			...who,
			action,
			amount: amount.optional(),
			account: address,
			phase: z.enum([
				'choosing',
				'built',
				'reviewed',
				'signing',
				'sent',
				'done',
				'unseen',
				'reverted',
				'refused',
				'replaced',
			]),
			title: text,
			text,
			txHash: text.optional(),
			said: text.optional(),
			lines: review.lines,
			checks: review.checks,
		})
		.describe('what market deploy, deposit and withdraw print'),
} as const;
