import {afterEach, beforeEach, expect, test} from 'vitest';
import {explain} from '../../source/errors.ts';
import type {EvmNode} from '../../source/rpc/evm/node.ts';
import {createEvmNode, type EvmNodeOptions} from '../../source/rpc/evm/node-client.ts';
import {NodeRefused, NodeUnanswered} from '../../source/rpc/node-errors.ts';
import {DrivenClock} from '../helpers/driven-clock.ts';
import {type HostileNode, startHostileNode} from '../helpers/hostile-node.ts';
import {PlayedChain} from '../helpers/played-chain.ts';

let chain: PlayedChain;
let first: HostileNode;
let second: HostileNode;
const open: EvmNode[] = [];

beforeEach(async () => {
	chain = new PlayedChain();
	chain.mineEmpty(5);
	first = await startHostileNode(chain);
	second = await startHostileNode(chain);
});

afterEach(async () => {
	await Promise.all(open.splice(0).map(node => node.close()));
	await Promise.all([first.close(), second.close()]);
});

function createNode(urls: readonly string[], options: Partial<EvmNodeOptions> = {}): EvmNode {
	const node = createEvmNode({urls, chain: 8453, callsPerSecond: 5000, deadlineMs: 1000, ...options});
	open.push(node);
	return node;
}

const blockNumber = (node: EvmNode) => node.call('eth_blockNumber', []);
const host = (node: HostileNode) => new URL(node.url).host;
const failure = async (work: Promise<unknown>) =>
	work.then(
		() => expect.fail('no failure'),
		(error: Error) => error,
	);
const methods = (node: HostileNode) => node.asked.map(({method}) => method);

test.each(['url', 'wsUrl'] as const)('calls are answered, alone and many in one request (%s)', async address => {
	const node = createNode([first[address]]);
	expect(await blockNumber(node)).toBe('0x5');
	const outcomes = await node.calls([
		{method: 'eth_blockNumber', params: []},
		{method: 'eth_nonsense', params: []},
		{method: 'eth_getBlockByNumber', params: ['0x2', false]},
	]);
	expect(outcomes.map(({ok}) => ok)).toEqual([true, false, true]);
	expect(outcomes[2]).toMatchObject({result: {number: '0x2'}});
	expect(first.requests).toBe(3);
	expect(node.traffic.callsPerMinute).toBe(5);
	expect(node.traffic.bytesPerSecond).toBeGreaterThan(0);
});

test.each(['url', 'wsUrl'] as const)('a node that takes no batches is asked one by one (%s)', async address => {
	first.maxInBatch = 3;
	const node = createNode([first[address]]);
	const calls = Array.from({length: 10}, (_, i) => ({method: 'eth_getBlockByNumber', params: [`0x${i % 6}`, false]}));
	const outcomes = await node.calls(calls);
	expect(outcomes.map(outcome => outcome.ok && (outcome.result as {number: string}).number)).toEqual(
		calls.map(({params}) => params[0]),
	);
});

test.each([
	['refuses the rest as too many for a batch', () => ({code: -32014, message: 'over the maximum batch size'})],
	['refuses the rest without naming the calls', () => ({code: -32016, message: 'over rate limit'})],
	['leaves the rest out', () => undefined],
])('what a node answers of a batch is kept when it %s', async (_, refusal) => {
	const TAKEN = 3;
	let place = 0;
	const node = createNode([first.url], {clock: new DrivenClock()});
	const ask = (count: number) => {
		place = 0;
		return node.calls(
			Array.from({length: count}, (_, i) => ({method: 'eth_getBlockByNumber', params: [`0x${i % 6}`, false]})),
		);
	};
	let requests = 0;
	first.wrap(answer => {
		if (first.requests !== requests) place = 0;
		requests = first.requests;
		if (place++ < TAKEN) return answer;
		const error = refusal();
		return {jsonrpc: '2.0', id: error && error.code === -32014 ? answer['id'] : null, ...(error && {error})};
	});
	const outcomes = await ask(10);
	expect(outcomes.map(outcome => outcome.ok && (outcome.result as {number: string}).number)).toEqual(
		Array.from({length: 10}, (_, i) => `0x${i % 6}`),
	);
	const asked = first.asked.filter(({method}) => method === 'eth_getBlockByNumber').length;
	expect(asked).toBeLessThan(10 + 7 + 4 + 7);
});

