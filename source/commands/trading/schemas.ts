import * as z from 'zod';
import {EVM_ADDRESS} from '../../address.ts';
import {PIN_ROLES} from '../../trading/known-contracts.ts';

/*
 * The shapes of what the money commands print as JSON: strict, as all of them (see output-schemas.ts). Amounts are texts,
 * never numbers. None of them has room for a key or a passphrase.
 */

const ms = z.number().int().describe('Unix milliseconds');
const text = z.string();
const mode = z.enum(['practice', 'real']);
const address = text.regex(EVM_ADDRESS);
const hash = text.regex(/^(0x)?[0-9a-f]{64}$/);
const amount = text.regex(/^\d+(\.\d+)?$/).describe('whole tokens, exactly');
const next = z.enum([
	'fix-input',
	'requote',
	'retry-same',
	'retry-later',
	'poll-status',
	'unlock',
	'restart',
	'report',
]);

const who = {mode, wallet: z.strictObject({name: text, address})};
const lines = z.array(
	z.strictObject({label: text, text, isMarked: z.literal(true).optional().describe('worth a second look')}),
);
const checks = z.array(
	z.strictObject({
		name: text.describe('stable'),
		title: text,
		ok: z.boolean(),
		isUnavailable: z.literal(true).optional().describe('it could not be checked'),
		detail: text,
		advice: text.optional().describe('the way out of a failure that a new proposal would not mend'),
		acknowledge: text.optional().describe('a figure that --accept must name before the trade is signed'),
	}),
);
const role = z.enum(PIN_ROLES);
const review = {
	isReady: z.boolean().describe('whether every check passed'),
	lines,
	checks,
	toAccept: z
		.array(
			z.strictObject({
				role,
				address: text,
				fingerprint: hash.describe('keccak256 of code and address, from the chain: its end accepts it'),
				code: text.describe('what it is'),
				why: text.optional().describe('why it is asked for, where that is not its first use'),
			}),
		)
		.describe('contracts that are met for the first time'),
};

/** What money documents are made of. */
export const money = {address, amount, hash, mode, review, who};

/** What a transfer would sign. */
const signedPlan = {
	planHash: hash.describe('what --yes --plan takes'),
	body: z.record(text, z.unknown()).describe('the execute body without its signatures'),
	typedData: z.record(text, z.unknown()).describe('EIP-712'),
	digest: hash.describe('what the wallet would sign'),
	authorization: z
		.strictObject({chainId: z.number().int(), address, nonce: z.number().int(), digest: hash})
		.optional()
		.describe('EIP-7702, on the first transfer of an account'),
};

const intent = z.strictObject({
	intentId: text,
	phase: z.enum([
		'draft',
		'quoted',
		'reviewed',
		'confirmed',
		'signing',
		'sending',
		'unclear',
		'retryable',
		'unaccepted',
		'pending',
		'deposited',
		'filling',
		'retrying',
		'progressing',
		'claimed',
		'filled',
		'settled',
		'refunded',
		'failed',
		'refused',
		'lapsed',
		'cancelled',
	]),
	isEnd: z.boolean(),
	title: text,
	text,
	next: next.optional(),
	attempts: z.number().int().describe('how many batches were sent, or may have been'),
	depositTxHash: text.optional(),
	fillTxHash: text.optional(),
	said: text.optional().describe('what the service said last'),
	httpStatus: z.number().int().optional(),
	deadlineS: z.number().int().optional().describe('Unix seconds'),
	liveUntilS: z.number().int().optional().describe('until when a batch that was sent can be executed, Unix seconds'),
	claim: z
		.enum(['filled', 'settled', 'refunded', 'failed'])
		.optional()
		.describe('the end that the service says and no chain shows yet'),
	leftTxHash: text.optional().describe('where the origin chain shows the tokens leave'),
	revertedTxHash: text
		.optional()
		.describe('a transaction of it that the origin chain shows as reverted: its batch stays live until liveUntilS'),
	likeTxHash: text.optional().describe('a payment of the same amount that is not shown to be of this transfer'),
	isFinal: z.boolean().optional().describe('whether no reorganisation can replace the blocks that show the end'),
	isShort: z.literal(true).optional().describe('less than the promised minimum arrived'),
	isTakenBack: z.literal(true).optional().describe('an end was shown by a block that was replaced since'),
	sentAtMs: ms.optional(),
	readAtMs: ms.optional(),
	transfer: z
		.strictObject({
			atMs: ms,
			originChainId: text,
			originToken: text,
			destinationChainId: text,
			destinationToken: text.optional(),
			amount,
			symbol: text,
			authority: address,
			recipient: text,
		})
		.optional()
		.describe('absent for an intent that was not sent from here'),
});

const order = z.strictObject({
	key: text.describe('its name: what perp cancel takes'),
	dex: z.enum(['dexA', 'dexB']),
	chainId: text,
	marketId: text,
	index: text.describe('its number'),
	orderType: z.enum(['order', 'tp', 'sl']),
	side: text.describe('BUY or SELL').optional(),
	kind: text,
	sizeUSD: z.number().optional(),
	leverage: z.number().optional(),
	price: z.number().optional(),
	collateralAsset: text.optional(),
});

