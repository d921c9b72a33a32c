import {intentHashOf} from '../../../source/contract/typed-data.ts';
import type {IntendedData} from '../../../source/trading/bridge/journal-fold.ts';
import {FILLED, REFUNDED, wordOf} from '../../../source/trading/evm-words.ts';
import {hexWord, type Moved} from './model-chain.ts';

/* An intent of 100 units from Base to Arbitrum, sent when both chains were at block 100, and the events of a bridge for it. */

export const BASE = 'evm:8453';
export const ARBITRUM = 'evm:42161';
const address = (digits: string): string => `0x${digits.repeat(20)}`;
export const BRIDGE = address('b1');
export const USDC = address('c0');
export const ME = address('ae');
export const STRANGER = address('57');
export const INTENT = 'intent-1';
export const intended: IntendedData = {
	originChainId: BASE,
	destinationChainId: ARBITRUM,
	originToken: USDC,
	destinationToken: USDC,
	destinationDecimals: 6,
	symbol: 'USDC',
	decimals: 6,
	amountRaw: '100',
	authority: ME,
	recipient: ME,
	attempt: 1,
	deadlineS: 1000,
	delegates: false,
	digest: '0x',
	target: BRIDGE,
	leastRaw: '90',
	originBlock: '100',
	destinationBlock: '100',
	mode: 'practice',
};

/** A payment of the bridge to the account. */
export const paid = (amountRaw: bigint, more: Partial<Moved> = {}): Moved => ({
	token: USDC,
	from: BRIDGE,
	to: ME,
	amountRaw,
	...more,
});
/** The event with which a bridge names the intent that it paid. */
export const filled = (amountRaw: bigint, {by = BRIDGE, intent = INTENT, to = ME, token = USDC} = {}) => ({
	address: by,
	topics: [FILLED, intentHashOf(intent), wordOf(to)],
	data: hexWord(BigInt(token)) + hexWord(amountRaw).slice(2),
});
/** The event with which a bridge gives a deposit back. */
export const refunded = (token = USDC, {by = BRIDGE, to = ME, intent = INTENT} = {}) => ({
	address: by,
	topics: [REFUNDED, intentHashOf(intent), hexWord(7n), wordOf(to)],
	data: hexWord(BigInt(token)) + hexWord(1n).slice(2),
});
