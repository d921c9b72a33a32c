import {expect, test} from 'vitest';
import {searchTransfers, transfersIn} from '../../../source/trading/chain-proof.ts';
import {type ChainReader, NodeRefused} from '../../../source/trading/chain-reader.ts';
import {addressIn, TRANSFER} from '../../../source/trading/evm-words.ts';

/** A node that refuses to search from a block after its newest one, as anvil and geth do. */
function nodeAt(newest: number): ChainReader {
	const request = async (chainId: string, method: string) => {
		if (method === 'eth_blockNumber') return `0x${newest.toString(16)}`;
		throw new NodeRefused(chainId, `BlockOutOfRangeError: block height is ${newest}`);
	};
	return {request} as unknown as ChainReader;
}

const SINCE = {token: '0x01', fromBlock: 101n};

test('where no block was mined since a batch was signed, nothing has moved', async () => {
	expect(await searchTransfers(nodeAt(100), 'evm:8453', SINCE)).toEqual([]);
});

test('a node that is behind, or refuses a search of blocks that it has, proves nothing', async () => {
	await expect(searchTransfers(nodeAt(99), 'evm:8453', SINCE)).rejects.toThrow(NodeRefused);
	await expect(searchTransfers(nodeAt(101), 'evm:8453', SINCE)).rejects.toThrow(NodeRefused);
});

test('of the logs of a node those are read that are transfers; what else is among them proves nothing and breaks nothing', () => {
	const word = (end: string) => `0x${end.padStart(64, '0')}`;
	const topics = [TRANSFER, word('a1'), word('B2')];
	const log = {address: '0xToken', topics, data: word('05'), transactionHash: '0xAB', logIndex: '0x3'};
	const read = {
		token: '0xtoken',
		from: addressIn(word('a1')),
		to: addressIn(word('b2')),
		amountRaw: 5n,
		txHash: '0xab',
		logIndex: 3,
	};
	expect(transfersIn([log])).toEqual([read]);
	const others = [
		null,
		'log',
		7,
		[],
		{},
		{...log, removed: true},
		{...log, address: 5},
		{...log, topics: 'none'},
		{...log, topics: topics.slice(0, 2)},
		{...log, topics: [...topics, word('01')]},
		{...log, topics: [word('00'), ...topics.slice(1)]},
		{...log, topics: [TRANSFER, '0xa1', word('b2')]},
		{...log, topics: [TRANSFER, word('a1'), null]},
		{...log, data: '0x'},
		{...log, data: undefined},
	];
	expect(transfersIn([...others, log])).toEqual([read]);
	for (const answer of [undefined, null, {}, 'logs']) expect(transfersIn(answer)).toEqual([]);
});
