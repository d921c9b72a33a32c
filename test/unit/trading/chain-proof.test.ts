import {expect, test} from 'vitest';
import {searchTransfers} from '../../../source/trading/chain-proof.ts';
import {type ChainReader, NodeRefused} from '../../../source/trading/chain-reader.ts';

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