test('a node of another chain is never believed', async () => {
	first.chain = new PlayedChain({chainId: 1});
	const node = createNode([first.url, second.url]);
	expect(await blockNumber(node)).toBe('0x5');
	expect(node.host).toBe(host(second));
	expect(methods(first)).toEqual(['eth_chainId']);
	const alone = createNode([first.url]);
	expect(explain(await failure(blockNumber(alone)))).toMatchObject({
		code: 'node-unanswered',
		why: `${host(first)}: it is a node of chain 1, not of 8453`,
	});
});

test('the chain of a node is proven again after a failure', async () => {
	const node = createNode([first.url]);
	await blockNumber(node);
	let isCut = true;
	first.lie(() => (isCut ? 'cut' : undefined));
	await failure(blockNumber(node));
	first.chain = new PlayedChain({chainId: 1});
	isCut = false;
	const error = await failure(blockNumber(node));
	expect((error as NodeUnanswered).why).toContain('chain 1');
});

test.each([
	['cuts', 'cut'],
	['never answers', 'silence'],
	['is overloaded', {status: 503}],
	['asks too often', {status: 429, headers: {'retry-after': '60'}}],
	['rejects the key', {status: 401}],
	['sends no JSON', {rawBody: '<html>'}],
	['sends something else', {rawBody: '{"jsonrpc":"2.0","id":999999,"result":"0x1"}'}],
	['sends a null', {rawBody: 'null'}],
	[
		'limits the rate by a refusal',
		{refusal: {code: -32005, message: 'daily request count exceeded, request rate limited'}},
	],
] as const)('the next node is asked when one %s', async (_, lie) => {
	const node = createNode([first.url, second.url]);
	first.lie(() => lie);
	expect(await blockNumber(node)).toBe('0x5');
	expect(node.host).toBe(host(second));
	const before = first.requests;
	expect(await blockNumber(node)).toBe('0x5');
	expect(first.requests).toBe(before);
});

test('a websocket that is cut is opened again', async () => {
	const node = createNode([first.wsUrl]);
	await blockNumber(node);
	first.cutAll();
	expect(await blockNumber(node)).toBe('0x5');
});

test('an answer without end is not read to its end', async () => {
	const node = createNode([first.url], {maxBytes: 100_000});
	first.lie(({method}) => (method === 'eth_chainId' ? undefined : {result: 'x'.repeat(200_000)}));
	const error = (await failure(blockNumber(node))) as NodeUnanswered;
	expect(error).toBeInstanceOf(NodeUnanswered);
	expect(error.tooMuch).toBe(true);
	expect(error.why).toMatch(/its answer is longer than 0\.\d+ MB/);
});

test('Retry-After is obeyed', async () => {
	const node = createNode([first.url]);
	await blockNumber(node);
	let isBusy = true;
	first.lie(() => (isBusy ? {status: 429, headers: {'retry-after': '1'}} : undefined));
	const asking = blockNumber(node);
	await expect.poll(() => first.requests).toBe(3);
	isBusy = false;
	const sinceMs = performance.now();
	expect(await asking).toBe('0x5');
	expect(performance.now() - sinceMs).toBeGreaterThan(500);
});

test('a node that asks for a long break is left alone, and its wish is passed on', async () => {
	const node = createNode([first.url]);
	first.lie(() => ({status: 429, headers: {'retry-after': '120'}}));
	const error = (await failure(blockNumber(node))) as NodeUnanswered;
	expect(error.retryInMs).toBeGreaterThan(100_000);
	expect(first.requests).toBe(1);
	await failure(blockNumber(node));
	expect(first.requests).toBe(1);
});