const cancelPhase = z.enum([
	'choosing',
	'built',
	'reviewed',
	'signing',
	'sending',
	'running',
	'claimed',
	'unaccepted',
	'unclear',
	'done',
	'refused',
	'failed',
]);

const wallet = z.strictObject({
	name: text,
	mode,
	address: address.optional(),
	isExposed: z.boolean().describe('others on this machine may read its file'),
	problem: text.optional(),
});

const limit = z.strictObject({perTransaction: amount, perDay: amount});

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
export const MONEY_SCHEMAS = {
	wallet: z.strictObject({schema: z.literal('pulsetop.wallet/1'), wallet}),
	'wallet-list': z.strictObject({
		schema: z.literal('pulsetop.wallet-list/1'),
		mode: mode.describe('the mode here, which the service decides'),
		wallets: z.array(wallet.extend({actsHere: z.boolean()})),
	}),
	'wallet-limits': z.strictObject({
		schema: z.literal('pulsetop.wallet-limits/1'),
		mode,
		limits: z.array(
			limit.extend({
				chainId: text,
				token: text,
				spentToday: amount.describe('in the last 24 hours'),
				isLowest: z
					.literal(true)
					.optional()
					.describe('the file of limits is missing or was changed: the lowest limit holds until it is set again'),
			}),
		),
		usual: z.strictObject({token: limit, native: limit}).describe('for tokens and coins that are not listed'),
	}),
	'wallet-pins': z.strictObject({
		schema: z.literal('pulsetop.wallet-pins/1'),
		mode,
		pins: z.array(z.strictObject({chainId: text, role, address, codeHash: hash.optional(), atMs: ms})),
	}),
	'wallet-log': z.strictObject({
		schema: z.literal('pulsetop.wallet-log/1'),
		mode,
		total: z.number().int(),
		records: z.array(
			z.strictObject({
				seq: z.number().int(),
				atMs: ms,
				kind: text,
				id: text,
				data: z.record(text, z.unknown()),
				prev: hash,
				hash,
			}),
		),
	}),
	'wallet-fund': z.strictObject({
		schema: z.literal('pulsetop.wallet-fund/1'),
		...who,
		balances: z.array(z.strictObject({chainId: text, token: text, symbol: text, balance: amount})),
	}),
	'bridge-quote': z.strictObject({
		schema: z.literal('pulsetop.bridge-quote/1'),
		...who,
		request: z.strictObject({
			originChainId: text,
			destinationChainId: text,
			originToken: text,
			destinationToken: text.optional(),
			amountRaw: text.regex(/^\d+$/),
			decimals: z.number().int(),
			symbol: text,
			recipient: text,
			slippage: z.number().optional().describe('percent that was asked for'),
		}),
		quote: z.record(text, z.unknown()).describe('as the service gave it'),
		quotedAtMs: z.number(),
		...review,
	}),
	'bridge-plan': z
		.strictObject({
			schema: z.literal('pulsetop.bridge-plan/1'),
			...who,
			...signedPlan,
			...review,
		})
		.describe('what bridge execute --dry-run prints'),
	'bridge-execute': z.strictObject({schema: z.literal('pulsetop.bridge-execute/1'), ...who, intent}),
	'bridge-status': z.strictObject({schema: z.literal('pulsetop.bridge-status/1'), mode, intents: z.array(intent)}),
	'bridge-list': z.strictObject({schema: z.literal('pulsetop.bridge-list/1'), mode, intents: z.array(intent)}),
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
	'perp-orders': z.strictObject({
		schema: z.literal('pulsetop.perp-orders/1'),
		...who,
		orders: z.array(order),
		cancels: z
			.array(z.strictObject({key: text, atMs: ms, phase: cancelPhase, title: text, text}))
			.describe('sent by an earlier run, whose end it did not see'),
	}),
	'perp-plan': z
		.strictObject({
			schema: z.literal('pulsetop.perp-plan/1'),
			...who,
			planHash: hash.describe('what --yes --plan takes'),
			order,
			body: z.record(text, z.unknown()).describe('the request for the payload, without its signature'),
			text: text.describe('what the wallet would sign, by EIP-191'),
			digest: hash,
			isReady: z.boolean().describe('whether it can be executed as it is; else the exit code is 3'),
			checks: checks.describe('those that need no payload'),
		})
		.describe('what perp cancel --dry-run prints'),
	'perp-cancel': z.strictObject({
		schema: z.literal('pulsetop.perp-cancel/1'),
		...who,
		order,
		phase: cancelPhase,
		title: text,
		text,
		claim: z.enum(['done', 'failed']).optional().describe('the end that the service says and nothing shows yet'),
		txHash: text.optional(),
		processId: text.optional(),
		said: text.optional(),
		httpStatus: z.number().int().optional(),
		lines,
		checks,
		signed: z.array(z.strictObject({what: text, text})).describe('every text that was signed'),
	}),
} as const;
