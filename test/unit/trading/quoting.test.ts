import {setTimeout} from 'node:timers/promises';
import {expect, test} from 'vitest';
import {requestQuote} from '../../../source/trading/bridge/quoting.ts';
import type {FlowOptions} from '../../../source/trading/flow.ts';

const HELD_MS = 60;
const request = {
	...{originChainId: 'evm:8453', destinationChainId: 'evm:56', originToken: '0xa1', symbol: 'USDC', decimals: 6},
	...{recipient: '0xb2', amountRaw: 12_500_000n},
} as Parameters<typeof requestQuote>[1];

test('a quote is as old as its question: an answer that was held back does not look fresh', async () => {
	const NOW_MS = 1_700_000_000_000;
	const queries: unknown[] = [];
	const options = {
		address: '0xc3',
		clock: {nowMs: () => NOW_MS},
		call: async (_name: string, given: unknown) => {
			queries.push(given);
			await setTimeout(HELD_MS);
			return {data: {intentId: 'i'}};
		},
	} as unknown as Pick<FlowOptions, 'call' | 'clock' | 'address'>;
	const {quote, quotedAtMs} = await requestQuote(options, request);
	expect(quote).toEqual({intentId: 'i'});
	// A timer can end a millisecond early.
	expect(quotedAtMs).toBeLessThanOrEqual(NOW_MS - HELD_MS + 1);
	expect(queries).toEqual([
		{query: expect.objectContaining({amount: '12.5', walletAddress: '0xb2', senderAddress: '0xc3', gasless: true})},
	]);
});
