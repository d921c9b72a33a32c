import {parseTransaction} from 'viem';
import {afterEach, describe, expect, test} from 'vitest';
import {createJsonRpc, type JsonRpc} from '../../../source/rpc/json-rpc.ts';
import {createSender, type Prepared, SendRejected, SendUncertain} from '../../../source/service/chain/sender.ts';
import {holdTimeouts} from '../../helpers/held-timeouts.ts';
import {PATIENCE_MS} from '../../helpers/patience.ts';
import {type FakeNode, fakeNode, type Reaction} from './fake-node.ts';
import {newUser} from './practice.ts';

const open: (FakeNode | JsonRpc)[] = [];
afterEach(async () => {
	await Promise.all(open.splice(0).map(thing => thing.close()));
});

const outgoing = {to: newUser().address, gas: 21_000n};

/** A sender whose node has a preset reaction to each raw transaction, and is otherwise real. */
async function senderWith(
	onSend: (call: number) => Reaction,
	{pending = () => 5, onWrite = {result: true}}: {pending?: () => number; onWrite?: Reaction} = {},
) {
	let sent = 0;
	const node = await fakeNode(method => {
		if (method === 'eth_sendRawTransaction') return onSend(++sent);
		if (method === 'anvil_setStorageAt') return onWrite;
		if (method === 'eth_getTransactionCount') return {result: `0x${pending().toString(16)}`};
		if (method === 'eth_getBlockByNumber') return {result: {baseFeePerGas: '0x64'}};
		return {result: '0x1'};
	});
	const rpc = createJsonRpc(() => node.url, {timeoutMs: PATIENCE_MS});
	open.push(node, rpc);
	const sender = createSender(rpc, 8453, newUser());
	const nonces = () =>
		node.calls
			.filter(({method}) => method === 'eth_sendRawTransaction')
			.map(({params}) => parseTransaction(params[0] as `0x02${string}`).nonce);
	return {sender, node, nonces};
}

const ok = {result: '0x'};

test('what was prepared is written down before it is sent, and is what is sent', async () => {
	const {sender, node} = await senderWith(() => ok);
	const log: string[] = [];
	let prepared: Prepared | undefined;
	const hash = await sender.send(outgoing, async what => {
		await new Promise(resolve => setTimeout(resolve, 20));
		prepared = what;
		log.push(`persisted before ${node.calls.filter(({method}) => method === 'eth_sendRawTransaction').length} sends`);
	});
	expect(log).toEqual(['persisted before 0 sends']);
	expect(prepared?.hash).toBe(hash);
	expect(node.calls.at(-1)).toEqual({method: 'eth_sendRawTransaction', params: [prepared?.raw]});
});

test('nothing is sent when it could not be written down', async () => {
	const {sender, node} = await senderWith(() => ok);
	const full = sender.send(outgoing, () => {
		throw new Error('disk full');
	});
	await expect(full).rejects.toThrow('disk full');
	expect(node.calls.some(({method}) => method === 'eth_sendRawTransaction')).toBe(false);
	expect((await sender.send(outgoing)).length).toBe(66);
});

test('many at once leave in order, with one nonce after the other', async () => {
	const {sender, nonces} = await senderWith(() => ok);
	await Promise.all(Array.from({length: 20}, () => sender.send(outgoing)));
	expect(nonces()).toEqual(Array.from({length: 20}, (_, i) => i + 5));
});

test.each([
	['nonce too low', -32003],
	['nonce too low', -32000],
	['insufficient funds for gas * price + value', -32003],
	['intrinsic gas too low', -32000],
	['replacement transaction underpriced', -32000],
	['max fee per gas less than block base fee', -32000],
	['invalid chain id for signer', -32003],
	['any words', -32602],
	['any words', -32005],
])('"%s" (%i) proves that nothing was sent, and the nonce is free again', async (message, code) => {
	const {sender, nonces} = await senderWith(call => (call === 1 ? {error: {code, message}} : ok));
	await expect(sender.send(outgoing)).rejects.toThrow(SendRejected);
	await sender.send(outgoing);
	expect(nonces()).toEqual([5, 5]);
});

