import {expect, test} from 'vitest';
import {blockAt} from '../../../source/trading/block-at.ts';
import type {ChainReader} from '../../../source/trading/chain-reader.ts';
import {fc} from '../../helpers/properties.ts';

/** A chain of blocks with these times. */
function chainOf(times: readonly number[]) {
	const asked: number[] = [];
	const request = async (_: string, method: string, [block]: readonly unknown[]) => {
		if (method === 'eth_blockNumber') return `0x${(times.length - 1).toString(16)}`;
		asked.push(Number(block));
		const time = times[Number(block)];
		return time === undefined ? null : {timestamp: `0x${time.toString(16)}`};
	};
	return {chains: {request} as unknown as ChainReader, asked};
}

test('the block at a moment is the newest that is not younger, however the times lie', async () => {
	await fc.assert(
		fc.asyncProperty(
			fc.array(fc.nat(5), {minLength: 1, maxLength: 200}),
			fc.integer({min: 0, max: 1000}),
			async (gaps, moment) => {
				let time = 0;
				const times = gaps.map(gap => (time += gap));
				const wanted = times.findLastIndex(other => other <= moment);
				const {chains, asked} = chainOf(times);
				expect(await blockAt(chains, 'evm:8453', moment)).toBe(BigInt(Math.max(wanted, 0)));
				expect(asked.length).toBeLessThan(20);
			},
		),
	);
});

test('a node that does not know the time of a block has not shown it', async () => {
	const {chains} = chainOf([1, 2, 3]);
	const forgetful = {
		request: async (chainId: string, method: string, params: readonly unknown[]) =>
			method === 'eth_getBlockByNumber' ? null : chains.request(chainId, method, params),
	} as ChainReader;
	await expect(blockAt(forgetful, 'evm:8453', 2)).rejects.toMatchObject({code: 'chain-unread'});
});
