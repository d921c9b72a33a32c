import {describe, expect, test} from 'vitest';
import {balanceAfter, readReceipt, searchLogs, searchTransfers} from '../../../source/trading/chain-proof.ts';
import {type ChainReader, ChainUnread, NodeRefused} from '../../../source/trading/chain-reader.ts';
import {type SeenBlock, type Standing, seenBlock, standingsOf} from '../../../source/trading/finality.ts';

/* What a node shows counts only as far as the answer fits the question, and only while its block is in its place. */

const CHAIN = 'evm:8453';
const hash = (text: string) => `0x${text.repeat(64).slice(0, 64)}`;
const TX = hash('d1');
const ME = `0x${'11'.repeat(20)}`;
const OTHER = `0x${'22'.repeat(20)}`;
const TOKEN = `0x${'33'.repeat(20)}`;
const TRANSFER = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef';
const word = (address: string) => `0x${address.slice(2).padStart(64, '0')}`;

type Answers = Readonly<Record<string, unknown>>;

/** A node by its answers; a function gets the parameters, an Error is thrown. */
function nodeOf(answers: Answers): ChainReader {
	const request = async (_: string, method: string, params: readonly unknown[]) => {
		const answer = answers[method];
		const given = typeof answer === 'function' ? answer(params) : answer;
		if (given instanceof Error) throw given;
		return given;
	};
	return {request, knows: () => true} as unknown as ChainReader;
}

/** A chain of blocks, each named by its number and a letter. */
function chainOf({
	newest,
	fork = () => 'a',
	first = 'f',
	final,
}: {
	newest: number;
	fork?: (number: number) => string;
	first?: string;
	final?: number | Error | null;
}) {
	const blockOf = (number: number) =>
		number > newest
			? null
			: {number: `0x${number.toString(16)}`, hash: hash(number === 0 ? first : `${number}${fork(number)}`)};
	return nodeOf({
		eth_blockNumber: `0x${newest.toString(16)}`,
		eth_getBlockByNumber([tag]: readonly [string]) {
			if (tag === 'latest') return blockOf(newest);
			if (tag !== 'finalized') return blockOf(Number(tag));
			return final === null || final instanceof Error ? final : blockOf(final ?? 0);
		},
	});
}

const SEEN: SeenBlock = {chainId: CHAIN, number: 8, hash: hash('8a'), first: hash('f')};

describe('a block that was seen', () => {
	test.each<[Standing, Parameters<typeof chainOf>[0]]>([
		['there', {newest: 8}],
		['there', {newest: 700}],
		['final', {newest: 9, final: 8}],
		['there', {newest: 9, final: 7}],
		['final', {newest: 608, final: null}],
		['final', {newest: 608, final: new NodeRefused(CHAIN, 'unknown block')}],
		['there', {newest: 607, final: null}],
		['gone', {newest: 9, fork: () => 'b'}],
		['gone', {newest: 7}],
		['gone', {newest: 900, fork: () => 'b', final: 890}],
		['other', {newest: 9, fork: () => 'b', first: 'e'}],
		['other', {newest: 3, first: 'e'}],
	])('is %s on the chain %j', async (standing, chain) => {
		expect([...(await standingsOf(chainOf(chain), CHAIN, [SEEN, SEEN]))]).toEqual([[SEEN.hash, standing]]);
	});

	test('stands as it stood when the node does not answer, or answers about another block', async () => {
		const unread = [
			nodeOf({eth_getBlockByNumber: new ChainUnread(CHAIN, 'away'), eth_blockNumber: '0x9'}),
			nodeOf({eth_getBlockByNumber: {number: '0x7', hash: hash('7a')}, eth_blockNumber: '0x9'}),
			nodeOf({eth_getBlockByNumber: {number: '0x8'}, eth_blockNumber: '0x9'}),
			// A node that is ahead of its own answer.
			nodeOf({eth_getBlockByNumber: null, eth_blockNumber: '0x9'}),
		];
		for (const node of unread) await expect(standingsOf(node, CHAIN, [SEEN])).rejects.toThrow(ChainUnread);
	});

	test('is that of a receipt only while it is in its place', async () => {
		const node = chainOf({newest: 9});
		expect(await seenBlock(node, CHAIN, {block: 8n, blockHash: hash('8a')})).toEqual(SEEN);
		expect(await seenBlock(node, CHAIN, {block: 8n, blockHash: hash('8b')})).toBeUndefined();
		await expect(seenBlock(node, CHAIN, {block: 10n, blockHash: hash('10a')})).rejects.toThrow(ChainUnread);
	});
});

describe('a node whose answer does not fit the question', () => {
	test('gives no receipt of another transaction, and none without a block', async () => {
		const receipt = {status: '0x1', blockNumber: '0x8', gasUsed: '0x1', logs: []};
		const read = (more: object) => readReceipt(nodeOf({eth_getTransactionReceipt: {...receipt, ...more}}), CHAIN, TX);
		expect(await read({transactionHash: TX.toUpperCase().replace('0X', '0x')})).toMatchObject({txHash: TX, block: 8n});
		expect(await read({transactionHash: hash('d2')})).toBeUndefined();
		expect(await read({blockNumber: null})).toBeUndefined();
		expect(await read({status: '0x2'})).toMatchObject({isSuccess: false});
	});

	const log = {
		address: TOKEN,
		topics: [TRANSFER, word(OTHER), word(ME)],
		data: '0x5',
		transactionHash: TX,
		logIndex: '0x0',
		blockNumber: '0x8',
	};
	test.each([
		['another token', {address: OTHER}],
		['another recipient', {topics: [TRANSFER, word(OTHER), word(OTHER)]}],
		['another event', {topics: [hash('ee'), word(OTHER), word(ME)]}],
		['an earlier block', {blockNumber: '0x4'}],
		['a later block', {blockNumber: '0x9'}],
		['a block that was taken back', {removed: true}],
	])('finds no movement in a log of %s', async (_, more) => {
		const search = {token: TOKEN, to: ME, fromBlock: 5n, toBlock: 8n};
		const found = await searchTransfers(nodeOf({eth_getLogs: [log, {...log, ...more}]}), CHAIN, search);
		expect(found).toEqual([{token: TOKEN, from: OTHER, to: ME, amountRaw: 5n, txHash: TX, logIndex: 0}]);
	});

	test('gives no logs and no balance where it gives no list and no number', async () => {
		const search = {topics: [TRANSFER], fromBlock: 5n};
		await expect(searchLogs(nodeOf({eth_getLogs: 'none'}), CHAIN, search)).rejects.toThrow(ChainUnread);
		const of = {token: TOKEN, owner: ME, block: 8n};
		for (const answer of ['0x', null, 'many', new NodeRefused(CHAIN, 'missing trie node')])
			expect(await balanceAfter(nodeOf({eth_call: answer}), CHAIN, of)).toBeUndefined();
		await expect(balanceAfter(nodeOf({eth_call: new ChainUnread(CHAIN, 'away')}), CHAIN, of)).rejects.toThrow();
	});
});
