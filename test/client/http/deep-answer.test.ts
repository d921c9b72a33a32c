import {expect, test} from 'vitest';
import {createCall} from '../../../source/client/http/call.ts';
import type {Http} from '../../../source/client/http/http.ts';

const deep = (text: string) =>
	JSON.parse(`${text.repeat(100_000)}1${(text === '[' ? ']' : '}').repeat(100_000)}`) as unknown;

test.each([
	['lists', '['],
	['objects', '{"data":'],
])(
	'an answer of 100,000 levels of %s is one that cannot be understood, and no failure of the program',
	async (_, level) => {
		const http = {json: async () => ({body: {data: deep(level)}})} as unknown as Http;
		const call = createCall(http);
		const query = {wallet: '0x1', limit: 1};
		await expect(call('perpUnfilled', {query})).rejects.toMatchObject({code: 'wrong-answer'});
		await expect(call('bridgeStatus', {params: {intentId: 'i'}})).rejects.toMatchObject({code: 'wrong-answer'});
		await expect(
			call('bridgeQuote', {query: {originChainId: 'evm:1', destinationChainId: 'evm:2', walletAddress: '0x1'}}),
		).rejects.toMatchObject({code: 'wrong-answer'});
	},
);