test('a refusal is the answer, and no other node is asked', async () => {
	first.lie(({method}) =>
		method === 'eth_call' ? {refusal: {code: 3, message: 'execution reverted', data: '0x08'}} : undefined,
	);
	const node = createNode([first.url, second.url]);
	const error = (await failure(node.call('eth_call', []))) as NodeRefused;
	expect(error).toBeInstanceOf(NodeRefused);
	expect(error).toMatchObject({rpcCode: 3, nodeMessage: 'execution reverted', data: '0x08'});
	expect(second.requests).toBe(0);
});

test('what one node does not offer, another may', async () => {
	first.lie(({method}) =>
		method === 'eth_blockNumber' ? {refusal: {code: -32601, message: 'Method not found'}} : undefined,
	);
	const node = createNode([first.url, second.url]);
	expect(await blockNumber(node)).toBe('0x5');
	expect(await failure(createNode([first.url]).call('eth_blockNumber', []))).toBeInstanceOf(NodeRefused);
});

test('no part of an address but its host is in any error', async () => {
	const secret = 'k3y-abcdef0123456789';
	const urls = [
		`${first.url}/v2/${secret}?token=t0ken-${secret}`,
		second.url.replace('//', `//user-${secret}:pass-${secret}@`),
	];
	const node = createNode(urls);
	const texts: string[] = [];
	const note = (error: unknown) => {
		texts.push(JSON.stringify(explain(error)), String((error as Error).stack));
		if (error instanceof NodeRefused) texts.push(error.nodeMessage);
	};
	const words = `no such key ${secret} at https://${host(first)}/v2/${secret}\u001b[31m`;
	for (const lie of [{refusal: {code: -32000, message: words}}, {status: 401, body: words}, 'cut'] as const) {
		first.lie(({method}) => (method === 'eth_chainId' ? undefined : lie));
		second.lie(() => 'cut');
		note(await failure(blockNumber(node)));
	}
	expect(texts.join('\n')).toContain(host(first));
	expect(texts.join('\n')).not.toContain(secret);
	expect(texts.join('\n')).not.toContain('\u001b');
});

test('credentials in an address are sent as its header, over both protocols', async () => {
	for (const address of [first.url, first.wsUrl]) {
		expect(await blockNumber(createNode([address.replace('//', '//me:secr%40t@')]))).toBe('0x5');
	}
	const expected = `Basic ${Buffer.from('me:secr@t').toString('base64')}`;
	expect(first.authorizations).toEqual(new Set([expected]));
});

test('a new head is passed on while a websocket is there, also after it was cut', async () => {
	const node = createNode([first.url, second.wsUrl]);
	let heads = 0;
	const stop = node.onHead(() => heads++);
	const pushed = () => {
		second.pushHead();
		return heads;
	};
	await expect.poll(pushed).toBeGreaterThan(0);
	second.cutAll();
	heads = 0;
	await expect.poll(pushed).toBeGreaterThan(0);
	stop();
});

test('a node that lags is left for another, but never the only one', async () => {
	const node = createNode([first.url, second.url]);
	await blockNumber(node);
	expect(node.takeNext('it lags')).toBe(true);
	await blockNumber(node);
	expect(node.host).toBe(host(second));
	expect(node.takeNext('it lags too')).toBe(false);
	expect(await blockNumber(node)).toBe('0x5');
});

test('calls that wait end when the connection is closed', async () => {
	const node = createNode([first.url], {deadlineMs: 30_000});
	first.lie(() => 'silence');
	const asking = failure(blockNumber(node));
	await expect.poll(() => first.requests).toBe(1);
	await node.close();
	expect(await asking).toBeInstanceOf(NodeUnanswered);
	expect(await failure(blockNumber(node))).toBeInstanceOf(NodeUnanswered);
});
