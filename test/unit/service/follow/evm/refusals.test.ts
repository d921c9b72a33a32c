import {expect, test} from 'vitest';
import {
	isBlockMissing,
	isRateLimit,
	isUnknownMethod,
	namedRange,
} from '../../../../../source/service/follow/evm/refusals.ts';

test.each([
	[429, 'whatever', 'eth_call', true],
	[-32005, 'daily request count exceeded, request rate limited', 'eth_getLogs', true],
	[-32000, 'Your app has exceeded its compute units per second capacity', 'eth_call', true],
	[-32005, 'limit exceeded', 'eth_call', true],
	[-32005, 'limit exceeded', 'eth_getLogs', false],
	[-32005, 'query returned more than 10000 results', 'eth_getLogs', false],
	[-32602, 'exceed maximum block range: 50000', 'eth_getLogs', false],
	[3, 'execution reverted', 'eth_call', false],
])('%i "%s" to %s is about the rate: %s', (code, message, method, isRate) => {
	expect(isRateLimit({code, message}, method)).toBe(isRate);
});

test.each([
	['exceed maximum block range: 2000', 2000],
	['eth_getLogs is limited to a 1,000 blocks range', 1000],
	['You can make eth_getLogs requests with up to a 10 block range', 10],
	['block range is too large, max is 1k blocks', 1000],
	['this block range should work: [0x64, 0xc7]', 100],
	['Try with this block range [0x64, 0x64].', 1],
	['query returned more than 10000 results', undefined],
	['limit exceeded', undefined],
	['exceed maximum block range: 50000', undefined],
])('"%s" names a range of %s', (nodeMessage, blocks) => {
	expect(namedRange({nodeMessage}, 5000)).toBe(blocks);
});

test('a range in the data of a refusal is taken', () => {
	expect(namedRange({nodeMessage: 'too many', data: {from: '0x10', to: '0x1f'}}, 500)).toBe(16);
	expect(namedRange({nodeMessage: 'too many', data: {from: '0x10', to: 'x'}}, 500)).toBeUndefined();
	expect(namedRange({nodeMessage: 'too many', data: 'Reverted'}, 500)).toBeUndefined();
});

test.each(['header not found', 'unknown block', 'block range extends beyond current head block'])(
	'"%s" says that a block is not there yet',
	nodeMessage => {
		expect(isBlockMissing({nodeMessage})).toBe(true);
	},
);

test('a method that a node does not offer differs from one that it refused', () => {
	expect(isUnknownMethod({rpcCode: -32601, nodeMessage: ''})).toBe(true);
	expect(isUnknownMethod({rpcCode: -32000, nodeMessage: 'the method eth_getLogs is not available'})).toBe(true);
	expect(isUnknownMethod({rpcCode: -32000, nodeMessage: 'execution reverted'})).toBe(false);
});
