import * as z from 'zod';
import {EVM_ADDRESS} from '../../address.ts';
import {PIN_ROLES} from '../../trading/known-contracts.ts';
import {wholeMs as ms, next, text} from '../output/document-parts.ts';

/*
 * Parts of what the money commands print as JSON: strict, as all of them (see output-schemas.ts). Amounts are texts, never
 * numbers. None of them has room for a key or a passphrase.
 */

const mode = z.enum(['practice', 'real']);
const address = text.regex(EVM_ADDRESS);
const hash = text.regex(/^(0x)?[0-9a-f]{64}$/);
const amount = text.regex(/^\d+(\.\d+)?$/).describe('whole tokens, exactly');

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

/** The data to sign for a transfer. */
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

/** Parts of the documents of the money commands. */
export const money = {address, amount, hash, intent, mode, ms, review, role, signedPlan, text, who};
