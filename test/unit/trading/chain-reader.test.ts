import {createServer} from 'node:http';
import {expect, onTestFinished, test} from 'vitest';
import {explain} from '../../../source/errors.ts';
import {type ChainReader, createChainReader} from '../../../source/trading/chain-reader.ts';
import {listenOnLoopback} from '../../helpers/loopback.ts';

const ME = `0x${'11'.repeat(20)}`;

/** A node that answers by method; a function may look at the parameters. */
async function nodeOf(answers: Record<string, unknown>): Promise<ChainReader> {
	const server = createServer(async (request, response) => {
		const chunks: Buffer[] = [];
		for await (const chunk of request) chunks.push(chunk as Buffer);
		const {id, method, params} = JSON.parse(Buffer.concat(chunks).toString());
		const all: Record<string, unknown> = {eth_chainId: '0x2105', ...answers};
		const answer = all[method as string];
		const result = typeof answer === 'function' ? answer(params) : answer;
		response.setHeader('content-type', 'application/json');
		response.end(
			typeof result === 'string' || result === undefined
				? JSON.stringify({jsonrpc: '2.0', id, result})
				: JSON.stringify(result),
		);
	});
	const {url, close} = await listenOnLoopback(server);
	onTestFinished(close);
	return createChainReader({urlOf: chainId => (chainId === 'evm:8453' ? `${url}/secret-path` : undefined)});
}

const word = (value: bigint) => value.toString(16).padStart(64, '0');

test('an account is plain, delegated, or a contract', async () => {
	for (const [code, state] of [
		['0x', {kind: 'plain'}],
		[`0xef0100${'AB'.repeat(20)}`, {kind: 'delegated', delegate: `0x${'ab'.repeat(20)}`}],
		['0x6001', {kind: 'contract'}],
	] as const) {
		const reader = await nodeOf({eth_getTransactionCount: '0x7', eth_getCode: code});
		expect(await reader.account('evm:8453', ME)).toEqual({nonce: 7, ...state});
	}
});

test('a token’s symbol is read in both of its forms, and made harmless', async () => {
	const long = (text: string) => {
		const bytes = Buffer.from(text);
		return `0x${word(32n)}${word(BigInt(bytes.length))}${bytes.toString('hex').padEnd(64, '0')}`;
	};
	const reader = await nodeOf({
		eth_call: ([{to, data}]: [{to: string; data: string}]) => {
			if (data === '0x313ce567') return `0x${word(6n)}`;
			return to === ME ? long('US\u001b[2JDC') : `0x${Buffer.from('DAI').toString('hex').padEnd(64, '0')}`;
		},
	});
	expect(await reader.tokenInfo('evm:8453', ME)).toEqual({symbol: 'USDC', decimals: 6});
	expect(await reader.tokenInfo('evm:8453', `0x${'22'.repeat(20)}`)).toEqual({symbol: 'DAI', decimals: 6});
});

test('a node of another chain is not believed', async () => {
	const reader = await nodeOf({eth_chainId: '0x1', eth_getBalance: '0x1'});
	await expect(reader.coins('evm:8453', ME)).rejects.toMatchObject({
		code: 'chain-unread',
		why: 'its node serves another chain',
	});
});

test('a chain without a node, a refusal and nonsense are each reported, without the node’s address', async () => {
	const reader = await nodeOf({eth_getBalance: {error: {message: 'limit\u001b]0;x\u0007 reached'}}, eth_call: 'a lot'});
	const failures = [reader.coins('evm:137', ME), reader.coins('evm:8453', ME), reader.balance('evm:8453', ME, ME)];
	const whys = await Promise.all(failures.map(failure => failure.catch((error: unknown) => explain(error).why)));
	expect(whys).toEqual([
		'no node of this chain is configured',
		'its node refused: limit reached',
		'its node gave no number where one was due',
	]);
});

test('a lane that cannot be read is unknown, not unused', async () => {
	const reader = await nodeOf({eth_call: '0x'});
	expect(await reader.laneSequence('evm:8453', ME, 1n)).toBeUndefined();
	const delegated = await nodeOf({eth_call: `0x${word(1n)}`});
	expect(await delegated.laneSequence('evm:8453', ME, 1n)).toBe(1n);
});