test.each<[string, Reaction]>([
	['an internal error', {error: {code: -32603, message: 'internal error'}}],
	['an unknown error', {error: {code: -32000, message: 'upstream request timed out'}}],
	['HTTP 502', {status: 502}],
	['a cut connection', 'cut'],
	['silence', 'silence'],
])('%s proves nothing: the hash is known, and the next nonce is read again', async (_, reaction) => {
	let pending = 5;
	const timeouts = holdTimeouts();
	const {sender, node, nonces} = await senderWith(call => (call === 1 ? reaction : ok), {pending: () => pending});
	let prepared: Prepared | undefined;
	const sending = sender.send(outgoing, what => {
		prepared = what;
	});
	const failing = sending.catch(caught => caught);
	if (reaction === 'silence') {
		await expect.poll(() => node.calls.at(-1)?.method).toBe('eth_sendRawTransaction');
		timeouts.expire();
	}
	const error = await failing;
	expect(error).toBeInstanceOf(SendUncertain);
	expect(error).toMatchObject({hash: prepared?.hash, next: 'poll-status'});
	pending = 6;
	await sender.send(outgoing);
	expect(nonces()).toEqual([5, 6]);
});

test('a node that has the transaction already counts as one that accepted it', async () => {
	const {sender, nonces} = await senderWith(call =>
		call === 1 ? {error: {code: -32000, message: 'already known'}} : ok,
	);
	expect((await sender.send(outgoing)).length).toBe(66);
	await sender.send(outgoing);
	expect(nonces()).toEqual([5, 6]);
});

test('a node that refuses the caller, or does not listen, has accepted nothing', async () => {
	const {sender} = await senderWith(() => ({status: 429}));
	await expect(sender.send(outgoing)).rejects.toThrow(SendRejected);
	const rpc = createJsonRpc(() => 'http://127.0.0.1:1');
	open.push(rpc);
	await expect(createSender(rpc, 8453, newUser()).send(outgoing)).rejects.toThrow(SendRejected);
});

test('a nonce whose transaction the node has dropped is given to the next one, after those that wait already', async () => {
	let pending = 5;
	const {sender, nonces} = await senderWith(() => ok, {pending: () => pending});
	await Promise.all([1, 2].map(() => sender.send(outgoing)));
	const waiting = sender.send(outgoing);
	pending = 6;
	sender.recount!();
	await Promise.all([waiting, sender.send(outgoing), sender.send(outgoing)]);
	expect(nonces()).toEqual([5, 6, 7, 6, 7]);
});

test('one failure does not hold up the others in the queue', async () => {
	const {sender} = await senderWith(call => (call === 2 ? {error: {code: -32003, message: 'nonce too low'}} : ok));
	const results = await Promise.allSettled([sender.send(outgoing), sender.send(outgoing), sender.send(outgoing)]);
	expect(results.map(({status}) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
});

describe('calls that go right before a transaction', () => {
	const write = {method: 'anvil_setStorageAt', params: ['0x1', '0x2', '0x3']};
	const before = ({node}: {node: FakeNode}) => node.calls.map(({method}) => method).slice(-3);

	test('are asked for in its turn, after it was written down, and are in its request in their order', async () => {
		const open = await senderWith(() => ok);
		const log: string[] = [];
		const send = (name: string) =>
			open.sender.send(outgoing, () => void log.push(`${name} written`), {
				sync: async () => {
					log.push(`${name} synced after ${open.nonces().length} sends`);
					return [write, write];
				},
			});
		await Promise.all([send('first'), send('second')]);
		expect(log).toEqual([
			'first written',
			'first synced after 0 sends',
			'second written',
			'second synced after 1 sends',
		]);
		expect(before(open)).toEqual([write.method, write.method, 'eth_sendRawTransaction']);
		expect(open.nonces()).toEqual([5, 6]);
	});

	test('stop it when there are none to be had: nothing was sent, and its nonce goes to the next', async () => {
		const {nonces, sender} = await senderWith(() => ok);
		const sync = () => Promise.reject(new Error('rugged'));
		await expect(sender.send(outgoing, undefined, {sync})).rejects.toThrow('rugged');
		expect(nonces()).toEqual([]);
		await sender.send(outgoing);
		expect(nonces()).toEqual([5]);
	});

	test.each<[string, Reaction, Reaction, unknown]>([
		['a refused write', {error: {code: -32603, message: 'no'}}, ok, expect.stringMatching(/^0x/)],
		['a refused transaction', ok, {error: {code: -32003, message: 'nonce too low'}}, expect.any(SendRejected)],
		['a strange refusal', ok, {error: {code: -32603, message: 'no'}}, expect.any(SendUncertain)],
		['a cut connection', ok, 'cut', expect.any(SendUncertain)],
		['a caller turned away', {status: 429}, ok, expect.any(SendRejected)],
	])('leave its fate to its own answer: %s', async (_, onWrite, onSend, fate) => {
		const {sender} = await senderWith(() => onSend, {onWrite});
		const end = sender.send(outgoing, undefined, {sync: () => [write]}).catch(error => error);
		expect(await end).toEqual(fate);
	});
});
