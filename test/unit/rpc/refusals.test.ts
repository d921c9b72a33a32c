import {expect, test} from 'vitest';
import {type Refusal, readRefusal} from '../../../source/rpc/refusals.ts';

const MINUTES_10 = 600_000;
const range = (blocks?: number): Refusal => ({kind: 'range', ...(blocks !== undefined && {blocks})});
const wait = (facts: {waitMs?: number; perSecond?: number} = {}): Refusal => ({kind: 'wait', ...facts});

/*
 * The texts of providers, as they were seen, to eth_getLogs. Each means one thing; of two meanings one costs blocks or time for nothing.
 */
test.each<[text: string, code: number, Refusal, data?: unknown]>([
	// Alchemy
	[
		'Under the Free tier plan, you can make eth_getLogs requests with up to a 10 block range. Based on your parameters, this block range should work: [0x64, 0x6d]. Upgrade to PAYG for expanded block range.',
		-32600,
		range(10),
	],
	[
		'Log response size exceeded. You can make eth_getLogs requests with up to a 2K block range and no limit on the response size, or you can request any block range with a cap of 10K logs in the response. Based on your parameters and the response size limit, this block range should work: [0x64, 0xc7]',
		-32602,
		range(100),
	],
	[
		'Log response size exceeded. You can make eth_getLogs requests with up to a 2K block range and no limit on the response size',
		-32602,
		range(2000),
	],
	['Your app has exceeded its compute units per second capacity', 429, wait()],
	['Monthly capacity limit exceeded', 429, wait({waitMs: MINUTES_10})],
	// Infura
	['query returned more than 10000 results. Try with this block range [0x64, 0xc7].', -32005, range(100)],
	['query returned more than 10000 results', -32005, {kind: 'logs'}],
	['range 20000 exceeds limit of 10000', -32602, range(10_000)],
	['exceeded project rate limit', -32005, wait()],
	['project ID request rate exceeded', -32005, wait({waitMs: 30_000}), {rate: {backoff_seconds: 30}}],
	['daily request count exceeded, request rate limited', -32005, wait({waitMs: MINUTES_10})],
	[
		'daily request count exceeded, request rate limited',
		-32005,
		wait({waitMs: 1500}),
		{rate: {allowed_rps: 1, backoff_seconds: 1.5, current_rps: 1.3}},
	],
	// QuickNode
	['eth_getLogs is limited to a 10,000 range', -32614, range(10_000)],
	['eth_getLogs and eth_newFilter are limited to a 10,000 blocks range', -32614, range(10_000)],
	['50/second request limit reached - reduce calls per second or upgrade your account', -32007, wait({perSecond: 50})],
	['You have used all of your credits', -32012, wait({waitMs: MINUTES_10})],
	// dRPC
	['ranges over 10000 blocks are not supported on freetier', 35, range(10_000)],
	['query returns too many logs, narrow your filter: 20000', -32000, {kind: 'logs'}],
	['Request timeout on the free tier, please upgrade your tier to the paid one', 30, {kind: 'halve'}],
	// publicnode
	['exceed maximum block range: 50000', -32701, range(50_000)],
	['Archive requests require a personal token', 403, {kind: 'too-old'}],
	[
		'Please specify an address in your request or, to remove restrictions, order a dedicated full node',
		-32701,
		{kind: 'never'},
	],
	// Ankr, Cloudflare
	['block range is too wide', -32062, range()],
	['Unauthorized: You must authenticate your request with an API key', -32000, {kind: 'never'}],
	['Max range: 800', -32047, range(800)],
	// Chainstack
	['Block range limit exceeded. See more details at the pricing page.', -32602, range()],
	['Block range limit exceeded.', -32000, range()],
	["You've exceeded the RPS limit available on the current plan", 429, wait()],
	// Base
	['over rate limit', -32016, wait()],
	['no backend is currently healthy to serve traffic', -32011, {kind: 'next-node'}],
	['over the maximum batch size', -32014, {kind: 'batch'}],
	['upstream timed out', -32015, {kind: 'halve'}],
	// Nitro
	['logs matched by query exceeds limit of 10000', -32000, {kind: 'logs'}],
	['log query timed out', -32000, {kind: 'halve'}],
	// reth, geth
	['query exceeds max results 20000, retry with the range 100-199', -32602, range(100)],
	['query exceeds max block range 100000', -32602, range(100_000)],
	['block range extends beyond current head block', -32602, {kind: 'lagging'}],
	['exceed maximum block range, which is set to 2048', -32602, range(2048)],
	['block range greater than 2048 max', -32602, range(2048)],
	// 1RPC, bsc-dataseed: it says so to one block, too, and then nothing smaller is left to ask for.
	['response size should not greater than 10000000 bytes', -32000, {kind: 'halve'}],
	['limit exceeded', -32005, {kind: 'other'}],
	// Measured as misread before.
	['block range must be 0 - 50 blocks', -32602, range(50)],
	['invalid range: block range = 5120, max block range = 5000', -32602, range(5000)],
	['requested range too large: 20001 blocks, maximum is 20000', -32602, range(20_000)],
	[
		'One of the blocks specified in filter (fromBlock, toBlock or blockHash) cannot be found.',
		-32000,
		{kind: 'lagging'},
	],
	['resource not found', -32001, {kind: 'lagging'}],
	['rps limit', -32000, wait()],
	// Others.
	['block range is too large, max is 1k blocks', -32000, range(1000)],
	['pruned history unavailable', 4444, {kind: 'too-old'}],
	['missing trie node 1234', -32000, {kind: 'too-old'}],
	['header not found', -32000, {kind: 'lagging'}],
	['Too many requests, please try again in 5 seconds', -32000, wait({waitMs: 5000})],
	['rate limited', -32007, wait({waitMs: 2000}), {retry_after: 2}],
	['rate limited: 15 requests per second', -32005, wait({perSecond: 15})],
	['the method eth_getLogs does not exist/is not available', -32000, {kind: 'unknown-method'}],
	['', -32601, {kind: 'unknown-method'}],
	['', 429, wait()],
	['', -32007, wait()],
	['too many', -32000, range(16), {from: '0x10', to: '0x1f'}],
	['too many', -32000, {kind: 'other'}, {from: '0x10', to: 'x'}],
	['too many', -32000, {kind: 'other'}, 'Reverted'],
])('"%s" (%i) means what it says', (message, code, meaning, data) => {
	expect(readRefusal({code, message, data}, 'eth_getLogs')).toEqual(meaning);
});

test.each<[text: string, code: number, Refusal]>([
	['limit exceeded', -32005, wait()],
	['whatever', 429, wait()],
	['execution reverted: block range of the pool exceeded', 3, {kind: 'other'}],
	['execution reverted: rate limit exceeded', -32000, {kind: 'other'}],
	['slow down', 3, {kind: 'other'}],
	['request timed out', -32000, {kind: 'halve'}],
	['batch is too large', -32600, {kind: 'batch'}],
])('"%s" (%i) to a call for no logs is not about ranges', (message, code, meaning) => {
	expect(readRefusal({code, message}, 'eth_call')).toEqual(meaning);
});
