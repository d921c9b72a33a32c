import {expect, test} from 'vitest';
import {executeBodySchema, quoteQuerySchema} from '../../../source/contract/bridge.ts';
import {parseRequest} from '../../../source/contract/schema.ts';
import {explain} from '../../../source/errors.ts';

const said = (act: () => unknown): string => {
	try {
		act();
	} catch (error) {
		const {what, why} = explain(error);
		return `${what}: ${why}`;
	}
	return 'it was taken';
};

test.each([
	['authority', 'me', 'authority must be an EVM address: got "me"'],
	['batchNonce', '0x1', 'batchNonce must be a whole number as text: got "0x1"'],
	['batchSignature', '0x12', 'batchSignature must be a signature of 65 bytes: got "0x12"'],
])('a text of the wrong form is refused with the form that is expected: %s', (field, value, words) => {
	const body = {
		originChainId: 'evm:8453',
		intentId: 'i',
		authority: `0x${'1'.repeat(40)}`,
		calls: [{to: `0x${'1'.repeat(40)}`, value: '0', data: '0x'}],
		batchNonce: '1',
		deadline: '1',
		gasToken: `0x${'1'.repeat(40)}`,
		minBalance: '1',
		batchSignature: `0x${'1'.repeat(130)}`,
		[field]: value,
	};
	expect(said(() => parseRequest(executeBodySchema(), body))).toBe(words);
});

test('a query is refused in the same words, and a number that came as text once, not for each of its forms', () => {
	const query = {
		originChainId: 'evm:8453',
		destinationChainId: 'evm:137',
		originToken: 'a',
		destinationToken: 'b',
		walletAddress: 'w',
		amount: '1,5',
	};
	expect(said(() => parseRequest(quoteQuerySchema(), query))).toBe('amount must be a decimal number: got "1,5"');
});
