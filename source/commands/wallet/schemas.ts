import * as z from 'zod';
import {money} from '../trading/schemas.ts';

const {address, amount, hash, mode, ms, role, text, who} = money;

const wallet = z.strictObject({
	name: text,
	mode,
	address: address.optional(),
	isExposed: z.boolean().describe('others on this machine may read its file'),
	problem: text.optional(),
});

const limit = z.strictObject({perTransaction: amount, perDay: amount});

/** Entries of OUTPUT_SCHEMAS. */
export const WALLET_SCHEMAS = {
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
} as const;
