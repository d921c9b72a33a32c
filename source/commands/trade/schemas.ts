import * as z from 'zod';
import {money} from '../trading/schemas.ts';

const {address, amount, intent, mode, ms, review, signedPlan, text, who} = money;
const dollars = text.regex(/^-?\d+(\.\d+)?$/).describe('US dollars, exactly');
const side = z.enum(['buy', 'sell']);
const traded = {wallet: address, chainId: text, token: address, symbol: text};

const settled = {
	end: z.enum(['traded', 'returned']).describe('returned: a sell whose dollars came back on the origin'),
	amount: amount.describe('tokens that arrived (buy) or left (sell), by the chain'),
	usd: dollars.describe('paid for a buy, got for a sell, fees in'),
	feesUSD: dollars.optional(),
	txHash: text.optional().describe("the transaction on the token's chain"),
};

const tradedRow = z
	.strictObject({
		side,
		chainId: text,
		token: address,
		symbol: text,
		name: text,
		phase: z.enum(['new', 'bonding', 'bonded']).optional(),
		decimals: z.number().int().optional(),
		priceUSD: z.number().optional(),
		liquidityUSD: z.number().optional(),
		isHoneypot: z.boolean().optional(),
		buyTax: z.number().optional().describe('percent'),
		sellTax: z.number().optional().describe('percent'),
		lookAlike: z.enum(['warn', 'bad']).optional(),
		marks: z.array(text).describe('risks in words'),
		createdAtMs: ms.optional(),
		readAtMs: ms,
	})
	.describe('the row of the feed that the trade was made by');

const position = z.strictObject({
	...traded,
	isHeld: z.boolean().describe('whether anything of it is there; one that could not be read counts by its trades'),
	amount: amount.optional().describe('on the chain; absent where that could not be read, which is not 0'),
	amountAtMs: ms.optional(),
	boughtHere: amount.optional(),
	notBoughtHere: amount.optional().describe('it has no cost'),
	movedElsewhere: amount.optional().describe('bought here and gone, with its part of the cost'),
	averageUSD: z.number().optional().describe('average cost of a whole token, fees in'),
	priceUSD: z.number().optional().describe('price in the feed'),
	priceAtMs: ms.optional(),
	costUSD: dollars.optional(),
	valueUSD: dollars.optional(),
	openUSD: dollars.optional().describe('value of what was bought here, less its cost'),
	openPercent: z.number().optional(),
	realisedUSD: dollars.describe('profit of the sells over the cost of what was sold'),
	withoutCostUSD: dollars.describe('proceeds of tokens that were not bought here'),
	paidUSD: dollars,
	proceedsUSD: dollars,
	feesUSD: dollars.describe('known fees of all trades, in the other figures already'),
	sinceMs: ms.optional(),
	notes: z.array(text).describe('what is unusual, in words'),
});

/** Entries of OUTPUT_SCHEMAS. */
export const TRADE_SCHEMAS = {
	'trade-plan': z
		.strictObject({
			schema: z.literal('pulsetop.trade-plan/1'),
			...who,
			trade: tradedRow,
			...signedPlan,
			...review,
			toAcknowledge: z
				.array(z.strictObject({name: text, value: text, word: text.describe('what --accept takes'), why: text}))
				.describe('what was not accepted by its name: while there is one the plan is not executed'),
		})
		.describe('what buy --dry-run and sell --dry-run print'),
	trade: z
		.strictObject({
			schema: z.literal('pulsetop.trade/1'),
			...who,
			trade: tradedRow,
			intent,
			settled: z.strictObject(settled).optional(),
		})
		.describe('what buy and sell print'),
	positions: z.strictObject({
		schema: z.literal('pulsetop.positions/1'),
		mode,
		positions: z.array(position),
		sums: z
			.strictObject({
				valueUSD: dollars,
				costUSD: dollars,
				openUSD: dollars,
				realisedUSD: dollars,
				withoutCostUSD: dollars,
				feesUSD: dollars,
				withoutValue: z.number().int().describe('held, and in no sum: not read, or without a price'),
			})
			.describe('realised and fees over all trades, the others over what is held'),
		underWay: z.array(
			z.strictObject({
				intentId: text,
				...traded,
				side,
				sinceMs: ms,
				state: z.enum(['moving', 'unseen']).describe('unseen: the service says that it ended, no chain shows it'),
			}),
		),
	}),
	trades: z
		.strictObject({
			schema: z.literal('pulsetop.trades/1'),
			mode,
			trades: z.array(
				z.strictObject({
					intentId: text,
					...traded,
					side,
					...settled,
					realisedUSD: dollars.optional(),
					withoutCostUSD: dollars.optional(),
					isGone: z.literal(true).optional().describe('on a practice chain that was reset since'),
					atMs: ms,
				}),
			),
		})
		.describe('what positions --history prints'),
} as const;
